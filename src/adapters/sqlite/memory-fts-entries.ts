/** What does the index hold of some memories? Read from the file each time; nothing is kept. */
import type { ListSource } from './memory-fts-lists.ts'
import { rowRange } from './memory-store-range.ts'
import { number, text } from './rows.ts'

// The content table of memories_fts is read as what it is, an ordinary table: twice as fast as through FTS5.
const ENTRIES = `SELECT e.value AS place, f.c0 AS terms, m.term_count FROM json_each(?) e
  CROSS JOIN memories_fts_content f ON f.id = ? + e.value CROSS JOIN memories m ON m.row = f.id`

/** What FTS5 takes for the border between two words. */
const BORDERS = /[\0-\x20\x7f]+/

/** What BM25 needs to know of one memory. */
export interface Entry {
  /** Its terms, repeats side by side. */
  readonly words: readonly string[]
  /** Number of terms, the document length of BM25. */
  readonly length: number
}

/** The words of an entry as FTS5 reads them: it writes the letters of ASCII small, and no others. */
export function entryWords(terms: string): readonly string[] {
  const folded = /[A-Z]/.test(terms) ? terms.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : terms
  return folded.split(BORDERS)
}

/** The entries at these places; a place without one is left out. */
export function readEntries({ connection, userNo }: ListSource, places: readonly number[]): ReadonlyMap<number, Entry> {
  const rows = connection.all(ENTRIES, JSON.stringify(places), rowRange(userNo)[0])
  return new Map(
    rows.map((row) => [
      number(row, 'place'),
      { words: entryWords(text(row, 'terms')), length: number(row, 'term_count') },
    ]),
  )
}
