/**
 * Is this message of the user worth keeping, why, and which parts of it? Answered without a model: meanings of words and
 * a small linear model over them. Nothing is ever invented: what is kept are sentences of the message.
 */
import type { DecisionReason, ThinkMessage, WriteDecision } from '../../domain/thought.ts'
import { splitSentences } from '../../text/sentences.ts'
import { type Features, featuresOf } from './features.ts'
import { stripInjected } from './injected.ts'
import { keepParts } from './keep-parts.ts'
import { IMPORTANCE, KINDS } from './kinds.ts'
import { type Judgement, judge } from './linear-model.ts'
import { ownWords } from './own-words.ts'

/** What is said around the message. */
export interface DecisionContext {
  /** The answer before the message: what the user repeats of it is not theirs. */
  readonly previous?: string
}

/** UTF-16 units of the beginning and of the end of a message that are looked at. */
const LOOKED_AT_START = 6000
const LOOKED_AT_END = 2000
/** So sure is the decider where the text leaves no choice. */
const CERTAIN = 0.99

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
  const { text, pasted } = ownWords(own)
  if (!/[\p{L}\p{N}]/u.test(text) && pasted > 0) return refuse('code_paste', CERTAIN)
  const judgement = weigh(featuresOf(own))
  const certainty = 1 / (1 + Math.exp(-Math.abs(judgement.store)))
  const kind = KINDS[likeliest(judgement, judgement.store > 0)]!
  if (!kind.store) return refuse(kind.reason, certainty)
  const explicit = kind.reason === 'explicit_remember'
  return {
    store: true,
    reason: kind.reason,
    certainty,
    explicit,
    importance: IMPORTANCE[kind.reason],
    parts: keepParts(weigh, text, judgement, explicit),
  }
}

/** The likeliest kind of those that agree with the decision. */
function likeliest({ kinds }: Judgement, store: boolean): number {
  let best = -1
  for (let at = 0; at < KINDS.length; at++) {
    if (KINDS[at]!.store === store && (best < 0 || kinds[at]! > kinds[best]!)) best = at
  }
  return best
}

function refuse(reason: DecisionReason, certainty: number): WriteDecision {
  return { store: false, reason, certainty, explicit: false, importance: 0, parts: [] }
}

function lookedAt(text: string): string {
  if (text.length <= LOOKED_AT_START + LOOKED_AT_END) return text
  return `${text.slice(0, LOOKED_AT_START)}\n${text.slice(-LOOKED_AT_END)}`
}
