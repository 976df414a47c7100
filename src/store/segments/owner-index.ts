/**
 * The index of one owner in this process: columns of all documents, terms of the tail (documents after the last
 * segment), and the segments' places. `sync` brings it up to the database.
 */
import type { IndexState, SegmentTable, StoredSegment } from '../../domain/contracts/segment-table.ts'
import { type Directory, readDirectory } from './chunk.ts'
import type { DocumentKind, Documents } from './documents.ts'

/** The list of one term in the tail: ordinal of the whole index and frequency, one after the other. */
export type TailList = number[]

export interface PlacedSegment extends Omit<StoredSegment, 'directory'> {
  readonly directory: Directory
  readonly base: number
}

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

  /** After a flush by this process: the tail has become a segment; ordinals stay what they were. */
  tailBecame(segment: StoredSegment, version: number): void {
    this.segments.push({ ...segment, directory: readDirectory(segment.directory), base: this.tailStart })
    this.tailStart = this.documents.size
    this.tail = new Map()
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
      left -= LEAST_CHARACTERS + this.#add(document)
      if (left <= 0) return false
    }
    return true
  }

  #readHoles(): void {
    for (const { holeNo, document } of this.table.holesAfter(this.owner, this.#holeNo)) {
      this.#holeNo = holeNo
      const ordinal = this.documents.ordinalOf(document)
      if (ordinal >= 0) this.documents.remove(ordinal)
    }
  }

  /** Returns the characters of the document. */
  #add(added: Document): number {
    const ordinal = this.documents.size
    const { document, terms, characters } = this.documents.push(added)
    this.lastDocument = document
    for (const [term, frequency] of terms) {
      const list = this.tail.get(term)
      if (list === undefined) this.tail.set(term, [ordinal, frequency])
      else list.push(ordinal, frequency)
    }
    return characters
  }
}
