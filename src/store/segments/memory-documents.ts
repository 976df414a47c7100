/**
 * Memories as documents of the index. A document says what a memory was at one instant: a memory that was changed, in
 * whatever is shown here, is a new document, and its old one is a hole. A segment keeps 44 bytes a document, the times
 * between which it holds by the second and from 1970 on.
 */
import { MEMORY_IN_DOUBT, MEMORY_SUPERSEDED, type MemoryColumns } from '../../contracts/memory-index.ts'
import type { SegmentTable } from '../../contracts/segment-table.ts'
import { CATEGORIES, MEMORY_TYPES, type Memory } from '../../domain/memory.ts'
import { ROLES } from '../../domain/turn.ts'
import { termCount, turnTerms } from '../../text/tokens.ts'
import { grown, indexOf, newColumns, readColumns } from './column-layout.ts'
import { Conversations } from './conversations.ts'
import { DELETED, type DocumentKind, type Documents } from './documents.ts'

/** The parts of a memory that are searched. */
export type SearchedFields = Pick<Memory, 'text' | 'key' | 'value' | 'tags' | 'who'>

/** What is shown of a memory besides its words. */
export type ShownFields = Pick<
  Memory,
  'createdAt' | 'occurredAt' | 'validFrom' | 'validTo' | 'memoryType' | 'category' | 'sourceTurnIds'
> & { readonly superseded: boolean; readonly inDoubt: boolean }

/** What the index takes in of one memory. */
export interface MemoryDocument extends ShownFields {
  /** Ascending for each user, never used again. */
  readonly document: number
  /** What fetches the record. */
  readonly row: number
  /** 0 for none, or one that is not in the log. */
  readonly conversationNo: number
  readonly terms: ReadonlyMap<string, number>
  /** Document length. */
  readonly length: number
}

/** Depth to which words are looked for in a value. */
const VALUE_DEPTH = 8

/** The terms of a memory with their frequency, and its length: those of its text, key, tags, value and the person's name. */
export function analyzeMemory(memory: SearchedFields): Pick<MemoryDocument, 'terms' | 'length'> {
  const terms = turnTerms(searchedText(memory))
  return { terms, length: termCount(terms) }
}

/** All words of a memory, a line for each field. */
export function searchedText({ text, key, value, tags, who }: SearchedFields): string {
  const parts = [text, key ?? '', ...tags, ...wordsOfValue(value, VALUE_DEPTH)]
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
  validFrom: 'u32',
  validTo: 'u32',
  conversationNo: 'u32',
  turn: 'u32',
  length: 'u16',
  /** Type and category. */
  sort: 'u8',
  flags: 'u8',
} as const
const FIRST_CAPACITY = 64
const MOST_LENGTH = 0xffff
/** Seconds: for a time that is the same as `createdAt`, and for one that is not there. */
const SAME = 0xffffffff
const NEVER = 0xfffffffe
const CATEGORY_FACTOR = 16

export class MemoryDocuments implements Documents<MemoryDocument>, MemoryColumns {
  document = new Uint32Array(FIRST_CAPACITY)
  row = new Float64Array(FIRST_CAPACITY)
  createdAt = new Float64Array(FIRST_CAPACITY)
  occurredAt = new Float64Array(FIRST_CAPACITY)
  validFrom = new Float64Array(FIRST_CAPACITY)
  validTo = new Float64Array(FIRST_CAPACITY)
  conversation = new Uint32Array(FIRST_CAPACITY)
  turn = new Uint32Array(FIRST_CAPACITY)
  length = new Uint16Array(FIRST_CAPACITY)
  memoryType = new Uint8Array(FIRST_CAPACITY)
  category = new Uint8Array(FIRST_CAPACITY)
  flags = new Uint8Array(FIRST_CAPACITY)
  size = 0
  live = 0
  totalLength = 0
  readonly conversations: Conversations

  constructor(table: SegmentTable<MemoryDocument>, owner: number) {
    this.conversations = new Conversations(table, owner)
  }

  push(memory: MemoryDocument): { document: number; terms: ReadonlyMap<string, number> } {
    const ordinal = this.size
    if (ordinal === this.row.length) this.reserve(ordinal * 2)
    this.document[ordinal] = memory.document
    this.row[ordinal] = memory.row
    this.createdAt[ordinal] = memory.createdAt
    this.occurredAt[ordinal] = memory.occurredAt
    this.validFrom[ordinal] = memory.validFrom
    this.validTo[ordinal] = memory.validTo ?? Number.POSITIVE_INFINITY
    this.conversation[ordinal] = this.conversations.ordinal(memory.conversationNo)
    this.turn[ordinal] = memory.sourceTurnIds.length === 0 ? 0 : Math.min(...memory.sourceTurnIds)
    this.length[ordinal] = Math.min(memory.length, MOST_LENGTH)
    this.memoryType[ordinal] = MEMORY_TYPES.indexOf(memory.memoryType)
    this.category[ordinal] = CATEGORIES.indexOf(memory.category)
    this.flags[ordinal] = (memory.superseded ? MEMORY_SUPERSEDED : 0) | (memory.inDoubt ? MEMORY_IN_DOUBT : 0)
    this.size += 1
    this.live += 1
    this.totalLength += this.length[ordinal]!
    return { document: memory.document, terms: memory.terms }
  }

  pushSegment(blob: Uint8Array): void {
    const segment = readColumns(LAYOUT, blob)
    const first = this.size
    const count = segment.row.length
    if (first + count > this.row.length) this.reserve(Math.max(first * 2, first + count))
    this.document.set(segment.document, first)
    this.row.set(segment.row, first)
    this.createdAt.set(segment.createdAt, first)
    this.occurredAt.set(segment.occurredAt, first)
    this.turn.set(segment.turn, first)
    this.length.set(segment.length, first)
    this.flags.set(segment.flags, first)
    for (let index = 0; index < count; index += 1) {
      const ordinal = first + index
      const createdAt = segment.createdAt[index]!
      this.validFrom[ordinal] = timeOf(segment.validFrom[index]!, createdAt)
      this.validTo[ordinal] = timeOf(segment.validTo[index]!, createdAt)
      this.conversation[ordinal] = this.conversations.ordinal(segment.conversationNo[index]!)
      this.memoryType[ordinal] = segment.sort[index]! % CATEGORY_FACTOR
      this.category[ordinal] = Math.floor(segment.sort[index]! / CATEGORY_FACTOR)
      if ((segment.flags[index]! & DELETED) !== 0) continue
      this.live += 1
      this.totalLength += segment.length[index]!
    }
    this.size = first + count
  }

  segment(from: number): Uint8Array {
    const { blob, columns } = newColumns(LAYOUT, this.size - from)
    columns.document.set(this.document.subarray(from, this.size))
    columns.row.set(this.row.subarray(from, this.size))
    columns.createdAt.set(this.createdAt.subarray(from, this.size))
    columns.occurredAt.set(this.occurredAt.subarray(from, this.size))
    columns.turn.set(this.turn.subarray(from, this.size))
    columns.length.set(this.length.subarray(from, this.size))
    columns.flags.set(this.flags.subarray(from, this.size))
    for (let ordinal = from; ordinal < this.size; ordinal += 1) {
      const at = ordinal - from
      const createdAt = this.createdAt[ordinal]!
      columns.validFrom[at] = secondsOf(this.validFrom[ordinal]!, createdAt)
      columns.validTo[at] = secondsOf(this.validTo[ordinal]!, createdAt)
      columns.conversationNo[at] = this.conversations.numbers[this.conversation[ordinal]!]!
      columns.sort[at] = this.memoryType[ordinal]! + CATEGORY_FACTOR * this.category[ordinal]!
    }
    return blob
  }

  documentAt(ordinal: number): number {
    return this.document[ordinal]!
  }

  ordinalOf(document: number): number {
    return indexOf(this.document, document, this.size)
  }

  remove(ordinal: number): void {
    if ((this.flags[ordinal]! & DELETED) !== 0) return
    this.flags[ordinal]! |= DELETED
    this.live -= 1
    this.totalLength -= this.length[ordinal]!
  }

  readConversations(changeNo: number): void {
    this.conversations.read(changeNo)
  }

  reserve(capacity: number): void {
    if (capacity <= this.row.length) return
    this.document = grown(this.document, capacity)
    this.row = grown(this.row, capacity)
    this.createdAt = grown(this.createdAt, capacity)
    this.occurredAt = grown(this.occurredAt, capacity)
    this.validFrom = grown(this.validFrom, capacity)
    this.validTo = grown(this.validTo, capacity)
    this.conversation = grown(this.conversation, capacity)
    this.turn = grown(this.turn, capacity)
    this.length = grown(this.length, capacity)
    this.memoryType = grown(this.memoryType, capacity)
    this.category = grown(this.category, capacity)
    this.flags = grown(this.flags, capacity)
  }
}

/** Memories of this table. */
export function memoryKind(table: SegmentTable<MemoryDocument>): DocumentKind<MemoryDocument, MemoryDocuments> {
  return { layout: LAYOUT, numbers: 'document', open: (owner) => new MemoryDocuments(table, owner) }
}

/** A time as the second before which it lies, so that what is over is over when it is read back. */
function secondsOf(time: number, createdAt: number): number {
  if (time === createdAt) return SAME
  if (time === Number.POSITIVE_INFINITY) return NEVER
  return Math.min(NEVER - 1, Math.max(0, Math.floor(time / 1000)))
}

function timeOf(seconds: number, createdAt: number): number {
  if (seconds === SAME) return createdAt
  return seconds === NEVER ? Number.POSITIVE_INFINITY : seconds * 1000
}
