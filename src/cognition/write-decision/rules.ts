/**
 * Is this message of the user worth keeping, why, and which parts of it? Answered without a model: meanings of words and
 * a small linear model over them. Nothing is ever invented: what is kept are sentences of the message.
 */
import type { DecisionReason, ThinkMessage, WriteDecision } from '../../domain/thought.ts'
import { splitSentences } from '../../text/sentences.ts'
import { extractFacts } from '../facts/extract-facts.ts'
import { type AnswerKind, answerKind } from './answered.ts'
import { type Features, featuresOf } from './features.ts'
import { forbidsKeeping } from './forbidden.ts'
import { stripInjected } from './injected.ts'
import { judgeSentences, orderedSentences, partsOf, withExplained } from './keep-parts.ts'
import { IMPORTANCE, KINDS } from './kinds.ts'
import { type Judgement, judge } from './linear-model.ts'
import { isPlainOrder, mentionsOrder } from './order-words.ts'
import { ownWords } from './own-words.ts'

/** The log-odds from which a sentence is held to tell something. */
const TELLS = 0.1
/** The same in a chat among people, whose turns name their speaker: much more of it is small talk. */
const TELLS_AMONG_PEOPLE = 0.7
/** The same where the sentence states a fact by the rules of the step `facts`: its words may be new to the weights. */
const STATES = -1

const LASTING_ORDER = KINDS.findIndex(({ reason, semantic }) => reason === 'explicit_remember' && semantic)
const PASSING_ORDER = KINDS.findIndex(({ reason, semantic }) => reason === 'explicit_remember' && !semantic)
/**
 * How much what lasts in general counts beside the two kinds of order, and the log-odds from which an order lasts: of the
 * orders held for lasting 87 of 100 then are, where the two kinds alone have 80 (messages left out of the fit).
 */
const ORDER_LASTS = 0.4
const ORDER_MARGIN = 1

/** The log-odds from which a bare answer needs no question to be understood. */
const ANSWERS = 1

/** What is said around the message. */
export interface DecisionContext {
  /** The answer before the message: what the user repeats of it is not theirs. */
  readonly previous?: string
  /** It was said in a chat among people, not to an assistant. */
  readonly amongPeople?: boolean
}

/** UTF-16 units of the beginning and of the end of a message that are looked at. */
const LOOKED_AT_START = 3000
const LOOKED_AT_END = 1500
/** So sure is the decider where the text leaves no choice. */
const CERTAIN = 0.99
/** And so sure where a bare answer is read with its question. */
const ANSWERED = 0.8

/** Decides on a message that the user wrote; what the assistant, a tool or a page said must not be given here. */
export function decideByRules(
  message: Pick<ThinkMessage, 'content'> & Partial<ThinkMessage>,
  context: DecisionContext = {},
): WriteDecision {
  return decideWith(judge, message.content, { ...context, amongPeople: (message.speaker ?? null) !== null })
}

/** The same with another model: training measures one that has not seen the messages. */
export function decideWith(
  weigh: (features: Features) => Judgement,
  content: string,
  context: DecisionContext = {},
): WriteDecision {
  const said = lookedAt(content)
  const own = context.previous === undefined ? said : stripInjected(said, splitSentences(lookedAt(context.previous)))
  if (!/[\p{L}\p{N}]/u.test(own)) {
    const repeated = /[\p{L}\p{N}]/u.test(said)
    const emoji = /\p{Extended_Pictographic}/u.test(said)
    return refuse(repeated ? 'recalled' : emoji ? 'chitchat' : 'fragment', CERTAIN)
  }
  const { text, pasted, unreal: taken } = ownWords(own)
  if (forbidsKeeping(text)) return refuse('forbidden', CERTAIN)
  if (!/[\p{L}\p{N}]/u.test(text) && pasted > 0) {
    return refuse(taken > 0 ? 'hypothetical' : 'code_paste', CERTAIN)
  }
  const whole = weigh(featuresOf(own))
  const answer = context.previous === undefined ? null : answerKind(own, context.previous)
  if (answer !== null && (whole.store <= ANSWERS || (answer.semantic && whole.semantic <= 0)))
    return keepAnswer(own, answer)
  const sentences = judgeSentences(weigh, text, whole)
  const tells = context.amongPeople ? TELLS_AMONG_PEOPLE : TELLS
  const told = withExplained(
    sentences.filter(({ sentence, judgement: { store } }) => store > (states(sentence) ? STATES : tells)),
    sentences,
  )
  const reason = likeliestReason(whole, told.length > 0, text)
  const certainty = 1 / (1 + Math.exp(-Math.abs(whole.store)))
  const explicit = isPlainOrder(text)
  if (explicit || (reason === 'explicit_remember' && whole.store > 0))
    return {
      store: true,
      reason: 'explicit_remember',
      certainty: explicit ? CERTAIN : certainty,
      explicit: true,
      importance: IMPORTANCE.explicit_remember,
      parts: partsOf(orderedSentences(sentences), sentences, isLastingOrder(whole)),
    }
  if (told.length === 0) return refuse(reason, certainty)
  return {
    store: true,
    reason,
    certainty,
    explicit: false,
    importance: IMPORTANCE[reason],
    parts: partsOf(told, sentences),
  }
}

function states(sentence: string): boolean {
  return extractFacts(sentence, { who: 'user', now: 0 }).length > 0
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

/** What is ordered to be remembered lasts, unless the model takes it for a passing thing ("the car is on deck 3"). */
function isLastingOrder({ kinds, semantic }: Judgement): boolean {
  return Math.log(kinds[LASTING_ORDER]! / kinds[PASSING_ORDER]!) + ORDER_LASTS * semantic > ORDER_MARGIN
}

/** A bare answer is no sentence that the model could weigh. */
function keepAnswer(text: string, { reason, semantic }: AnswerKind): WriteDecision {
  const category = reason === 'preference' ? 'preference' : reason === 'habit' ? 'pattern' : 'fact'
  const importance = IMPORTANCE[reason]
  const part = { text: text.trim(), semantic, category, importance } as const
  return { store: true, reason, certainty: ANSWERED, explicit: false, importance, parts: [part] }
}

function refuse(reason: DecisionReason, certainty: number): WriteDecision {
  return { store: false, reason, certainty, explicit: false, importance: 0, parts: [] }
}

function lookedAt(text: string): string {
  if (text.length <= LOOKED_AT_START + LOOKED_AT_END) return text
  return `${text.slice(0, LOOKED_AT_START)}\n${text.slice(-LOOKED_AT_END)}`
}
