/** EpisodicReconsolidator with a model (002 R4): what a conversation adds to a memory that was used in it. */
import type { Memory } from '../../domain/memory.ts'
import { foldedText } from '../../text/duplicates.ts'
import { type AskContext, askForAnswer, rejectAnswer } from '../answers/ask-for-answer.ts'
import { oneLine } from '../answers/bounded.ts'
import { isoMinute, quotedMemory, quotedMessage, shortened } from '../answers/data-message.ts'
import { faultOf } from '../answers/fault.ts'
import { RECONSOLIDATE_PROMPT } from './prompt.ts'
import { reconsolidateSchema } from './schema.ts'
import type { CurrentContext } from './types.ts'

/** `update`: one short sentence, what is new; null: the conversation says nothing new about it. */
export interface ModelReconsolidation {
  readonly update: string | null
}

const STEP = 'reconsolidate'
const MOST_TOKENS = 300
const MOST_TURNS = 8
const LONGEST_TURN = 2000
const LONGEST_FIELD = 300

/** null when the answer is of no use, so that the rules answer. Rejects when the model finally fails. */
export async function reconsolidateByModel(
  memory: Memory,
  context: CurrentContext,
  ask: AskContext,
): Promise<ModelReconsolidation | null> {
  const turns = context.turns
    .slice(-MOST_TURNS)
    .map((turn) => ({ ...turn, content: shortened(turn.content, LONGEST_TURN) }))
  const told = turns.filter(({ role }) => role === 'user').map((turn) => String(quotedMessage(turn).text))
  if (told.every((text) => text.trim() === '')) return { update: null }
  const answer = await askForAnswer(ask, {
    step: STEP,
    rules: RECONSOLIDATE_PROMPT,
    data: {
      now: isoMinute(context.now),
      memory: quotedMemory(memory),
      conversation: turns.map(quotedMessage),
    },
    schema: reconsolidateSchema,
    maxTokens: MOST_TOKENS,
  })
  if (answer === null) return null
  if (!answer.changed) return { update: null }
  const update = oneLine(answer.update, LONGEST_FIELD)
  // The same again is no news, whatever the model calls it.
  if (update !== '' && foldedText(memory.text).includes(foldedText(update))) return { update: null }
  const fault = faultOf(update, told, LEAST_TOLD)
  if (fault === null) return { update }
  rejectAnswer(ask, STEP, fault)
  return null
}

/** What is new was told by the user: at least this share of its words. */
const LEAST_TOLD = 0.25
