/**
 * What is known of every turn of a user besides its words: one typed array for each property, by ordinal.
 * They grow by doubling; a segment keeps its stretch of them as one blob of 32 bytes a turn.
 */
import { TURN_DELETED, type TurnColumns } from '../../../contracts/turn-index.ts'

/** What the columns take in of one turn. */
export interface TurnFacts {
  readonly row: number
  readonly createdAt: number
  readonly conversation: number
  readonly number: number
  readonly speaker: number
  readonly length: number
  readonly role: number
  readonly flags: number
}

const BYTES_A_TURN = 32

export class GrowingColumns implements TurnColumns {
  row = new Float64Array(64)
  createdAt = new Float64Array(64)
  conversation = new Uint32Array(64)
  number = new Uint32Array(64)
  length = new Uint16Array(64)
  speaker = new Uint16Array(64)
  role = new Uint8Array(64)
  flags = new Uint8Array(64)
  previous = new Int32Array(64)
  next = new Int32Array(64)
  size = 0
  live = 0
  totalLength = 0
  /** Ordinal of the newest turn of each conversation, by conversation. */
  readonly #newest: number[] = []

  /** Adds a turn behind the last; returns its ordinal. */
  push(turn: TurnFacts): number {
    const ordinal = this.size
    if (ordinal === this.row.length) this.reserve(ordinal * 2)
    this.row[ordinal] = turn.row
    this.createdAt[ordinal] = turn.createdAt
    this.conversation[ordinal] = turn.conversation
    this.number[ordinal] = turn.number
    this.length[ordinal] = Math.min(turn.length, 0xffff)
    this.speaker[ordinal] = turn.speaker
    this.role[ordinal] = turn.role
    this.flags[ordinal] = turn.flags
    this.#count(ordinal)
    return ordinal
  }

  /** Adds the turns of a segment; the functions give the ordinals of the database's numbers. */
  pushSegment(
    segment: SegmentColumns,
    conversation: (conversationNo: number) => number,
    speaker: (speakerNo: number) => number,
  ): void {
    const first = this.size
    const count = segment.row.length
    if (first + count > this.row.length) this.reserve(Math.max(first * 2, first + count))
    this.row.set(segment.row, first)
    this.createdAt.set(segment.createdAt, first)
    this.number.set(segment.number, first)
    this.length.set(segment.length, first)
    this.role.set(segment.role, first)
    this.flags.set(segment.flags, first)
    // Neighbours mostly share their conversation and often their speaker.
    let lastConversation = -1
    let lastSpeaker = -1
    let conversationOrdinal = 0
    let speakerOrdinal = 0
    for (let index = 0; index < count; index += 1) {
      const conversationNo = segment.conversationNo[index]!
      const speakerNo = segment.speakerNo[index]!
      if (conversationNo !== lastConversation) conversationOrdinal = conversation(conversationNo)
      if (speakerNo !== lastSpeaker) speakerOrdinal = speaker(speakerNo)
      lastConversation = conversationNo
      lastSpeaker = speakerNo
      this.conversation[first + index] = conversationOrdinal
      this.speaker[first + index] = speakerOrdinal
      this.#count(first + index)
    }
  }

  /** Takes the turn at the end into the counts and links it with the one before in its conversation. */
  #count(ordinal: number): void {
    this.size = ordinal + 1
    this.previous[ordinal] = -1
    this.next[ordinal] = -1
    if ((this.flags[ordinal]! & TURN_DELETED) !== 0) return
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

  /** Makes room for `capacity` turns. */
  reserve(capacity: number): void {
    if (capacity <= this.row.length) return
    this.row = grow(this.row, new Float64Array(capacity))
    this.createdAt = grow(this.createdAt, new Float64Array(capacity))
    this.conversation = grow(this.conversation, new Uint32Array(capacity))
    this.number = grow(this.number, new Uint32Array(capacity))
    this.length = grow(this.length, new Uint16Array(capacity))
    this.speaker = grow(this.speaker, new Uint16Array(capacity))
    this.role = grow(this.role, new Uint8Array(capacity))
    this.flags = grow(this.flags, new Uint8Array(capacity))
    this.previous = grow(this.previous, new Int32Array(capacity))
    this.next = grow(this.next, new Int32Array(capacity))
  }
}

function grow<T extends { set(source: T): void }>(old: T, larger: T): T {
  larger.set(old)
  return larger
}

/** The stored form of the columns of one segment, with the database's numbers for conversations and speakers. */
export interface SegmentColumns {
  readonly row: Float64Array
  readonly createdAt: Float64Array
  readonly conversationNo: Uint32Array
  readonly number: Uint32Array
  readonly speakerNo: Uint32Array
  readonly length: Uint16Array
  readonly role: Uint8Array
  readonly flags: Uint8Array
}

/** Room for the columns of `count` turns in one buffer. */
export function segmentColumns(count: number): SegmentColumns & { readonly blob: Uint8Array } {
  return overBlob(new Uint8Array(count * BYTES_A_TURN), count)
}

/** The columns in a segment's blob. */
export function readSegmentColumns(blob: Uint8Array): SegmentColumns & { readonly blob: Uint8Array } {
  // Typed arrays need an aligned start; a driver may hand out a slice.
  const aligned = blob.byteOffset % 8 === 0 ? blob : blob.slice()
  return overBlob(aligned, aligned.byteLength / BYTES_A_TURN)
}

function overBlob(blob: Uint8Array, count: number): SegmentColumns & { readonly blob: Uint8Array } {
  const { buffer, byteOffset: start } = blob
  return {
    blob,
    row: new Float64Array(buffer, start, count),
    createdAt: new Float64Array(buffer, start + count * 8, count),
    conversationNo: new Uint32Array(buffer, start + count * 16, count),
    number: new Uint32Array(buffer, start + count * 20, count),
    speakerNo: new Uint32Array(buffer, start + count * 24, count),
    length: new Uint16Array(buffer, start + count * 28, count),
    role: new Uint8Array(buffer, start + count * 30, count),
    flags: new Uint8Array(buffer, start + count * 31, count),
  }
}
