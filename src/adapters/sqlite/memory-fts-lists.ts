/**
 * Which memories of a user hold a term? FTS5 answers in a fraction of a millisecond for each thousand of them; between two
 * changes to the index the answer is the same, so lists are kept, the most recently used ones up to a bound.
 */
import type { Connection } from './connection.ts'
import { rowRange } from './memory-store-range.ts'

const NEWEST = `SELECT rowid - ? AS place FROM memories_fts WHERE memories_fts MATCH ? AND rowid BETWEEN ? AND ?
  ORDER BY rowid DESC LIMIT ?`

/** Places that are kept of one connection, four bytes each. */
const KEPT_PLACES = 500_000
/** What a kept list costs besides its places, in places. */
const LIST_COST = 64

/** The lists of one user as they stood at one revision of the index (`memory_totals.indexed`). */
export interface ListSource {
  readonly connection: Connection
  readonly userNo: number
  /** Raised by one with every change to what the index holds of a memory. */
  readonly revision: number
}

interface KeptList {
  readonly revision: number
  readonly places: Int32Array
  /** Whether these are all that there are. */
  readonly whole: boolean
}

interface Kept {
  /** Oldest use first. */
  readonly lists: Map<string, KeptList>
  places: number
  /** How many memories match a query, by user and query. */
  readonly counts: Map<string, { readonly revision: number; readonly count: number }>
}

/** Counts that are kept of one connection. */
const KEPT_COUNTS = 10_000

const keptOf = new WeakMap<Connection, Kept>()

/** Places of the newest memories that match a query of FTS5, newest first, at most `limit`. */
export function newestPlaces({ connection, userNo, revision }: ListSource, query: string, limit: number): Int32Array {
  const kept = keptFor(connection)
  const name = `${userNo} ${query}`
  const known = kept.lists.get(name)
  const isCurrent = known !== undefined && known.revision === revision
  if (isCurrent && (known.whole || known.places.length >= limit)) {
    // Used last, let go last.
    kept.lists.delete(name)
    kept.lists.set(name, known)
    return known.places.length <= limit ? known.places : known.places.subarray(0, limit)
  }
  const places = readNewest(connection, userNo, query, limit)
  if (known !== undefined) forget(kept, name, known)
  kept.lists.set(name, { revision, places, whole: places.length < limit })
  kept.places += places.length + LIST_COST
  for (const [oldest, list] of kept.lists) {
    if (kept.places <= KEPT_PLACES) break
    forget(kept, oldest, list)
  }
  return places
}

/** How many memories match a query: as `count` finds it, or found it at the same revision. */
export function keptCount({ connection, userNo, revision }: ListSource, query: string, count: () => number): number {
  const { counts } = keptFor(connection)
  const name = `${userNo} ${query}`
  const known = counts.get(name)
  if (known?.revision === revision) return known.count
  if (counts.size >= KEPT_COUNTS) counts.clear()
  const counted = count()
  counts.set(name, { revision, count: counted })
  return counted
}

function keptFor(connection: Connection): Kept {
  let kept = keptOf.get(connection)
  if (kept === undefined) {
    kept = { lists: new Map(), places: 0, counts: new Map() }
    keptOf.set(connection, kept)
  }
  return kept
}

function forget(kept: Kept, name: string, { places }: KeptList): void {
  kept.lists.delete(name)
  kept.places -= places.length + LIST_COST
}

function readNewest(connection: Connection, userNo: number, query: string, limit: number): Int32Array {
  const [first, last] = rowRange(userNo)
  return Int32Array.from(connection.lists(NEWEST, first, query, first, last, limit), ([place]) => Number(place))
}
