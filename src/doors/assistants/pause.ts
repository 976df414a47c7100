/** Is remembering paused? A small file beside the database tells hooks before they open anything. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from './make-folder.ts'

/** End of a pause in milliseconds since the epoch; null: until resumed. */
type Until = number | null

/** The pause for everything, and those of single projects by root. */
export interface Pauses {
  readonly everywhere?: Until
  readonly projects: Readonly<Record<string, Until>>
}

/** The pauses of a database; none where the file is absent or cannot be read. */
export function readPauses(database: string): Pauses {
  try {
    const { everywhere, projects } = JSON.parse(readFileSync(fileOf(database), 'utf8'))
    return {
      ...(isUntil(everywhere) ? { everywhere } : {}),
      projects: Object.fromEntries(
        Object.entries(projects ?? {}).filter((pair): pair is [string, Until] => isUntil(pair[1])),
      ),
    }
  } catch {
    return { projects: {} }
  }
}

/** Whether a project is paused at a moment. */
export function isPaused({ everywhere, projects }: Pauses, root: string, now: number): boolean {
  const holds = (until: Until | undefined): boolean => until === null || (until !== undefined && until > now)
  return holds(everywhere) || holds(Object.hasOwn(projects, root) ? projects[root] : undefined)
}

/** Sets the pause of a project, or of everything, and ends it with `undefined`. Returns the resulting pauses. */
export function setPause(database: string, root: string | undefined, until: Until | undefined): Pauses {
  const before = readPauses(database)
  const { [root ?? '']: _, ...others } = before.projects
  const after: Pauses =
    root === undefined
      ? { ...(until === undefined ? {} : { everywhere: until }), projects: before.projects }
      : { ...before, projects: until === undefined ? others : { ...others, [root]: until } }
  const file = fileOf(database)
  makeFolder(dirname(file))
  writeFileSync(`${file}.new`, `${JSON.stringify(after)}\n`)
  renameSync(`${file}.new`, file)
  return after
}

function fileOf(database: string): string {
  return `${database}.paused`
}

function isUntil(value: unknown): value is Until {
  return value === null || (typeof value === 'number' && Number.isFinite(value))
}
