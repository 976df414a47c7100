/** What to write about turns in which no sentence tells anything: only greetings, only code, only marks. */
import type { Turn } from '../../domain/turn.ts'
import { withinBytes } from './note.ts'

const QUOTED_BYTES = 160
/** As much of a turn as is looked at for words. */
const CHARACTERS_READ = 2_000

/** The first words said, or that there was code; '' only when there are no turns. */
export function fallbackNote(turns: readonly Turn[], chinese: boolean, maxBytes: number): string {
  if (turns.length === 0) return ''
  for (const turn of turns) {
    const start = turn.content.slice(0, CHARACTERS_READ).toWellFormed()
    const words = start
      .replace(/^[ \t]*(`{3,}|~{3,})[\s\S]*?(?:\1|$(?![\s\S]))/gm, ' ')
      .replace(/\s+/g, ' ')
      .trim()
    if (words !== '') return withinBytes(words, Math.min(QUOTED_BYTES, maxBytes))
  }
  const text = chinese ? '只有代码，没有说明。' : 'Code only, without words.'
  return withinBytes(text, maxBytes)
}
