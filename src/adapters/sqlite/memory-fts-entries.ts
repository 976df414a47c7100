/**
 * What the index holds of some memories, as words. Between two changes to a user's memories it is the same: the entries
 * that were read last are kept, up to a bound.
 */
import type { Connection } from './connection.ts'
import type { ListSource } from './memory-fts-lists.ts'
import { rowRange } from './memory-store-range.ts'
import { number, text } from './rows.ts'

// The content table of memories_fts is read as what it is, an ordinary table: twice as fast as through FTS5.
const ENTRIES = `SELECT e.value AS place, f.c0 AS terms, m.term_count FROM json_each(?) e
  CROSS JOIN memories_fts_content f ON f.id = ? + e.value CROSS JOIN memories m ON m.row = f.id`

/** Words that are kept of one connection. */
const KEPT_WORDS = 500_000

/** What BM25 needs to know of one memory. */
export interface Entry {
  /** Its terms, repeats side by side. */
  readonly words: readonly string[]
  /** Number of terms, the document length of BM25. */
  readonly length: number
}

interface Kept {
  userNo: number
  revision: number
  words: number
  readonly entries: Map<number, Entry>
}

const keptOf = new WeakMap<Connection, Kept>()

/** The entries at these places; a place without one is left out. */
export function readEntries(source: ListSource, places: readonly number[]): ReadonlyMap<number, Entry> {
  const kept = currentOf(source)
  const found = new Map<number, Entry>()
  const missing: number[] = []
  for (const place of places) {
    const known = kept.entries.get(place)
    if (known === undefined) missing.push(place)
    else found.set(place, known)
  }
  if (missing.length === 0) return found
  const { connection, userNo } = source
  for (const row of connection.all(ENTRIES, JSON.stringify(missing), rowRange(userNo)[0])) {
    const entry = { words: text(row, 'terms').split(' '), length: number(row, 'term_count') }
    found.set(number(row, 'place'), entry)
    keep(kept, number(row, 'place'), entry)
  }
  return found
}

/** What is kept, emptied when it is of another user or revision. */
function currentOf({ connection, userNo, revision }: ListSource): Kept {
  let kept = keptOf.get(connection)
  if (kept === undefined || kept.userNo !== userNo || kept.revision !== revision) {
    kept = { userNo, revision, words: 0, entries: new Map() }
    keptOf.set(connection, kept)
  }
  return kept
}

function keep(kept: Kept, place: number, entry: Entry): void {
  if (entry.words.length > KEPT_WORDS / 2) return
  kept.entries.set(place, entry)
  kept.words += entry.words.length
  for (const [oldest, { words }] of kept.entries) {
    if (kept.words <= KEPT_WORDS) break
    kept.entries.delete(oldest)
    kept.words -= words.length
  }
}
