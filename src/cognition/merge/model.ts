/** EpisodicMerger with a model (002 R5.2, R9.2): whether two records tell of one event, and the words of the one record. */
import type { Memory } from '../../domain/memory.ts'
import { type AskContext, askForAnswer, rejectAnswer } from '../answers/ask-for-answer.ts'
import { bounded, oneLine } from '../answers/bounded.ts'
import { quotedMemory } from '../answers/data-message.ts'
import { faultOf, rewriteFault } from '../answers/fault.ts'
import { MERGE_PROMPT } from './prompt.ts'
import { MERGED_CHARACTERS } from './rules.ts'
import { mergeSchema } from './schema.ts'
import type { MergedWords } from './types.ts'

/** What the model says: one event and its words, or two. */
export type ModelMerge = { readonly sameEvent: true; readonly words: MergedWords } | { readonly sameEvent: false }

const STEP = 'merge'
const MOST_TOKENS = 1500
const LONGEST_FIELD = 300

/** null when the answer is of no use, so that the rules answer. Rejects when the model finally fails. */
export async function mergeByModel(a: Memory, b: Memory, ask: AskContext): Promise<ModelMerge | null> {
  const answer = await askForAnswer(ask, {
    step: STEP,
    rules: MERGE_PROMPT,
    data: { first: quotedMemory(a), second: quotedMemory(b) },
    schema: mergeSchema,
    maxTokens: MOST_TOKENS,
  })
  if (answer === null) return null
  if (!answer.same_event) return { sameEvent: false }
  const text = (answer.text ?? '').trim()
  const fault = text.length > MERGED_CHARACTERS ? 'a text that is too long' : rewriteFault(text, [a.text, b.text])
  if (fault !== null) {
    rejectAnswer(ask, STEP, fault)
    return null
  }
  const field = (given: string | null | undefined): string => {
    const line = oneLine(given, LONGEST_FIELD)
    return line === '' || faultOf(line, [a.text, b.text], 0) !== null ? '' : line
  }
  const words = { text: bounded(text, MERGED_CHARACTERS), context: field(answer.context), thing: field(answer.thing) }
  return { sameEvent: true, words }
}
