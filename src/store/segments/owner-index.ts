/**
 * The index of one owner in this process: columns of all documents, terms of the tail (documents after the last
 * segment), and the segments' places. `sync` brings it up to the database.
 */
import { placeIn } from '../../domain/binary-search.ts'
import type {
  DocumentColumns,
  IndexedConversation,
  IndexState,
  SegmentTable,
  StoredConversation,
  StoredSegment,
} from '../../domain/contracts/text-index.ts'
import { LONG_TEXT, termsOfLong } from '../../language/terms.ts'
import { type Directory, readDirectory } from './term-chunks.ts'

/** The list of one term in the tail: ordinal of the whole index and frequency, one after the other. */
export type TailList = number[]

export interface PlacedSegment extends Omit<StoredSegment, 'directory'> {
  readonly directory: Directory
  readonly base: number
}

/** Characters of documents read into memory before others get their turn: a few milliseconds of work. */
export const CHARACTERS_A_PIECE = 131_072
/** Even the shortest document is so much work as these characters. */
const LEAST_CHARACTERS = 256

/** Generations are unique in the process, so that a decoded list is never taken for another generation's. */
let generations = 0

export class OwnerIndex<Document, Set extends Documents<Document> = Documents<Document>> {
  readonly owner: number
  readonly table: SegmentTable<Document>
  readonly kind: DocumentKind<Document, Set>
  documents: Set
  segments: PlacedSegment[] = []
  /** First ordinal of the tail. */
  tailStart = 0
  tail = new Map<string, TailList>()
  /** Version of the segments at the last sync. */
  version = -1
  /** Changes when ordinals get other meanings. */
  generation = 0
  /** The number of the last document that was taken in. */
  lastDocument = 0
  #holeNo = 0
  #changeNo = 0
  #stamp = ''
  /** The cutting of the next document, a long one. */
  #cutting: Generator<void, unknown> | undefined

  constructor(table: SegmentTable<Document>, kind: DocumentKind<Document, Set>, owner: number) {
    this.table = table
    this.kind = kind
    this.owner = owner
    this.documents = kind.open(owner)
  }

  /** Takes in documents of about `most` characters committed since the last call, by any process; true when those were all. */
  sync(most = Number.POSITIVE_INFINITY): boolean {
    const stamp = this.table.stamp()
    if (stamp === this.#stamp) return true
    const isAll = this.table.read(() => {
      const state = this.table.state(this.owner)
      if (state.version !== this.version) this.#reload(state)
      else if (state.changeNo !== this.#changeNo) this.documents.conversations.read(this.#changeNo)
      this.#changeNo = state.changeNo
      const all = this.#readTail(most)
      if (state.holeNo !== this.#holeNo) this.#readHoles()
      return all
    })
    if (isAll) this.#stamp = stamp
    return isAll
  }

  /** After a flush by this process: the tail, or the beginning of it, has become a segment; ordinals stay what they were. */
  tailBecame(segment: StoredSegment, version: number): void {
    this.segments.push({ ...segment, directory: readDirectory(segment.directory), base: this.tailStart })
    this.tailStart += segment.documents
    const lists = this.tail
    this.tail = new Map()
    for (const [term, list] of this.tailStart === this.documents.size ? [] : lists) {
      const later = list.filter((_, at) => list[at - (at % 2)]! >= this.tailStart)
      if (later.length > 0) this.tail.set(term, later)
    }
    this.version = version
  }

  /** After a merge by this process: neighbouring segments have become one. */
  replaceSegments(from: number, count: number, merged: StoredSegment, version: number): void {
    const placed = { ...merged, directory: readDirectory(merged.directory), base: this.segments[from]!.base }
    this.segments.splice(from, count, placed)
    this.version = version
  }

  #reload({ version }: IndexState): void {
    this.generation = ++generations
    this.version = version
    this.documents = this.kind.open(this.owner)
    this.segments = []
    this.tail = new Map()
    this.lastDocument = 0
    this.#holeNo = 0
    const segments = this.table.segments(this.owner)
    this.documents.reserve(segments.reduce((sum, { documents }) => sum + documents, 0) + 1024)
    for (const segment of segments) {
      this.segments.push({ ...segment, directory: readDirectory(segment.directory), base: this.documents.size })
      this.lastDocument = segment.lastDocument
      this.documents.pushSegment(this.table.columns(segment.segmentNo))
    }
    this.tailStart = this.documents.size
  }

  #readTail(most: number): boolean {
    let left = most
    for (const document of this.table.documentsAfter(this.owner, this.lastDocument)) {
      const text = this.documents.textOf(document)
      if (Number.isFinite(most) && !this.#isCut(text)) return false
      this.#add(document)
      left -= LEAST_CHARACTERS + text.length
      if (left <= 0) return false
    }
    return true
  }

  /** false after one more piece of a long text, until all of it is cut. */
  #isCut(text: string): boolean {
    if (text.length <= LONG_TEXT) return true
    this.#cutting ??= termsOfLong.pieces(text)
    if (!this.#cutting.next().done) return false
    this.#cutting = undefined
    return true
  }

  #readHoles(): void {
    for (const { holeNo, document } of this.table.holesAfter(this.owner, this.#holeNo)) {
      this.#holeNo = holeNo
      const ordinal = this.documents.ordinalOf(document)
      if (ordinal >= 0) this.documents.remove(ordinal)
    }
  }

  #add(added: Document): void {
    const ordinal = this.documents.size
    const { document, terms } = this.documents.push(added)
    this.lastDocument = document
    for (const [term, frequency] of terms) {
      const list = this.tail.get(term)
      if (list === undefined) this.tail.set(term, [ordinal, frequency])
      else list.push(ordinal, frequency)
    }
  }
}

/** The bit of a document that exists no more, in the flags of every kind. */
export const DELETED = 1

/** The number of a document, and its terms with their frequency (1 to 255). */
export interface PushedDocument {
  readonly document: number
  readonly terms: ReadonlyMap<string, number>
}

/** The documents of one owner, by ordinal. Ordinals only grow; a removed document leaves a hole. */
export abstract class Documents<Document, Columns extends DocumentColumns = DocumentColumns> {
  size = 0
  /** Documents that exist. */
  live = 0
  /** Sum of the lengths of those. */
  totalLength = 0
  readonly columns: Columns
  readonly conversations: Conversations

  constructor(columns: Columns, table: Table, owner: number) {
    this.columns = columns
    this.conversations = new Conversations(table, owner)
  }

  /** The column of the documents' numbers. */
  protected abstract get numbers(): ArrayLike<number>
  /** The text that `push` cuts into terms. */
  abstract textOf(document: Document): string
  abstract push(document: Document): PushedDocument
  abstract pushSegment(columns: Uint8Array): void
  /** The columns of a segment of the documents from `from` to before `to`. Call it inside a write. */
  abstract segment(from: number, to: number): Uint8Array

  documentAt(ordinal: number): number {
    return this.numbers[ordinal]!
  }

  ordinalOf(document: number): number {
    return placeIn(this.numbers, document, this.size)
  }

  remove(ordinal: number): void {
    const { flags, length } = this.columns
    if ((flags[ordinal]! & DELETED) !== 0) return
    flags[ordinal]! |= DELETED
    this.live -= 1
    this.totalLength -= length[ordinal]!
  }

  reserve(capacity: number): void {
    const { length } = this.columns.row
    if (capacity > length)
      growColumns(this.columns as unknown as Record<string, NumberArray>, Math.max(capacity, 2 * length))
  }

  /** Takes the documents at the end, from `from` to before `to`, into the counts. */
  protected count(from: number, to: number): void {
    const { flags, length } = this.columns
    let [live, terms] = [0, 0]
    for (let ordinal = from; ordinal < to; ordinal += 1) {
      if ((flags[ordinal]! & DELETED) !== 0) continue
      live += 1
      terms += length[ordinal]!
    }
    this.counted(to, live, terms)
  }

  protected counted(size: number, live: number, terms: number): void {
    this.live += live
    this.totalLength += terms
    this.size = size
  }
}

/** A kind of document: what its segments look like, and how its documents are held in memory. */
export interface DocumentKind<Document, Set extends Documents<Document>> {
  readonly layout: ColumnLayout & { readonly flags: 'u8' }
  /** The column that holds a document's number, ascending. */
  readonly numbers: string
  open(owner: number): Set
}

/** How do columns of a segment lie in one blob? One typed array behind the other, the widest first, so that each is aligned. */
const ARRAYS = { f64: Float64Array, u32: Uint32Array, u16: Uint16Array, u8: Uint8Array } as const

/** Names of columns and what each holds, widest first. */
type ColumnLayout = Readonly<Record<string, keyof typeof ARRAYS>>

export type ColumnArrays<Layout extends ColumnLayout> = {
  readonly [Name in keyof Layout]: InstanceType<(typeof ARRAYS)[Layout[Name]]>
}

function documentBytes(layout: ColumnLayout): number {
  return Object.values(layout).reduce((sum, kind) => sum + ARRAYS[kind].BYTES_PER_ELEMENT, 0)
}

/** Room for the columns of `count` documents in one blob. */
export function newColumns<Layout extends ColumnLayout>(
  layout: Layout,
  count: number,
): { readonly blob: Uint8Array; readonly columns: ColumnArrays<Layout> } {
  const blob = new Uint8Array(count * documentBytes(layout))
  return { blob, columns: readColumns(layout, blob) }
}

/** The columns in a blob, without a copy where the blob is aligned. */
export function readColumns<Layout extends ColumnLayout>(layout: Layout, blob: Uint8Array): ColumnArrays<Layout> {
  // Typed arrays need an aligned start; a driver may hand out a slice.
  const aligned = blob.byteOffset % 8 === 0 ? blob : blob.slice()
  const count = aligned.byteLength / documentBytes(layout)
  let at = aligned.byteOffset
  const columns: Record<string, ArrayLike<number>> = {}
  for (const [name, kind] of Object.entries(layout)) {
    columns[name] = new ARRAYS[kind](aligned.buffer as ArrayBuffer, at, count)
    at += count * ARRAYS[kind].BYTES_PER_ELEMENT
  }
  return columns as unknown as ColumnArrays<Layout>
}

/** The columns of neighbouring segments, one behind the other. */
export function joinColumns<Layout extends ColumnLayout>(
  layout: Layout,
  blobs: readonly Uint8Array[],
): { readonly blob: Uint8Array; readonly columns: ColumnArrays<Layout> } {
  const parts = blobs.map((blob) => readColumns(layout, blob))
  const names = Object.keys(layout)
  const lengthOf = (part: ColumnArrays<Layout>): number => part[names[0]!]!.length
  const joined = newColumns(
    layout,
    parts.reduce((sum, part) => sum + lengthOf(part), 0),
  )
  let at = 0
  for (const part of parts) {
    for (const name of names) joined.columns[name]!.set(part[name]!, at)
    at += lengthOf(part)
  }
  return joined
}

type NumberArray = Float64Array | Uint32Array | Int32Array | Uint16Array | Uint8Array

/** Extends every array to this length; contents stay. */
function growColumns(columns: Record<string, NumberArray>, capacity: number): void {
  for (const [name, old] of Object.entries(columns)) {
    const longer = new (old.constructor as new (length: number) => NumberArray)(capacity)
    longer.set(old)
    columns[name] = longer
  }
}

/** Copies the columns that both have, from `start` to `end`, to where `at` says. */
export function copyColumns(
  from: Readonly<Record<string, NumberArray>>,
  start: number,
  end: number,
  to: Readonly<Record<string, NumberArray>>,
  at: number,
): void {
  for (const [name, column] of Object.entries(from)) to[name]?.set(column.subarray(start, end), at)
}

/** The conversations that an owner's documents refer to, by ordinal; their numbers in the database lead there. */
type Table = Pick<SegmentTable<never>, 'conversations' | 'conversation'>

const GONE: IndexedConversation = { conversationId: '', projectRoot: '', summarizedTo: 0 }

class Conversations {
  readonly list: IndexedConversation[] = []
  readonly numbers: number[] = []
  readonly #ordinals = new Map<number, number>()
  readonly #table: Table
  readonly #owner: number
  #isRead = false

  constructor(table: Table, owner: number) {
    this.#table = table
    this.#owner = owner
  }

  /** Takes in what changed after this number, where any was asked for. */
  read(changeNo: number): void {
    if (this.#isRead) this.#readAfter(changeNo)
  }

  #readAfter(changeNo: number): void {
    for (const conversation of this.#table.conversations(this.#owner, changeNo)) this.#put(conversation)
  }

  /** Ordinal of a conversation by its number in the database; 0 stands for none. */
  ordinal(conversationNo: number): number {
    const known = this.#ordinals.get(conversationNo)
    if (known !== undefined) return known
    if (!this.#isRead && conversationNo !== 0) {
      this.#isRead = true
      this.#readAfter(-1)
      return this.ordinal(conversationNo)
    }
    const found = conversationNo === 0 ? undefined : this.#table.conversation(this.#owner, conversationNo)
    // A conversation that was removed still has a place in the columns of its removed turns.
    return this.#put(found ?? { ...GONE, conversationNo })
  }

  #put(conversation: StoredConversation): number {
    const { conversationNo } = conversation
    const ordinal = this.#ordinals.get(conversationNo) ?? this.list.length
    this.list[ordinal] = conversation
    this.numbers[ordinal] = conversationNo
    this.#ordinals.set(conversationNo, ordinal)
    return ordinal
  }
}
