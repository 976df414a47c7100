/**
 * What is known of a memory file from the last look at it, so that the next one reads, compares and writes what has changed
 * since. One look at a time has it; another one that comes meanwhile begins with nothing, which only takes longer.
 */
import type { MemoryFileLedger } from '../../contracts/memory-file-ledger.ts'
import type { MemoryFileHeadings } from '../../domain/memory-file.ts'
import { type FilePart, parseMemoryFile } from '../../text/memory-file/document.ts'
import { emptyMemoryFile } from '../../text/memory-file/edit-document.ts'
import { type ReadableText, readableText } from '../../text/memory-file/repair.ts'
import { LedgerView } from './ledger-view.ts'
import { type ListedTexts, listedTexts } from './listed-texts.ts'

/** A file as it was read. */
export interface FileAsRead {
  readonly bytes: Uint8Array | null
  readonly readable: ReadableText
  readonly isBlank: boolean
  /** The text that the parts are of: of a blank file one with nothing but the headings. */
  readonly text: string
  readonly parts: readonly FilePart[]
  readonly headings: MemoryFileHeadings
}

/** What is known of one file. */
export interface KeptFile {
  readonly ledger: LedgerView
  readonly texts: ListedTexts
  /** null: it was not read yet. */
  read: FileAsRead | null
}

/** Bytes that are kept for one store, about. */
const KEPT_BYTES = 32_000_000
/** What is kept of a byte of the file: itself, the texts of the entries, and their letters counted. */
const BYTES_FOR_ONE = 5
/** What is kept of a file that has nothing in it. */
const FILE_BYTES = 8000

/** The one that was looked at last at the end. */
const keptOf = new WeakMap<MemoryFileLedger, Map<string, KeptFile>>()

/** What is known of the user's file; from now on nobody else has it. */
export function takeKept(ledger: MemoryFileLedger, userId: string): KeptFile {
  const kept = keptOf.get(ledger)?.get(userId)
  keptOf.get(ledger)?.delete(userId)
  return kept ?? { ledger: new LedgerView(), texts: listedTexts(), read: null }
}

/** Keeps it for the next look, if it is not too much; the oldest make room. */
export function keep(ledger: MemoryFileLedger, userId: string, file: KeptFile): void {
  const files = keptOf.get(ledger) ?? new Map<string, KeptFile>()
  keptOf.set(ledger, files)
  files.delete(userId)
  files.set(userId, file)
  let bytes = files.values().reduce((sum, one) => sum + bytesOf(one), 0)
  for (const [oldest, one] of files) {
    if (bytes <= KEPT_BYTES) return
    files.delete(oldest)
    bytes -= bytesOf(one)
  }
}

function bytesOf({ ledger, read }: KeptFile): number {
  return FILE_BYTES + ledger.bytes + BYTES_FOR_ONE * (read?.bytes?.length ?? 0)
}

/** Takes the file apart, as far as it is not as it was. */
export function readAgain(
  before: FileAsRead | null,
  bytes: Uint8Array | null,
  headings: MemoryFileHeadings,
): FileAsRead {
  const known = before?.headings === headings ? before : null
  if (known !== null && bytes !== null && known.bytes !== null && Buffer.compare(bytes, known.bytes) === 0) return known
  const readable = bytes === null ? { text: '', repairs: [], cut: true } : readableText(bytes)
  const isBlank = readable.text.trim() === ''
  const text = isBlank ? emptyMemoryFile(headings) : readable.text
  return { bytes, readable, isBlank, text, parts: parseMemoryFile(text, headings, known ?? undefined), headings }
}
