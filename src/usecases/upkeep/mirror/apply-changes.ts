/** Updates a mirror, repeatably after any stop, and seals its rows: each copy of a file sets seals of its own. */
import { randomInt } from 'node:crypto'
import type {
  MirrorRow,
  MirrorSeal,
  OutboxEntry,
  OutboxOutcome,
  VectorMirror,
  VectorOutbox,
} from '../../../domain/contracts/vector-index.ts'

/** The owner of the right to apply, and the dependencies. */
export interface ApplyDependencies {
  readonly mirror: VectorMirror
  readonly outbox: VectorOutbox
  /** A name that no other process has. */
  readonly owner: string
  /** Milliseconds since the machine started. */
  readonly now: () => number
}

/** Vectors in one step: one read must not hold up others for longer than 20 ms. */
const ENTRIES_A_STEP = 400
const ROWS_A_STEP = 2000
/** A right to apply ends after this long; each step renews it. */
export const CLAIM_MS = 60_000

/** Applies the oldest changes, with the right to; the number of vectors told and rows removed. */
export async function applyChanges({ mirror, outbox, owner, now }: ApplyDependencies): Promise<number> {
  const entries = await outbox.take(ENTRIES_A_STEP)
  const outcomes = await insert(mirror, entries, await findStrays(mirror, entries))
  if (!(await outbox.done(outcomes, owner, now()))) {
    // Another process has the right to apply by now, and sends rows of its own.
    await mirror.removeRows(outcomes.flatMap(({ entry: { id }, rowId }) => (rowId === null ? [] : [{ id, rowId }])))
    return 0
  }
  const gone = await outbox.gone(ROWS_A_STEP)
  if (gone.length > 0) {
    await mirror.removeRows(gone)
    await outbox.goneDone(gone)
  }
  return entries.length + gone.length
}

async function insert(
  mirror: VectorMirror,
  entries: readonly OutboxEntry[],
  strays: ReadonlyMap<string, readonly MirrorRow[]>,
): Promise<readonly OutboxOutcome[]> {
  const records = entries.map(({ record }) => record).filter((record) => record !== null)
  const rowIds = await mirror.insertRows(records)
  let next = 0
  return entries.map((entry) => ({
    entry,
    rowId: entry.record === null ? null : rowIds[next++]!,
    strays: (strays.get(keyOf(entry)) ?? []).map(({ rowId }) => rowId).filter((rowId) => rowId !== entry.rowId),
  }))
}

/** Rows of this store that an attempt before may have left. */
async function findStrays(
  mirror: VectorMirror,
  entries: readonly OutboxEntry[],
): Promise<ReadonlyMap<string, readonly MirrorRow[]>> {
  const tried = entries.filter(({ tried }) => tried)
  const storeIds = new Set(tried.map(({ storeId }) => storeId))
  const rows = tried.length === 0 ? [] : await mirror.findRows(tried)
  return Map.groupBy(
    rows.filter(({ storeId }) => storeIds.has(storeId)),
    keyOf,
  )
}

function keyOf({ userId, id }: { readonly userId: string; readonly id: string }): string {
  return `${userId}\0${id}`
}

/** crypto.randomInt gives no larger ones. */
const MOST_SEALS = 2 ** 48 - 1
/** Between two readings another process of this file may set seals of its own. */
const LOOKS = 3

/** A seal that nobody else has. */
export function newSeal(): string {
  return String(randomInt(1, MOST_SEALS))
}

/** Whether the rows are this file's. Rejects `vector_store_failed`. */
export async function isSealOurs(mirror: VectorMirror, outbox: VectorOutbox): Promise<boolean> {
  return (await look(mirror, outbox)) !== null
}

/** The store and its seals, oldest first; null: the newest one is another file's. */
async function look(
  mirror: VectorMirror,
  outbox: VectorOutbox,
): Promise<{ readonly storeId: string | null; readonly seals: readonly MirrorSeal[] } | null> {
  for (let left = LOOKS; left > 0; left -= 1) {
    const own = await outbox.seal()
    if (own === null) return { storeId: null, seals: [] }
    const { storeId } = own
    const seals = await mirror.seals(storeId)
    const newest = seals.at(-1)?.seal
    // Read once more: another process of this file may have set the next one meanwhile.
    if (newest === undefined || [...own.seals, ...((await outbox.seal())?.seals ?? [])].includes(newest))
      return { storeId, seals }
  }
  return null
}

/** As isSealOurs, and sets the next seal, with the right to apply. */
export async function renewSeal(mirror: VectorMirror, outbox: VectorOutbox): Promise<boolean> {
  const found = await look(mirror, outbox)
  if (found === null) return false
  const { storeId, seals } = found
  if (storeId === null) return true
  const next = newSeal()
  await outbox.noteSeal(seals.at(-1)?.seal ?? null, next)
  await mirror.setSeal(storeId, next)
  await mirror.removeSeals(seals)
  return true
}
