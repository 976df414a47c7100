/** The JSON objects of a log, one at a time: a line each, or the elements of lists in one document. */
import type { LogItem } from './log-record.ts'
import { asObject } from './parse-json.ts'
import { readJsonElements } from './read-json-elements.ts'
import type { Line } from './read-lines.ts'
import { jsonObject } from './read-mneme-lines.ts'

/** An object with its line or number, or the reason why it is missing. */
export type LogEntry =
  | { readonly kind: 'entry'; readonly line: number; readonly list: string; readonly entry: Json }
  | Extract<LogItem, { kind: 'refused' }>

type Json = Readonly<Record<string, unknown>>

/** One object a line; blank lines are passed over. */
export async function* entriesOfLines(lines: AsyncIterable<Line>): AsyncGenerator<LogEntry> {
  for await (const { number: line, bytes } of lines) {
    const entry = bytes === null ? 'the line is too long' : jsonObject(bytes)
    if (typeof entry !== 'string') yield { kind: 'entry', line, list: '', entry }
    else if (entry !== '') yield { kind: 'refused', line, reason: entry }
  }
}

/** The elements at these paths (`$.*`: the document is the list); `list` is the name of the list that an element stands in. */
export async function* entriesOfDocument(
  stream: AsyncIterable<Uint8Array>,
  ...paths: readonly string[]
): AsyncGenerator<LogEntry> {
  for await (const element of readJsonElements(stream, paths)) {
    const line = element.number
    if ('broken' in element) yield { kind: 'refused', line, reason: element.broken }
    else yield { kind: 'entry', line, list: element.list, entry: asObject(element.value) ?? {} }
  }
}
