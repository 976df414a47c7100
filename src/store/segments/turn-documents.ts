/**
 * Turns as documents of the index: what is known of every turn of a user besides its words, one typed array for each
 * property, by ordinal. A segment keeps its stretch of them as one blob of 32 bytes a turn.
 */
import type { SegmentTable } from '../../contracts/segment-table.ts'
import { TURN_HAS_SYMBOLS, TURN_IS_QUESTION, type TurnColumns } from '../../contracts/turn-index.ts'
import { ROLES, type Role } from '../../domain/turn.ts'
import { isQuestion } from '../../text/questions.ts'
import { extractSymbols } from '../../text/symbols.ts'
import { termCount, turnTerms } from '../../text/tokens.ts'
import { grown, indexOf, newColumns, readColumns } from './column-layout.ts'
import { Conversations } from './conversations.ts'
import { DELETED, type DocumentKind, type Documents } from './documents.ts'

/** What the index takes in of one turn. */
export interface TurnDocument {
  /** turns.id, its number as a document, too. */
  readonly row: number
  readonly content: string
  /** false saves looking for symbols. */
  readonly hasSymbols: boolean
  readonly createdAt: number
  readonly conversationNo: number
  /** The turn's number in its conversation. */
  readonly number: number
  /** '' for none. */
  readonly speaker: string
  readonly role: Role
}

/** Turns have speakers, whose names are kept once. */
export interface TurnTable extends SegmentTable<TurnDocument> {
  /** Names by number. */
  speakers(owner: number): ReadonlyMap<number, string>
  /** The number of a name, a new one where it has none. Call it inside a write. */
  speakerNo(owner: number, name: string): number
}

/** The terms of a turn and what follows from its text. */
export interface AnalyzedTurn {
  readonly terms: ReadonlyMap<string, number>
  /** Document length. */
  readonly length: number
  readonly flags: number
}

/** Cuts a turn's content into index terms, its symbols among them; the same code for new turns and for removals. */
export function analyzeTurn(content: string, hasSymbols = true): AnalyzedTurn {
  const symbols = hasSymbols ? extractSymbols(content) : []
  const terms = turnTerms(content, symbols)
  const flags = (isQuestion(content) ? TURN_IS_QUESTION : 0) | (symbols.length > 0 ? TURN_HAS_SYMBOLS : 0)
  return { terms, length: termCount(terms), flags }
}

const LAYOUT = {
  row: 'f64',
  createdAt: 'f64',
  conversationNo: 'u32',
  number: 'u32',
  speakerNo: 'u32',
  length: 'u16',
  role: 'u8',
  flags: 'u8',
} as const
const FIRST_CAPACITY = 64
/** The column of speakers holds 16 bits; beyond that names are no longer told apart. */
const MOST_SPEAKERS = 0xffff

export class TurnDocuments implements Documents<TurnDocument>, TurnColumns {
  row = new Float64Array(FIRST_CAPACITY)
  createdAt = new Float64Array(FIRST_CAPACITY)
  conversation = new Uint32Array(FIRST_CAPACITY)
  number = new Uint32Array(FIRST_CAPACITY)
  length = new Uint16Array(FIRST_CAPACITY)
  speaker = new Uint16Array(FIRST_CAPACITY)
  role = new Uint8Array(FIRST_CAPACITY)
  flags = new Uint8Array(FIRST_CAPACITY)
  previous = new Int32Array(FIRST_CAPACITY)
  next = new Int32Array(FIRST_CAPACITY)
  size = 0
  live = 0
  totalLength = 0
  readonly conversations: Conversations
  readonly speakers: string[] = []
  readonly #table: TurnTable
  readonly #owner: number
  /** Ordinal of the newest turn of each conversation, by conversation. */
  readonly #newest: number[] = []
  readonly #speakerOrdinals = new Map<string, number>()
  #speakerNames: ReadonlyMap<number, string> | undefined

  constructor(table: TurnTable, owner: number) {
    this.#table = table
    this.#owner = owner
    this.conversations = new Conversations(table, owner)
  }

  push(turn: TurnDocument): { document: number; terms: ReadonlyMap<string, number> } {
    const { terms, length, flags } = analyzeTurn(turn.content, turn.hasSymbols)
    const ordinal = this.size
    if (ordinal === this.row.length) this.reserve(ordinal * 2)
    this.row[ordinal] = turn.row
    this.createdAt[ordinal] = turn.createdAt
    this.conversation[ordinal] = this.conversations.ordinal(turn.conversationNo)
    this.number[ordinal] = turn.number
    this.length[ordinal] = length
    this.speaker[ordinal] = this.#speaker(turn.speaker)
    this.role[ordinal] = ROLES.indexOf(turn.role)
    this.flags[ordinal] = flags
    this.#count(ordinal)
    return { document: turn.row, terms }
  }

  pushSegment(blob: Uint8Array): void {
    const segment = readColumns(LAYOUT, blob)
    const first = this.size
    const count = segment.row.length
    if (first + count > this.row.length) this.reserve(Math.max(first * 2, first + count))
    this.row.set(segment.row, first)
    this.createdAt.set(segment.createdAt, first)
    this.number.set(segment.number, first)
    this.length.set(segment.length, first)
    this.role.set(segment.role, first)
    this.flags.set(segment.flags, first)
    this.#speakerNames ??= this.#table.speakers(this.#owner)
    // Neighbours mostly share their conversation and often their speaker.
    let lastConversation = -1
    let lastSpeaker = -1
    let conversation = 0
    let speaker = 0
    for (let index = 0; index < count; index += 1) {
      const conversationNo = segment.conversationNo[index]!
      const speakerNo = segment.speakerNo[index]!
      if (conversationNo !== lastConversation) conversation = this.conversations.ordinal(conversationNo)
      if (speakerNo !== lastSpeaker) speaker = this.#speaker(this.#speakerNames.get(speakerNo) ?? '')
      lastConversation = conversationNo
      lastSpeaker = speakerNo
      this.conversation[first + index] = conversation
      this.speaker[first + index] = speaker
      this.#count(first + index)
    }
  }

  segment(from: number): Uint8Array {
    const count = this.size - from
    const { blob, columns } = newColumns(LAYOUT, count)
    const speakerNos = this.speakers.map((name) => (name === '' ? 0 : this.#table.speakerNo(this.#owner, name)))
    columns.row.set(this.row.subarray(from, this.size))
    columns.createdAt.set(this.createdAt.subarray(from, this.size))
    columns.number.set(this.number.subarray(from, this.size))
    columns.length.set(this.length.subarray(from, this.size))
    columns.role.set(this.role.subarray(from, this.size))
    columns.flags.set(this.flags.subarray(from, this.size))
    for (let at = 0; at < count; at += 1) {
      columns.conversationNo[at] = this.conversations.numbers[this.conversation[from + at]!]!
      columns.speakerNo[at] = speakerNos[this.speaker[from + at]!] ?? 0
    }
    return blob
  }

  documentAt(ordinal: number): number {
    return this.row[ordinal]!
  }

  ordinalOf(document: number): number {
    return indexOf(this.row, document, this.size)
  }

  remove(ordinal: number): void {
    if ((this.flags[ordinal]! & DELETED) !== 0) return
    this.flags[ordinal]! |= DELETED
    this.live -= 1
    this.totalLength -= this.length[ordinal]!
    const previous = this.previous[ordinal]!
    const next = this.next[ordinal]!
    if (previous >= 0) this.next[previous] = next
    if (next >= 0) this.previous[next] = previous
    else if (previous >= 0) this.#newest[this.conversation[ordinal]!] = previous
    else delete this.#newest[this.conversation[ordinal]!]
  }

  readConversations(changeNo: number): void {
    this.conversations.read(changeNo)
  }

  /** Takes the turn at the end into the counts and links it with the one before in its conversation. */
  #count(ordinal: number): void {
    this.size = ordinal + 1
    this.previous[ordinal] = -1
    this.next[ordinal] = -1
    if ((this.flags[ordinal]! & DELETED) !== 0) return
    this.live += 1
    this.totalLength += this.length[ordinal]!
    const conversation = this.conversation[ordinal]!
    const newest = this.#newest[conversation]
    if (newest !== undefined) {
      this.previous[ordinal] = newest
      this.next[newest] = ordinal
    }
    this.#newest[conversation] = ordinal
  }

  reserve(capacity: number): void {
    if (capacity <= this.row.length) return
    this.row = grown(this.row, capacity)
    this.createdAt = grown(this.createdAt, capacity)
    this.conversation = grown(this.conversation, capacity)
    this.number = grown(this.number, capacity)
    this.length = grown(this.length, capacity)
    this.speaker = grown(this.speaker, capacity)
    this.role = grown(this.role, capacity)
    this.flags = grown(this.flags, capacity)
    this.previous = grown(this.previous, capacity)
    this.next = grown(this.next, capacity)
  }

  #speaker(name: string): number {
    const known = this.#speakerOrdinals.get(name)
    if (known !== undefined) return known
    const ordinal = Math.min(this.speakers.length, MOST_SPEAKERS)
    if (ordinal === this.speakers.length) this.speakers.push(name)
    this.#speakerOrdinals.set(name, ordinal)
    return ordinal
  }
}

/** Turns of this table. */
export function turnKind(table: TurnTable): DocumentKind<TurnDocument, TurnDocuments> {
  return { layout: LAYOUT, numbers: 'row', open: (owner) => new TurnDocuments(table, owner) }
}
