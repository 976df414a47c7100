/**
 * Does a newer statement give another value of the same quantity as an older one ("snack budget of $65", then "up to
 * $75"; 预算五千, 预算涨到八千)? A small linear model weighs the words around both, fitted by bench/training/change.ts.
 */
import { readOnce } from '../../domain/read-once.ts'
import { rarityOf } from '../topic/common-words.ts'
import { NEW_VALUE_WEIGHTS } from './new-value-weights.ts'
import type { Profile } from './profile.ts'
import { isOneScale, isOneValue, type Quantity, quantitiesOf } from './quantities.ts'

/** The weighed features by name; each is between 0 and 6. */
export type NewValueFeatures = Readonly<Record<string, number>>

/** The likeliest pair of values of two statements. */
export interface NewValue {
  readonly newer: Quantity
  readonly older: Quantity
  /** Log-odds that the newer value takes the older one's place. */
  readonly odds: number
}

const CHANGED =
  /\b(?:now|updated?|adjust(?:ed|ing)|chang(?:ed|ing)|revised|increas(?:ed|ing)|rais(?:ed|ing)|reduc(?:ed|ing)|cut|lower(?:ed|ing)|dropped|extend(?:ed|ing)|shorten(?:ed|ing)|instead|(?:up|down|back) (?:to|from)|grown|risen|improved|reached|new|moved|moving|reschedul\w{1,40}|postponed|pushed|delayed|brought forward|shifted|switched|boosted|added|total of)\b|[改调换挪]|[涨降增升减]|提[高到升前]|[加减]到|现在|如今|推迟|延[后期长]|达到|已经|新的/i
/** Changes of a day or an hour: only a moved thing has another one; two meetings have two. */
const MOVED =
  /\b(?:instead|new (?:\w{1,40} )?(?:date|day|time|deadline|slot)|put back|(?:mov|reschedul|postpon|push|delay|extend|chang|shift|slip)(?:e[ds]?|s|ing|ped)?|brought|earlier|later)\b|[改调挪]|推迟|提前|延[后期]/i
const CHANGE = String.raw`new|(?:increas|rais|reduc|extend|adjust|updat|revis|lower|shorten|chang|mov|reschedul|postpon|delay|push|bump|cut|dropp|improv)\w{0,5}|upped|slipped|(?:go(?:ing)?|get|gone|went|put(?:ting)?)(?: [\w'-]{1,40}){0,2} (?:up|down)`
/** A change said of this very value: "the increased budget of", "has now reached", 提到. */
const PLAINLY = new RegExp(
  String.raw`\b(?:${CHANGE}) (?:[\w'-]{1,40} ){0,5}?(?:of|to|at|until|till|through|is) (?:just |only |about |around )?\W?$|\b(?:now |has |have )reached \W?$|(?:[涨降提加减改推挪调缩][高升低少到至为成长短迟后]?[到至为成]|变成|变为)\s?$`,
  'i',
)
/** "Down by 30 %", "an extra $200" give no value of their own. */
const RELATIVE =
  /\b(?:by|than|another|extra|additional|further|every|save[ds]?|saving|off|up|down) \W?$|[了多再省]\s?$/i
/** "Cut 700 words": a difference, and not the present value. */
const DIFFERENCE = /\b(?:cut|trimmed|removed|lost|gained|another|extra|additional|further) \W?$/i
/** "From the 15th to the 22nd", "instead of $40": the ended value stands beside. */
const REPLACED = /\b(?:from|than|instead of) (?:\w{1,40} ){0,2}\W?$|[从由]\s?$/i
/** Aims and limits: values that are meant, possible or not to be exceeded. */
const AIMED =
  /\b(?:goals?|targets?|targeting|aim(?:ing)?|want|would like|hop(?:e|ing)|plan(?:ning)?|should|deadline|limit|at least|more than|over|under|up to|maximum|minimum|option|offer|if|considering|scheduled)\b|目标|争取|打算|计划|希望|至少|不超过|上限/i
const CALENDAR: ReadonlySet<Quantity['kind']> = new Set(['clock', 'day', 'weekday', 'year'])
const MONTH =
  /\b(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b|(?:1[0-2]|[1-9])月/g
/** Characters to each side of a value within which its subject is named. */
const BEFORE = 50
const BEHIND = 30
const CLOSE_BY = 40
const MOVED_WITHIN = 70
/** The distance from which a word is far from the value, and the weight of a word by distance. */
const CLOSE = 4
const FEW_WORDS = 8
const LEAST_RARE = 0.3
const LEAST_WORDS = 3
const MOST_ALIKE = 4
/** The age from which a value is old; milliseconds. */
const LONG_AGO = 60 * 86_400_000
/** The largest ratio of two values of one thing, as a rule. */
const MOST_TIMES = 8

interface Told {
  readonly changed: boolean
  readonly moved: boolean
  readonly plainly: boolean
  readonly relative: boolean
  readonly replaced: boolean
  /** Whether it is a goal, a limit or an offer, and not a present value. */
  readonly aimed: boolean
  /** The months named beside it. */
  readonly months: ReadonlySet<string>
}

/** How each quantity of a text is told, in their order. */
const toldOf = readOnce('told values', (text): readonly Told[] =>
  quantitiesOf(text).map(({ at, length, from, to }) => {
    const before = (characters: number): string => text.slice(Math.max(from, at - characters), at)
    const behind = text.slice(at + length, Math.min(to, at + length + BEHIND))
    const around = text.slice(Math.max(from, at - CLOSE_BY), Math.min(to, at + length + CLOSE_BY))
    return {
      changed: CHANGED.test(before(BEFORE)) || CHANGED.test(behind),
      moved: MOVED.test(before(MOVED_WITHIN)) || MOVED.test(behind),
      plainly: PLAINLY.test(before(BEFORE)),
      relative: RELATIVE.test(before(BEFORE)),
      replaced: REPLACED.test(text.slice(Math.max(0, at - CLOSE_BY), at)) || DIFFERENCE.test(before(BEFORE)),
      aimed: AIMED.test(before(CLOSE_BY)),
      months: new Set([...around.matchAll(MONTH)].map(([name]) => name.slice(0, 3))),
    }
  }),
)

/** The pair of values that most likely took each other's place; null where no two could. */
export function newValueOf(newer: Profile, older: Profile, between: number): NewValue | null {
  let most: NewValue | null = null
  for (const [at, value] of newer.values.entries())
    for (const [place, before] of older.values.entries()) {
      const features = newValueFeatures(newer, at, older, place, between)
      if (features === null) continue
      const odds = oddsOf(features)
      if (most === null || odds > most.odds) most = { newer: value, older: before, odds }
    }
  return most
}

function oddsOf(features: NewValueFeatures): number {
  let sum = 0
  for (const name in features) sum += features[name]! * (NEW_VALUE_WEIGHTS[name] ?? 0)
  return sum
}

/**
 * The features of two values, by their places and the time `between` their tellings in milliseconds; null where they are of two scales, or one of them stands in both
 * statements.
 */
export function newValueFeatures(
  newer: Profile,
  at: number,
  older: Profile,
  place: number,
  between: number,
): NewValueFeatures | null {
  const [value, before] = [newer.values[at]!, older.values[place]!]
  if (!isOneScale(value, before) || isOneValue(value, before)) return null
  const [mine, theirs] = [toldOf(newer.text), toldOf(older.text)]
  if (mine[at]!.replaced || theirs[place]!.replaced) return null
  const isSame = (one: Quantity, other: Quantity): boolean => isOneScale(one, other) && isOneValue(one, other)
  if (newer.values.some((one, index) => isSame(one, before) && mine[index]?.replaced !== true)) return null
  if (older.values.some((one) => isSame(one, value))) return null
  const alike = (values: readonly Quantity[]): number => values.filter((one) => isOneScale(one, value)).length
  // Which of many is meant nobody can say.
  if (alike(newer.values) + alike(older.values) > MOST_ALIKE) return null
  if (timesApart(value, before) > MOST_TIMES || isOfOther(value, before)) return null
  const [told, said] = [mine[at]!, theirs[place]!]
  const isDay = CALENDAR.has(value.kind)
  // A statement that gives the same sum again tells of the same event, and of its time.
  if (
    isDay &&
    !told.plainly &&
    newer.values.some((one) => one.kind === 'money' && older.values.some((two) => isSame(one, two)))
  )
    return null
  const [ofNewer, ofOlder] = [coveredBy(value.own, before.near), coveredBy(before.own, value.near)]
  const whole = coveredBy(newer.terms, older.terms, LEAST_WORDS)
  return {
    bias: 1,
    'of newer': ofNewer,
    'of older': ofOlder,
    closely: closelyCovered(before, value),
    phrases: phrasesShared(value, before),
    whole,
    told: flag(isDay ? told.moved : told.changed),
    'day unmoved': flag(isDay && !told.moved),
    relative: flag(told.relative),
    'older relative': flag(said.relative),
    plainly: flag(told.plainly),
    'older aimed': flag(said.aimed),
    'one aimed': flag(told.aimed !== said.aimed),
    several: Math.log(alike(newer.values)) * (1 - ofOlder),
    'several older': Math.log(alike(older.values)) * (1 - ofNewer),
    times: Math.log(timesApart(value, before)),
    'same beside': Math.min(
      2,
      newer.values.filter((one) => !isOneScale(one, value) && older.values.some((two) => isSame(one, two))).length,
    ),
    identity: flag(value.kind === 'version' || value.kind === 'code'),
    'whole of few': Math.max(newer.terms.size, older.terms.size) <= FEW_WORDS ? whole : 0,
    'unit shared': flag(value.kind === 'count' && value.unit !== '' && value.unit === before.unit),
    'same month': flag(!isDay && !told.months.isDisjointFrom(said.months)),
    age: Math.min(1, Math.max(0, between) / LONG_AGO),
  }
}

/** Words that say of a value only that it is another one now. */
const ONLY_NOW = /^(?:现在|如今|最多|可以|我们|[我们能就可到了也加提涨升降高改成至为是，。！]){0,20}$/
/** Statements that may be meant where a bare value is told. */
const AMOUNTS: ReadonlySet<Quantity['kind']> = new Set(['money', 'count'])

/** Whether a text gives one amount, calls it changed, and does not name its quantity: "we can go up to 1500 now". */
export function isBareValue(text: string): boolean {
  const values = quantitiesOf(text)
  const [value] = values
  if (value === undefined || values.length > 1 || !AMOUNTS.has(value.kind) || value.unit !== '') return false
  if (!toldOf(text)[0]!.changed || toldOf(text)[0]!.relative) return false
  const rest = text.slice(0, value.at) + text.slice(value.at + value.length)
  return /\p{Script=Han}/u.test(rest) ? ONLY_NOW.test(rest.trim()) : value.near.size === 0
}

/** Whether a bare value may be another one of the only amount of an older statement. */
export function mayBeOf(newer: Profile, older: Profile): boolean {
  const [value] = newer.values
  const amounts = older.values.filter(({ kind }) => AMOUNTS.has(kind))
  const [before] = amounts
  if (value === undefined || before === undefined || amounts.length > 1) return false
  if (before.kind === 'count' && before.unit !== '' && value.kind === 'money') return false
  return value.value !== before.value && timesApart(value, before) <= MOST_TIMES / 2
}

/** How many times the one is the other; 1 where they are no amounts. */
function timesApart({ kind, value }: Quantity, before: Quantity): number {
  if (kind !== 'money' && kind !== 'count' && kind !== 'share') return 1
  const [one, other] = [Number(value), Number(before.value)]
  return one > 0 && other > 0 ? Math.max(one / other, other / one) : 1
}

/** The word that both belong to is told apart by the word before it: "trip budget", "phone budget". */
function isOfOther(value: Quantity, before: Quantity): boolean {
  let [nearest, shared] = [Infinity, '']
  for (const [term, distance] of value.near) {
    // The unit of a count is its quantity.
    const both = term === value.unit ? 0 : distance + (before.near.get(term) ?? Infinity)
    if (both < nearest) [nearest, shared] = [both, term]
  }
  const [mine, theirs] = [value.apart.get(shared), before.apart.get(shared)]
  if (mine === undefined || theirs === undefined) return false
  return mine !== theirs && !before.near.has(mine) && !value.near.has(theirs)
}

/** The share of words that others have, by how rare they are; a few words count as `least`. */
function coveredBy(words: ReadonlySet<string>, others: { readonly has: (term: string) => boolean }, least = 0): number {
  let [sum, all] = [0, 0]
  for (const term of words) {
    const weight = weightOf(term)
    all += weight
    if (others.has(term)) sum += weight
  }
  return all === 0 ? 0 : Math.min(1, sum / Math.max(least, all))
}

/** The share of the words close to one value that also stand near the other. */
function closelyCovered(value: Quantity, other: Quantity): number {
  let [sum, all] = [0, 0]
  for (const [term, distance] of value.near) {
    if (distance > CLOSE) continue
    const weight = weightOf(term) * nearness(distance)
    all += weight
    const there = other.near.get(term)
    if (there !== undefined) sum += weight * (there <= CLOSE + 1 ? 1 : 0.7)
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

function weightOf(term: string): number {
  return Math.max(LEAST_RARE, rarityOf(term)) * (/\p{Script=Han}/u.test(term) ? 0.6 : 1)
}

function nearness(distance: number): number {
  return distance <= 2 ? 1 : distance <= CLOSE ? 0.8 : distance <= 7 ? 0.55 : 0.35
}

function flag(value: boolean): number {
  return value ? 1 : 0
}
