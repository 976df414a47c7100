/**
 * Memories as documents of the index; a change that shows here makes a new document and leaves a hole. A segment keeps
 * 44 bytes a document, its times in whole seconds from 1970 on.
 */
import {
  MEMORY_IN_DOUBT,
  MEMORY_PROJECT_SHIFT,
  MEMORY_SUPERSEDED,
  type MemoryColumns,
  type SegmentTable,
} from '../../domain/contracts/text-index.ts'
import { CATEGORIES, MEMORY_TYPES, type Memory, projectMark, subjectsOf } from '../../domain/memory.ts'
import { ROLES } from '../../domain/turn.ts'
import { indexTerms, LONG_TEXT, termCount, termsOfLong } from '../../language/terms.ts'
import {
  copyColumns,
  type DocumentKind,
  Documents,
  newColumns,
  type PushedDocument,
  readColumns,
} from './owner-index.ts'

/** The parts of a memory that are searched. */
export type SearchedFields = Pick<Memory, 'text' | 'key' | 'value' | 'tags' | 'metadata' | 'who'>

/** The fields of a memory that the index shows besides its words. */
type ShownFields = Pick<
  Memory,
  'createdAt' | 'occurredAt' | 'validFrom' | 'validTo' | 'memoryType' | 'category' | 'sourceTurnIds' | 'projectRoot'
> & { readonly superseded: boolean; readonly inDoubt: boolean }

export interface MemoryDocument extends ShownFields {
  /** Ascending for each user, never used again. */
  readonly document: number
  /** The row number that fetches the record. */
  readonly row: number
  /** Number of the conversation; 0 for none, or one that is not in the log. */
  readonly conversationNo: number
  /** All words of the memory. */
  readonly words: string
}

/** Depth to which words are looked for in a value. */
const VALUE_DEPTH = 8

/** The terms of a memory with their frequency: those of its text, key, subjects, value and the person's name. */
export function memoryTerms(memory: SearchedFields): ReadonlyMap<string, number> {
  return indexTerms(searchedText(memory))
}

/** Cuts long memories into terms with other work in between, before they are written or taken out. */
export async function cutLongMemories(memories: Iterable<SearchedFields>): Promise<void> {
  for (const memory of memories) {
    const words = searchedText(memory)
    if (words.length > LONG_TEXT) await termsOfLong.patiently(words)
  }
}

/** All words of a memory, a line for each field. */
export function searchedText(memory: SearchedFields): string {
  const { text, key, value, who } = memory
  const parts = [text, key ?? '', ...subjectsOf(memory), ...wordsOfValue(value, VALUE_DEPTH)]
  // "user" is who says nearly everything: no name.
  if (who !== null && !ROLES.some((role) => role === who)) parts.push(who)
  return parts.filter((part) => part !== '').join('\n')
}

function* wordsOfValue(value: unknown, depth: number): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'number') yield String(value)
  else if (typeof value === 'object' && value !== null && depth > 0)
    for (const part of Object.values(value)) yield* wordsOfValue(part, depth - 1)
}

const LAYOUT = {
  createdAt: 'f64',
  occurredAt: 'f64',
  document: 'u32',
  row: 'u32',
  fromSecond: 'u32',
  toSecond: 'u32',
  conversationNo: 'u32',
  turn: 'u32',
  length: 'u16',
  /** Type and category. */
  sort: 'u8',
  flags: 'u8',
} as const
const FIRST_CAPACITY = 64
/** Seconds value for a time equal to `createdAt`, and for a missing one. */
const SAME = 0xffffffff
const NEVER = 0xfffffffe
const CATEGORY_FACTOR = 16

function emptyColumns() {
  return {
    document: new Uint32Array(FIRST_CAPACITY),
    row: new Float64Array(FIRST_CAPACITY),
    createdAt: new Float64Array(FIRST_CAPACITY),
    occurredAt: new Float64Array(FIRST_CAPACITY),
    validFrom: new Float64Array(FIRST_CAPACITY),
    validTo: new Float64Array(FIRST_CAPACITY),
    conversation: new Uint32Array(FIRST_CAPACITY),
    turn: new Uint32Array(FIRST_CAPACITY),
    length: new Uint16Array(FIRST_CAPACITY),
    memoryType: new Uint8Array(FIRST_CAPACITY),
    category: new Uint8Array(FIRST_CAPACITY),
    flags: new Uint8Array(FIRST_CAPACITY),
  } satisfies MemoryColumns
}

export class MemoryDocuments extends Documents<MemoryDocument, ReturnType<typeof emptyColumns>> {
  constructor(table: SegmentTable<MemoryDocument>, owner: number) {
    super(emptyColumns(), table, owner)
  }

  protected get numbers(): Uint32Array {
    return this.columns.document
  }

  textOf({ words }: MemoryDocument): string {
    return words
  }

  push(memory: MemoryDocument): PushedDocument {
    const terms = indexTerms(memory.words)
    const { columns, size: ordinal } = this
    this.reserve(ordinal + 1)
    columns.document[ordinal] = memory.document
    columns.row[ordinal] = memory.row
    columns.createdAt[ordinal] = memory.createdAt
    columns.occurredAt[ordinal] = memory.occurredAt
    columns.validFrom[ordinal] = memory.validFrom
    columns.validTo[ordinal] = memory.validTo ?? Number.POSITIVE_INFINITY
    columns.conversation[ordinal] = this.conversations.ordinal(memory.conversationNo)
    columns.turn[ordinal] = memory.sourceTurnIds.length === 0 ? 0 : Math.min(...memory.sourceTurnIds)
    columns.length[ordinal] = termCount(terms)
    columns.memoryType[ordinal] = MEMORY_TYPES.indexOf(memory.memoryType)
    columns.category[ordinal] = CATEGORIES.indexOf(memory.category)
    columns.flags[ordinal] =
      (memory.superseded ? MEMORY_SUPERSEDED : 0) |
      (memory.inDoubt ? MEMORY_IN_DOUBT : 0) |
      (projectMark(memory.projectRoot) << MEMORY_PROJECT_SHIFT)
    this.count(ordinal, ordinal + 1)
    return { document: memory.document, terms }
  }

  pushSegment(blob: Uint8Array): void {
    const { columns, size: first } = this
    const segment = readColumns(LAYOUT, blob)
    const count = segment.row.length
    this.reserve(first + count)
    copyColumns(segment, 0, count, columns, first)
    const { createdAt, fromSecond, toSecond, conversationNo, sort } = segment
    const { validFrom, validTo, conversation, memoryType, category } = columns
    for (let index = 0, ordinal = first; index < count; index += 1, ordinal += 1) {
      validFrom[ordinal] = timeOf(fromSecond[index]!, createdAt[index]!)
      validTo[ordinal] = timeOf(toSecond[index]!, createdAt[index]!)
      // Neighbours mostly share their conversation.
      conversation[ordinal] =
        index > 0 && conversationNo[index] === conversationNo[index - 1]
          ? conversation[ordinal - 1]!
          : this.conversations.ordinal(conversationNo[index]!)
      memoryType[ordinal] = sort[index]! % CATEGORY_FACTOR
      category[ordinal] = (sort[index]! / CATEGORY_FACTOR) | 0
    }
    this.count(first, first + count)
  }

  segment(from: number, to: number): Uint8Array {
    const { columns } = this
    const { blob, columns: stored } = newColumns(LAYOUT, to - from)
    copyColumns(columns, from, to, stored, 0)
    for (let ordinal = from; ordinal < to; ordinal += 1) {
      const at = ordinal - from
      const createdAt = columns.createdAt[ordinal]!
      stored.fromSecond[at] = secondsOf(columns.validFrom[ordinal]!, createdAt)
      stored.toSecond[at] = secondsOf(columns.validTo[ordinal]!, createdAt)
      stored.conversationNo[at] = this.conversations.numbers[columns.conversation[ordinal]!]!
      stored.sort[at] = columns.memoryType[ordinal]! + CATEGORY_FACTOR * columns.category[ordinal]!
    }
    return blob
  }
}

export function memoryKind(table: SegmentTable<MemoryDocument>): DocumentKind<MemoryDocument, MemoryDocuments> {
  return { layout: LAYOUT, numbers: 'document', open: (owner) => new MemoryDocuments(table, owner) }
}

/** A time in whole seconds, rounded down so that ended memories are still ended when read back. */
function secondsOf(time: number, createdAt: number): number {
  if (time === createdAt) return SAME
  if (time === Number.POSITIVE_INFINITY) return NEVER
  return Math.min(NEVER - 1, Math.max(0, Math.floor(time / 1000)))
}

function timeOf(seconds: number, createdAt: number): number {
  if (seconds === SAME) return createdAt
  return seconds === NEVER ? Number.POSITIVE_INFINITY : seconds * 1000
}
