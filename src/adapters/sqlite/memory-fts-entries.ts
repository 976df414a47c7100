/**
 * What does the index hold of some memories? Until the index is changed (`memory_totals.indexed`) it is the same, so
 * entries that were read are kept as numbers in one array, up to a bound; words are not kept.
 */
import type { Connection } from './connection.ts'
import { changesSince } from './memory-fts-changes.ts'
import type { ListSource } from './memory-fts-lists.ts'
import { MAX_REPEATS } from './memory-fts-terms.ts'
import { rowRange } from './memory-store-range.ts'
import { number, text } from './rows.ts'
import { termKey } from './turn-index/term-key.ts'

// The content table of memories_fts is read as what it is, an ordinary table: twice as fast as through FTS5.
const ENTRIES = `SELECT e.value AS place, f.c0 AS terms, m.term_count FROM json_each(?) e
  CROSS JOIN memories_fts_content f ON f.id = ? + e.value CROSS JOIN memories m ON m.row = f.id`

/** Numbers that are kept of one connection, eight bytes each; one search may need more, for as long as it takes. */
const KEPT_NUMBERS = 700_000
/** What a kept entry costs besides its numbers, in numbers. */
const ENTRY_COST = 6
/** Values that a number holds for the frequency below its hash: above MAX_REPEATS, a power of two. */
const FREQUENCIES = 16

/** What BM25 needs to know of one memory. */
export interface Entry {
  /** Its terms, repeats side by side. */
  readonly words: readonly string[]
  /** Number of terms, the document length of BM25. */
  readonly length: number
}

/**
 * Entries in one array. Where one begins stands the number of its different terms, then its length, then its terms in
 * ascending order, each as `packed` makes it.
 */
export interface PackedEntries {
  readonly numbers: Float64Array
  /** Where the entry of a place begins; a place without one is missing. */
  readonly begins: ReadonlyMap<number, number>
}

interface Kept {
  numbers: Float64Array
  used: number
  entries: number
  /** Where entries begin, by user. */
  readonly users: Map<number, { revision: number; begins: Map<number, number> }>
}

const keptOf = new WeakMap<Connection, Kept>()

/** A term with how often it occurs: 49 bits of its hash, and the frequency, at most MAX_REPEATS, in the last four bits. */
export function packed(term: string, frequency: number): number {
  const key = termKey(term)
  return key - (key & (FREQUENCIES - 1)) + Math.min(frequency, MAX_REPEATS)
}

/** The entries of at least these places; good until the next call. */
export function packedEntries(source: ListSource, places: readonly number[]): PackedEntries {
  const kept = roomOf(source.connection)
  const begins = beginsOf(kept, source)
  const missing = places.filter((place) => !begins.has(place))
  if (missing.length > 0)
    for (const [place, entry] of readEntries(source, missing)) {
      begins.set(place, kept.used)
      keep(kept, entry)
    }
  return { numbers: kept.numbers, begins }
}

/** The entries at these places as words, read now; a place without one is left out. */
export function readEntries({ connection, userNo }: ListSource, places: readonly number[]): ReadonlyMap<number, Entry> {
  const rows = connection.all(ENTRIES, JSON.stringify(places), rowRange(userNo)[0])
  return new Map(
    rows.map((row) => [
      number(row, 'place'),
      { words: text(row, 'terms').split(' '), length: number(row, 'term_count') },
    ]),
  )
}

/** What is kept, emptied when it has grown beyond its bound. */
function roomOf(connection: Connection): Kept {
  let kept = keptOf.get(connection)
  if (kept === undefined || kept.used + ENTRY_COST * kept.entries > KEPT_NUMBERS) {
    kept = { numbers: new Float64Array(4096), used: 0, entries: 0, users: new Map() }
    keptOf.set(connection, kept)
  }
  return kept
}

/** Where the user's entries begin that are as they are in the index now. */
function beginsOf({ users }: Kept, source: ListSource): Map<number, number> {
  const { userNo, revision } = source
  const user = users.get(userNo) ?? { revision, begins: new Map<number, number>() }
  users.set(userNo, user)
  if (user.revision !== revision) {
    const changes = changesSince(source, user.revision)
    if (changes === null) user.begins = new Map()
    else for (const { place } of changes) user.begins.delete(place)
    user.revision = revision
  }
  return user.begins
}

function keep(kept: Kept, { words, length }: Entry): void {
  const most = kept.used + 2 + words.length
  if (most > kept.numbers.length) {
    const grown = new Float64Array(Math.max(most, 2 * kept.numbers.length))
    grown.set(kept.numbers.subarray(0, kept.used))
    kept.numbers = grown
  }
  const frequencies = new Map<string, number>()
  for (const word of words) frequencies.set(word, (frequencies.get(word) ?? 0) + 1)
  kept.numbers[kept.used] = frequencies.size
  kept.numbers[kept.used + 1] = length
  let at = kept.used + 2
  for (const [word, frequency] of frequencies) kept.numbers[at++] = packed(word, frequency)
  kept.numbers.subarray(kept.used + 2, at).sort()
  kept.used = at
  kept.entries += 1
}
