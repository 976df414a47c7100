/**
 * Which parts do the kept sentences of a message make? One memory, unless a sentence or a clause tells another matter;
 * what a sentence tells beside a question or an order stands apart.
 */
import { CATEGORIES } from '../../domain/memory.ts'
import type { DecisionReason, KeptPart } from '../../domain/thought.ts'
import { hasHan } from '../../language/character-class.ts'
import { statesTaste, wishesOfReplies } from '../../language/preference.ts'
import { asksOrOrders, isQuestion } from '../../language/questions.ts'
import { splitSentences } from '../../language/sentences.ts'
import { clausesOf, standaloneClause } from '../facts/clauses.ts'
import { extractFacts } from '../facts/extract-facts.ts'
import { plainTopics, topicsOf } from '../facts/mentioned-attributes.ts'
import { OWN_SUBJECT, PRONOUN_SUBJECT, peopleOf, withSubject } from '../facts/people.ts'
import { withoutLead } from '../summarizer/prose.ts'
import { tellingWords } from '../topic/word-rarity.ts'
import { IMPORTANCE, type Judgement, KINDS, LIKELY_WISH, wishOf, writeJudgement } from './linear-model.ts'
import { ANNOUNCES } from './own-words.ts'
import { mentionsOrder, withoutOrder } from './remember-orders.ts'
import { wishApart, wishIn } from './reply-wishes.ts'
import { answersQuestion, isShort, namedAt, namesSomething, refersBack, standingOf } from './self-contained.ts'

/** Every clause is read with those before it, so a longer sentence is left whole. */
const LONGEST = 500
/** The speaker or a thing of theirs, alone or with others, who may have been named right before. */
const BEGINS = /^(?:i|i['’](?:m|ve|d|ll)|my)\b|^(?:我|俺)(?!们)/iu
const BEGINS_TOGETHER = /^(?:we|we['’](?:re|ve|ll|d)|our)\b|^(?:我们|咱)/iu
const JOINED = /^(?:and|but)\s+/i
/** Words that tie a clause to the reason, time or condition before it. */
const TIED = /^\s*(?:so|while|because)\s*$/i
const TIED_NEXT =
  /^(?:so|because|since|which|who|where|when|if|then|that|as|though|although|for|until|unless|too|either)\b|^(?:所以|因为|因此|于是|然后|但|不过|如果|虽然|结果|比如|就|才|也|都|还|否则|要不)/iu
/** A sentence that takes back a part of the one before, or draws from it. */
const GOES_ON = /^(?:but|however|so|then|plus)\b|^(?:但|不过|可是|所以|然后|因此)/i
/** Something that was named before. */
const NAMED_BEFORE =
  /\b(?:it|its|he|him|his|she|her|hers|they|them|their|theirs|there|that|this|these|those|one|ones|both|either|neither|same|too|instead)\b|[它他她]|那(?:里|边|个|家|儿|只|时)|这(?:里|边|个|家|儿|只|样)/iu

/** The parts, those that say several things taken apart; in order. */
export function separateClauses(parts: readonly KeptPart[]): readonly KeptPart[] {
  return parts.flatMap(wishesApart).flatMap(separated)
}

/** A lasting wish about replies beside what is told: either may change without the other. */
function wishesApart(part: KeptPart): readonly KeptPart[] {
  if (part.text.length > LONGEST || attributesOf(part.text).length === 0) return [part]
  const pieces = splitSentences(part.text).flatMap(wishApart)
  const runs: { isWish: boolean; texts: string[] }[] = []
  for (const piece of pieces) {
    const isWish = wishesOfReplies(piece) || wishIn(piece) > LIKELY_WISH
    const last = runs.at(-1)
    if (last?.isWish === isWish) last.texts.push(piece)
    else runs.push({ isWish, texts: [piece] })
  }
  const parts = runs.map(({ isWish, texts }) => ({ isWish, text: joined(texts) }))
  const told = parts.filter(({ isWish }) => !isWish)
  if (told.length === parts.length || !told.some(({ text }) => attributesOf(text).length > 0)) return [part]
  return parts.map(({ isWish, text }) => ({ ...part, text, ...(isWish ? { category: 'preference' } : {}) }))
}

function separated(part: KeptPart): readonly KeptPart[] {
  const { text } = part
  const begins = [BEGINS, BEGINS_TOGETHER].find((words) => words.test(text))
  if (begins === undefined || text.length > LONGEST || splitSentences(text).length > 1) return [part]
  const alone = (clause: string): string => withSubject(clause.trim().replace(JOINED, ''), text)
  const clauses = clausesOf(text, (next, before, mark) => {
    const own = alone(next)
    if (TIED.test(mark) || TIED_NEXT.test(own) || !begins.test(own) || NAMED_BEFORE.test(own)) return false
    const mine = attributesOf(own)
    if (mine.length === 0) return false
    const theirs = attributesOf(before)
    return theirs.length > 0 && !mine.some((one) => theirs.includes(one))
  })
  if (clauses.length < 2) return [part]
  return clauses.map((clause) => ({ ...part, text: alone(clause) }))
}

/** The attributes that a clause states, with their owners; in Chinese plainly named topics count too. */
function attributesOf(text: string): readonly string[] {
  const stated = extractFacts(text).map(({ about, key }) => (about === 'user' ? key : `${about}: ${key}`))
  return [...new Set([...stated, ...(hasHan(text) ? plainTopics(topicsOf(text)) : [])])]
}

/** Whether a sentence names its own subject and nothing ties it to those before it. */
function namesSubject(sentence: string, before: string): boolean {
  const own = withoutLead(sentence)
  if (/[:：]$/.test(before) || GOES_ON.test(sentence) || TIED_NEXT.test(own) || NAMED_BEFORE.test(own)) return false
  const earlier = withoutLead(before)
  // Whom "we" means may have been said.
  if (BEGINS_TOGETHER.test(own) && (BEGINS.test(earlier) || isOfAnother(earlier))) return false
  return OWN_SUBJECT.test(own) || isOfAnother(own)
}

/** Whether a sentence is told of people with a name or a relation alone, or states something of one. */
function isOfAnother(sentence: string): boolean {
  const own = withoutLead(sentence)
  const { subjects } = peopleOf(own)
  if (!subjects.has('user') && !subjects.has(PRONOUN_SUBJECT)) return true
  const owners = extractFacts(own).map(({ about }) => about)
  return owners.length > 0 && !owners.includes('user') && !owners.includes('someone')
}

const NAMED_BY_THE_WAY =
  /\b(?:my|our|his|her|their|the (?:new|\w{2,20}ed)) (?:[\w'’-]{1,40} ){0,3}(?:(?:of|to|at|from|for|by|on) )?(?:about |around |only )?[$£€¥]?\d|[我咱][^。！？]{0,20}\d/u
/** The log-odds of a text that nineteen of twenty people would keep. */
const SURE = 3
/** The log-odds below which a text falls; those for an assistant's chats lose fewer facts. */
export const FALLS = -0.1
/** 001: a memory is three or four sentences. */
const LONGEST_PART = 4
const LONGEST_TEXT = 500
/** Importance of things that the user orders to be remembered (004). */
const ORDER = 3

/** One sentence of a message with the model's verdict on it. */
export interface JudgedSentence {
  /** The place among the sentences of the message. */
  readonly at: number
  readonly sentence: string
  readonly judgement: Judgement
}

/** Characters of a sentence in which facts are looked for. */
const MOST_READ = 16_384

/** Whether a sentence states a fact, or names a figure of one's own by the way. */
export function statesFact(whole: string): boolean {
  const sentence = whole.slice(0, MOST_READ)
  return extractFacts(sentence).length > 0 || NAMED_BY_THE_WAY.test(sentence)
}

/**
 * The parts that these sentences make, in order. `lasting` says whether an ordered memory lasts, and
 * `question` what was asked before the message.
 */
export function partsOf(
  told: readonly JudgedSentence[],
  all: readonly JudgedSentence[],
  options: PartOptions,
): readonly KeptPart[] {
  const from = orderedFrom(all)
  const { lasting, falls = FALLS, mayFall = false, question = '', heard = '', weigh = writeJudgement } = options
  const groups: JudgedSentence[][] = []
  for (const one of told) {
    const last = groups.at(-1)
    const between = all.slice((last?.at(-1)?.at ?? 0) + 1, one.at)
    if (last !== undefined && between.every(({ sentence }) => asksOrOrders(sentence)) && belongs(one, last))
      last.push(one)
    else {
      const group = withNamed(one, all)
      const shared = last === undefined ? -1 : group.findIndex(({ at }) => at === last.at(-1)!.at)
      if (shared >= 0 && last!.length + group.length - shared - 1 <= LONGEST_PART)
        last!.push(...group.slice(shared + 1))
      else groups.push(group)
    }
  }
  const isAnswer = ([first]: readonly JudgedSentence[]): boolean =>
    first!.at <= 1 && question !== '' && answersQuestion(first!.sentence, question)
  const mostLasting = told.reduce((a, b) => (b.judgement.semantic > a.judgement.semantic ? b : a))
  return groups.flatMap((group) => {
    const answersIt = isAnswer(group)
    const isWeighed = lasting === undefined && (answersIt || mayFall)
    const text = isWeighed ? textOf(group) : ''
    const stands = isWeighed ? standingOf(text, weigh(text), heard) : SURE
    if (stands < falls && (mayFall || !isShort(text)) && !group.some(({ sentence }) => statesFact(sentence))) return []
    const isAsked = answersIt && (stands < SURE || refersBack(group[0]!.sentence))
    return mattersOf(group).map((matter, at) => ({
      ...partOf(matter, lasting !== undefined && matter.at(-1)!.at >= from),
      ...(isAsked && at === 0 ? { asked: true } : {}),
      semantic:
        lasting !== false &&
        ((lasting && matter.includes(mostLasting)) || matter.some(({ judgement }) => judgement.semantic > 0)),
    }))
  })
}

/** The sentences of a part, taken apart where one tells a matter of its own behind another. */
function mattersOf(group: readonly JudgedSentence[]): readonly JudgedSentence[][] {
  const said = group.map(({ sentence }) => sentence)
  const matters: JudgedSentence[][] = []
  for (const [at, one] of group.entries()) {
    const last = matters.at(-1)
    if (last === undefined || (isNewMatter(one, last) && namedAt(said, at, true) < 0)) matters.push([one])
    else last.push(one)
  }
  return matters
}

/** Whether a sentence tells a fact or a taste with a subject of its own; all else goes on with the telling. */
function isNewMatter(one: JudgedSentence, group: readonly JudgedSentence[]): boolean {
  if (isWish(one)) return group.some((each) => !isWish(each) && tellsAlone(each))
  const { sentence } = one
  const before = group.map((each) => each.sentence).join(' ')
  if (!namesSubject(sentence, before) || !group.some(tellsAlone)) return false
  const said = tellingWords(before)
  if (tellingWords(sentence).some((word) => said.includes(word))) return false
  return statesFact(sentence) || isOfAnother(sentence) || statesTaste(sentence)
}

/** Whether a sentence is understood without its neighbours. */
function tellsAlone({ sentence, judgement }: JudgedSentence): boolean {
  return statesFact(sentence) || isOfAnother(sentence) || standingOf(sentence, judgement, '') > 0
}

/** Whether it most likely is a lasting wish about the assistant's manner. */
function isWish({ judgement }: JudgedSentence): boolean {
  return wishOf(judgement) > LIKELY_WISH
}

/** The surroundings of the parts. */
interface PartOptions {
  readonly lasting?: boolean
  readonly falls?: number
  /** Whether all may fall, and not only long answers to the question. */
  readonly mayFall?: boolean
  readonly question?: string | undefined
  readonly heard?: string | undefined
  readonly weigh?: (text: string) => Judgement
}

/** The sentences one after the other, without the end that announces what is not kept: "…, here's my code:". */
function textOf(group: readonly JudgedSentence[], ordered = false): string {
  const said = group.map(({ sentence }) => (ordered ? withoutOrder(sentence) : sentence))
  const text = joined(said)
  return ordered ? text : text.replace(ANNOUNCES, '')
}

function joined(sentences: readonly string[]): string {
  return sentences.reduce((before, sentence) => before + gapBehind(before) + sentence)
}

/** The mark and space that part a sentence from the next one; a line, or a clause cut off, may have ended without any. */
function gapBehind(sentence: string): string {
  if (/[。！？；，、]["”’」』）]{0,9}$/.test(sentence)) return ''
  return /[\p{L}\p{N}]$/u.test(sentence) ? (hasHan(sentence.slice(-1)) ? '，' : '. ') : ' '
}

/**
 * A sentence behind those of the message that name its referent, with what was told between where that is near; a
 * question may name "them".
 */
function withNamed(one: JudgedSentence, all: readonly JudgedSentence[]): JudgedSentence[] {
  const said = all.map(({ sentence }) => sentence)
  let from = one.at
  for (let at = namedAt(said, from, true); at >= 0; at = namedAt(said, at, false)) from = at
  const isFar = one.at - from >= LONGEST_PART
  const pointsBack = refersBack(one.sentence)
  const tells = ({ sentence, judgement }: JudgedSentence): boolean =>
    !isFar && namesSomething(sentence) && (!asksOrOrders(sentence) || (pointsBack && judgement.store > TELLS))
  return [...all.slice(from, one.at).filter((between) => between.at === from || tells(between)), one]
}

/** The place of the first sentence that orders what it states itself; 0 where a bare order means the whole message. */
function orderedFrom(all: readonly JudgedSentence[]): number {
  return Math.max(0, all.findIndex(ordersItself))
}

export function ordersItself({ sentence }: JudgedSentence): boolean {
  return withoutOrder(sentence) !== sentence
}

/** Whether a sentence goes on about the matter of those right before it. */
function belongs(one: JudgedSentence, group: readonly JudgedSentence[]): boolean {
  if (group.length >= LONGEST_PART || ordersItself(one)) return false
  const { sentence } = one
  const length = group.reduce((sum, each) => sum + each.sentence.length, sentence.length)
  if (length > LONGEST_TEXT) return false
  if (refersBack(sentence)) return true
  const mine = keysOf(sentence)
  const theirs = group.flatMap((one) => keysOf(one.sentence))
  return mine.length === 0 || theirs.length === 0 || mine.some((key) => theirs.includes(key))
}

/** The likeliest reason to keep it, besides an order. */
function reasonOf({ kinds }: Judgement, text: string): DecisionReason {
  const at = likeliestOf(kinds, (kind) => KINDS[kind]!.store && KINDS[kind]!.reason !== 'explicit_remember')
  return preferenceOr(KINDS[at]!.reason, text)
}

/** The reason, unless the text plainly tells a taste and nothing that counts for more. */
export function preferenceOr(reason: DecisionReason, text: string): DecisionReason {
  return IMPORTANCE[reason] <= IMPORTANCE.preference && statesTaste(text) ? 'preference' : reason
}

/** The attributes that a sentence states, with their owners. */
function keysOf(sentence: string): readonly string[] {
  return extractFacts(sentence).map(({ about, key }) => `${about}: ${key}`)
}

function partOf(group: readonly JudgedSentence[], ordered: boolean): Omit<KeptPart, 'semantic'> {
  const { judgement } = group.reduce((a, b) => (b.judgement.store > a.judgement.store ? b : a))
  const text = textOf(group, ordered)
  return {
    text,
    category: statesTaste(text) ? 'preference' : CATEGORIES[likeliestOf(judgement.categories)]!,
    importance: ordered ? ORDER : IMPORTANCE[reasonOf(judgement, text)],
  }
}

function likeliestOf(shares: Float64Array, mayBe: (at: number) => boolean = () => true): number {
  let best = -1
  for (let at = 0; at < shares.length; at++) if (mayBe(at) && (best < 0 || shares[at]! > shares[best]!)) best = at
  return best
}

/** The log-odds from which a text is held to tell something. */
export const TELLS = -0.1
/** The log-odds below which a clause says nothing by itself. */
const SAYS = -1.5
/** Clauses of a sentence that are looked at. */
const MOST_CLAUSES = 16
/** A clause that only supposes, says when, or names what is asked about: the question hangs on it. */
const LEADS =
  /^(?:if|when|whenever|once|after|before|while|until|unless|whether|suppose|say|imagine|assuming|as soon as|besides|apart from|regarding|as for)\b|^(?:那么?|另外，?)?(?:如果|要是|假如|假设|万一|倘若|比如|等|当|只要|除非|除了|关于|对于|像)|(?:的话|以后|之后|之前|时候|时|前|后)$/iu
/** A clause that only the question behind it ends: 虽然我天天走路, 我在想. */
const UNENDED =
  /^(?:虽然|尽管)|^(?:所以|但是?|就是)?我?[就也还]?(?:在想|想(?:问|知道|请教|了解)|不(?:知道|确定|清楚))$/u
/** The listener as the one who acts, and the second half of a choice, or a tag: 对吗？ */
const OF_LISTENER = /^(?:you\b|[你您](?!好))/i
const TAG =
  /^(?:or|right|correct|ok(?:ay)?|yes|no|isn['’]t|aren['’]t|doesn['’]t|don['’]t)\b|^(?:还是|或者?)|^(?:对|是|行|好|可以|不是)[吗吧么嘛不]/i
const BECAUSE = /because/i
/** A clause without a mark that goes on about a word before it; "how can I" asks by its order. */
const RELATIVE =
  /^(?:who|whom|whose|what|when|where|which|why|how)\b(?! (?:[\w-]{1,30} ){0,3}?(?:can|could|do|does|did|should|would|will|is|are|am|have|has|might|may) (?:i|you|we|he|she|they|it)\b)[^?？]*$/i

/**
 * The statements of a sentence beside its question or order ("I moved to York, how do I …?"), by the log-odds of `weigh`.
 * One whose question states or wishes something, and one that hangs on its question, stays whole.
 */
export function splitStatements(sentence: string, weigh: (text: string) => number): readonly string[] {
  if (sentence.length > LONGEST) return [sentence]
  // A piece of what tells nothing as a whole must tell the more.
  const lack = Math.min(0, weigh(sentence))
  const weighs = (text: string): boolean => weigh(text) + lack > TELLS
  const tells = (text: string): boolean => weighs(text) || statesFact(text)
  const clauses = clausesOf(
    sentence,
    (next, before, mark) =>
      /[^a-z\s]/i.test(mark) ||
      (mark.trim() === '' && hasHan(before.slice(-1))) ||
      asksOrOrders(`${mark.trim()} ${next}`) ||
      (BECAUSE.test(mark) && asksOrOrders(before)),
  ).flatMap(dictated)
  const asked = clauses.map((clause, at) => asksOrOrders(clause) && (at === 0 || !RELATIVE.test(clause)))
  const last = clauses.at(-1)!
  if (clauses.length < 2 || clauses.length > MOST_CLAUSES || !asked.includes(true) || TAG.test(last)) return [sentence]
  // 去年买的，今年涨了？: with no word that asks, the mark asks about all of it.
  if (asked.at(-1) && hasHan(last) && !asksOrOrders(last.replace(/[?？\s]{1,9}$/, ''))) return [sentence]
  // "With the budget raised to $8,000, can you …": what tells nothing leads to the question, in Chinese behind a fact too.
  const leads = (clause: string, at: number): boolean =>
    LEADS.test(clause) ||
    UNENDED.test(clause) ||
    (isQuestion(sentence) &&
      (at === 0 ? !tells(clause) : hasHan(clause) && weigh(clause) < SAYS && !statesFact(clause)))
  for (let at = clauses.length - 2; at >= 0; at--) asked[at] ||= asked[at + 1]! && leads(clauses[at]!, at)
  // 帮我写个通知 不要太长: with no mark between, what tells nothing behind an order goes with it.
  for (const [at, clause] of clauses.entries())
    asked[at] ||= asked[at - 1] === true && sentence.includes(`${clauses[at - 1]} ${clause}`) && !tells(clause)
  const pieces: { from: number; to: number; isAsked: boolean }[] = []
  for (const [at, clause] of clauses.entries()) {
    const before = pieces.at(-1)
    const from = sentence.indexOf(clause, before?.to)
    const to = from + clause.length
    if (before !== undefined && before.isAsked === asked[at]) before.to = to
    else pieces.push({ from, to, isAsked: asked[at]! })
  }
  const textOf = ({ from, to }: (typeof pieces)[number]): string => sentence.slice(from, to)
  const told = pieces.filter(({ isAsked }) => !isAsked).map(textOf)
  if (told.some((text) => LEADS.test(text) || OF_LISTENER.test(text))) return [sentence]
  const bare = told.map(standaloneClause)
  // The dearest question comes last: hardly any piece gets so far.
  const isApart =
    bare.length > 0 &&
    bare.every((text) => (sentence.startsWith(text) || namesSubject(text, '')) && tells(text)) &&
    !pieces.some((piece) => piece.isAsked && statesOrWishes(textOf(piece), weighs))
  return isApart ? bare : [sentence]
}

/** A Chinese clause without a mark before the listener is asked: 我妈要做手术你说我要准备什么. */
function dictated(clause: string): readonly string[] {
  const at = clause.search(/(?<=\p{Script=Han}{8})[你您](?=帮|看|说|觉得)/u)
  const asked = clause.slice(at)
  return at > 0 && (isQuestion(asked) || asksOrOrders(asked.slice(1))) ? [clause.slice(0, at), asked] : [clause]
}

/** Whether what is asked holds something to be kept itself: a figure, a fact, a wish for replies, an order to remember. */
function statesOrWishes(asked: string, weighs: (text: string) => boolean): boolean {
  return wishesOfReplies(asked) || mentionsOrder(asked) || statesFact(asked) || (!isQuestion(asked) && weighs(asked))
}
