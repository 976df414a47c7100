/** Builds a user's chunks anew from the vectors themselves, in pieces. Stopped half-way it can be run again. */

import { breathe } from '../../../domain/pieces.ts'
import type { Connection } from '../connection.ts'
import { writePatiently } from '../patient.ts'
import { readSpace } from './spaces.ts'
import { flushOne } from './write.ts'

const CHUNKS_A_PIECE = 16

/** Rebuilds the chunks; vectors in no chunk belong to the tail, so that searches in between are right, only slower. */
export async function rebuildChunks(connection: Connection, userNo: number, signal?: AbortSignal): Promise<void> {
  const space = readSpace(connection)
  if (space === undefined) return
  await writePatiently(connection, () => {
    connection.run('DELETE FROM vector_chunks WHERE user_no = ? AND chunk_no >= ?', userNo, BigInt(space.firstChunk))
    connection.run(
      `UPDATE vector_users SET epoch = epoch + 1, tail_version = tail_version + 1, flushed_to = ?2,
         vectors = (SELECT count(*) FROM vectors WHERE user_no = ?1 AND vector_no > ?2) WHERE user_no = ?1`,
      userNo,
      BigInt(space.firstVector - 1),
    )
  })
  let more = true
  while (more) {
    more = await writePatiently(connection, () => {
      const now = readSpace(connection)
      if (now?.spaceNo !== space.spaceNo) return false
      for (let done = 0; done < CHUNKS_A_PIECE; done += 1) if (!flushOne(connection, userNo, space)) return false
      return true
    })
    await breathe(signal)
  }
}
