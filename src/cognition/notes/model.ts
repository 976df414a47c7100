/** Notes with a model (004): which memories belong into the notes, and in which words of theirs. */
import { type AskContext, askForAnswer, quotedMemory, rejectAnswer } from '../answers/ask.ts'
import { bounded } from '../answers/bounded.ts'
import { faultOf } from '../answers/rewritten.ts'
import { NOTES_PROMPT } from './prompt.ts'
import { NOTE_IMPORTANCE } from './rules.ts'
import { noteSchema, notesSchema } from './schema.ts'
import type { Notable, Note } from './types.ts'

const STEP = 'notes'
const MOST_TOKENS = 4000
const LONGEST_NOTE = 400

/**
 * A note for each memory that deserves one, null for the others, in the order of the memories; undefined where the answer
 * for a memory is of no use, so that the rules answer for it. null: none of it is. Rejects when the model finally fails.
 */
export async function notesByModel(
  memories: readonly Notable[],
  ask: AskContext,
): Promise<readonly (Note | null | undefined)[] | null> {
  const answer = await askForAnswer(ask, {
    step: STEP,
    rules: NOTES_PROMPT,
    data: { memories: memories.map((memory, at) => ({ n: at + 1, ...quotedMemory(memory) })) },
    schema: notesSchema,
    maxTokens: MOST_TOKENS,
    read: (given) => given,
  })
  if (answer === null) return null
  const notes: (Note | null | undefined)[] = memories.map(() => null)
  const faults: string[] = []
  for (const given of answer.notes) {
    const read = noteSchema.safeParse(given)
    const memory = read.success ? memories[read.data.n - 1] : undefined
    if (!read.success || memory === undefined) {
      faults.push('a note of another shape')
      continue
    }
    const { n, section } = read.data
    const text = bounded(read.data.text, LONGEST_NOTE)
    const fault = faultOf(text, [memory.text])
    if (fault !== null) faults.push(fault)
    notes[n - 1] = fault === null ? { text, section, importance: NOTE_IMPORTANCE[section] } : undefined
  }
  if (faults.length > 0) rejectAnswer(ask, STEP, faults.join('; '))
  return faults.length > 0 && faults.length === answer.notes.length ? null : notes
}
