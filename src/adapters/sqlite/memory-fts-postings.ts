/**
 * In which memories of a user does each term occur? Asking FTS5 costs more for every term of a question, those included
 * that no memory holds, than all the rest of a search. So the lists of users who have not very many memories are kept in
 * memory: made a piece at each search, carried on when memories were added, and changed with what this connection
 * changes. They say exactly what FTS5 would.
 */
import type { Connection } from './connection.ts'
import { changesSince, type IndexChange } from './memory-fts-changes.ts'
import type { ListSource } from './memory-fts-lists.ts'
import { PlaceLists, type Places } from './memory-fts-place-lists.ts'
import { newestPlace, rowRange } from './memory-store-range.ts'
import { number, text } from './rows.ts'
import { termKey } from './turn-index/term-key.ts'

const PIECE = `SELECT f.id - ? AS place, f.c0 AS terms FROM memories_fts_content f WHERE f.id BETWEEN ? AND ?
  ORDER BY f.id LIMIT ?`
const ADDED = 'SELECT count(*) AS n FROM memories WHERE row BETWEEN ? AND ?'

/** Searches after a change before lists are made anew: where every few searches something changes they would never be finished. */
const STEADY_SEARCHES = 8
/** Memories that one search adds to unfinished lists: about a millisecond. */
const ADDED_A_SEARCH = 100
/** Bytes that the lists of one connection take, about. A user whose lists take more has none. */
const KEPT_BYTES = 15_000_000
/** What FTS5 takes for the border between two words; and what it reads in another way, so that it has to be asked. */
const BORDERS = /[\0-\x20\x7f]+/
const UNCLEAR = /[\0-\x20\x7fA-Z]/
/** FTS5 cuts a word of many thousand bytes. */
const LONGEST = 1000

/** All lists of one user. */
export interface Postings {
  /** The newest place of any memory. */
  readonly newest: number
  /** Places of the memories that hold a term, ascending; null where FTS5 has to be asked. */
  readonly placesOf: (term: string) => Places | null
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
  if (kept.lists.bytes > KEPT_BYTES) {
    kept.tooMany = terms
    kept.lists.clear()
    return null
  }
  return kept.scanned < kept.newest ? null : kept
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
  for (const { place, before, after } of changes) {
    // What is not in the lists yet will be read as it is by then.
    if (!isFinished && place > kept.scanned) continue
    const [gone, come] = [keysOf(before), keysOf(after)]
    for (const key of gone) if (!come.has(key)) kept.lists.remove(key, place)
    for (const key of come) if (!gone.has(key)) kept.lists.add(key, place)
  }
  kept.revision = source.revision
  kept.newest = newestPlace(source.connection, source.userNo)
  kept.scanned = isFinished ? kept.newest : Math.min(kept.scanned, kept.newest)
  return kept
}

function keysOf(terms: string | null): ReadonlySet<number> {
  return new Set(terms === null ? [] : terms.split(BORDERS).map((word) => termKey(folded(word))))
}

function empty(source: ListSource, waits: number): Kept {
  const lists = new PlaceLists()
  return {
    revision: source.revision,
    newest: newestPlace(source.connection, source.userNo),
    scanned: 0,
    waits,
    lists,
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
  const rows = connection.all(PIECE, first, from, to, ADDED_A_SEARCH)
  for (const row of rows) {
    const place = number(row, 'place')
    for (const word of text(row, 'terms').split(BORDERS)) kept.lists.append(termKey(folded(word)), place)
  }
  const last = rows.at(-1)
  kept.scanned = last === undefined || rows.length < ADDED_A_SEARCH ? kept.newest : number(last, 'place')
}

/** FTS5 writes the letters of ASCII small, and no others. */
function folded(word: string): string {
  return /[A-Z]/.test(word) ? word.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : word
}

function letGo(users: Map<number, Kept>, but: number): void {
  let total = 0
  for (const { lists } of users.values()) total += lists.bytes
  for (const [oldest, { lists }] of users) {
    if (total <= KEPT_BYTES || oldest === but) break
    users.delete(oldest)
    total -= lists.bytes
  }
}
