/**
 * Reads memories that other programs keep: the graph of the reference memory server (JSON lines of entities and relations) and
 * lists of mem0. Each observation, relation or memory is one memory here.
 */
import { entriesOfDocument, entriesOfLines } from './log-entries.ts'
import type { LogItem } from './log-record.ts'
import { timeOfValue } from './log-time.ts'
import { logMemory } from './log-turn.ts'
import { textOf } from './parse-json.ts'
import type { Line } from './read-lines.ts'

type Json = Readonly<Record<string, unknown>>

/** true for a line of the reference memory server. */
export function isGraphEntry(entry: Json): boolean {
  return (
    (entry.type === 'entity' && typeof entry.name === 'string' && Array.isArray(entry.observations)) ||
    (entry.type === 'relation' && typeof entry.from === 'string' && typeof entry.to === 'string')
  )
}

/** The items of a file of the reference memory server; races of its own leave several objects on one line. */
export async function* readGraphLines(lines: AsyncIterable<Line>): AsyncGenerator<LogItem> {
  for await (const one of entriesOfLines(lines)) {
    if (one.kind === 'refused') yield one
    else if (!isGraphEntry(one.entry))
      yield { kind: 'refused', line: one.line, reason: 'neither an entity nor a relation' }
    else for (const text of statementsOf(one.entry)) yield logMemory(one.line, 'server-memory', text)
  }
}

function statementsOf(entry: Json): readonly string[] {
  if (entry.type === 'relation') return [`${entry.from} ${entry.relationType ?? 'is related to'} ${entry.to}`]
  const observations = Array.isArray(entry.observations) ? entry.observations : []
  return observations.filter((one) => textOf(one) !== null).map((text) => `${entry.name}: ${text}`)
}

/** The items of a list of mem0: an array of memories, or an object with `results`. */
export async function* readMem0(stream: AsyncIterable<Uint8Array>, isArray: boolean): AsyncGenerator<LogItem> {
  for await (const one of entriesOfDocument(stream, isArray ? '$.*' : '$.results.*'))
    if (one.kind === 'refused') yield one
    else yield mem0Item(one.entry, one.line)
}

function mem0Item(record: Json, line: number): LogItem {
  const text = textOf(record.memory) ?? textOf(record.text) ?? textOf(record.data)
  if (text === null) return { kind: 'refused', line, reason: 'the memory has no text' }
  return logMemory(line, 'mem0', text, timeOfValue(record.created_at), textOf(record.id))
}
