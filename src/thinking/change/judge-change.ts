/**
 * Does a newer statement leave an older one as it was? A small linear model (bench/training/change.ts) weighs their
 * common matter, words of change, and each pair of values.
 */
import { DAY_MS } from '../../domain/clock.ts'
import { readOnce } from '../../domain/read-once.ts'
import { ENGLISH_MONTH, FULL_WEEKDAY } from '../../language/calendar.ts'
import { hasHan } from '../../language/character-class.ts'
import { asksOrOrders } from '../../language/questions.ts'
import { stanceOf } from '../facts/stance.ts'
import { cuesOf, happenedOnce, isUnreal, isUsual } from '../facts/stance-cues.ts'
import { rarityOf } from '../topic/word-rarity.ts'
import { isOfOneDay, sameKey } from './compare-values.ts'
import type { Overlap } from './overlap.ts'
import { conflicting, isOneScale, isOneValue, type Quantity, quantitiesOf } from './quantities.ts'
import type { Read, Reading } from './statement-reading.ts'

const JUDGE_WEIGHTS: Readonly<Record<string, number>> = {
  bias: -1.67,
  'long term': 1.27,
  names: 0.54,
  props: 1.83,
  conflict: 0.7,
  age: -1.21,
  change: 1.38,
  'correction soon': 1.28,
  'words of newer': -1.24,
  'words of older': -1.89,
  plans: -0.83,
  asks: -0.27,
  sentences: -1.09,
  'older states': 0.59,
  'older happened': -1.01,
  'older plans': -1.06,
  'older asks': -0.25,
  'older sentences': -1.88,
  unreal: -0.6,
  plainly: 1.94,
  'short end': 1.47,
  'of newer': 1.91,
  'of older': 1.41,
  phrases: 1.7,
  'heads apart': -1.37,
  'is day': -1.4,
  'said plainly': 1.46,
  left: 0.93,
  times: -1.43,
  smaller: -1.24,
  'value change': 1.54,
  identity: -0.93,
  'older long': -2.6,
}

const CHANGED =
  /\b(?:now|updated?|adjust(?:ed|ing)|chang(?:ed|ing)|revised|increas(?:ed|ing)|rais(?:ed|ing)|reduc(?:ed|ing)|cut|lower(?:ed|ing)|dropped|extend(?:ed|ing)|shorten(?:ed|ing)|instead|(?:up|down|back) (?:to|from)|grown|risen|improved|reached|new|moved|moving|reschedul\w{1,40}|postponed|pushed|delayed|brought forward|shifted|switched|boosted|added|total of)\b|[改调换挪]|[涨降增升减]|提[高到升前]|[加减]到|现在|如今|推迟|延[后期长]|达到|已经|新的/i
/** Changes of a day or an hour: only a moved thing has another one; two meetings have two. */
const MOVED =
  /\b(?:instead|new (?:\w{1,40} )?(?:date|day|time|deadline|slot)|put back|(?:mov|reschedul|postpon|push|delay|extend|chang|shift|slip)(?:e[ds]?|s|ing|ped)?|brought|earlier|(?<!and )later)\b|[改调挪]|推迟|提前|延[后期]/i
const CHANGE = String.raw`new|(?:increas|rais|reduc|extend|adjust|updat|revis|lower|shorten|chang|mov|reschedul|postpon|delay|push|bump|cut|dropp|improv)\w{0,5}|upped|slipped|(?:go(?:ing)?|get|gone|went|put(?:ting)?)(?: [\w'-]{1,40}){0,2} (?:up|down)`
/** A change said of this very value: "the increased budget of", "has now reached", 提到. */
const PLAINLY = new RegExp(
  String.raw`\b(?:${CHANGE}) (?:[\w'-]{1,40} ){0,5}?(?:of|to|at|until|till|through|is) (?:just |only |about |around )?\W?$|\b(?:now |has |have )reached \W?$|(?:[涨降提加减改推挪调缩][高升低少到至为成长短迟后]?[到至为成]|变成|变为)\s?$`,
  'i',
)
/** The words before the value that something has been replaced by. */
const LEADS_TO = /\b(?:to|at|till|until|back on) \W?$|[到至成为用在]\s?$/i
/** An aim: an infinitive whose object or bound the value is ("to gather 15 articles"), or a noun for one. */
const AIMS =
  /(?<!\b(?:managed|able|had|have|has|decided|agreed|forced|up|down|back|due) )\bto (?!be )[a-z]{3,20} (?:(?:(?!(?:the|my|our|this|that|these|your|their|an?) )[\w'’-]{1,40} ){0,4}(?:from \S{1,40} to )?|(?:[\w'’-]{1,40} ){1,7}(?:to|under|below|over|above) )\W?$|\b(?:goals?|targets?|targeting|aim(?:ing)?|hop(?:e|ing)|deadline of|let['’]s)\b[^,.;]{0,40}$|(?:目标|争取|打算|计划|希望|想)[^，。；]{0,15}$/i
/** "Cut 700 words", "improved by 22%", 涨了200: a difference, and not the present value. */
const DIFFERENCE =
  /\b(?:cut|trimmed|removed|lost|gained|another|extra|additional|further|by) \W?$|[涨降增升减提加高少低]了\s?$/i
/** "From the 15th to the 22nd", "instead of $40": the ended value stands beside. */
const REPLACED = /\b(?:from|than|instead of|not) (?:\w{1,40} ){0,2}\W?$|(?:[从由]|不是|不在)\s?$/i
/** "5600涨到6000", "430 → 465": what is left stands before the change. */
const LEFT_BEHIND =
  /^[一二三四五六日天]?\s?[元块]?[涨降升加减提改调推延挪缩砍增][高低少迟后前]?[到至成为]|^\s?(?:->|→|=>)\s?\W?\d/
/** The month or weekday of one occasion ("in May", "my January budget"); that by which something is reached is none. */
const PERIOD = new RegExp(
  String.raw`(?<!\b(?:by|until|till|of|through|before|since|is|due|starting) (?:the end of |mid-|early |late )?)\b(?:${ENGLISH_MONTH}(?! i\b)|${FULL_WEEKDAY}s?)\b|[周星期]([一二三四五六日天])|(1?\d|[一二三四五六七八九十]{1,2})月`,
  'gi',
)
const CALENDAR: ReadonlySet<Quantity['kind']> = new Set(['clock', 'day', 'month', 'weekday', 'year'])
/** Values that name one of several things, as a version or a port does. */
const IDENTITIES: ReadonlySet<Quantity['kind']> = new Set(['version', 'code', 'port'])
/** Characters to each side of a value within which its subject is named. */
const [BEFORE, BEHIND, CLOSE_BY, MOVED_WITHIN] = [50, 30, 40, 80]
/** Content words of a statement that says nothing beside its value. */
export const FEW_WORDS = 8
/** The least weight of a word, however common. */
const LEAST_RARE = 0.3
const MOST_ALIKE = 4
/** The least weight of words that tell of no change: a value may be news without any. */
const LEAST_CHANGE = -0.5
/** The largest logarithm of a ratio. */
const MOST_LOG = 4

/** The weighed features by name; each is between -2 and 6. */
export type Features = Readonly<Record<string, number>>

/** Two values that may have taken each other's place. */
export interface ValuePair {
  readonly newer: Quantity
  readonly older: Quantity
}

/** One way in which the newer statement may change the older one: as a whole, or by one pair of values. */
export interface Way {
  readonly features: Features
  readonly value: ValuePair | null
}

/** The likeliest way, with the log-odds that the older statement no longer holds as it was said. */
export interface Verdict {
  readonly odds: number
  readonly value: ValuePair | null
}

/** Weighs all ways in which the newer statement may change the older one. */
export function judgeChange(newer: Read, older: Read, overlap: Overlap): Verdict {
  return likeliestWay(waysOf(newer, older, overlap))
}

/** The likeliest of some ways. */
export function likeliestWay(ways: readonly Way[]): Verdict {
  let most: Verdict = { odds: -Infinity, value: null }
  for (const { features, value } of ways) {
    let odds = 0
    for (const name in features) odds += features[name]! * (JUDGE_WEIGHTS[name] ?? 0)
    if (odds > most.odds) most = { odds, value }
  }
  return most
}

/** The ways to be weighed. */
export function waysOf(newer: Read, older: Read, overlap: Overlap): readonly Way[] {
  return [wayOfWhole(newer, older, overlap), ...waysOfValues(newer.reading, older.reading)]
}

/** The older statement may be changed as a whole. */
export function wayOfWhole(newer: Read, older: Read, overlap: Overlap): Way {
  const between = Math.max(0, newer.statement.occurredAt - older.statement.occurredAt)
  const told = flag(newer.statement.heard !== true)
  return { features: featuresOfWhole(newer.reading, older.reading, overlap, between, told), value: null }
}

/** Or by a pair of values. */
export function waysOfValues(mine: Reading, theirs: Reading): readonly Way[] {
  const ways: Way[] = []
  for (const [at, value] of mine.values.entries())
    for (const [place, before] of theirs.values.entries()) {
      const features = featuresOfValues(mine, at, theirs, place)
      if (features !== null) ways.push({ features, value: { newer: value, older: before } })
    }
  return ways
}

function featuresOfWhole(newer: Reading, older: Reading, overlap: Overlap, between: number, told: number): Features {
  const { stance } = newer
  const change = Math.max(-1.5, Math.min(1.5, stance.change / 2))
  const age = Math.log1p(between / DAY_MS) / 5
  const [mine, theirs] = [kindsOf(newer.text), kindsOf(older.text)]
  return {
    bias: 1,
    'long term': flag(overlap.terms.some((term) => term.length > MANY || hasHan(term))),
    names: flag(overlap.names.length > 0),
    // A thing that goes with an attribute tells nothing when it is named in a chat.
    props: told * overlap.propScore,
    // The values of an older statement are read only where the newer one gives any.
    conflict: flag(newer.values.length > 0 && conflicting(newer.values, older.values)),
    age,
    change,
    'correction soon': flag(stance.corrects) * (1 - age),
    'words of newer': Math.min(LONG, newer.terms.size) / LONG,
    'words of older': Math.min(LONG, older.terms.size) / LONG,
    plans: mine.plans,
    asks: mine.asks,
    sentences: mine.sentences,
    'older states': theirs.states,
    'older happened': theirs.happened,
    'older plans': theirs.plans,
    'older asks': theirs.asks,
    'older sentences': theirs.sentences,
    unreal: flag(stance.unreal),
    plainly: flag(isPlainly(older, overlap)),
    'short end': flag(
      (stance.ends || stance.replaces) &&
        overlap.terms.length > 0 &&
        Math.max(newer.terms.size, older.terms.size) <= FEW_WORDS,
    ),
  }
}

/** null where the two are of two scales, or one of them stands in both statements. */
function featuresOfValues(newer: Reading, at: number, older: Reading, place: number): Features | null {
  const [value, before] = [newer.values[at]!, older.values[place]!]
  if (!isOneScale(value, before) || isOneValue(value, before)) return null
  const [mine, theirs] = [toldOf(newer.text), toldOf(older.text)]
  if (mine[at]!.replaced || theirs[place]!.replaced) return null
  // A value that is wished or planned for, offered or nearly so changes plans alone.
  if (mine[at]!.unreal && kindsOf(older.text).plans === 0) return null
  const isSame = (one: Quantity, other: Quantity): boolean => isOneScale(one, other) && isOneValue(one, other)
  if (newer.values.some((one, index) => isSame(one, before) && !mine[index]!.replaced)) return null
  if (older.values.some((one) => isSame(one, value))) return null
  // "From 1,200 to 1,500": the value that it takes the place of is said, this one or another.
  const left = newer.values.filter((one, index) => mine[index]!.replaced && isOneScale(one, before))
  const isLeft = left.some((one) => isOneValue(one, before))
  if (left.length > 0 && !isLeft) return null
  const alike = (values: readonly Quantity[]): number => values.filter((one) => isOneScale(one, value)).length
  // With more values than this the pair is a guess.
  if (alike(newer.values) + alike(older.values) > MOST_ALIKE) return null
  const [told, said] = [mine[at]!, theirs[place]!]
  if (newer.stance.past && !newer.stance.corrects) return null
  // Tonight's dinner does not move the usual one.
  if (isOfOneDay(value.clause) && isUsual(older.text)) return null
  const isDay = CALENDAR.has(value.kind)
  // A reached figure leaves the goal as it is, and each period has its own: the steps of Tuesday and those of Thursday.
  if (!isDay && (told.aims !== said.aims || areApart(told.periods, said.periods))) return null
  // A day or an hour is moved, or put right in few words: two occasions have two.
  if (isDay && !isLeft && !told.moved && !(newer.stance.corrects && newer.terms.size <= 2 * FEW_WORDS)) return null
  // A question may tell a change beside: the clause of the value is read as well.
  return {
    'of newer': coveredBy(value.own, before.near),
    'of older': coveredBy(before.own, value.near),
    phrases: phrasesShared(value, before),
    'heads apart': flag(areApart(value.heads, before.heads)),
    'is day': flag(isDay),
    'said plainly': flag(told.plainly),
    left: flag(isLeft),
    times: Math.min(MOST_LOG, Math.log(timesApart(value, before))),
    smaller: flag(!isDay && Number(value.value) < Number(before.value)),
    'value change': Math.max(
      LEAST_CHANGE,
      Math.min(1.5, Math.max(newer.stance.change, stanceOf(value.clause).change) / 2),
    ),
    identity: flag(IDENTITIES.has(value.kind)),
    'older long': Math.min(LONG, older.terms.size) / LONG,
  }
}

/** How each quantity of a text is told, in their order. */
const toldOf = readOnce('told values', (text) =>
  quantitiesOf(text).map(({ kind, at, length, from, to, clause }) => {
    const [near, close] = [BEFORE, MOVED_WITHIN].map((characters) =>
      text.slice(Math.max(from, at - characters), at),
    ) as [string, string]
    const behind = text.slice(at + length, Math.min(to, at + length + BEHIND))
    // "On Tuesdays now": a habit, which no occasion moves.
    const isHabit = kind === 'weekday' && text[at + length - 1] === 's'
    return {
      // A change said of this value, and of a day or an hour.
      plainly: PLAINLY.test(near) || (LEADS_TO.test(near) && cuesOf(near).replaces),
      moved: MOVED.test(close) || MOVED.test(behind) || (isHabit && CHANGED.test(clause)),
      // Another value stands beside that takes its place.
      replaced:
        REPLACED.test(text.slice(Math.max(0, at - CLOSE_BY), at)) ||
        LEFT_BEHIND.test(text.slice(at + length, at + length + BEHIND)) ||
        (!CALENDAR.has(kind) && DIFFERENCE.test(near)),
      periods: periodsOf(clause),
      unreal: isUnreal(clause),
      aims: AIMS.test(close),
    }
  }),
)

/** The values that a text says were left for others, as written. */
export function valuesLeft(text: string): readonly string[] {
  const told = toldOf(text)
  return quantitiesOf(text).flatMap(({ at, length }, n) => (told[n]!.replaced ? [text.slice(at, at + length)] : []))
}

/** Both have some, and none in common. */
function areApart(mine: ReadonlySet<string>, theirs: ReadonlySet<string>): boolean {
  return mine.size * theirs.size > 0 && mine.isDisjointFrom(theirs)
}

const periodsOf = (text: string): ReadonlySet<string> =>
  new Set([...text.matchAll(PERIOD)].map((names) => names.slice(1).join('').slice(0, 3).toLowerCase()))

/** The least overlap of two statements on one matter. */
export const RELATED = 0.65
/** Letters of a long term; terms of a long statement. */
const MANY = 6
const LONG = 20
const MOST_SENTENCES = 4
/** Plans are not so yet, and requests are no state that could end. */
const PLANS =
  /\b(?:i['’]ll|i will|let['’]s|i['’]m (?:going|planning|trying|thinking|looking)|i(?:['’]d| would) like|i (?:want|need|should|hope|plan)|going to|gonna)\b|打算|准备|我想|计划|[要会]去/i
/** States: being, having or doing something, and the state of one's own things. */
const STATES =
  /\b(?:i|we)(?:['’]m| am| are|['’]re)? (?:\w{1,40}ly )?(?:work|live|use|drive|play|go|take|have|own|run|drink|eat|write|read|study|train|rent|keep|share|pay|wear|speak|am|do|teach|sing|bank|shop|cook|sleep|commute|walk|cycle|ride|wake|get up|start|host|deploy|store)\b|\b(?:my|our) [\w' -]{2,30} (?:is|are|runs?|lives?|works?|goes|costs?|starts?)\b|^我/i
const SENTENCE = /[.!?。！？]+\s*/

const kindsOf = readOnce('kinds', (text) => ({
  plans: flag(PLANS.test(text)),
  asks: flag(asksOrOrders(text)),
  states: flag(STATES.test(text)),
  happened: flag(happenedOnce(text)),
  sentences: Math.min(MOST_SENTENCES, text.split(SENTENCE).filter((part) => part.length > 1).length) / 2,
}))

/** How many times the one is the other; 1 where they are no amounts. */
function timesApart({ kind, value }: Quantity, before: Quantity): number {
  if (CALENDAR.has(kind)) return 1
  const [one, other] = [Number(value), Number(before.value)]
  return one > 0 && other > 0 ? Math.max(one / other, other / one) : 1
}

/** The words near both values, the nearest first. */
export function wordsOfBoth(value: Quantity, before: Quantity): readonly string[] {
  return [...value.near]
    .flatMap(([term, distance]) => (before.near.has(term) ? [{ term, apart: distance + before.near.get(term)! }] : []))
    .sort((a, b) => a.apart - b.apart)
    .map(({ term }) => term)
}

/** Whether the clause of a value calls it changed: "now", "raised". */
export function namesChange({ clause }: Quantity): boolean {
  return CHANGED.test(clause)
}

/** The share of words that others have, by how rare they are. */
function coveredBy(words: Iterable<string>, others: { readonly has: (term: string) => boolean }): number {
  let [sum, all] = [0, 0]
  for (const term of words) {
    const weight = Math.max(LEAST_RARE, rarityOf(term))
    all += weight
    if (others.has(term)) sum += weight
  }
  return all === 0 ? 0 : sum / all
}

/** Pairs of neighbouring words that stand near both values ("grocery budget"), by how near; 2 at most. */
function phrasesShared(value: Quantity, before: Quantity): number {
  let sum = 0
  for (const [term, distance] of value.near) {
    const first = value.apart.get(term)
    if (first !== undefined && first !== '' && first === before.apart.get(term))
      sum += nearness(distance) * nearness(before.near.get(term)!)
  }
  return Math.min(2, sum)
}

function nearness(distance: number): number {
  return distance <= 2 ? 1 : distance <= 4 ? 0.8 : distance <= 7 ? 0.55 : 0.35
}

function flag(value: boolean): number {
  return value ? 1 : 0
}

/** Whether the older one gives the value of the common subject, or they share its words: no sentence in passing. */
export function isPlainly(older: Reading, { topics, terms, termScore, names }: Overlap): boolean {
  return (
    topics.some((topic) => [...older.stated].some((key) => sameKey(key, topic))) ||
    names.length > 0 ||
    (termScore >= RELATED && (topics.length > 0 || terms.length > 1))
  )
}
