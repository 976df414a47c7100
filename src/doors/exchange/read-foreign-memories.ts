/**
 * Reads memories that other programs keep: the graph of the reference memory server (JSON lines of entities and relations) and
 * lists of mem0. Each observation, relation or memory is one memory here.
 */
import type { LogItem } from './log-record.ts'
import { timeOfValue } from './log-time.ts'
import { asObject } from './parse-json.ts'
import { readJsonElements } from './read-json-elements.ts'
import type { Line } from './read-lines.ts'
import { jsonObject } from './read-mneme-lines.ts'

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
  for await (const { number: line, bytes } of lines) {
    const entry = bytes === null ? 'the line is too long' : jsonObject(bytes)
    if (typeof entry === 'string') {
      if (entry !== '') yield { kind: 'refused', line, reason: entry }
      continue
    }
    if (!isGraphEntry(entry)) {
      yield { kind: 'refused', line, reason: 'neither an entity nor a relation' }
      continue
    }
    for (const text of statementsOf(entry))
      yield {
        kind: 'memory',
        line,
        memory: { text, externalId: `server-memory:${text}`.slice(0, 200), createdAt: null },
      }
  }
}

function statementsOf(entry: Json): readonly string[] {
  if (entry.type === 'relation') return [`${entry.from} ${entry.relationType ?? 'is related to'} ${entry.to}`]
  const observations = Array.isArray(entry.observations) ? entry.observations : []
  const texts = observations.filter((one): one is string => typeof one === 'string' && one.trim() !== '')
  return texts.map((text) => `${entry.name}: ${text}`)
}

/** The items of a list of mem0: an array of memories, or an object with `results`. */
export async function* readMem0(stream: AsyncIterable<Uint8Array>, isArray: boolean): AsyncGenerator<LogItem> {
  for await (const element of readJsonElements(stream, isArray ? '$.*' : '$.results.*')) {
    const line = element.number
    if ('broken' in element) {
      yield { kind: 'refused', line, reason: element.broken }
      continue
    }
    const record = asObject(element.value)
    const text = [record?.memory, record?.text, record?.data].find(
      (one) => typeof one === 'string' && one.trim() !== '',
    )
    if (record === null || typeof text !== 'string') yield { kind: 'refused', line, reason: 'the memory has no text' }
    else
      yield {
        kind: 'memory',
        line,
        memory: {
          text,
          externalId: typeof record.id === 'string' ? `mem0:${record.id}` : `mem0:${text}`.slice(0, 200),
          createdAt: timeOfValue(record.created_at),
        },
      }
  }
}
