/** EpisodicReconsolidator with a model (002 R4): what a conversation adds to a memory that was used in it. */
import { z } from 'zod'
import type { Memory } from '../../domain/memory.ts'
import { type AskContext, askForAnswer, isoMinute, quotedMemory, quotedMessage, shortened } from '../answers/ask.ts'
import { oneLine } from '../answers/bounded.ts'
import { faultOf, rewrittenWords, wordsSchema } from '../answers/rewritten.ts'
import type { CurrentContext, ReconsolidatedWords } from './types.ts'

/** `words` null: the conversation says nothing new about it. */
export interface ModelReconsolidation {
  readonly words: ReconsolidatedWords | null
}

const RULES = `DATA holds one \`memory\` of an event that was used in a conversation, and \`conversation\`: its last turns, the newest at the end.
Does the user tell anything new about that same event: how it went on, how it ended, a detail, a correction? What the assistant says is not new knowledge.
If so, write the memory anew: what was known, then what is new, in the order of time. Nothing that was known is lost; a correction says what it corrects.
{"changed": true or false, "text": "the whole memory", "context": "the setting, a few words", "thing": "what happened, a few words", "update": "one short sentence: what is new"}
When nothing is new, changed is false and the rest is "".`
const MOST_TURNS = 8
const LONGEST_TURN = 2000
const LONGEST_UPDATE = 300
/** What is new was told by the user: at least this share of its words. */
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
  if (told.every((text) => text.trim() === '')) return { words: null }
  return askForAnswer(ask, {
    step: 'reconsolidate',
    rules: RULES,
    data: { now: isoMinute(context.now), memory: quotedMemory(memory), conversation: turns.map(quotedMessage) },
    schema: wordsSchema.extend({ changed: z.boolean(), update: z.string().nullish().catch(null) }),
    maxTokens: 1500,
    read: (answer): ModelReconsolidation | string => {
      if (!answer.changed) return { words: null }
      const words = rewrittenWords(answer, [memory.text], told)
      if (typeof words === 'string') return words
      const update = oneLine(answer.update, LONGEST_UPDATE)
      const fault = faultOf(update, told, LEAST_TOLD)
      // The same again is no news, whatever the model calls it.
      return fault ?? { words: words.text === memory.text.trim() ? null : { ...words, update } }
    },
  })
}
