/**
 * How are this file's rows in a mirror told from others', and is it still their only user? A copy has the store's id,
 * too, so the first to write sets a seal unknown to the other.
 */
import { randomInt } from 'node:crypto'
import type { OwnSeal } from '../../../domain/contracts/vector-mirror.ts'
import type { Connection } from '../connection.ts'
import { number, text } from '../rows.ts'
import { readStoreId } from './filling.ts'

/** Bound of random store numbers, the largest of crypto.randomInt; two stores will hardly have the same. */
const MOST_STORES = 2 ** 48 - 1
const STORE = 'store_no'
/** The seal last seen in each mirror, and the one to be set after it. */
const SEALS = ['mirror_seal', 'mirror_seal_next'] as const

/** The id of the store, kept when a mirror is left, so that its rows there are known again. Call it in a write. */
export function ensureStoreId(connection: Connection): string {
  connection.run('INSERT OR IGNORE INTO counters (name, value) VALUES (?, ?)', STORE, randomInt(1, MOST_STORES))
  return String(readCounter(connection, STORE)!)
}

/** See VectorOutbox.seal. */
export function readSeal(connection: Connection): OwnSeal | null {
  const storeId = readStoreId(connection)
  if (storeId === undefined) return null
  return {
    storeId,
    seals: sealNames(connection)
      .map((name) => readCounter(connection, name))
      .filter((value) => value !== undefined)
      .map(String),
  }
}

/** See VectorOutbox.noteSeal. Call it in a write. */
export function noteSeal(connection: Connection, shown: string | null, next: string): void {
  const names = sealNames(connection)
  for (const [at, seal] of [shown, next].entries())
    if (seal === null) connection.run('DELETE FROM counters WHERE name = ?', names[at]!)
    else connection.run('INSERT OR REPLACE INTO counters (name, value) VALUES (?, ?)', names[at]!, Number(seal))
}

/** See VectorOutbox.leaveRows. Call it in a write. */
export function leaveRows(connection: Connection): void {
  for (const table of ['vector_outbox', 'vector_rows', 'vector_gone']) connection.run(`DELETE FROM ${table}`)
  for (const name of [STORE, ...sealNames(connection)]) connection.run('DELETE FROM counters WHERE name = ?', name)
  connection.run(
    // Rows on the way, taken by any process, count no more.
    `UPDATE vector_mirror SET store_id = ?, owner = NULL, owned_until = NULL, unknown = 0, fill_from = 0,
       fill_to = (SELECT coalesce(max(vector_no), 0) FROM vectors)`,
    ensureStoreId(connection),
  )
}

function sealNames(connection: Connection): readonly string[] {
  const mirror = connection.get('SELECT target FROM vector_mirror')
  return mirror === undefined ? [] : SEALS.map((name) => `${name} ${text(mirror, 'target')}`)
}

function readCounter(connection: Connection, name: string): number | undefined {
  const row = connection.get('SELECT value FROM counters WHERE name = ?', name)
  return row === undefined ? undefined : number(row, 'value')
}
