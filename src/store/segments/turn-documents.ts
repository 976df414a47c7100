/**
 * Turns as documents of the index: a user's turns without their words, one typed array per property, by ordinal. A
 * segment keeps its stretch as one blob of 32 bytes a turn.
 */
import {
  type SegmentTable,
  TURN_HAS_SYMBOLS,
  TURN_IS_QUESTION,
  type TurnColumns,
} from '../../domain/contracts/text-index.ts'
import { ROLES, type Role } from '../../domain/turn.ts'
import { isQuestion } from '../../language/questions.ts'
import { type SymbolRelevance, termCount, turnTerms } from '../../language/terms.ts'
import {
  copyColumns,
  DELETED,
  type DocumentKind,
  Documents,
  newColumns,
  type PushedDocument,
  readColumns,
} from './owner-index.ts'

export interface TurnDocument {
  /** turns.id, its number as a document, too. */
  readonly row: number
  readonly content: string
  /** Symbols found when the turn was stored. */
  readonly symbols: readonly SymbolRelevance[]
  readonly createdAt: number
  readonly conversationNo: number
  /** The turn's number in its conversation. */
  readonly number: number
  /** '' for none. */
  readonly speaker: string
  readonly role: Role
}

/** The table of turns, with each speaker's name kept once. */
export interface TurnTable extends SegmentTable<TurnDocument> {
  speakers(owner: number): ReadonlyMap<number, string>
  /** The number of a name, a new one where it has none. Call it inside a write. */
  speakerNo(owner: number, name: string): number
}

export interface AnalyzedTurn {
  readonly terms: ReadonlyMap<string, number>
  readonly length: number
  readonly flags: number
}

/** Cuts a turn's content into index terms, its symbols among them; the same code for new turns and for removals. */
export function analyzeTurn(content: string, symbols: readonly SymbolRelevance[]): AnalyzedTurn {
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
/** The most speakers that a 16-bit column tells apart. */
const MOST_SPEAKERS = 0xffff

function emptyColumns() {
  return {
    row: new Float64Array(FIRST_CAPACITY),
    createdAt: new Float64Array(FIRST_CAPACITY),
    conversation: new Uint32Array(FIRST_CAPACITY),
    number: new Uint32Array(FIRST_CAPACITY),
    length: new Uint16Array(FIRST_CAPACITY),
    speaker: new Uint16Array(FIRST_CAPACITY),
    role: new Uint8Array(FIRST_CAPACITY),
    flags: new Uint8Array(FIRST_CAPACITY),
    previous: new Int32Array(FIRST_CAPACITY),
    next: new Int32Array(FIRST_CAPACITY),
  } satisfies TurnColumns
}

export class TurnDocuments extends Documents<TurnDocument, ReturnType<typeof emptyColumns>> {
  readonly speakers: string[] = []
  readonly #table: TurnTable
  readonly #owner: number
  /** Ordinal of the newest turn of each conversation, by conversation. */
  readonly #newest: number[] = []
  readonly #speakerOrdinals = new Map<string, number>()
  #speakerNames: ReadonlyMap<number, string> | undefined

  constructor(table: TurnTable, owner: number) {
    super(emptyColumns(), table, owner)
    this.#table = table
    this.#owner = owner
  }

  protected get numbers(): Float64Array {
    return this.columns.row
  }

  textOf({ content }: TurnDocument): string {
    return content
  }

  push(turn: TurnDocument): PushedDocument {
    const { terms, length, flags } = analyzeTurn(turn.content, turn.symbols)
    const { columns, size: ordinal } = this
    this.reserve(ordinal + 1)
    columns.row[ordinal] = turn.row
    columns.createdAt[ordinal] = turn.createdAt
    columns.conversation[ordinal] = this.conversations.ordinal(turn.conversationNo)
    columns.number[ordinal] = turn.number
    columns.length[ordinal] = length
    columns.speaker[ordinal] = this.#speaker(turn.speaker)
    columns.role[ordinal] = ROLES.indexOf(turn.role)
    columns.flags[ordinal] = flags
    this.count(ordinal, ordinal + 1)
    return { document: turn.row, terms }
  }

  pushSegment(blob: Uint8Array): void {
    const segment = readColumns(LAYOUT, blob)
    const first = this.size
    const count = segment.row.length
    this.reserve(first + count)
    copyColumns(segment, 0, count, this.columns, first)
    this.#speakerNames ??= this.#table.speakers(this.#owner)
    const { conversationNo, speakerNo } = segment
    const { conversation, speaker } = this.columns
    // Neighbours mostly share their conversation and often their speaker.
    for (let from = 0, to = 0; from < count; from = to) {
      const number = conversationNo[from]!
      while (to < count && conversationNo[to] === number) to += 1
      conversation.fill(this.conversations.ordinal(number), first + from, first + to)
    }
    const isOneSpeaker = isUniform(speakerNo)
    for (let from = 0, to = 0; from < count; from = to) {
      const number = speakerNo[from]!
      if (isOneSpeaker) to = count
      while (to < count && speakerNo[to] === number) to += 1
      speaker.fill(this.#speaker(this.#speakerNames.get(number) ?? ''), first + from, first + to)
    }
    this.count(first, first + count)
  }

  segment(from: number, to: number): Uint8Array {
    const count = to - from
    const { blob, columns } = newColumns(LAYOUT, count)
    const speakerNos = this.speakers.map((name) => (name === '' ? 0 : this.#table.speakerNo(this.#owner, name)))
    copyColumns(this.columns, from, to, columns, 0)
    for (let at = 0; at < count; at += 1) {
      columns.conversationNo[at] = this.conversations.numbers[this.columns.conversation[from + at]!]!
      columns.speakerNo[at] = speakerNos[this.columns.speaker[from + at]!] ?? 0
    }
    return blob
  }

  override remove(ordinal: number): void {
    const { flags, conversation, previous: before, next: after } = this.columns
    if ((flags[ordinal]! & DELETED) !== 0) return
    super.remove(ordinal)
    const previous = before[ordinal]!
    const next = after[ordinal]!
    if (previous >= 0) after[previous] = next
    if (next >= 0) before[next] = previous
    else if (previous >= 0) this.#newest[conversation[ordinal]!] = previous
    else delete this.#newest[conversation[ordinal]!]
  }

  /** Takes the turns at the end into the counts and links each with the one before in its conversation. */
  protected override count(from: number, to: number): void {
    const { flags, length, conversation, previous, next } = this.columns
    const newest = this.#newest
    previous.fill(-1, from, to)
    next.fill(-1, from, to)
    let [current, before, live, terms] = [-1, -1, 0, 0]
    // In one pass: a process that answers one question runs it a hundred thousand times, never compiled.
    for (let ordinal = from; ordinal < to; ordinal += 1) {
      if ((flags[ordinal]! & DELETED) !== 0) continue
      live += 1
      terms += length[ordinal]!
      const here = conversation[ordinal]!
      if (here !== current) {
        if (current >= 0) newest[current] = before
        before = newest[here] ?? -1
        current = here
      }
      if (before >= 0) {
        previous[ordinal] = before
        next[before] = ordinal
      }
      before = ordinal
    }
    if (current >= 0) newest[current] = before
    this.counted(to, live, terms)
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

/** Whether all values are equal: those without the first are then those without the last. */
function isUniform(values: Uint32Array): boolean {
  const bytes = Buffer.from(values.buffer, values.byteOffset, values.byteLength)
  const width = values.BYTES_PER_ELEMENT
  return bytes.subarray(width).equals(bytes.subarray(0, Math.max(0, bytes.length - width)))
}

export function turnKind(table: TurnTable): DocumentKind<TurnDocument, TurnDocuments> {
  return { layout: LAYOUT, numbers: 'row', open: (owner) => new TurnDocuments(table, owner) }
}
