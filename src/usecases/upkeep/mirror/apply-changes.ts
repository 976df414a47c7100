/** Updates a mirror, repeatably after any stop, and seals its rows: each copy of a file sets seals of its own. */
import { randomInt } from 'node:crypto'
import type {
  FillingPiece,
  MirrorRow,
  MirrorSeal,
  OutboxEntry,
  OutboxOutcome,
  VectorMirror,
  VectorOutbox,
} from '../../../domain/contracts/vector-mirror.ts'
import { breathe } from '../../../domain/pieces.ts'

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
async function sendEntries(mirror: VectorMirror, entries: readonly OutboxEntry[]): Promise<readonly OutboxOutcome[]> {
  return insert(mirror, entries, await findStrays(mirror, entries))
}

/** A process that lost the right to apply while rows were on the way removes them: another process sends its own. */
async function takeBack(mirror: VectorMirror, outcomes: readonly OutboxOutcome[]): Promise<void> {
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

/** Sending and striking out so many takes some 10 ms each, and others get their turn in between. */
const VECTORS_A_PIECE = 1000
/** Reading one takes 10 to 40 µs, with its memory. */
const READ_AT_ONCE = 250
const PIECES_ON_THE_WAY = 3
/** Then changes get their turn. More than can be on the way, so that one step looks for all that may have arrived. */
const PIECES_A_STEP = 6

/** Sends some pieces; how many vectors that were, null when nothing is left that it could send. */
type FillStep = () => Promise<number | null>

/** The steps of one process. One that rejects (`vector_store_failed`) can be taken again. */
export function createFillStep({ mirror, outbox, owner, now }: ApplyDependencies): FillStep {
  /** The place where this process left the filling, and the end of its sole right to go on, by performance.now(). */
  let left: { readonly at: number; readonly until: number } | null = null
  const claim = (): Promise<boolean> => outbox.claim(owner, now(), CLAIM_MS)
  const takePiece = async (after: number | null, tried: boolean): Promise<FillingPiece> => {
    let piece = await outbox.takeFilling(after, READ_AT_ONCE, tried)
    while (piece.entries.length < VECTORS_A_PIECE) {
      await breathe()
      const { from, upTo, entries } = await outbox.takeFilling(piece.upTo, READ_AT_ONCE, tried)
      if (upTo <= from) break
      piece = { from: piece.from, upTo, entries: [...piece.entries, ...entries] }
    }
    return piece
  }

  return async () => {
    if (!(await claim())) return null
    const tried = left === null || performance.now() > left.until
    let after = tried ? null : left!.at
    left = null
    const onTheWay: { readonly piece: FillingPiece; readonly sent: ReturnType<typeof sendEntries> }[] = []
    let [pieces, count] = [0, 0]
    try {
      for (;;) {
        while (pieces < PIECES_A_STEP && onTheWay.length < PIECES_ON_THE_WAY) {
          const piece: FillingPiece = await takePiece(after, tried)
          if (piece.upTo <= piece.from) break
          after = piece.upTo
          pieces += 1
          await breathe()
          const sent = sendEntries(mirror, piece.entries)
          // The promise is awaited later; until then nobody hears it fail.
          sent.catch(() => {})
          onTheWay.push({ piece, sent })
        }
        const first = onTheWay.shift()
        if (first === undefined) return pieces === 0 ? null : count
        const outcomes = await first.sent
        await breathe()
        const claimed = performance.now()
        const isNoted = (await claim()) && (await outbox.filled(first.piece, outcomes, owner))
        if (!isNoted) {
          const others = await Promise.all(onTheWay.map(({ sent }) => sent.catch(() => [])))
          await takeBack(mirror, [...outcomes, ...others.flat()])
          return count
        }
        if (onTheWay.length === 0) left = { at: first.piece.upTo, until: claimed + CLAIM_MS }
        count += outcomes.length
      }
    } finally {
      await Promise.allSettled(onTheWay.map(({ sent }) => sent))
    }
  }
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
