/** How are a collection's rows found and removed? By our own ids, and by those of Milvus. */

import type { MirrorRow, WholeMirrorRow } from '../../domain/contracts/vector-mirror.ts'
import { MnemeError } from '../../domain/errors.ts'
import { ask, type CollectionPlace, list } from './collection.ts'
import { type MilvusCollections, NO_SEAL, PARTS, partOf, type UsedCollection } from './collections.ts'
import { literals } from './expression.ts'
import { fieldsOf, mirrorRowOf, WHOLE_FIELDS, wholeRowOf } from './read-row.ts'
import type { SdkAnswer } from './sdk.ts'
import type { SentRow } from './write-row.ts'

/** Ids named in one expression. */
const IDS_A_CALL = 500
/** Rows read in one call when all are read. */
const ROWS_A_PIECE = 500

/** The rows of these ids as of now, in the SDK's form, with these fields (at least those of mirrorRowOf). */
export async function findRows(
  collections: MilvusCollections,
  keys: readonly Pick<MirrorRow, 'userId' | 'id'>[],
  fields: readonly string[],
): Promise<readonly unknown[]> {
  const found: unknown[] = []
  const wanted = new Set(keys.map(({ userId, id }) => `${userId}\0${id}`))
  for (const part of PARTS) {
    const mine = keys.filter(({ id }) => partOf(id) === part)
    for (let from = 0; from < mine.length; from += IDS_A_CALL) {
      const piece = mine.slice(from, from + IDS_A_CALL)
      const users = literals(new Set(piece.map(({ userId }) => userId)))
      const filter = `user_id in ${users} and memory_id in ${literals(piece.map(({ id }) => id))}`
      const rows = await query(collections.use(part), 'look up vectors', { filter, output_fields: fields })
      found.push(
        ...rows.filter((row) => {
          const { userId, id } = mirrorRowOf(row)
          return wanted.has(`${userId}\0${id}`)
        }),
      )
    }
  }
  return found
}

/** See VectorMirror.allRows. */
export async function* allRows(
  collections: MilvusCollections,
  signal?: AbortSignal,
): AsyncGenerator<readonly WholeMirrorRow[]> {
  for (const part of PARTS) {
    let after = ''
    for (;;) {
      signal?.throwIfAborted()
      // Rows come in the order of their ids, which begin at 0 or above.
      const filter = `${after === '' ? 'id >= 0' : `id > ${after}`} and ${NO_SEAL}`
      const request = { filter, limit: ROWS_A_PIECE, output_fields: WHOLE_FIELDS }
      const rows = (await query(collections.use(part), 'read its rows', request)).map(wholeRowOf)
      if (rows.length === 0) break
      yield rows
      after = rows.at(-1)!.rowId
    }
  }
}

/** See VectorMirror.removeRows. */
export async function removeRows(
  collections: MilvusCollections,
  rows: readonly Pick<MirrorRow, 'rowId' | 'id'>[],
): Promise<void> {
  for (const part of PARTS) {
    const mine = rows.filter(({ id }) => partOf(id) === part).map(({ rowId }) => rowId)
    for (let from = 0; from < mine.length; from += IDS_A_CALL)
      await removeWhere(collections.use(part), `id in [${mine.slice(from, from + IDS_A_CALL).join(', ')}]`)
  }
}

/** Removes every row that the filter accepts. */
export async function removeWhere(at: UsedCollection, filter: string): Promise<void> {
  await ask(at, 'remove vectors', 'delete', { filter })
}

/** The rows that the filter accepts as of now, in the SDK's form. */
export async function query(at: UsedCollection, doing: string, request: object): Promise<readonly unknown[]> {
  return list((await ask(at, doing, 'query', { ...request, consistency_level: 'Strong' })).data)
}

/**
 * Bytes sent in one message, of which a busy Milvus works through some 2 MB a second (2,560 dimensions, docs/scale.md).
 * It takes 64 MB, and messages of 16 MB cost it a tenth less.
 */
const MESSAGE_BYTES = 4 * 1024 * 1024

/** The id of each row, in order. Rejects `vector_store_failed`; rows may have arrived all the same. */
export async function insertRows(at: CollectionPlace, rows: readonly SentRow[]): Promise<readonly string[]> {
  const ids: string[] = []
  for (const piece of pieces(rows)) {
    // A failed insert may have arrived, so the caller looks for it before it sends again.
    const answer = await ask(at, `store ${piece.length} vectors`, 'insert', { data: piece.map(sdkRow) }, { tries: 1 })
    const given = insertedIds(answer)
    if (given.length !== piece.length)
      throw new MnemeError(
        'vector_store_failed',
        `Milvus at ${at.place.shown} took ${given.length} of ${piece.length} vectors.`,
        { remedy: 'See the log of the Milvus server; Mneme tries again by itself.' },
      )
    ids.push(...given)
  }
  return ids
}

/** Rows that fit into one message each. */
function pieces(rows: readonly SentRow[]): readonly (readonly SentRow[])[] {
  const found: SentRow[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const row of rows) {
    const size = sizeOf(row)
    if (bytes + size > MESSAGE_BYTES) {
      found.push([])
      bytes = 0
    }
    found.at(-1)!.push(row)
    bytes += size
  }
  return found
}

/** An upper bound of the row's size. */
function sizeOf({ vector, user_id, chat_id, who, text, metadata, $meta }: SentRow): number {
  const texts = [user_id, chat_id, who, text, metadata, $meta]
  return texts.reduce((sum, one) => sum + Buffer.byteLength(one), vector.byteLength + 100)
}

/** The row as the SDK takes it: dynamic fields stand beside the others. */
function sdkRow({ $meta, metadata, vector, ...row }: SentRow): object {
  return { ...row, ...JSON.parse($meta), metadata: JSON.parse(metadata), vector: Array.from(vector) }
}

function insertedIds(answer: SdkAnswer): readonly string[] {
  const ids = fieldsOf(fieldsOf(answer.IDs).int_id).data
  return list(ids).map(String)
}
