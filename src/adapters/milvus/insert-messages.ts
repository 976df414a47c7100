/** Which rows go into one message, and which ids came back? A message stays well below what Milvus takes. */
import { fieldsOf } from './read-row.ts'
import { list } from './schema.ts'
import type { SdkAnswer } from './sdk.ts'
import type { SentRow } from './write-row.ts'

/** Bytes sent in one message; Milvus takes 64 MB. */
const MESSAGE_BYTES = 16 * 1024 * 1024

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

/** At most, for three bytes a character; small fields are guessed generously. */
function sizeOf(row: SentRow): number {
  const { vector, text, ...others } = row
  return 4 * list(vector).length + 3 * String(text).length + 3 * JSON.stringify(others).length
}

/** Ids of the rows of an insert, in order. */
export function insertedIds(answer: SdkAnswer): readonly string[] {
  const ids = fieldsOf(fieldsOf(answer.IDs).int_id).data
  return list(ids).map(String)
}
