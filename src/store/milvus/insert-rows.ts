/** How do rows get into a collection, and under which ids? A message stays well below what Milvus takes. */
import { MnemeError } from '../../domain/errors.ts'
import { called } from './call.ts'
import type { CollectionPlace } from './collection.ts'
import { callDirectly } from './direct-call.ts'
import { scalarColumns, withVectors } from './insert-message.ts'
import { fieldsOf } from './read-row.ts'
import { list } from './schema.ts'
import type { SdkAnswer, SdkClient } from './sdk.ts'
import type { SentRow } from './write-row.ts'

/**
 * Bytes sent in one message. Milvus takes 64 MB, but has to answer in time, and a busy one works through some 2 MB a second
 * (2,560 dimensions, docs/scale.md); messages of 16 MB cost it a tenth less.
 */
const MESSAGE_BYTES = 4 * 1024 * 1024

/** The id of each row, in order. Rejects `vector_store_failed`; rows may have arrived all the same. */
export async function insertRows(
  { client, place, options, name }: CollectionPlace,
  rows: readonly SentRow[],
): Promise<readonly string[]> {
  const ids: string[] = []
  const within = options.timeoutMs * 5
  for (const piece of pieces(rows)) {
    const answer = await called(
      place,
      `store ${piece.length} vectors`,
      within,
      () => send(client, name, piece, within),
      {
        // What failed may have arrived; who asked looks for it before it is sent again.
        tries: 1,
      },
    )
    const given = insertedIds(answer)
    if (given.length !== piece.length)
      throw new MnemeError(
        'vector_store_failed',
        `Milvus at ${place.shown} took ${given.length} of ${piece.length} vectors.`,
        { remedy: 'See the log of the Milvus server; Mneme tries again by itself.' },
      )
    ids.push(...given)
  }
  return ids
}

/** Rows that fit into one message each. */
export function pieces(rows: readonly SentRow[]): readonly (readonly SentRow[])[] {
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

/** At most. */
function sizeOf({ vector, user_id, chat_id, who, text, metadata, $meta }: SentRow): number {
  const texts = [user_id, chat_id, who, text, metadata, $meta]
  return texts.reduce((sum, one) => sum + Buffer.byteLength(one), vector.byteLength + 100)
}

async function send(
  client: SdkClient,
  collection: string,
  rows: readonly SentRow[],
  timeoutMs: number,
): Promise<SdkAnswer> {
  const request = { collection_name: collection, num_rows: rows.length, fields_data: scalarColumns(rows) }
  const answer = await callDirectly(client, 'Insert', (serialize) => withVectors(serialize(request), rows), timeoutMs)
  return answer ?? sendSlowly(client, collection, rows, timeoutMs)
}

/** By the SDK's own insert: for a version of it that keeps its connections to itself. */
function sendSlowly(
  client: SdkClient,
  collection: string,
  rows: readonly SentRow[],
  timeoutMs: number,
): Promise<SdkAnswer> {
  const data = rows.map(({ $meta, metadata, vector, ...row }) => ({
    ...row,
    ...JSON.parse($meta),
    metadata: JSON.parse(metadata),
    vector: Array.from(vector),
  }))
  return client.insert({ collection_name: collection, data, timeout: timeoutMs })
}

function insertedIds(answer: SdkAnswer): readonly string[] {
  const ids = fieldsOf(fieldsOf(answer.IDs).int_id).data
  return list(ids).map(String)
}
