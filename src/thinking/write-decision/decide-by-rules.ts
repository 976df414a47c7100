/**
 * Is this message of the user worth keeping, why, and which parts of it? A small linear model over words' meanings
 * decides; only whole sentences are kept, as one memory unless one tells another matter.
 */
import type { DecisionReason, KeptPart, ThinkMessage, WriteDecision } from '../../domain/thought.ts'
import { hasHan } from '../../language/character-class.ts'
import { forbidsKeeping } from '../../language/forget-orders.ts'
import { wishesOfReplies } from '../../language/preference.ts'
import { asksOfSelf, asksOrOrders, isQuestion } from '../../language/questions.ts'
import { splitSentences } from '../../language/sentences.ts'
import { withQuotes } from '../facts/clauses.ts'
import { OWN_SUBJECT } from '../facts/people.ts'
import { namesProject } from '../scope/scope-of.ts'
import { edgesOf, type LogRow, recordOf, withoutLead } from '../summarizer/prose.ts'
import { IMPORTANCE, type Judgement, KINDS, writeJudgement } from './linear-model.ts'
import {
  FALLS,
  type JudgedSentence,
  ordersItself,
  partsOf,
  preferenceOr,
  splitStatements,
  statesFact,
  TELLS,
} from './message-parts.ts'
import { ownWords, withoutRecalled } from './own-words.ts'
import { isBareOrder, mentionsOrder, orderBehind, ordersPlainly, withoutOrder } from './remember-orders.ts'
import { type AnswerKind, answerKind, namesSomething, refersBack } from './self-contained.ts'

/** As `TELLS`, in a chat among people, whose turns name their speaker: much more of it is small talk. */
const TELLS_AMONG_PEOPLE = 0.7
/** As `TELLS`, for a text that was chosen to be remembered; questions and tasks apart. */
const TELLS_CHOSEN = -1.5
/** A verdict against a message of so few sentences counts against each of them. */
const FEW_SENTENCES = 2
/** As `TELLS`, for a fact by the step `facts`, or a figure of one's own, in any sentence. */
const STATES = -2.5
/** The head of a row that a program wrote: its notices and captions of photos are none of the user's words. */
const NOTICE = /^(?:通知|照片|notification)/i
/** The head of a row that the user wrote to another person. */
const SENT = /^(?:短信 发送|(?:sms|text|mail|email|message) to)/i
/** The head of a row that another person or a firm wrote to the user. */
const RECEIVED = /^(?:短信 接收|(?:sms|text|mail|email|message) from)/i

/** Least share of an order in the judgement of one: what it states, such as a liking, is likely too. */
const ORDERS = 0.06
const LASTING_ORDER = KINDS.findIndex(({ reason, semantic }) => reason === 'explicit_remember' && semantic)
const PASSING_ORDER = KINDS.findIndex(({ reason, semantic }) => reason === 'explicit_remember' && !semantic)
/**
 * The weight of lasting in general beside the two kinds of order, and the log-odds from which an order lasts. On
 * messages left out of the fit it finds 87 of 100 lasting orders; the two kinds alone find 80.
 */
const ORDER_LASTS = 0.4
const ORDER_MARGIN = 1

/** "Problem: … Solution: …", **问题**：…解决：…: the labels, in bold and as headings too, leave nothing to weigh (004). */
const LABEL_BEFORE = String.raw`(?:^|[\n.;。；!！])[\s#>*_-]{0,10}`
const LABEL_AFTER = String.raw`[\s*_]{0,6}(?:[:：]|(?<=\s)[-–—](?=\s))[\s*_]{0,6}`
const LABELLED_SOLUTION = new RegExp(
  String.raw`${LABEL_BEFORE}(?:problem|issue|bug|symptom|error|(?:问题|故障|现象|症状|报错|错误)(?:描述)?)${LABEL_AFTER}[^?？]{2,200}?${LABEL_BEFORE}(?:solution|fix|resolution|remedy|workaround|(?:解决|修复|处理)(?:办法|方案|方法)?|对策)${LABEL_AFTER}[^?？\s][^?？]{0,200}$`,
  'i',
)
const LONGEST_LABELLED = 500

/** Whether a text is a problem and its solution, labelled as such: one matter, whatever its sentences. */
function isLabelledSolution(text: string): boolean {
  return text.length <= LONGEST_LABELLED && LABELLED_SOLUTION.test(text)
}

/** The log-odds from which a bare answer needs no question to be understood. */
const ANSWERS = 1

const FALLS_AMONG_PEOPLE = 0.15

/** The surroundings of the message. */
export interface DecisionContext {
  /** The answer before the message: its words are not the user's when repeated. */
  readonly previous?: string
  /** All that was answered before it: it is no news. */
  readonly heard?: string
  /** Whether it was said in a chat among people, not to an assistant. */
  readonly amongPeople?: boolean
  /** Whether a caller chose it to be remembered, so that less is small talk. */
  readonly isChosen?: boolean
}

/** Characters of a message that are looked at, from its beginning and its end. */
const LOOKED_AT = 4500
/** The decider's certainty where the text leaves no choice. */
const CERTAIN = 0.99
/** And so sure where a bare answer is read with its question. */
const ANSWERED = 0.8

/** Sentences judged at most; the rest of a longer message is left to the log. */
const MOST_SENTENCES = 40
/** Log-odds below which a sentence is left out even where it is ordered to be remembered. */
const NEARLY_NOTHING = -3
/** Log-odds from which a sentence beside one that is kept may explain it; a reply or a greeting does not. */
const EXPLAINS = -1.75

/** Decides on a message of the user's; words of the assistant, a tool or a page must not be given here. */
export function decideByRules(
  message: Pick<ThinkMessage, 'content'> & Partial<ThinkMessage>,
  context: DecisionContext = {},
): WriteDecision {
  return decideWith(writeJudgement, message.content, { ...context, amongPeople: (message.speaker ?? null) !== null })
}

/** As `decideByRules`, with another model: training measures one that has not seen the messages. */
export function decideWith(
  weigh: (text: string) => Judgement,
  content: string,
  context: DecisionContext = {},
): WriteDecision {
  const seen = edgesOf(content, LOOKED_AT)
  const own =
    context.previous === undefined ? seen : withoutRecalled(seen, splitSentences(edgesOf(context.previous, LOOKED_AT)))
  if (!/[\p{L}\p{N}]/u.test(own)) {
    const repeated = /[\p{L}\p{N}]/u.test(seen)
    const emoji = /\p{Extended_Pictographic}/u.test(seen)
    return refuse(repeated ? 'recalled' : emoji ? 'chitchat' : 'fragment', CERTAIN)
  }
  const record = recordOf(own)
  if (record !== null && (NOTICE.test(record.from) || RECEIVED.test(record.from))) return refuse('code_paste', CERTAIN)
  const { text, pasted, unreal: taken } = ownWords(own)
  if (forbidsKeeping(text)) return refuse('forbidden', CERTAIN)
  // As it stands, since an error or a command in it looks pasted.
  const solution = withoutOrder(own)
  if (isLabelledSolution(solution)) {
    const reason = solution === own ? 'problem_solution' : 'explicit_remember'
    return keepWhole(reason, CERTAIN, { text: solution, semantic: false, category: 'fact' })
  }
  if (!/[\p{L}\p{N}]/u.test(text) && pasted > 0) {
    return refuse(taken > 0 ? 'hypothetical' : 'code_paste', CERTAIN)
  }
  const whole = weigh(own)
  const answer = context.previous === undefined ? null : answerKind(own, context.previous)
  if (answer !== null && (whole.store <= ANSWERS || (answer.semantic && whole.semantic <= 0)))
    return keepAnswer(own, answer)
  // A row of a log is one statement, whole as it stands, without a program's additions.
  const toPeople = context.amongPeople || (record !== null && SENT.test(record.from))
  const said = record === null ? ownSentences(own) : [rowOf(record)]
  // "The plumber is Yusuf. Remember that."
  const before = said.filter((sentence) => !isBareOrder(sentence))
  const isMeant = before.length < said.length && before.some((sentence) => !asksOrOrders(sentence))
  const sentences = judgeSentences(weigh, isMeant ? before : said, isMeant ? weigh(before.join(' ')) : whole)
  const against = sentences.length > FEW_SENTENCES ? 0 : Math.min(0, whole.store)
  const tells = (toPeople ? TELLS_AMONG_PEOPLE : TELLS) - against
  const told = withExplained(
    sentences.filter(
      ({ sentence, judgement }) =>
        (judgement.store > tells && !asksOnly(sentence)) ||
        (context.isChosen === true && judgement.store > TELLS_CHOSEN && !asksOrOrders(sentence)) ||
        (judgement.store > STATES && statesFact(sentence)) ||
        wishesOfReplies(sentence) ||
        wishesHere(sentence, judgement),
    ),
    sentences,
  )
  const reason = likeliestReason(whole, told.length > 0, text, toPeople)
  const certainty = 1 / (1 + Math.exp(-Math.abs(whole.store)))
  const isOrdered = !toPeople && (isMeant || sentences.some(isOrder))
  const likely = sentences.filter(({ judgement }) => judgement.store > NEARLY_NOTHING)
  if (isOrdered || (reason === 'explicit_remember' && whole.store > 0))
    return {
      store: true,
      reason: 'explicit_remember',
      certainty: isOrdered ? CERTAIN : certainty,
      explicit: true,
      importance: IMPORTANCE.explicit_remember,
      parts: partsOf(likely.length === 0 ? sentences : likely, sentences, { lasting: isLastingOrder(whole) }),
    }
  const { previous: question, heard = '' } = context
  // To an assistant a single sentence ("OK." aside) was weighed as a whole already; what opens a chat agrees with nobody.
  const isSingle = sentences.filter(({ sentence }) => namesSomething(sentence)).length <= 1
  const mayFall = context.amongPeople || record !== null || (heard !== '' && !isSingle)
  const falls = toPeople ? FALLS_AMONG_PEOPLE : FALLS
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

/** Whether it only asks what is known of the writer: "Where do I work?", 我的英语课几点. */
function asksOnly(sentence: string): boolean {
  if (!isQuestion(sentence) || !asksOfSelf(sentence) || statesFact(sentence)) return false
  return !/[,，(（\d]|\p{Script=Han} {1,40}\p{Script=Han}/u.test(withoutLead(sentence))
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
function likeliestReason({ kinds }: Judgement, store: boolean, text: string, toPeople = false): DecisionReason {
  // No words of an order, no order: "please keep your answers short"; one to a friend orders nothing here.
  const mayOrder = store && !toPeople && mentionsOrder(text)
  const shares = new Map<DecisionReason, number>()
  for (const [at, kind] of KINDS.entries())
    if (kind.store === store && (kind.reason !== 'explicit_remember' || mayOrder))
      shares.set(kind.reason, (shares.get(kind.reason) ?? 0) + kinds[at]!)
  const [reason] = [...shares].reduce((best, one) => (one[1] > best[1] ? one : best))
  return store ? preferenceOr(reason, text) : reason
}

/** An ordered memory lasts, unless the model takes it for a passing thing ("the car is on deck 3"). */
function isLastingOrder({ kinds, semantic }: Judgement): boolean {
  return Math.log(kinds[LASTING_ORDER]! / kinds[PASSING_ORDER]!) + ORDER_LASTS * semantic > ORDER_MARGIN
}

/** A bare answer is no sentence that the model could weigh. */
function keepAnswer(text: string, { reason, semantic }: AnswerKind): WriteDecision {
  const category = reason === 'preference' ? 'preference' : reason === 'habit' ? 'pattern' : 'fact'
  return keepWhole(reason, ANSWERED, { text, semantic, category, asked: true })
}

/** The text as one part. */
function keepWhole(reason: DecisionReason, certainty: number, part: Omit<KeptPart, 'importance'>): WriteDecision {
  const importance = IMPORTANCE[reason]
  const parts = [{ ...part, text: part.text.trim(), importance }]
  return { store: true, reason, certainty, explicit: reason === 'explicit_remember', importance, parts }
}

function refuse(reason: DecisionReason, certainty: number): WriteDecision {
  return { store: false, reason, certainty, explicit: false, importance: 0, parts: [] }
}

/** A row of a log on one line: one statement, without a program's additions but the day of an appointment. */
export function rowOf({ from, text, day }: LogRow): string {
  const at = day === null ? '' : hasHan(text) ? `（${day}）` : ` (${day})`
  return `${from}${hasHan(from) ? '：' : ': '}${text.replace(/\s+/g, ' ')}${at}`
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
    if (isApart && tells(withoutOrder(order))) return [order]
    return splitStatements(sentence, (text) => weigh(text).store)
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
    if (!beside || asksOrOrders(sentence) || /[:：]$/.test(sentence)) continue
    if (judgement.store > EXPLAINS || (kept.has(at - 1) && refersBack(sentence))) kept.add(at)
  }
  return all.filter(({ at }) => kept.has(at))
}

/** Whether it orders what it states itself: such a thing is kept however little it tells (002 R2.5). */
function isOrder(one: JudgedSentence): boolean {
  if (ordersPlainly(one.sentence)) return true
  const { store, kinds } = one.judgement
  return store >= NEARLY_NOTHING && kinds[LASTING_ORDER]! + kinds[PASSING_ORDER]! > ORDERS && ordersItself(one)
}
