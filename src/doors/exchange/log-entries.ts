/** The JSON objects of a log, one at a time: a line each, or the elements of lists in one document. */
import { Readable } from 'node:stream'
import { MnemeError } from '../../domain/errors.ts'
import type { LogItem } from './log-item.ts'
import { asObject, jsonObject, textOf } from './parse-json.ts'
import { jsonCursor, valuesAt } from './read-json.ts'
import type { Line } from './read-lines.ts'

export type Entry = Readonly<Record<string, unknown>>

export type LogEntry =
  /** `list` is the name of the list that the object stands in, or ''. */
  | { readonly kind: 'entry'; readonly line: number; readonly list: string; readonly entry: Entry }
  | Extract<LogItem, { kind: 'refused' }>

/** The items that `read` finds in each entry; what is refused goes by. */
export async function* readEntries(
  entries: AsyncIterable<LogEntry>,
  read: (entry: Entry, line: number, list: string) => Iterable<LogItem>,
): AsyncGenerator<LogItem> {
  for await (const one of entries)
    if (one.kind === 'refused') yield one
    else yield* read(one.entry, one.line, one.list)
}

export async function* entriesOfLines(lines: AsyncIterable<Line>): AsyncGenerator<LogEntry> {
  for await (const { number: line, bytes } of lines) {
    const entry = bytes === null ? 'the line is too long' : jsonObject(bytes)
    if (typeof entry !== 'string') yield { kind: 'entry', line, list: '', entry }
    else if (entry !== '') {
      const whole = bytes !== null && (yield* objectsRunTogether(bytes, line))
      if (!whole) yield { kind: 'refused', line, reason: entry }
    }
  }
}

/** Two writers at once leave objects on one line. Returns whether the line had nothing else. */
async function* objectsRunTogether(bytes: Uint8Array, line: number): AsyncGenerator<LogEntry, boolean> {
  const cursor = jsonCursor(Readable.from([bytes]))
  try {
    while ((await cursor.peek()) !== -1) {
      const entry = asObject(await cursor.value())
      if (entry === null) return false
      yield { kind: 'entry', line, list: '', entry }
    }
    return true
  } catch (error) {
    if (!(error instanceof MnemeError) || error.code !== 'import_failed') throw error
    return false
  }
}

/** The elements of the lists at these paths (`*`: the document is the list, '': the one element). Ends with a refusal at invalid JSON. */
export async function* entriesOfDocument(
  stream: AsyncIterable<Uint8Array>,
  ...paths: readonly string[]
): AsyncGenerator<LogEntry> {
  let line = 0
  const wanted = paths.map((path) => (path === '' ? [] : path.split('.')))
  try {
    for await (const { list, value } of valuesAt(jsonCursor(stream), wanted))
      yield { kind: 'entry', line: ++line, list, entry: asObject(value) ?? {} }
  } catch (error) {
    if (!(error instanceof MnemeError) || error.code !== 'import_failed') throw error
    yield { kind: 'refused', line: line + 1, reason: error.message }
  }
}

/**
 * The messages by id from the first one to `end` or, where that is unknown, to the newest that none follows; `parent`
 * names the field with the id of the one before.
 */
export function currentBranch(
  messages: ReadonlyMap<string, Entry>,
  end: string | null,
  parent: string,
  timeOf: (message: Entry) => number | null,
): readonly (readonly [id: string, message: Entry])[] {
  const followed = new Set([...messages.values()].map((message) => message[parent]))
  const leaves = [...messages].filter(([id]) => !followed.has(id))
  const newest = leaves.sort(([, one], [, other]) => (timeOf(one) ?? 0) - (timeOf(other) ?? 0)).at(-1)?.[0] ?? null
  const branch = new Map<string, Entry>()
  for (let id = end !== null && messages.has(end) ? end : newest; id !== null && !branch.has(id); ) {
    const message = messages.get(id)
    if (message === undefined) break
    branch.set(id, message)
    id = textOf(message[parent])
  }
  return [...branch].reverse()
}
