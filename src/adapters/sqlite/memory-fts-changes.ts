/**
 * What has this connection itself changed of the index of memories, and in what order? So what is kept in memory of the
 * index follows its own changes, and need not be read anew after each of them. What others changed is not known here.
 */
import type { Connection } from './connection.ts'
import type { ListSource } from './memory-fts-lists.ts'
import type { IndexedTerms } from './memory-fts-terms.ts'
import { placeOf } from './memory-store-range.ts'
import { number, text } from './rows.ts'

/** One change to what the index holds of a memory. */
export interface IndexChange {
  /** `memory_totals.indexed` of the user as the change left it. */
  readonly revision: number
  readonly place: number
  /** The terms of the entry, as `memories_fts` has them; null: there was none, there is none. */
  readonly before: string | null
  readonly after: string | null
  /** `memories.term_count` as the change left it; 0: there is no entry. */
  readonly length: number
}

/** Changes that are kept of one user, and characters of all of one connection. */
const KEPT_CHANGES = 256
const KEPT_CHARACTERS = 4_000_000
const KEPT_USERS = 2000

interface Noted {
  /** Of users whose changes somebody follows, oldest change first. */
  readonly users: Map<number, IndexChange[]>
  characters: number
}

const notedOf = new WeakMap<Connection, Noted>()

/**
 * The next change to what the index holds of the record in this row. Call it inside a write, after the record has been
 * changed; the function that it gives does `change`, and notes it when it is committed.
 */
export function noteChange(
  connection: Connection,
  row: bigint,
  entry: IndexedTerms | null,
): (change: () => unknown) => void {
  const { userNo, place } = placeOf(row)
  const noted = notedOf.get(connection)
  if (!noted?.users.has(userNo)) return (change) => void change()
  const totals = connection.get('SELECT indexed FROM memory_totals WHERE user_no = ?', userNo)
  const revision = totals === undefined ? 0 : number(totals, 'indexed')
  return (change) => {
    const there = connection.get('SELECT c0 AS terms FROM memories_fts_content WHERE id = ?', row)
    const before = there === undefined ? null : text(there, 'terms')
    const [after, length] = entry === null ? [null, 0] : [entry.terms, entry.count]
    change()
    connection.afterCommit(() => keep(noted, userNo, { revision, place, before, after, length }))
  }
}

/**
 * Every change between a revision and now, oldest first; null when some of them are not known: somebody else made them,
 * or nobody had asked for this user's changes yet.
 */
export function changesSince(
  { connection, userNo, revision }: ListSource,
  since: number,
): readonly IndexChange[] | null {
  const noted = notedOf.get(connection) ?? { users: new Map<number, IndexChange[]>(), characters: 0 }
  notedOf.set(connection, noted)
  const all = noted.users.get(userNo)
  if (all === undefined) {
    if (noted.users.size >= KEPT_USERS) noted.users.clear()
    noted.users.set(userNo, [])
    return since === revision ? [] : null
  }
  const changes = all.filter((change) => change.revision > since && change.revision <= revision)
  // Every change raises the revision by one: a number that is missing is somebody else's change.
  return new Set(changes.map((change) => change.revision)).size === revision - since ? changes : null
}

function keep(noted: Noted, userNo: number, change: IndexChange): void {
  const changes = noted.users.get(userNo)
  if (changes === undefined) return
  changes.push(change)
  noted.characters += charactersOf(change)
  while (changes.length > KEPT_CHANGES) noted.characters -= charactersOf(changes.shift()!)
  if (noted.characters <= KEPT_CHARACTERS) return
  noted.users.clear()
  noted.characters = 0
}

function charactersOf({ before, after }: IndexChange): number {
  return (before?.length ?? 0) + (after?.length ?? 0)
}
