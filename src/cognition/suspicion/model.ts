/**
 * Are memories in doubt rightly so? After a change the rules cast doubt on what may have rested on it; a model confirms
 * or drops each doubt. It can only take back doubt that the rules have cast, never cast its own.
 */
import type { Memory } from '../../domain/memory.ts'
import { type AskContext, askForAnswer, rejectAnswer } from '../answers/ask-for-answer.ts'
import { oneLine } from '../answers/bounded.ts'
import { faultOf } from '../answers/fault.ts'
import { framedMessages } from '../answers/prompt-frame.ts'
import { quotedMemory } from '../answers/quoted-memory.ts'
import { SUSPICION_PROMPT } from './prompt.ts'
import { suspicionSchema } from './schema.ts'

/** What a memory in doubt shows of itself. */
export type Suspect = Pick<Memory, 'id' | 'text' | 'who' | 'occurredAt'>

/** What has changed; `now` is null when something ended and nothing took its place. */
export interface Change {
  readonly before: string
  readonly now: string | null
}

/** `confirmed`: the doubt stays. `dropped`: the memory holds. A suspect without a verdict keeps its doubt. */
export interface SuspicionVerdict {
  readonly id: string
  readonly verdict: 'confirmed' | 'dropped'
  /** A few words in the language of the memory; null when the model gave none of use. */
  readonly reason: string | null
}

/** Suspects in one call; more are to be asked in further calls. */
export const MOST_SUSPECTS = 20

const STEP = 'suspicion'
const TOKENS_EACH = 60
const LONGEST_REASON = 160

/** null when the answer is of no use: then every doubt stays. Rejects when the model finally fails. */
export async function judgeSuspectsByModel(
  suspects: readonly Suspect[],
  change: Change,
  ask: AskContext,
): Promise<readonly SuspicionVerdict[] | null> {
  const asked = suspects.slice(0, MOST_SUSPECTS)
  if (asked.length === 0) return []
  const answer = await askForAnswer(ask, {
    step: STEP,
    messages: framedMessages(SUSPICION_PROMPT, {
      change: { before: change.before, now: change.now ?? '(ended)' },
      memories: asked.map((memory, index) => ({ number: index + 1, ...quotedMemory(memory) })),
    }),
    schema: suspicionSchema,
    maxTokens: 100 + TOKENS_EACH * asked.length,
  })
  if (answer === null) return null
  const verdicts = new Map<string, SuspicionVerdict>()
  for (const { number, verdict, reason } of answer.verdicts) {
    const suspect = asked[number - 1]
    if (suspect === undefined || verdict === 'unclear' || verdicts.has(suspect.id)) continue
    const line = oneLine(reason, LONGEST_REASON)
    verdicts.set(suspect.id, {
      id: suspect.id,
      verdict: verdict === 'doubtful' ? 'confirmed' : 'dropped',
      reason: faultOf(line, [suspect.text], 0) === null ? line : null,
    })
  }
  if (verdicts.size === 0 && answer.verdicts.every(({ number }) => asked[number - 1] === undefined)) {
    rejectAnswer(ask, STEP, 'no verdict on any of the memories')
    return null
  }
  return [...verdicts.values()]
}
