/** Are the rows under this store's id still this file's? Each copy of a file sets seals of its own. */
import { randomInt } from 'node:crypto'
import type { MirrorSeal, VectorMirror, VectorOutbox } from '../../../domain/contracts/vector-mirror.ts'

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
