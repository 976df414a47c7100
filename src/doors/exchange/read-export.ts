/**
 * Streams the records of an export file of either format, one at a time. A truncated, joined or foreign file, or
 * another version, ends in `import_failed` with the place; earlier records are valid.
 */
import type { ExportFormat, ReadRecord } from './export-record.ts'
import { asObject, decodeUtf8, importError } from './parse-json.ts'
import { type PeekedStream, peekStream } from './peek-stream.ts'
import { readExportDocument } from './read-export-document.ts'
import { readExportLines } from './read-export-lines.ts'

/** Bytes that are looked at to know the format; the header is far shorter. */
const PEEK_BYTES = 64 * 1024
const NEWLINE = 0x0a
/** Largest single record: a turn of 1 MB with every character escaped, its metadata, and room for larger bounds. */
const MAX_RECORD_BYTES = 64 * 1024 * 1024

/** How `readExport` reads. */
export interface ReadExportOptions {
  /** Largest single record in bytes; 64 MiB by default. */
  readonly maxRecordBytes?: number
}

/** Yields header, conversation, turn, summary, conversation_end, memory, working_memory and at last end. */
export async function* readExport(
  stream: AsyncIterable<Uint8Array>,
  options: ReadExportOptions = {},
): AsyncGenerator<ReadRecord> {
  const maxBytes = options.maxRecordBytes ?? MAX_RECORD_BYTES
  const peeked = await peekStream(stream, PEEK_BYTES, (chunk) => chunk.includes(NEWLINE))
  const format = await formatOrClose(peeked)
  yield* format === 'jsonl' ? readExportLines(peeked.stream, maxBytes) : readExportDocument(peeked.stream, maxBytes)
}

async function formatOrClose(peeked: PeekedStream): Promise<ExportFormat> {
  try {
    return exportFormatOf(peeked.start)
  } catch (error) {
    await peeked.close()
    throw error
  }
}

/** The format that a file beginning with these bytes has; throws when it is no export. */
function exportFormatOf(start: Uint8Array): ExportFormat {
  const text = decodeUtf8(start.subarray(0, lastWhole(start)))
    ?.replace(/^\uFEFF/, '')
    .trimStart()
  if (text === undefined) throw noExport('it is not text in UTF-8')
  if (text === '') throw noExport('it is empty')
  if (!text.startsWith('{')) throw noExport('it does not begin with {')
  const line = text.split('\n', 1)[0]!
  let first: Readonly<Record<string, unknown>> | null
  try {
    first = asObject(JSON.parse(line))
  } catch {
    return 'json'
  }
  if (first === null || first.mneme_export === undefined)
    throw noExport('its first line is not the header of an export')
  return first.type === 'header' ? 'jsonl' : 'json'
}

/** Where the last whole character of the bytes ends. */
function lastWhole(bytes: Uint8Array): number {
  let end = bytes.length
  while (end > 0 && end > bytes.length - 4 && (bytes[end - 1]! & 0xc0) === 0x80) end--
  return end > 0 && bytes[end - 1]! >= 0xc0 ? end - 1 : bytes.length
}

function noExport(reason: string): Error {
  return importError(
    'line 1',
    `this is not an export of Mneme: ${reason}`,
    'Import what an export of Mneme gave; chat logs are read by `mneme import --from-logs DIR`.',
  )
}
