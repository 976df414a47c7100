/**
 * One step of updating a mirror: take the notes, insert new rows, strike the notes out, then remove old rows. It can be
 * repeated after any stop, as unseen arrivals are looked for first.
 */
import type {
  MirrorRow,
  OutboxEntry,
  OutboxOutcome,
  VectorMirror,
  VectorOutbox,
} from '../../../domain/contracts/vector-mirror.ts'

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
/** Rows removed in one step. */
const ROWS_A_STEP = 2000
/** A right to apply ends after this long; each step renews it. */
export const CLAIM_MS = 60_000

/**
 * Applies the oldest changes for the owner of the right to; returns the number of vectors told and rows removed.
 * Rejects `vector_store_failed`; taken notes stay noted.
 */
export async function applyChanges({ mirror, outbox, owner, now }: ApplyDependencies): Promise<number> {
  const entries = await outbox.take(ENTRIES_A_STEP)
  const outcomes = await sendEntries(mirror, entries)
  if (!(await outbox.done(outcomes, owner, now()))) {
    await takeBack(mirror, outcomes)
    return 0
  }
  const gone = await outbox.gone(ROWS_A_STEP)
  if (gone.length > 0) {
    await mirror.removeRows(gone)
    await outbox.goneDone(gone)
  }
  return entries.length + gone.length
}

/** Inserts the rows of these vectors, and looks first for rows of an earlier attempt. */
export async function sendEntries(
  mirror: VectorMirror,
  entries: readonly OutboxEntry[],
): Promise<readonly OutboxOutcome[]> {
  return insert(mirror, entries, await findStrays(mirror, entries))
}

/** A process that lost the right to apply while rows were on the way removes them: another process sends its own. */
export async function takeBack(mirror: VectorMirror, outcomes: readonly OutboxOutcome[]): Promise<void> {
  await mirror.removeRows(outcomes.flatMap(({ entry: { id }, rowId }) => (rowId === null ? [] : [{ id, rowId }])))
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
  const found = new Map<string, MirrorRow[]>()
  if (tried.length === 0) return found
  const storeIds = new Set(tried.map(({ storeId }) => storeId))
  for (const row of await mirror.findRows(tried)) {
    if (!storeIds.has(row.storeId)) continue
    const mine = found.get(keyOf(row)) ?? []
    mine.push(row)
    found.set(keyOf(row), mine)
  }
  return found
}

function keyOf({ userId, id }: { readonly userId: string; readonly id: string }): string {
  return `${userId}\0${id}`
}
