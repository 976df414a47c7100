/** EpisodicReconsolidator with a model (002 R4): the additions of a conversation to a memory that was used in it. */
import { z } from 'zod'
import type { Memory } from '../../domain/memory.ts'
import { foldedText } from '../../language/spelling.ts'
import {
  type AskContext,
  askForAnswer,
  isoMinute,
  quotedMemory,
  quotedMessage,
  shortened,
} from '../model-answers/ask-model.ts'
import { boundedLine } from '../model-answers/bounded-text.ts'
import { faultOf } from '../model-answers/rewritten-words.ts'
import type { CurrentContext } from './reconsolidate-by-rules.ts'

/** The news in `update`, one short sentence; null: the conversation says nothing new about it. */
export interface ModelReconsolidation {
  readonly update: string | null
}

const RULES = `DATA holds one \`memory\` of an event that was used in a conversation, and \`conversation\`: its last turns, the newest at the end.
Does the user tell anything new about that same event: how it went on, how it ended, a detail, a correction? What the assistant says is not new knowledge.
If so, say in one short sentence what is new, in the language of the memory; a correction says what it corrects. It will stand behind the memory's own words.
{"changed": true or false, "update": "one short sentence: what is new"}
When nothing is new, changed is false and update is "".`
const MOST_TURNS = 8
const LONGEST_TURN = 2000
const LONGEST_UPDATE = 300
/** The least share of an update's words that the user must have said. */
const LEAST_TOLD = 0.25

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
  return askForAnswer(ask, {
    step: 'reconsolidate',
    rules: RULES,
    data: { now: isoMinute(context.now), memory: quotedMemory(memory), conversation: turns.map(quotedMessage) },
    schema: z.object({ changed: z.boolean(), update: z.string().nullish().catch(null) }),
    maxTokens: 300,
    read: (answer): ModelReconsolidation | string => {
      if (!answer.changed) return { update: null }
      const update = boundedLine(answer.update, LONGEST_UPDATE)
      // A repeat is no news, whatever the model calls it.
      if (update !== '' && foldedText(memory.text).includes(foldedText(update))) return { update: null }
      return faultOf(update, told, LEAST_TOLD) ?? { update }
    },
  })
}
