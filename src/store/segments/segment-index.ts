/**
 * The full-text index over documents of one kind, which processes follow by version numbers. New ones form a tail, cut
 * into terms on the next read; from 512 it becomes an immutable segment, and segments merge by fours.
 */

import type { MemoryIndex, MemoryView } from '../../domain/contracts/memory-index.ts'
import type { SegmentTable } from '../../domain/contracts/segment-table.ts'
import type { PostingList, TurnIndex, TurnView } from '../../domain/contracts/turn-index.ts'
import { ViewExpired } from '../../domain/errors.ts'
import { breathe } from '../../domain/pieces.ts'
import type { DocumentKind, Documents } from './documents.ts'
import { ListCache, postingList } from './lists.ts'
import { type MemoryDocument, type MemoryDocuments, memoryKind } from './memory-documents.ts'
import { FLUSH_AT, flushTail, mergeSegments, mergeStart } from './merge.ts'
import { OwnerIndex } from './owner-index.ts'
import { type TurnDocument, type TurnDocuments, type TurnTable, turnKind } from './turn-documents.ts'

/** Bytes of decoded lists kept over all owners, and more for each document in memory: a hot word's list grows with them. */
const LIST_BUDGET = 16 * 1024 * 1024
const LIST_BUDGET_A_DOCUMENT = 64
/** Documents of other owners' columns kept in memory (about 50 bytes each). */
const KEPT_DOCUMENTS = 1_000_000
/** Documents read into memory before others get their turn: a few milliseconds of work. */
const DOCUMENTS_A_PIECE = 128
/** Most documents that a caller reads in at once; more is better done beforehand. */
const MOST_AT_ONCE = 2000
const NOBODY = -1

/** The common part of all kinds of views. */
interface SegmentView<Set> {
  readonly size: number
  readonly live: number
  readonly averageLength: number
  readonly documents: Set
  postings(terms: readonly string[]): Promise<readonly PostingList[]>
}

class SegmentIndex<Document, Set extends Documents<Document>> {
  readonly table: SegmentTable<Document>
  readonly kind: DocumentKind<Document, Set>
  readonly #lists = new ListCache(() => LIST_BUDGET + this.#documents() * LIST_BUDGET_A_DOCUMENT)
  /** Least recently used first. */
  readonly #indexes = new Map<number, OwnerIndex<Document, Set>>()

  constructor(table: SegmentTable<Document>, kind: DocumentKind<Document, Set>) {
    this.table = table
    this.kind = kind
  }

  /** The index of a user at this instant; others get their turn while much is read in. */
  async open(userId: string): Promise<SegmentView<Set>> {
    const index = this.#index(this.table.owner(userId) ?? NOBODY)
    // Reading all columns for the first time is a piece of work by itself.
    const isNew = index.version < 0
    if (isNew) await breathe()
    while (!index.sync(DOCUMENTS_A_PIECE)) await breathe()
    if (isNew) await breathe()
    const { documents, generation } = index
    const { size, live, totalLength } = documents
    return {
      size,
      live,
      averageLength: live === 0 ? 0 : totalLength / live,
      documents,
      postings: async (terms) =>
        this.table.read(() => {
          index.sync()
          if (index.generation !== generation) throw new ViewExpired('the index was reorganised')
          return terms.map((term) => postingList(this.#lists, index, term, size))
        }),
    }
  }

  /** false while more documents wait to be read than a caller should wait for. */
  isReady(userId: string): boolean {
    const owner = this.table.owner(userId)
    if (owner === undefined) return true
    const known = this.#indexes.get(owner)
    if (known?.isCurrent === true) return true
    const last = known?.lastDocument ?? this.table.lastDocument(owner)
    return this.table.countAfter(owner, last, MOST_AT_ONCE) < MOST_AT_ONCE
  }

  /** true when this user's tail is long enough to become a segment: `least` documents. */
  isFlushDue(userId: string, least = FLUSH_AT): boolean {
    const owner = this.table.owner(userId)
    if (owner === undefined) return false
    return this.table.countAfter(owner, this.table.lastDocument(owner), least) >= least
  }

  /** Reads a few of the newly stored documents; true when none are left. */
  takeIn(userId: string): boolean {
    const owner = this.table.owner(userId)
    return owner === undefined || this.#index(owner).sync(DOCUMENTS_A_PIECE)
  }

  /** Flushes the tail when it is long enough, or in any case with `force`. */
  flush(userId: string, force = false): void {
    const owner = this.table.owner(userId)
    if (owner === undefined || !(force || this.isFlushDue(userId))) return
    flushTail(this.#index(owner))
  }

  /** Merges a run of segments if one is due, in steps of a few milliseconds; `locked`: it waits for another process. */
  *merge(userId: string, now: number): Generator<'locked' | undefined, boolean> {
    const owner = this.table.owner(userId)
    if (owner === undefined) return false
    const index = this.#index(owner)
    index.sync()
    if (mergeStart(index.segments) < 0) return false
    return yield* mergeSegments(index, now)
  }

  /** Takes all segments of an owner away; every document is then part of the tail. */
  drop(owner: number): void {
    this.table.write(() => {
      const building = this.table.building(owner)
      this.table.deleteSegments(
        [...this.table.segments(owner), ...(building === null ? [] : [building])].map(({ segmentNo }) => segmentNo),
      )
      this.table.dropHoles(owner, 0, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
      this.table.raiseVersion(owner)
    })
  }

  #index(owner: number): OwnerIndex<Document, Set> {
    const known = this.#indexes.get(owner)
    const index = known ?? new OwnerIndex(this.table, this.kind, owner)
    this.#indexes.delete(owner)
    this.#indexes.set(owner, index)
    if (known === undefined) this.#evict(owner)
    return index
  }

  /** The number of documents whose columns are in memory. */
  #documents(): number {
    let documents = 0
    for (const index of this.#indexes.values()) documents += index.documents.size
    return documents
  }

  #evict(keep: number): void {
    let documents = this.#documents()
    for (const [owner, index] of this.#indexes) {
      if (documents <= KEPT_DOCUMENTS || owner === keep) break
      documents -= index.documents.size
      this.#indexes.delete(owner)
    }
  }
}

/** The index over turns: the contract TurnIndex over segments of turns. */
export class SegmentTurnIndex extends SegmentIndex<TurnDocument, TurnDocuments> implements TurnIndex {
  constructor(table: TurnTable) {
    super(table, turnKind(table))
  }

  async view(userId: string): Promise<TurnView> {
    const { documents, ...view } = await this.open(userId)
    return {
      ...view,
      columns: documents.columns,
      conversations: documents.conversations.list,
      speakers: documents.speakers,
    }
  }
}

/** The index over memories: the contract MemoryIndex over segments of memories. */
export class SegmentMemoryIndex extends SegmentIndex<MemoryDocument, MemoryDocuments> implements MemoryIndex {
  constructor(table: SegmentTable<MemoryDocument>) {
    super(table, memoryKind(table))
  }

  async view(userId: string): Promise<MemoryView> {
    const { documents, ...view } = await this.open(userId)
    return { ...view, columns: documents.columns, conversations: documents.conversations.list }
  }
}
