/**
 * In which memories of a user does each term occur, and how often? Asking FTS5 costs more for every term of a question,
 * those included that no memory holds, than all the rest of a search. So the lists of users who have not very many memories
 * are kept in memory: made a piece at each search and, after the first one, in the pauses; carried on when memories were
 * added, and changed with what this connection changes. They say exactly what FTS5 would.
 */
import type { Connection } from './connection.ts'
import { changesSince, type IndexChange } from './memory-fts-changes.ts'
import { entryWords } from './memory-fts-entries.ts'
import type { ListSource } from './memory-fts-lists.ts'
import { PLACES_BELOW, PlaceLists, type Places } from './memory-fts-place-lists.ts'
import { newestPlace, rowRange } from './memory-store-range.ts'
import { number, text } from './rows.ts'
import { termKey } from './turn-index/term-key.ts'

const PIECE = `SELECT f.id - ? AS place, f.c0 AS terms, m.term_count FROM memories_fts_content f
  LEFT JOIN memories m ON m.row = f.id WHERE f.id BETWEEN ? AND ? ORDER BY f.id LIMIT ?`
const ADDED = 'SELECT count(*) AS n FROM memories WHERE row BETWEEN ? AND ?'
const REVISION = 'SELECT indexed FROM memory_totals WHERE user_no = ?'

/** Searches after a change before lists are made anew: where every few searches something changes they would never be finished. */
const STEADY_SEARCHES = 8
/** Memories that one search, or one pause, adds to unfinished lists: a millisecond or two. */
const ADDED_AT_ONCE = 200
/** Milliseconds from one pause to the next: whatever came in meanwhile goes first. */
const PAUSE_MS = 1
/** Bytes that the lists of one connection take, about. A user whose lists take more has none: from some 170,000 short memories on. */
const KEPT_BYTES = 24_000_000
/** What FTS5 reads in another way, so that it has to be asked. */
const UNCLEAR = /[\0-\x20\x7fA-Z]/
/** FTS5 cuts a word of many thousand bytes. */
const LONGEST = 1000

/** All lists of one user. */
export interface Postings {
  /** The newest place of any memory. */
  readonly newest: number
  /** Places of the memories that hold a term, ascending; null where FTS5 has to be asked. */
  readonly placesOf: (term: string) => Places | null
  /** Number of terms of each memory, by place. */
  readonly lengths: ArrayLike<number>
}

interface Kept extends Postings {
  /** The state of the index that the lists are true of, once they are finished. */
  revision: number
  /** The newest place of that state. */
  newest: number
  /** Places up to this one are in the lists. */
  scanned: number
  /** Searches to wait before any memory is looked at. */
  waits: number
  /** By hash of the term; emptied when they turn out to be too many. */
  readonly lists: PlaceLists
  lengths: Int32Array
  /** Whether a pause is waited for. */
  isWaiting: boolean
  /** How many terms the user had when the lists were too many for good; null while they are not. */
  tooMany: number | null
}

const keptOf = new WeakMap<Connection, Map<number, Kept>>()

/** Brings the lists of a user a piece further; null while they are unfinished or where there are too many. */
export function postingsOf(source: ListSource, terms: number): Postings | null {
  const users = keptOf.get(source.connection) ?? new Map<number, Kept>()
  keptOf.set(source.connection, users)
  const before = users.get(source.userNo)
  if (before !== undefined && before.tooMany !== null && terms > before.tooMany / 2) return null
  const kept = current(source, before) ?? empty(source, before === undefined ? 0 : STEADY_SEARCHES)
  // The last one used is the last one to be let go.
  users.delete(source.userNo)
  users.set(source.userNo, kept)
  if (kept.waits > 0) {
    kept.waits -= 1
    return null
  }
  if (kept.scanned < kept.newest) scan(source, kept)
  letGo(users, source.userNo)
  if (bytesOf(kept) > KEPT_BYTES || kept.newest >= PLACES_BELOW) {
    kept.tooMany = terms
    kept.lists.clear()
    kept.lengths = new Int32Array(0)
    return null
  }
  if (kept.scanned >= kept.newest) return kept
  goOnInPause(source, kept)
  return null
}

/** Goes on with unfinished lists when nothing else is to be done. Where anything changed, the next search goes on. */
function goOnInPause({ connection, userNo }: ListSource, kept: Kept): void {
  if (kept.isWaiting) return
  kept.isWaiting = true
  const goOn = (): void => {
    kept.isWaiting = false
    if (!connection.isOpen || keptOf.get(connection)?.get(userNo) !== kept || bytesOf(kept) > KEPT_BYTES) return
    try {
      connection.read(() => {
        const totals = connection.get(REVISION, userNo)
        const revision = totals === undefined ? -1 : number(totals, 'indexed')
        if (revision !== kept.revision || kept.scanned >= kept.newest) return
        const source = { connection, userNo, revision }
        scan(source, kept)
        if (kept.scanned < kept.newest) goOnInPause(source, kept)
      })
    } catch {
      // The next search meets what is wrong with the file, and says so.
    }
  }
  setTimeout(goOn, PAUSE_MS).unref()
}

/** What is kept, if nothing lies between it and now but changes of our own, or added memories. */
function current(source: ListSource, kept: Kept | undefined): Kept | undefined {
  if (kept === undefined || kept.tooMany !== null) return undefined
  if (kept.revision === source.revision) return kept
  const changes = changesSince(source, kept.revision)
  if (changes !== null) return follow(source, kept, changes)
  // Every change raises the revision by one: as many new memories as changes means that there was nothing else.
  if (countFrom(source, kept.newest + 1) !== source.revision - kept.revision) return undefined
  kept.revision = source.revision
  kept.newest = newestPlace(source.connection, source.userNo)
  return kept
}

/** Brings the lists to where these changes left the index. */
function follow(source: ListSource, kept: Kept, changes: readonly IndexChange[]): Kept {
  const isFinished = kept.scanned >= kept.newest
  for (const { place, before, after, length } of changes) {
    // What is not in the lists yet will be read as it is by then.
    if (!isFinished && place > kept.scanned) continue
    const [gone, come] = [frequenciesOf(before), frequenciesOf(after)]
    for (const [key, frequency] of gone) if (come.get(key) !== frequency) kept.lists.remove(key, place)
    for (const [key, frequency] of come) if (gone.get(key) !== frequency) kept.lists.add(key, place, frequency)
    setLength(kept, place, length)
  }
  kept.revision = source.revision
  kept.newest = newestPlace(source.connection, source.userNo)
  kept.scanned = isFinished ? kept.newest : Math.min(kept.scanned, kept.newest)
  return kept
}

function frequenciesOf(terms: string | null): ReadonlyMap<number, number> {
  const frequencies = new Map<number, number>()
  for (const word of terms === null ? [] : entryWords(terms)) {
    const key = termKey(word)
    frequencies.set(key, (frequencies.get(key) ?? 0) + 1)
  }
  return frequencies
}

function setLength(kept: Kept, place: number, length: number): void {
  if (place >= kept.lengths.length) {
    const grown = new Int32Array(Math.max(place + 1, Math.ceil(1.5 * kept.lengths.length)))
    grown.set(kept.lengths)
    kept.lengths = grown
  }
  kept.lengths[place] = length
}

function bytesOf({ lists, lengths }: Kept): number {
  return lists.bytes + lengths.byteLength
}

function empty(source: ListSource, waits: number): Kept {
  const lists = new PlaceLists()
  return {
    revision: source.revision,
    newest: newestPlace(source.connection, source.userNo),
    scanned: 0,
    waits,
    lists,
    lengths: new Int32Array(0),
    isWaiting: false,
    tooMany: null,
    placesOf: (term) => {
      if (term.length > LONGEST || UNCLEAR.test(term)) return null
      return lists.placesOf(termKey(term))
    },
  }
}

/** How many memories there are from a place on. */
function countFrom({ connection, userNo }: ListSource, from: number): number {
  const [first, last] = rowRange(userNo)
  return number(connection.get(ADDED, first + BigInt(from), last)!, 'n')
}

function scan({ connection, userNo }: ListSource, kept: Kept): void {
  const [first] = rowRange(userNo)
  const [from, to] = [first + BigInt(kept.scanned + 1), first + BigInt(kept.newest)]
  const rows = connection.all(PIECE, first, from, to, ADDED_AT_ONCE)
  for (const row of rows) {
    const place = number(row, 'place')
    for (const word of entryWords(text(row, 'terms'))) kept.lists.append(termKey(word), place)
    setLength(kept, place, Number(row.term_count ?? 0))
  }
  const last = rows.at(-1)
  kept.scanned = last === undefined || rows.length < ADDED_AT_ONCE ? kept.newest : number(last, 'place')
}

function letGo(users: Map<number, Kept>, but: number): void {
  let total = 0
  for (const kept of users.values()) total += bytesOf(kept)
  for (const [oldest, kept] of users) {
    if (total <= KEPT_BYTES || oldest === but) break
    users.delete(oldest)
    total -= bytesOf(kept)
  }
}
