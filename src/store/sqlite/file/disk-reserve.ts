/** Can something be removed when the disk is full? A file beside the database keeps the room that a removal needs. */
import { randomFillSync } from 'node:crypto'
import { closeSync, openSync, unlinkSync, writeSync } from 'node:fs'
import { fileBytes, plainFile } from '../../../domain/plain-file.ts'
import { isFull } from './storage-errors.ts'

/** A removal goes in transactions of a few records; each fits into the log that this leaves room for. */
const MOST_BYTES = 1024 * 1024
/** The log of a small file holds each of its pages once at the most, and what its processes share lies beside it. */
const BYTES_A_BYTE = 1.25
const SHARED_BYTES = 64 * 1024
const PIECE_BYTES = 64 * 1024

/** A connection, as far as its room is concerned. */
interface Writer {
  readonly path: string
  readonly isOpen: boolean
  spentReserve: boolean
  checkpoint(mode: 'truncate'): boolean
}

const removals = new WeakMap<Writer, number>()

const reserveOf = (path: string): string => `${path}-reserve`

/** Keeps as much room as a removal may need and there is, up to a megabyte; never fails. */
export function keepReserve(path: string): void {
  if (path === ':memory:') return
  try {
    const kept = fileBytes(reserveOf(path))
    const wanted = Math.min(
      MOST_BYTES,
      SHARED_BYTES + BYTES_A_BYTE * Math.max(fileBytes(path), fileBytes(`${path}-wal`)),
    )
    if (kept >= wanted) return
    const file = openSync(plainFile(reserveOf(path)), 'a')
    try {
      // Bytes of chance, since a file system may keep no room for zeros.
      const piece = randomFillSync(Buffer.alloc(PIECE_BYTES))
      for (let left = wanted - kept; left > 0; left -= PIECE_BYTES) writeSync(file, piece)
    } finally {
      closeSync(file)
    }
  } catch {
    // The part that had room is kept.
  }
}

/** Gives the room to whoever writes next; false when there is none. */
export function spendReserve(path: string): boolean {
  try {
    unlinkSync(reserveOf(path))
    return true
  } catch {
    return false
  }
}

/** Runs a removal; its writes may take the room that is kept, which is filled again as far as there is room after it. */
export async function removing<T>(connection: Writer, work: () => Promise<T>): Promise<T> {
  removals.set(connection, (removals.get(connection) ?? 0) + 1)
  try {
    return await work()
  } finally {
    removals.set(connection, removals.get(connection)! - 1)
    if (connection.isOpen && connection.spentReserve) {
      connection.spentReserve = false
      connection.checkpoint('truncate')
      keepReserve(connection.path)
    }
  }
}

/** true while a removal runs, which wipes at its end. */
export function isRemoving(connection: Writer): boolean {
  return (removals.get(connection) ?? 0) > 0
}

/** Does the write of a removal again when the disk is full: with the log emptied, then with the room that is kept. */
export function withRoom<T>(connection: Writer, write: () => T): T {
  try {
    return write()
  } catch (error) {
    if (!isFull(error) || !isRemoving(connection)) throw error
  }
  connection.spentReserve = true
  connection.checkpoint('truncate')
  try {
    return write()
  } catch (error) {
    if (!isFull(error) || !spendReserve(connection.path)) throw error
  }
  // With the room that it takes, the log may be emptied after all.
  connection.checkpoint('truncate')
  return write()
}
