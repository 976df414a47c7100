/**
 * Is this message of the user worth keeping, why, and which parts of it? A small linear model over words' meanings
 * decides; only whole sentences are kept, as one memory unless one tells another matter.
 */
import { CATEGORIES } from '../../domain/memory.ts'
import type { DecisionReason, KeptPart, ThinkMessage, WriteDecision } from '../../domain/thought.ts'
import { wishesOfReplies } from '../../language/preference.ts'
import { isQuestion } from '../../language/questions.ts'
import { splitSentences } from '../../language/sentences.ts'
import { tenseAt } from '../../language/tense.ts'
import { extractFacts } from '../facts/extract-facts.ts'
import { OWN_SUBJECT } from '../facts/own-subject.ts'
import { withQuotes } from '../facts/unreal.ts'
import { namesProject } from '../scope/scope-of.ts'
import { ends, recordOf } from '../summarizer/prose.ts'
import { tellingWords } from '../topic/common-words.ts'
import { type AnswerKind, answerKind, answers, isShort } from './answered.ts'
import { forbidsKeeping } from './forbidden.ts'
import { IMPORTANCE, KINDS } from './kinds.ts'
import { type Judgement, judge } from './linear-model.ts'
import { isOfAnother, namesSubject } from './matters.ts'
import { mentionsOrder, orderBehind, withoutOrder } from './order-words.ts'
import { ownWords } from './own-words.ts'
import { namedAt, refersBack } from './refers-back.ts'
import { standingOf } from './standing.ts'
import { withoutRecalled } from './without-recalled.ts'

/** The log-odds from which a sentence is held to tell something. */
const TELLS = -0.1
/** As `TELLS`, in a chat among people, whose turns name their speaker: much more of it is small talk. */
const TELLS_AMONG_PEOPLE = 0.7
/** As `TELLS`, for a fact by the step `facts`, or a figure of one's own, in any sentence. */
const STATES = -2.5
const NAMED_BY_THE_WAY =
  /\b(?:my|our|his|her|their|the (?:new|\w{2,20}ed)) (?:[\w'’-]{1,40} ){0,3}(?:(?:of|to|at|from|for|by|on) )?(?:about |around |only )?[$£€¥]?\d|[我咱][^。！？]{0,20}\d/u
/** The head of a row that a program wrote: its notices are none of the user's words. */
export const NOTICE = /^(?:通知|notification)/i
/** The head of a row that another person or a firm wrote to the user. */
const RECEIVED = /^(?:短信 接收|(?:sms|text|mail|email|message) from)/i

/** Least share of an order in the judgement of one: what it states, such as a liking, is likely too. */
const ORDERS = 0.06
const LASTING_ORDER = KINDS.findIndex(({ reason, semantic }) => reason === 'explicit_remember' && semantic)
const LASTING_WISH = KINDS.findIndex(({ reason, store }) => reason === 'style_wish' && store)
const PASSING_ORDER = KINDS.findIndex(({ reason, semantic }) => reason === 'explicit_remember' && !semantic)
/**
 * The weight of lasting in general beside the two kinds of order, and the log-odds from which an order lasts. On
 * messages left out of the fit it finds 87 of 100 lasting orders; the two kinds alone find 80.
 */
const ORDER_LASTS = 0.4
const ORDER_MARGIN = 1

/** "Problem: … Solution: …", 问题：…解决：…: the labels leave nothing to weigh (004). */
const LABELLED_SOLUTION =
  /(?:^|[\n.;。；])\s{0,40}(?:problem|issue|bug|symptom|error|问题|故障|现象|报错)\s{0,40}[:：][^?？]{2,200}?[\n.;。；]\s{0,40}(?:solution|fix|resolution|workaround|解决(?:办法|方案|方法)?|修复|对策)\s{0,40}[:：]\s{0,40}[^?？\s][^?？]{0,200}$/i
const LONGEST_LABELLED = 500

/** Whether a text is a problem and its solution, labelled as such: one matter, whatever its sentences. */
export function isLabelledSolution(text: string): boolean {
  return text.length <= LONGEST_LABELLED && LABELLED_SOLUTION.test(text)
}

/** The log-odds from which a bare answer needs no question to be understood. */
const ANSWERS = 1

/** The log-odds of a text that nineteen of twenty people would keep. */
const SURE = 3
/** The log-odds below which a text falls; those for an assistant's chats lose fewer facts. */
const FALLS = -0.25
const FALLS_AMONG_PEOPLE = 0

/** The surroundings of the message. */
export interface DecisionContext {
  /** The answer before the message: its words are not the user's when repeated. */
  readonly previous?: string
  /** All that was answered before it: it is no news. */
  readonly heard?: string
  /** Whether it was said in a chat among people, not to an assistant. */
  readonly amongPeople?: boolean
}

/** Characters of a message that are looked at, from its beginning and its end. */
const LOOKED_AT = 4500
/** The decider's certainty where the text leaves no choice. */
const CERTAIN = 0.99
/** And so sure where a bare answer is read with its question. */
const ANSWERED = 0.8

/** Sentences judged at most; the rest of a longer message is left to the log. */
const MOST_SENTENCES = 40
/** Log-odds below which a sentence is left out even where it is ordered to be remembered, or stands beside one that is kept. */
const NEARLY_NOTHING = -3
/** The end of a text that announces what stands behind it, and was not kept: "…, here's my code:". */
const ANNOUNCES = /(?:[,;，；]\s?[^,;，；.。!?！？:：\n]{1,80})?[:：][*_\s]{0,8}$/
/** 001: a memory is three or four sentences. */
const LONGEST_PART = 4
const LONGEST_TEXT = 500
const HAN = /\p{Script=Han}/u
/** Importance of things that the user orders to be remembered (004). */
const ORDER = 3
/** One sentence of a message with the model's verdict on it. */
interface JudgedSentence {
  /** The place among the sentences of the message. */
  readonly at: number
  readonly sentence: string
  readonly judgement: Judgement
}

/** Decides on a message of the user's; words of the assistant, a tool or a page must not be given here. */
export function decideByRules(
  message: Pick<ThinkMessage, 'content'> & Partial<ThinkMessage>,
  context: DecisionContext = {},
): WriteDecision {
  return decideWith(judge, message.content, { ...context, amongPeople: (message.speaker ?? null) !== null })
}

/** As `decideByRules`, with another model: training measures one that has not seen the messages. */
export function decideWith(
  weigh: (text: string) => Judgement,
  content: string,
  context: DecisionContext = {},
): WriteDecision {
  const said = ends(content, LOOKED_AT)
  const own =
    context.previous === undefined ? said : withoutRecalled(said, splitSentences(ends(context.previous, LOOKED_AT)))
  if (!/[\p{L}\p{N}]/u.test(own)) {
    const repeated = /[\p{L}\p{N}]/u.test(said)
    const emoji = /\p{Extended_Pictographic}/u.test(said)
    return refuse(repeated ? 'recalled' : emoji ? 'chitchat' : 'fragment', CERTAIN)
  }
  const record = recordOf(own)
  if (record !== null && (NOTICE.test(record.from) || RECEIVED.test(record.from))) return refuse('code_paste', CERTAIN)
  const { text, pasted, unreal: taken } = ownWords(own)
  if (forbidsKeeping(text)) return refuse('forbidden', CERTAIN)
  if (!/[\p{L}\p{N}]/u.test(text) && pasted > 0) {
    return refuse(taken > 0 ? 'hypothetical' : 'code_paste', CERTAIN)
  }
  if (isLabelledSolution(text)) return keepLabelled(text)
  const whole = weigh(own)
  const answer = context.previous === undefined ? null : answerKind(own, context.previous)
  if (answer !== null && (whole.store <= ANSWERS || (answer.semantic && whole.semantic <= 0)))
    return keepAnswer(own, answer)
  // A row of a log is one statement, whole as it stands, without a program's additions.
  const sentences = judgeSentences(weigh, record === null ? ownSentences(own) : [rowOf(record)], whole)
  const tells = context.amongPeople ? TELLS_AMONG_PEOPLE : TELLS
  const told = withExplained(
    sentences.filter(
      ({ sentence, judgement }) =>
        judgement.store > tells ||
        (judgement.store > STATES && states(sentence)) ||
        wishesOfReplies(sentence) ||
        wishesHere(sentence, judgement),
    ),
    sentences,
  )
  const reason = likeliestReason(whole, told.length > 0, text)
  const certainty = 1 / (1 + Math.exp(-Math.abs(whole.store)))
  const isOrdered = sentences.some(isOrder)
  if (isOrdered || (reason === 'explicit_remember' && whole.store > 0))
    return {
      store: true,
      reason: 'explicit_remember',
      certainty: isOrdered ? CERTAIN : certainty,
      explicit: true,
      importance: IMPORTANCE.explicit_remember,
      parts: partsOf(orderedSentences(sentences, told), sentences, { lasting: isLastingOrder(whole) }),
    }
  const { previous: question, heard = '' } = context
  // To an assistant a single sentence was weighed as a whole already, unless it answers at length; what opens a chat agrees with nobody.
  const mayFall = context.amongPeople || record !== null || (heard !== '' && sentences.length > 1)
  const falls = context.amongPeople ? FALLS_AMONG_PEOPLE : FALLS
  const parts = told.length === 0 ? [] : partsOf(told, sentences, { falls, mayFall, question, heard, weigh })
  if (parts.length === 0) return refuse(told.length === 0 ? reason : likeliestReason(whole, false, text), certainty)
  return {
    store: true,
    reason,
    certainty,
    explicit: false,
    importance: IMPORTANCE[reason],
    parts,
  }
}

/** Whether a sentence states a fact, or names a figure of one's own by the way. */
function states(sentence: string): boolean {
  return extractFacts(sentence, { who: 'user', now: 0 }).length > 0 || NAMED_BY_THE_WAY.test(sentence)
}

/** A wish for how to answer that names the project as its range is none for this answer only. */
function wishesHere(sentence: string, { kinds }: Judgement): boolean {
  if (!namesProject(sentence)) return false
  let [wish, other] = [0, 0]
  for (const [at, { reason }] of KINDS.entries())
    if (reason === 'style_wish') wish += kinds[at]!
    else other = Math.max(other, kinds[at]!)
  return wish > other
}

/** The likeliest reason of those that agree with the decision; a reason may have several kinds. */
function likeliestReason({ kinds }: Judgement, store: boolean, text: string): DecisionReason {
  // No words of an order, no order: "please keep your answers short".
  const mayOrder = store && mentionsOrder(text)
  shares.fill(0)
  let best = -1
  for (const [at, kind] of KINDS.entries()) {
    if (kind.store !== store || (kind.reason === 'explicit_remember' && !mayOrder)) continue
    const reason = FIRST_OF_REASON[at]!
    shares[reason]! += kinds[at]!
  }
  for (let at = 0; at < shares.length; at++) if (best < 0 || shares[at]! > shares[best]!) best = at
  return KINDS[best]!.reason
}

/** For each kind the first kind that has the same reason. */
const FIRST_OF_REASON = KINDS.map(({ reason }) => KINDS.findIndex((kind) => kind.reason === reason))
/** The shares of the reasons of the message at hand. */
const shares = new Float64Array(KINDS.length)

/** An ordered memory lasts, unless the model takes it for a passing thing ("the car is on deck 3"). */
function isLastingOrder({ kinds, semantic }: Judgement): boolean {
  return Math.log(kinds[LASTING_ORDER]! / kinds[PASSING_ORDER]!) + ORDER_LASTS * semantic > ORDER_MARGIN
}

/** A bare answer is no sentence that the model could weigh. */
function keepAnswer(text: string, { reason, semantic }: AnswerKind): WriteDecision {
  const category = reason === 'preference' ? 'preference' : reason === 'habit' ? 'pattern' : 'fact'
  const importance = IMPORTANCE[reason]
  const part = { text: text.trim(), semantic, category, importance, asked: true } as const
  return { store: true, reason, certainty: ANSWERED, explicit: false, importance, parts: [part] }
}

/** The labels belong together: one part. */
function keepLabelled(text: string): WriteDecision {
  const importance = IMPORTANCE.problem_solution
  const part = { text: text.trim(), semantic: false, category: 'fact', importance } as const
  return { store: true, reason: 'problem_solution', certainty: CERTAIN, explicit: false, importance, parts: [part] }
}

function refuse(reason: DecisionReason, certainty: number): WriteDecision {
  return { store: false, reason, certainty, explicit: false, importance: 0, parts: [] }
}

/** A row of a log on one line: one statement, without a program's additions. */
export function rowOf({ from, text }: { readonly from: string; readonly text: string }): string {
  return `${from}${HAN.test(from) ? '：' : ': '}${text.replace(/\s+/g, ' ')}`
}

/** The sentences of the writer's own words that may be kept, each whole. */
function ownSentences(message: string): readonly string[] {
  const { text, quotes } = ownWords(message)
  const sentences = splitSentences(text).slice(0, MOST_SENTENCES)
  return sentences.map((sentence) => withQuotes(sentence, quotes))
}

/** The sentences, each weighed for itself; `whole` is the verdict on all of the message. */
function judgeSentences(
  weigh: (text: string) => Judgement,
  sentences: readonly string[],
  whole: Judgement,
): readonly JudgedSentence[] {
  const said = sentences.flatMap((sentence) => {
    const [before = '', order = ''] = orderBehind(sentence) ?? []
    const tells = (text: string): boolean => weigh(text).store > TELLS
    // 写个脚本，记录用户点击: the request goes on.
    const isApart = order !== '' && isRequest(before, weigh(before))
    return isApart && (tells(order) || tells(withoutOrder(order))) ? [order] : [sentence]
  })
  return said.map((sentence, at) => ({
    at,
    sentence,
    judgement: said.length === 1 && sentence === sentences[0] ? whole : weigh(sentence),
  }))
}

const REQUESTS: ReadonlySet<DecisionReason> = new Set(['knowledge_question', 'code_paste'])

/** Whether it asks for a piece of work, and tells nothing of the user. */
function isRequest(text: string, judgement: Judgement): boolean {
  return judgement.store <= TELLS && REQUESTS.has(likeliestReason(judgement, false, text)) && !OWN_SUBJECT.test(text)
}

/** The sentences with neighbours that may explain them ("The new phone arrived! Moving all my photos over tonight."). */
function withExplained(told: readonly JudgedSentence[], all: readonly JudgedSentence[]): readonly JudgedSentence[] {
  const kept = new Set(told.map(({ at }) => at))
  for (const { at, sentence, judgement } of all) {
    const beside = told.some((one) => Math.abs(one.at - at) === 1)
    if (!beside || isQuestion(sentence) || /[:：]$/.test(sentence)) continue
    if (judgement.store > NEARLY_NOTHING || (kept.has(at - 1) && refersBack(sentence))) kept.add(at)
  }
  return all.filter(({ at }) => kept.has(at))
}

/**
 * The parts that these sentences make, in order. `lasting` says whether an ordered memory lasts, and
 * `question` what was asked before the message.
 */
function partsOf(
  told: readonly JudgedSentence[],
  all: readonly JudgedSentence[],
  options: PartOptions,
): readonly KeptPart[] {
  const from = orderedFrom(all)
  const { lasting, falls = FALLS, mayFall = false, question = '', heard = '', weigh = judge } = options
  const groups: JudgedSentence[][] = []
  for (const one of told) {
    const last = groups.at(-1)
    const neighbour = all[one.at - 1]
    if (last !== undefined && last.at(-1) === neighbour && belongs(one, last)) last.push(one)
    else groups.push(withNamed(one, all))
  }
  const isAnswer = ([first]: readonly JudgedSentence[]): boolean =>
    first!.at <= 1 && question !== '' && answers(first!.sentence, question)
  const mostLasting = told.reduce((a, b) => (b.judgement.semantic > a.judgement.semantic ? b : a))
  return groups.flatMap((group) => {
    const answersIt = isAnswer(group)
    const isWeighed = lasting === undefined && (answersIt || mayFall)
    const text = isWeighed ? textOf(group) : ''
    const stands = isWeighed ? standingOf(text, weigh(text), heard) : SURE
    if (stands < falls && (mayFall || !isShort(text)) && !group.some(({ sentence }) => states(sentence))) return []
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

/** Whether a sentence tells how another matter stands, with its own subject; events and plans go on with the telling. */
function isNewMatter(one: JudgedSentence, group: readonly JudgedSentence[]): boolean {
  if (isWish(one)) return group.some((each) => !isWish(each) && tellsAlone(each))
  const { sentence } = one
  const before = group.map((each) => each.sentence).join(' ')
  if (!namesSubject(sentence, before) || !group.some(tellsAlone)) return false
  const said = tellingWords(before)
  if (tellingWords(sentence).some((word) => said.includes(word))) return false
  if (states(sentence) || isOfAnother(sentence)) return true
  return tellsAlone(one) && (tenseAt(sentence, 0, 0) ?? 'present') === 'present'
}

/** Whether a sentence is understood without its neighbours. */
function tellsAlone({ sentence, judgement }: JudgedSentence): boolean {
  return states(sentence) || isOfAnother(sentence) || standingOf(sentence, judgement, '') > 0
}

/** Whether it most likely is a lasting wish about the assistant's manner. */
function isWish({ judgement }: JudgedSentence): boolean {
  return judgement.kinds[LASTING_WISH]! > 0.5
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

/** The sentences one after the other; one that only announces what is not kept ends as a statement. */
function textOf(group: readonly JudgedSentence[], ordered = false): string {
  const said = group.map(({ sentence }) => (ordered ? withoutOrder(sentence) : sentence))
  const text = said.join(/[。！？；，、]$/.test(said[0]!) ? '' : ' ')
  return ordered ? text : text.replace(ANNOUNCES, '')
}

/** A sentence behind those of the message that name its referent. */
function withNamed(one: JudgedSentence, all: readonly JudgedSentence[]): JudgedSentence[] {
  const said = all.map(({ sentence }) => sentence)
  const group = [one]
  while (group.length < LONGEST_PART) {
    const at = namedAt(said, group[0]!.at, group.length === 1)
    if (at < 0) break
    group.unshift({ ...one, at, sentence: said[at]! })
  }
  return group
}

/** The sentences of an order to remember: hardly any is left out, of those before it what tells something. */
function orderedSentences(all: readonly JudgedSentence[], told: readonly JudgedSentence[]): readonly JudgedSentence[] {
  const from = orderedFrom(all)
  const likely = all.filter((one) => (one.at < from ? told.includes(one) : one.judgement.store > NEARLY_NOTHING))
  return likely.length === 0 ? all : likely
}

/** The place of the first sentence that orders what it states itself; 0 where a bare order means the whole message. */
function orderedFrom(all: readonly JudgedSentence[]): number {
  return Math.max(0, all.findIndex(ordersItself))
}

/** Whether it orders what it states itself: such a thing is kept however little it tells (002 R2.5). */
function isOrder(one: JudgedSentence): boolean {
  const { store, kinds } = one.judgement
  return store >= NEARLY_NOTHING && kinds[LASTING_ORDER]! + kinds[PASSING_ORDER]! > ORDERS && ordersItself(one)
}

function ordersItself({ sentence }: JudgedSentence): boolean {
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
function reasonOf({ kinds }: Judgement): DecisionReason {
  const at = likeliestOf(kinds, (kind) => KINDS[kind]!.store && KINDS[kind]!.reason !== 'explicit_remember')
  return KINDS[at]!.reason
}

/** The attributes that a sentence states, with their owners. */
function keysOf(sentence: string): readonly string[] {
  return extractFacts(sentence, { who: 'user', now: 0 }).map(({ about, key }) => `${about}: ${key}`)
}

function partOf(group: readonly JudgedSentence[], ordered: boolean): Omit<KeptPart, 'semantic'> {
  const { judgement } = group.reduce((a, b) => (b.judgement.store > a.judgement.store ? b : a))
  return {
    text: textOf(group, ordered),
    category: CATEGORIES[likeliestOf(judgement.categories)]!,
    importance: ordered ? ORDER : IMPORTANCE[reasonOf(judgement)],
  }
}

function likeliestOf(shares: Float64Array, mayBe: (at: number) => boolean = () => true): number {
  let best = -1
  for (let at = 0; at < shares.length; at++) if (mayBe(at) && (best < 0 || shares[at]! > shares[best]!)) best = at
  return best
}
