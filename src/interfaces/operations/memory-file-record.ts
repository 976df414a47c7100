/** What a digest came to, in snake_case at every depth. */
import type { MemoryFileReport } from '../../domain/memory-file.ts'
import { type SnakeNames, snakeNames } from './names.ts'

/** A report as the JSON of every door. */
export function reportRecord({ added, edits, conflicts, ...rest }: MemoryFileReport) {
  return {
    ...snakeNames(rest),
    added: added.map(({ turns, ...entry }) => ({ ...snakeNames(entry), turns: turns.map(snakeNames) })),
    edits: edits.map(snakeNames),
    conflicts: conflicts.map(snakeNames),
  } satisfies Record<keyof SnakeNames<MemoryFileReport>, unknown>
}
