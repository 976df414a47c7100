/**
 * Is this message of the user worth keeping, why, and which parts of it? Answered without a model: meanings of words and
 * a small linear model over them. Nothing is ever invented: what is kept are sentences of the message.
 */
import type { DecisionReason, ThinkMessage, WriteDecision } from '../../domain/thought.ts'
import { splitSentences } from '../../text/sentences.ts'
import { type AnswerKind, answerKind } from './answered.ts'
import { type Features, featuresOf } from './features.ts'
import { forbidsKeeping } from './forbidden.ts'
import { stripInjected } from './injected.ts'
import { keepParts } from './keep-parts.ts'
import { IMPORTANCE, KINDS } from './kinds.ts'
import { type Judgement, judge } from './linear-model.ts'
import { isPlainOrder, mentionsOrder } from './order-words.ts'
import { ownWords } from './own-words.ts'

/**
 * Refused on these grounds when they have more than this share of the probability, unless it is plain all the same that
 * something is worth storing (log-odds): of what is so plain and nevertheless refused, most was said of oneself.
 */
const UNREAL: ReadonlySet<DecisionReason> = new Set(['hypothetical', 'about_other', 'code_paste'])
const UNREAL_SHARE = 0.2
const PLAINLY = 2
const UNREAL_KINDS = KINDS.flatMap(({ store, reason }, at) => (!store && UNREAL.has(reason) ? [at] : []))

const LASTING_ORDER = KINDS.findIndex(({ reason, semantic }) => reason === 'explicit_remember' && semantic)
const PASSING_ORDER = KINDS.findIndex(({ reason, semantic }) => reason === 'explicit_remember' && !semantic)
/**
 * How much what lasts in general counts beside the two kinds of order, and the log-odds from which an order lasts: of the
 * orders held for lasting 87 of 100 then are, where the two kinds alone have 80 (messages left out of the fit).
 */
const ORDER_LASTS = 0.4
const ORDER_MARGIN = 1

/** What is said around the message. */
export interface DecisionContext {
  /** The answer before the message: what the user repeats of it is not theirs. */
  readonly previous?: string
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
  return decideWith(judge, message.content, context)
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
  const ownPart = ownWords(own)
  const { text, pasted, unreal: taken } = ownPart
  if (forbidsKeeping(text)) return refuse('forbidden', CERTAIN)
  if (!/[\p{L}\p{N}]/u.test(text) && pasted > 0) {
    return refuse(taken > 0 ? 'hypothetical' : 'code_paste', CERTAIN)
  }
  const judgement = weigh(featuresOf(own, ownPart))
  const answer = context.previous === undefined ? null : answerKind(own, context.previous)
  if (answer !== null && (judgement.store <= 0 || (answer.semantic && judgement.semantic <= 0))) {
    return keepAnswer(own, answer)
  }
  const certainty = 1 / (1 + Math.exp(-Math.abs(judgement.store)))
  if (isPlainOrder(text))
    return {
      store: true,
      reason: 'explicit_remember',
      certainty: CERTAIN,
      explicit: true,
      importance: IMPORTANCE.explicit_remember,
      parts: keepParts(weigh, text, ordered(judgement), true),
    }
  const unreal = likelyUnreal(judgement)
  if (unreal !== null && judgement.store > 0 && judgement.store <= PLAINLY) return refuse(unreal, 1 / 2)
  const reason = likeliestReason(judgement, judgement.store > 0, text)
  if (judgement.store <= 0) return refuse(reason, certainty)
  const explicit = reason === 'explicit_remember'
  return {
    store: true,
    reason,
    certainty,
    explicit,
    importance: IMPORTANCE[reason],
    parts: keepParts(weigh, text, explicit ? ordered(judgement) : judgement, explicit),
  }
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
function ordered(judgement: Judgement): Judgement {
  const odds = judgement.kinds[LASTING_ORDER]! / judgement.kinds[PASSING_ORDER]!
  const lasting = Math.log(odds) + ORDER_LASTS * judgement.semantic > ORDER_MARGIN
  return { ...judgement, semantic: lasting ? Math.max(judgement.semantic, 1) : Math.min(judgement.semantic, 0) }
}

/**
 * Hypothesis, hearsay or pasted words, if they are likely enough together: stored as if the user had said it of
 * themselves it would do most harm.
 */
function likelyUnreal({ kinds }: Judgement): DecisionReason | null {
  let share = 0
  let likeliest = -1
  for (const at of UNREAL_KINDS) {
    share += kinds[at]!
    if (likeliest < 0 || kinds[at]! > kinds[likeliest]!) likeliest = at
  }
  return share > UNREAL_SHARE ? KINDS[likeliest]!.reason : null
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
