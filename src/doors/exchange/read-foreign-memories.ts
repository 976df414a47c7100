/**
 * Reads memories that other programs keep: the graph of the reference memory server (JSON lines of entities and relations) and
 * lists of mem0. Each observation, relation or memory is one memory here.
 */
import { type Entry, entriesOfDocument, entriesOfLines, readEntries } from './log-entries.ts'
import type { LogItem } from './log-record.ts'
import { timeOfValue } from './log-time.ts'
import { logMemory } from './log-turn.ts'
import { textOf } from './parse-json.ts'
import type { Line } from './read-lines.ts'

/** true for a line of the reference memory server. */
export function isGraphEntry(entry: Entry): boolean {
  return (
    (entry.type === 'entity' && typeof entry.name === 'string' && Array.isArray(entry.observations)) ||
    (entry.type === 'relation' && typeof entry.from === 'string' && typeof entry.to === 'string')
  )
}

/** The items of a file of the reference memory server; races of its own leave several objects on one line. */
export function readGraphLines(lines: AsyncIterable<Line>): AsyncIterable<LogItem> {
  return readEntries(entriesOfLines(lines), (entry, line) =>
    isGraphEntry(entry)
      ? statementsOf(entry).map((text) => logMemory(line, 'server-memory', text))
      : [{ kind: 'refused', line, reason: 'neither an entity nor a relation' }],
  )
}

function statementsOf(entry: Entry): readonly string[] {
  if (entry.type === 'relation') return [`${entry.from} ${entry.relationType ?? 'is related to'} ${entry.to}`]
  const observations = Array.isArray(entry.observations) ? entry.observations : []
  return observations.filter((one) => textOf(one) !== null).map((text) => `${entry.name}: ${text}`)
}

/** The items of a list of mem0: an array of memories, or an object with `results`. */
export function readMem0(stream: AsyncIterable<Uint8Array>, isArray: boolean): AsyncIterable<LogItem> {
  return readEntries(entriesOfDocument(stream, isArray ? '$.*' : '$.results.*'), (entry, line) => [
    mem0Item(entry, line),
  ])
}

function mem0Item(record: Entry, line: number): LogItem {
  const text = textOf(record.memory) ?? textOf(record.text) ?? textOf(record.data)
  if (text === null) return { kind: 'refused', line, reason: 'the memory has no text' }
  return logMemory(line, 'mem0', text, timeOfValue(record.created_at), textOf(record.id))
}
