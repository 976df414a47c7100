/** Makes a segment of a user's tail, in one transaction. Readers of other processes see it by the raised version. */
import type { Connection } from '../connection.ts'
import { number } from '../rows.ts'
import { ChunkWriter, readDirectory } from './chunk-table.ts'
import { segmentColumns } from './columns.ts'
import { encodePairs } from './postings.ts'
import { closeSegment, insertSegment, raiseIndexVersion, type Segment } from './segment-table.ts'
import { termKey } from './term-key.ts'
import type { UserIndex } from './user-index.ts'

/** The tail becomes a segment at this size: small enough to be quick to write, large enough to be worth a segment. */
export const FLUSH_AT_TURNS = 512

/** Writes the tail as a segment; nothing happens when it is empty. */
export function flushTail(connection: Connection, index: UserIndex): void {
  const written = connection.write(() => {
    index.sync()
    if (index.tailSize === 0) return null
    const segment = writeSegment(connection, index)
    return { segment, version: raiseIndexVersion(connection, index.userNo) }
  })
  if (written !== null) index.tailBecame(written.segment, written.version)
}

function writeSegment(connection: Connection, index: UserIndex): Segment {
  const { columns, tailStart, tailSize } = index
  const stored = segmentColumns(tailSize)
  const speakerNos = index.speakers.map((name) => (name === '' ? 0 : speakerNo(connection, index.userNo, name)))
  for (let at = 0; at < tailSize; at += 1) {
    const ordinal = tailStart + at
    stored.row[at] = columns.row[ordinal]!
    stored.createdAt[at] = columns.createdAt[ordinal]!
    stored.conversationNo[at] = index.conversationNos[columns.conversation[ordinal]!]!
    stored.number[at] = columns.number[ordinal]!
    stored.speakerNo[at] = speakerNos[columns.speaker[ordinal]!] ?? 0
    stored.length[at] = columns.length[ordinal]!
    stored.role[at] = columns.role[ordinal]!
    stored.flags[at] = columns.flags[ordinal]!
  }
  const facts = { documents: tailSize, firstRow: stored.row[0]!, lastRow: stored.row[tailSize - 1]! }
  const segmentNo = insertSegment(connection, index.userNo, facts, null)
  const writer = new ChunkWriter(connection, segmentNo)
  const lists = Array.from(index.tail, ([term, list]) => ({ key: termKey(term), list }))
  for (const { key, list } of lists.sort((a, b) => a.key - b.key))
    writer.add({ term: key, bytes: encodePairs(list, tailStart) })
  const written = writer.close()
  closeSegment(connection, segmentNo, stored.blob, written)
  return { segmentNo, directory: readDirectory(written.directory), filter: written.filter, ...facts }
}

function speakerNo(connection: Connection, userNo: number, name: string): number {
  const row = connection.get('SELECT speaker_no FROM speakers WHERE user_no = ? AND name = ?', userNo, name)
  if (row !== undefined) return number(row, 'speaker_no')
  return connection.run('INSERT INTO speakers (user_no, name) VALUES (?, ?)', userNo, name).lastInsertRowid
}
