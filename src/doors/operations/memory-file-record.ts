/** The result of a digest, in snake_case at every depth. */
import { homedir } from 'node:os'
import { basename, dirname, isAbsolute, relative } from 'node:path'
import type { MemoryFileReport } from '../../domain/memory-file.ts'
import { type SnakeNames, snakeNames } from './names.ts'

/** The report for remote callers: file names without this machine's folders. */
export function reportElsewhere(report: MemoryFileReport): MemoryFileReport {
  const { file, backup, blocks } = report
  return {
    ...report,
    file: shownPath(file),
    backup: backup === null ? null : `${basename(dirname(backup))}/${basename(backup)}`,
    blocks: blocks.map((path) => shownPath(path)),
  }
}

/** A report as the JSON of every door. */
export function reportRecord({ added, edits, conflicts, ...rest }: MemoryFileReport) {
  return {
    ...snakeNames(rest),
    added: added.map(({ turns, ...entry }) => ({ ...snakeNames(entry), turns: turns.map(snakeNames) })),
    edits: edits.map(snakeNames),
    conflicts: conflicts.map(snakeNames),
  } satisfies Record<keyof SnakeNames<MemoryFileReport>, unknown>
}

/** `~/notes/MEMORY.md` for a file in the home folder of this process, `MEMORY.md` for any other. */
export function shownPath(path: string, home: string = homedir()): string {
  const inside = relative(home, path)
  const isInside = inside !== '' && !isAbsolute(inside) && inside.split(/[\\/]/)[0] !== '..'
  return isInside ? `~/${inside.replaceAll('\\', '/')}` : basename(path)
}
