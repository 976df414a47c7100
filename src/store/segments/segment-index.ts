/**
 * The full-text index over documents of one kind, which processes follow by version numbers. New ones form a tail, cut
 * into terms on the next read; from 512 it becomes an immutable segment, and segments merge by fours.
 */
import { countBelow } from '../../domain/binary-search.ts'
import type {
  MemoryIndex,
  MemoryView,
  PostingList,
  SegmentTable,
  TurnIndex,
  TurnView,
} from '../../domain/contracts/text-index.ts'
import { ViewExpired } from '../../domain/errors.ts'
import { breathe } from '../../domain/scheduling.ts'
import { flushTail } from './flush-tail.ts'
import { type MemoryDocument, type MemoryDocuments, memoryKind } from './memory-documents.ts'
import { dueRun, FLUSH_AT, mergeSegments } from './merge-segments.ts'
import {
  CHARACTERS_A_PIECE,
  DELETED,
  type DocumentKind,
  type Documents,
  OwnerIndex,
  type TailList,
} from './owner-index.ts'
import { decodePostings, postingsCount } from './postings.ts'
import { mayHold, readPostings, termKey } from './term-chunks.ts'
import { type TurnDocument, type TurnDocuments, type TurnTable, turnKind } from './turn-documents.ts'

/** Shared by all empty lists, as most words of a query have none, and two arrays take 400 bytes. */
const NO_ORDINALS = new Uint32Array()
const NO_FREQUENCIES = new Uint8Array()

/** The list of `term` among the ordinals below `size`. Call it within a read snapshot, the index synchronised. */
function postingList<Document>(cache: ListCache, index: OwnerIndex<Document>, term: string, size: number): PostingList {
  const key = termKey(term)
  const cacheKey = `${index.owner}:${key}`
  const cached = cache.get(cacheKey)
  // A list of another generation is useless now and gives its place to the new one.
  const isGood = cached?.generation === index.generation && cached.covers >= index.tailStart
  const total = index.documents.size
  const begun = isGood ? cached : readSegments(index, key)
  const all = begun.covers < total ? addTail(begun, index.tail.get(term), total) : begun
  const list = all.holes === total - index.documents.live ? all : withoutHoles(all, index.documents)
  // Lists from the tail alone are not cached, as they are made as quickly as found: most words of a small memory are
  // such.
  if (cached !== undefined || begun.fromFile) cache.set(cacheKey, list)
  const end = list.covers > size ? countBelow(list.ordinals, size, list.count) : list.count
  return { term, documents: list.ordinals.subarray(0, end), frequencies: list.frequencies.subarray(0, end) }
}

function readSegments<Document>(index: OwnerIndex<Document>, key: number): CachedList {
  const parts: { base: number; bytes: Uint8Array }[] = []
  let fromFile = false
  let total = 0
  for (const { directory, filter, base } of index.segments) {
    if (!mayHold(filter, key)) continue
    fromFile = true
    const bytes = readPostings(index.table, directory, key)
    if (bytes === undefined) continue
    parts.push({ base, bytes })
    total += postingsCount(bytes)
  }
  const { generation, tailStart: covers } = index
  if (total === 0)
    return { ordinals: NO_ORDINALS, frequencies: NO_FREQUENCIES, count: 0, covers, holes: 0, generation, fromFile }
  const ordinals = new Uint32Array(total)
  const frequencies = new Uint8Array(total)
  let at = 0
  for (const { base, bytes } of parts) at = decodePostings(bytes, base, ordinals, frequencies, at)
  return { ordinals, frequencies, count: at, covers, holes: 0, generation, fromFile }
}

function addTail(list: CachedList, tail: TailList | undefined, total: number): CachedList {
  if (tail === undefined) return { ...list, covers: total }
  let first = tail.length
  while (first > 0 && tail[first - 2]! >= list.covers) first -= 2
  const added = (tail.length - first) / 2
  const count = list.count + added
  let { ordinals, frequencies } = list
  if (ordinals.length < count) {
    // Some room to spare: the tail grows turn by turn.
    const capacity = count + Math.max(8, added)
    ordinals = new Uint32Array(capacity)
    frequencies = new Uint8Array(capacity)
    ordinals.set(list.ordinals.subarray(0, list.count))
    frequencies.set(list.frequencies.subarray(0, list.count))
  }
  for (let from = first, to = list.count; to < count; from += 2, to += 1) {
    ordinals[to] = tail[from]!
    frequencies[to] = tail[from + 1]!
  }
  return { ...list, ordinals, frequencies, count, covers: total }
}

/** The list without removed documents, in arrays of its own: views hold the old ones. */
function withoutHoles(list: CachedList, { size, live, columns: { flags } }: Documents<never>): CachedList {
  const ordinals = list.ordinals.slice()
  const frequencies = list.frequencies.slice()
  let count = 0
  for (let at = 0; at < list.count; at += 1) {
    const ordinal = ordinals[at]!
    if ((flags[ordinal]! & DELETED) !== 0) continue
    ordinals[count] = ordinal
    frequencies[count] = frequencies[at]!
    count += 1
  }
  return { ...list, ordinals, frequencies, count, holes: size - live }
}

/** A decoded list; the arrays may be longer than `count`. */
interface CachedList {
  ordinals: Uint32Array
  frequencies: Uint8Array
  count: number
  /** Ordinals below this are in the list, if they hold the term. */
  covers: number
  /** Removed documents that the index had when those were taken out of the list. */
  holes: number
  /** The generation of the index from which it was read. */
  generation: number
  /** true when reading it needed the file. */
  fromFile: boolean
}

const BYTES_A_POSTING = 5
/** Bytes of an entry beside its arrays' contents: key, views, place in the map. */
const BYTES_A_LIST = 400

class ListCache {
  readonly #budget: () => number
  readonly #lists = new Map<string, CachedList>()
  #bytes = 0

  /** @param budget bytes of arrays kept at the most, as things stand */
  constructor(budget: () => number) {
    this.#budget = budget
  }

  get(key: string): CachedList | undefined {
    const list = this.#lists.get(key)
    if (list === undefined) return undefined
    this.#lists.delete(key)
    this.#lists.set(key, list)
    return list
  }

  set(key: string, list: CachedList): void {
    this.#drop(key)
    this.#lists.set(key, list)
    this.#bytes += bytesOf(list)
    const budget = this.#budget()
    for (const oldest of this.#lists.keys()) {
      if (this.#bytes <= budget || oldest === key) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    const list = this.#lists.get(key)
    if (list === undefined) return
    this.#bytes -= bytesOf(list)
    this.#lists.delete(key)
  }
}

function bytesOf({ ordinals }: CachedList): number {
  return BYTES_A_LIST + ordinals.length * BYTES_A_POSTING
}

/** Bytes of decoded lists kept over all owners, and more for each document in memory: a hot word's list grows with them. */
const LIST_BUDGET = 16 * 1024 * 1024
const LIST_BUDGET_A_DOCUMENT = 64
/** Documents of other owners' columns kept in memory (about 50 bytes each). */
const KEPT_DOCUMENTS = 1_000_000
/** Most documents that a caller reads in at once; more is better done beforehand. */
const MOST_AT_ONCE = 2000
const NOBODY = -1

interface SegmentView<Set> extends Pick<MemoryView, 'size' | 'live' | 'averageLength' | 'postings'> {
  readonly documents: Set
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
    while (!index.sync(CHARACTERS_A_PIECE)) await breathe()
    if (isNew) await breathe()
    const { documents, generation } = index
    const { size, live, totalLength } = documents
    const listsOf = (terms: readonly string[]): readonly PostingList[] => {
      index.sync()
      if (index.generation !== generation) throw new ViewExpired('the index was reorganised')
      return terms.map((term) => postingList(this.#lists, index, term, size))
    }
    return {
      size,
      live,
      averageLength: live === 0 ? 0 : totalLength / live,
      documents,
      // Without segments all lists are in memory.
      postings: async (terms) => (index.segments.length === 0 ? listsOf(terms) : this.table.read(() => listsOf(terms))),
    }
  }

  /** false while more documents wait to be read than a caller should wait for. */
  isReady(userId: string): boolean {
    const owner = this.table.owner(userId)
    if (owner === undefined) return true
    const known = this.#indexes.get(owner)
    if (known !== undefined && known.version >= 0 && known.sync(CHARACTERS_A_PIECE)) return true
    const last = known?.lastDocument ?? this.table.lastDocument(owner)
    return this.table.countAfter(owner, last, MOST_AT_ONCE) < MOST_AT_ONCE
  }

  /** true when this user's tail is long enough to become a segment, `least` documents, or has as many holes as a segment. */
  isFlushDue(userId: string, least = FLUSH_AT): boolean {
    const owner = this.table.owner(userId)
    if (owner === undefined) return false
    const last = this.table.lastDocument(owner)
    return (
      this.table.countAfter(owner, last, least) >= least || this.table.countHoles(owner, last, FLUSH_AT) >= FLUSH_AT
    )
  }

  /** Reads a few of the newly stored documents; true when none are left. */
  takeIn(userId: string): boolean {
    const owner = this.table.owner(userId)
    return owner === undefined || this.#index(owner).sync(CHARACTERS_A_PIECE)
  }

  /** Flushes the tail when it is long enough, or with `force`, in steps of a few milliseconds; false: it must be done anew. */
  *flush(userId: string, force = false): Generator<void, boolean> {
    const owner = this.table.owner(userId)
    if (owner === undefined || !(force || this.isFlushDue(userId))) return true
    return yield* flushTail(this.#index(owner))
  }

  /** Merges a run of segments if one is due, in steps of a few milliseconds; `locked`: it waits for another process. */
  *merge(userId: string, now: number, atRest: boolean): Generator<'locked' | undefined, boolean> {
    const owner = this.table.owner(userId)
    if (owner === undefined) return false
    // A long new text is not cut into terms for a merge that nobody needs.
    if (dueRun(this.table.segments(owner), atRest) === null) return false
    return yield* mergeSegments(this.#index(owner), now, atRest)
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

export class SegmentMemoryIndex extends SegmentIndex<MemoryDocument, MemoryDocuments> implements MemoryIndex {
  constructor(table: SegmentTable<MemoryDocument>) {
    super(table, memoryKind(table))
  }

  async view(userId: string): Promise<MemoryView> {
    const { documents, ...view } = await this.open(userId)
    return { ...view, columns: documents.columns, conversations: documents.conversations.list }
  }
}
