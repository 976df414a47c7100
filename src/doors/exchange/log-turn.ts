/** Checks one turn of a log and gives it an id where the log has none; what cannot be stored is refused with a reason. */
import { createHash } from 'node:crypto'
import type { Metadata, Role } from '../../domain/turn.ts'
import type { LogItem, LogSource } from './log-record.ts'

/** A turn as a reader found it. */
export interface FoundTurn {
  readonly line: number
  readonly conversationId: string
  readonly projectRoot?: string
  readonly role: Role
  readonly content: string
  readonly speaker?: string | null
  readonly createdAt: number
  /** null: an id is made from the turn's place. */
  readonly externalId: string | null
  /** Number of the turn, which distinguishes equal turns of one file without ids. Default: its line. */
  readonly position?: number
  readonly metadata?: Metadata | null
}

const HASH_CHARACTERS = 24
const LONGEST_ID = 200

/** The item for what may be a turn; without words, or of nobody who speaks, it is passed over because of `otherwise`. */
export function turnIfSaid(
  found: Omit<FoundTurn, 'role' | 'content'> & { readonly role: Role | undefined; readonly content: string | null },
  source: LogSource,
  otherwise: string,
): LogItem {
  const { role, content } = found
  if (role === undefined || content === null || content === '')
    return { kind: 'skipped', line: found.line, reason: otherwise }
  return logTurn({ ...found, role, content }, source)
}

/** The item for a turn: the turn, or the reason of its refusal. */
export function logTurn(found: FoundTurn, source: LogSource): LogItem {
  const { line, content, position: _, ...rest } = found
  const problem = contentProblem(content, source.maxContentBytes)
  if (problem !== null) return { kind: 'refused', line, reason: problem }
  const externalId = found.externalId ?? derivedId(found, source.name)
  return { kind: 'turn', line, turn: { projectRoot: '', speaker: null, metadata: null, ...rest, content, externalId } }
}

/** The item for a memory of the program `source`, identified by `id` or else by its text. */
export function logMemory(
  line: number,
  source: string,
  text: string,
  createdAt: number | null = null,
  id: string | null = null,
): LogItem {
  return {
    kind: 'memory',
    line,
    memory: { text, externalId: `${source}:${id ?? text}`.slice(0, LONGEST_ID), createdAt },
  }
}

/** An id that is the same at every reading of the same file in the same place. */
function derivedId(found: FoundTurn, name: string): string {
  const parts = [name, found.conversationId, found.position ?? found.line, found.role, found.content]
  return `log:${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, HASH_CHARACTERS)}`
}

function contentProblem(content: string, maxBytes: number): string | null {
  if (content.trim() === '') return 'the turn is empty'
  if (content.includes('\0')) return 'the turn contains a NUL character'
  if (!content.isWellFormed()) return 'the turn contains half of a surrogate pair'
  const bytes = content.length * 3 <= maxBytes ? 0 : Buffer.byteLength(content)
  return bytes > maxBytes ? `the turn has ${bytes} bytes, more than ${maxBytes}` : null
}

/** The name of a file without its extension: the conversation of a log that names none. */
export function conversationOf(name: string): string {
  // linear: names of files are short.
  return name.replace(/\.[^./]+$/, '')
}
