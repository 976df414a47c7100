/**
 * One user's turn index in the memory of this process: columns of all turns, the terms of the tail (turns newer than
 * the last segment), and lists that were decoded lately. `sync` brings it up to what the database holds.
 */
import type { IndexedConversation } from '../../../contracts/turn-index.ts'
import { ROLES, type Role } from '../../../domain/turn.ts'
import type { Connection } from '../connection.ts'
import { number, text, textOrNull, time } from '../rows.ts'
import { analyzeTurn } from './analyze-turn.ts'
import { GrowingColumns, readSegmentColumns } from './columns.ts'
import { readColumnsBlob, readSegments, type Segment } from './segment-table.ts'

/** The list of one term in the tail: ordinal of the whole index and frequency, one after the other. */
export type TailList = number[]

/** A segment and the ordinal of its first turn. */
export interface PlacedSegment extends Segment {
  readonly base: number
}

const TAIL_ROWS = `SELECT t.id, t.turn_number, t.role, t.content, t.symbols, t.created_at, t.speaker,
    c.conversation_no
  FROM turns t INDEXED BY turns_user JOIN conversations c ON c.id = t.conversation_id
  WHERE t.user_no = ? AND t.id > ? ORDER BY t.id`
const CONVERSATIONS = `SELECT conversation_no, public_id, project_root, summarized_to, change_no FROM conversations
  WHERE user_no = ?`

/** Generations are unique in the process: a list decoded for one must never be taken for another's. */
let generations = 0

export class UserIndex {
  readonly userNo: number
  readonly #connection: Connection
  columns = new GrowingColumns()
  segments: PlacedSegment[] = []
  conversations: IndexedConversation[] = []
  conversationNos: number[] = []
  speakers: string[] = []
  /** First ordinal of the tail. */
  tailStart = 0
  tail = new Map<string, TailList>()
  /** users.index_version as of the last sync. */
  version = -1
  /** Changes when ordinals no longer mean the same turns. */
  generation = 0
  #conversationOrdinal = new Map<number, number>()
  #speakerOrdinal = new Map<string, number>()
  #changeNo = 0
  #lastRow = 0
  #stamp = ''

  constructor(connection: Connection, userNo: number) {
    this.#connection = connection
    this.userNo = userNo
  }

  /** Number of turns that no segment holds yet. */
  get tailSize(): number {
    return this.columns.size - this.tailStart
  }

  /** Takes in what was committed since the last call, by any process; `most` turns of it, and true when that was all. */
  sync(most = Number.POSITIVE_INFINITY): boolean {
    const stamp = `${this.#connection.dataVersion()}:${this.#connection.commits}`
    if (stamp === this.#stamp) return true
    const isAll = this.#connection.read(() => {
      const user = this.#connection.get('SELECT index_version, change_no FROM users WHERE user_no = ?', this.userNo)
      const version = user === undefined ? 0 : number(user, 'index_version')
      if (version !== this.version) this.#reload(version)
      else if (user !== undefined && number(user, 'change_no') !== this.#changeNo) this.#readChanges()
      return this.#readTail(most)
    })
    if (isAll) this.#stamp = stamp
    return isAll
  }

  /** After a flush by this process: the tail has become a segment; ordinals stay what they were. */
  tailBecame(segment: Segment, version: number): void {
    this.segments.push({ ...segment, base: this.tailStart })
    this.tailStart = this.columns.size
    this.tail = new Map()
    this.version = version
  }

  /** After a merge by this process: neighbouring segments have become one. */
  replaceSegments(from: number, count: number, merged: Segment, version: number): void {
    this.segments.splice(from, count, { ...merged, base: this.segments[from]!.base })
    this.version = version
  }

  /** Ordinal of a conversation by its number in the database. */
  conversationOrdinal(conversationNo: number): number {
    const known = this.#conversationOrdinal.get(conversationNo)
    if (known !== undefined) return known
    this.#readConversation(
      this.#connection.get(`${CONVERSATIONS} AND conversation_no = ?`, this.userNo, conversationNo),
      conversationNo,
    )
    return this.#conversationOrdinal.get(conversationNo)!
  }

  #reload(version: number): void {
    this.generation = ++generations
    this.version = version
    this.columns = new GrowingColumns()
    this.segments = []
    this.conversations = []
    this.conversationNos = []
    this.speakers = []
    this.tail = new Map()
    this.#conversationOrdinal = new Map()
    this.#speakerOrdinal = new Map()
    this.#lastRow = 0
    this.#changeNo = 0
    for (const row of this.#connection.all(CONVERSATIONS, this.userNo)) this.#readConversation(row, 0)
    const speakerNames = new Map(
      this.#connection
        .all('SELECT speaker_no, name FROM speakers WHERE user_no = ?', this.userNo)
        .map((row) => [number(row, 'speaker_no'), text(row, 'name')]),
    )
    const segments = readSegments(this.#connection, this.userNo)
    this.columns.reserve(segments.reduce((sum, { documents }) => sum + documents, 0) + 1024)
    for (const segment of segments) this.#readSegment(segment, speakerNames)
    this.tailStart = this.columns.size
  }

  #readSegment(segment: Segment, speakerNames: ReadonlyMap<number, string>): void {
    this.segments.push({ ...segment, base: this.columns.size })
    this.#lastRow = segment.lastRow
    this.columns.pushSegment(
      readSegmentColumns(readColumnsBlob(this.#connection, segment.segmentNo)),
      (conversationNo) => this.conversationOrdinal(conversationNo),
      (speakerNo) => this.#speaker(speakerNames.get(speakerNo) ?? ''),
    )
  }

  #readConversation(row: Readonly<Record<string, unknown>> | undefined, fallbackNo: number): void {
    // A conversation that was removed still has a place in the columns of its removed turns.
    const conversationNo = row === undefined ? fallbackNo : number(row, 'conversation_no')
    const conversation: IndexedConversation =
      row === undefined
        ? { conversationId: '', projectRoot: '', summarizedTo: 0 }
        : {
            conversationId: text(row, 'public_id'),
            projectRoot: text(row, 'project_root'),
            summarizedTo: number(row, 'summarized_to'),
          }
    if (row !== undefined) this.#changeNo = Math.max(this.#changeNo, number(row, 'change_no'))
    const known = this.#conversationOrdinal.get(conversationNo)
    const ordinal = known ?? this.conversations.length
    this.conversations[ordinal] = conversation
    this.conversationNos[ordinal] = conversationNo
    this.#conversationOrdinal.set(conversationNo, ordinal)
  }

  #readChanges(): void {
    const rows = this.#connection.all(`${CONVERSATIONS} AND change_no > ?`, this.userNo, this.#changeNo)
    for (const row of rows) this.#readConversation(row, 0)
  }

  #readTail(most: number): boolean {
    let left = most
    const rows = this.#connection.statement(TAIL_ROWS).iterate(this.userNo, this.#lastRow)
    for (const row of rows) {
      const id = number(row, 'id')
      const { terms, length, flags } = analyzeTurn(text(row, 'content'), row.symbols !== null)
      const ordinal = this.columns.push({
        row: id,
        createdAt: time(row, 'created_at'),
        conversation: this.conversationOrdinal(number(row, 'conversation_no')),
        number: number(row, 'turn_number'),
        speaker: this.#speaker(textOrNull(row, 'speaker') ?? ''),
        length,
        role: ROLES.indexOf(text(row, 'role') as Role),
        flags,
      })
      for (const [term, frequency] of terms) this.#addToTail(term, ordinal, frequency)
      this.#lastRow = id
      left -= 1
      if (left === 0) return false
    }
    return true
  }

  #addToTail(term: string, ordinal: number, frequency: number): void {
    const list = this.tail.get(term)
    if (list === undefined) this.tail.set(term, [ordinal, frequency])
    else list.push(ordinal, frequency)
  }

  #speaker(name: string): number {
    const known = this.#speakerOrdinal.get(name)
    if (known !== undefined) return known
    // The column holds 16 bits; beyond that names are no longer told apart.
    const ordinal = Math.min(this.speakers.length, 0xffff)
    if (ordinal === this.speakers.length) this.speakers.push(name)
    this.#speakerOrdinal.set(name, ordinal)
    return ordinal
  }
}
