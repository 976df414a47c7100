/** Where does a term occur, over all segments and the tail of one owner? */
import { countBelow } from '../../domain/ascending.ts'
import type { PostingList } from '../../domain/contracts/turn-index.ts'
import { readPostings } from './chunk.ts'
import { DELETED, type Documents } from './documents.ts'
import type { OwnerIndex, TailList } from './owner-index.ts'
import { decodePostings, postingsCount } from './postings.ts'
import { mayHold, termKey } from './term-filter.ts'

/** Shared by all empty lists, as most words of a query have none, and two arrays take 400 bytes. */
const NO_ORDINALS = new Uint32Array()
const NO_FREQUENCIES = new Uint8Array()

/** The list of `term` among the ordinals below `size`. Call it within a read snapshot, the index synchronised. */
export function postingList<Document>(
  cache: ListCache,
  index: OwnerIndex<Document>,
  term: string,
  size: number,
): PostingList {
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

export class ListCache {
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
