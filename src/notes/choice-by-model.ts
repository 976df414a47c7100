/** Notes with a model (004): which memories belong into the notes, and in which words of theirs. */
import { z } from 'zod'
import { MEMORY_FILE_SECTIONS } from '../domain/memory-file.ts'
import { type AskContext, askForAnswer, quotedMemory, rejectAnswer } from '../thinking/answers/ask.ts'
import { bounded } from '../thinking/answers/bounded.ts'
import { faultOf } from '../thinking/answers/rewritten.ts'
import { NOTE_IMPORTANCE, type Notable, type Note } from './choice.ts'

/** Memories that a model looks at together: their texts fill no prompt. */
export const NOTES_AT_A_TIME = 40
const NOTES_PROMPT = `DATA holds \`memories\` of one person, each with its number \`n\`. They keep a short page of notes about themself that they read, edit and show to assistants.
Which memories deserve a line there, one that they would still keep in a year? Take only:
"user": who they are - name, contact, job, family, home, health, lasting commitments; "preferences": lasting likes, dislikes, style, habits; "configuration": systems, versions, ports, models, keys, set-up; "decisions": what was decided and stands; "problems": a technical problem together with what solved it.
Leave out: moods, thanks, praise, small talk, questions, single events, plans that will be over soon, what is said about somebody else only, what nobody could understand without the conversation.
A line is one short sentence in the memory's own words, in its language, in the first person where the memory is. Where a memory says several things, keep only those that belong here. Replace a pronoun by what it means if the memory itself says what it means; else leave the memory out.
{"notes": [{"n": 1, "text": "one sentence", "section": "user|preferences|configuration|decisions|problems"}]}`
const notesSchema = z.object({ notes: z.array(z.unknown()) })
const noteSchema = z.object({ n: z.coerce.number().int(), text: z.string(), section: z.enum(MEMORY_FILE_SECTIONS) })
const STEP = 'notes'
const MOST_TOKENS = 4000
const LONGEST_NOTE = 400

/** A note for each memory: null for none, undefined where the rules decide; null for an unusable answer. */
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
