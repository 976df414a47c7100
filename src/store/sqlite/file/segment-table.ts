/** The SQL of index segments: the contract SegmentTable over one set of tables, for turns and for memories. */
import { isoTimeOrNull } from '../../../domain/clock.ts'
import type {
  Hole,
  IndexState,
  SegmentFacts,
  SegmentTable,
  StoredConversation,
  StoredSegment,
} from '../../../domain/contracts/text-index.ts'
import { type Connection, raw, sql } from './connection.ts'
import { bytes, number, recordOf, time } from './rows.ts'
import { writeWhenFree } from './wait-for-lock.ts'

/** The tables of the segments of one kind of document. */
export interface SegmentPlaces {
  readonly segments: string
  readonly chunks: string
  /** The kind of their holes in `index_holes`, and of the column of `users` that counts them. */
  readonly kind: 'turn' | 'memory'
  readonly holes: string
  readonly columns: string
  /** The column of `users` that holds the version of their segments. */
  readonly version: string
  /** Documents of a user (?1) numbered above another (?2), for counting. */
  readonly countAfter: string
  /** true: holes are noted by triggers. */
  readonly notesHoles: boolean
}

/** States of a segment in the column `building`; those that programs before wrote with less lie beside, unread. */
export const READABLE = 4
const BEING_WRITTEN = 5

const CONVERSATIONS = `SELECT conversation_no, public_id, project_root, summarized_to, is_muted FROM conversations
  WHERE user_no = ?`

/** Drops the segments that programs before wrote. */
export function dropUnreadable(connection: Connection): void {
  for (const kind of ['index', 'memory'])
    connection.write(() => {
      const unreadable = `SELECT segment_no FROM ${kind}_segments WHERE building < ${READABLE}`
      connection.run(`DELETE FROM ${kind}_chunks WHERE segment_no IN (${unreadable})`)
      connection.run(`DELETE FROM ${kind}_segments WHERE building < ${READABLE}`)
    })
}

/** The table without its documents, which the kind's own code reads. */
export function sqliteSegmentTable(
  connection: Connection,
  places: SegmentPlaces,
): Omit<SegmentTable<never>, 'documentsAfter'> {
  const { segments, chunks, kind, holes, columns, version } = places
  return {
    owner: (userId) => connection.users.find(userId),
    stamp: () => connection.stamp(),
    read: (work) => connection.read(work),
    write: (work) => connection.write(work),
    writeWhenFree: (work) => writeWhenFree(connection, work),
    state: (owner) =>
      connection.one(
        STATE.of,
        sql`SELECT ${raw(version)} AS version, change_no, ${raw(holes)} AS hole_no FROM users WHERE user_no = ${owner}`,
      ) ?? { version: 0, holeNo: 0, changeNo: 0 },
    countAfter: (owner, after, most) =>
      connection.count(`SELECT count(*) FROM (${places.countAfter} LIMIT ?3)`, owner, after, most),
    holesAfter: (owner, holeNo) =>
      connection
        .all(sql`SELECT ${raw(HOLE.named())} FROM index_holes WHERE kind = ${kind} AND user_no = ${owner}
          AND hole_no > ${holeNo} ORDER BY hole_no`)
        .map(HOLE.of),
    addHoles: (owner, documents) => {
      if (!places.notesHoles)
        for (const document of documents) {
          connection.run(`UPDATE users SET ${holes} = ${holes} + 1 WHERE user_no = ?`, owner)
          connection.run(sql`INSERT INTO index_holes (kind, user_no, hole_no, document)
             SELECT ${kind}, user_no, ${raw(holes)}, ${document} FROM users WHERE user_no = ${owner}`)
        }
    },
    countHoles: (owner, after, most) =>
      connection.count(sql`SELECT count(*) FROM (SELECT 1 FROM index_holes
        WHERE kind = ${kind} AND user_no = ${owner} AND document > ${after} LIMIT ${most})`),
    dropHoles: (owner, first, last, holeNo) =>
      connection.run(sql`DELETE FROM index_holes WHERE kind = ${kind} AND user_no = ${owner}
        AND document BETWEEN ${first} AND ${last} AND hole_no <= ${holeNo}`).changes,
    conversations: (owner, changeNo) =>
      connection.lists(`${CONVERSATIONS} AND change_no > ?`, owner, changeNo).map(conversationOf),
    conversation: (owner, conversationNo) =>
      connection.lists(`${CONVERSATIONS} AND conversation_no = ?`, owner, conversationNo).map(conversationOf)[0],

    segments: (owner) =>
      connection
        .all(
          `SELECT ${SEGMENT.named()} FROM ${segments} WHERE user_no = ? AND building = ${READABLE} ORDER BY first_row`,
          owner,
        )
        .map(SEGMENT.of),
    lastDocument: (owner) =>
      connection.count(`SELECT max(last_row) FROM ${segments} WHERE user_no = ? AND building = ${READABLE}`, owner),
    columns: (segmentNo) => {
      const row = connection.get(`SELECT ${columns} AS columns FROM ${segments} WHERE segment_no = ?`, segmentNo)
      if (row === undefined) throw new Error(`index segment ${segmentNo} is gone`)
      return bytes(row, 'columns')
    },
    building: (owner) =>
      connection.one(
        BUILDING.of,
        `SELECT ${BUILDING.named()} FROM ${segments} WHERE user_no = ? AND building = ${BEING_WRITTEN}`,
        owner,
      ),
    insertSegment: (owner, { documents, firstDocument, lastDocument }: SegmentFacts, since) =>
      connection.run(sql`INSERT INTO ${raw(segments)} (user_no, building, building_since, documents, first_row,
        last_row, ${raw(columns)},
           directory, filter) VALUES (${owner}, ${BEING_WRITTEN}, ${isoTimeOrNull(since)},
           ${documents}, ${firstDocument}, ${lastDocument}, x'', x'', x'')`).lastInsertRowid,
    closeSegment: (segmentNo, stored, directory, filter) => {
      connection.run(sql`UPDATE ${raw(segments)} SET building = ${READABLE}, building_since = NULL,
        ${raw(columns)} = ${stored}, directory = ${directory}, filter = ${filter} WHERE segment_no = ${segmentNo}`)
    },
    deleteSegments: (segmentNos) => {
      for (const segmentNo of segmentNos) {
        connection.run(`DELETE FROM ${chunks} WHERE segment_no = ?`, segmentNo)
        connection.run(`DELETE FROM ${segments} WHERE segment_no = ?`, segmentNo)
      }
    },
    raiseVersion: (owner) =>
      connection.count(`UPDATE users SET ${version} = ${version} + 1 WHERE user_no = ? RETURNING ${version}`, owner),

    chunk: (row) =>
      connection.one((row) => bytes(row, 'lists'), `SELECT lists FROM ${chunks} WHERE chunk_no = ?`, row) ?? undefined,
    insertChunk: (segmentNo, lists) =>
      connection.run(`INSERT INTO ${chunks} (segment_no, lists) VALUES (?, ?)`, segmentNo, lists).lastInsertRowid,
    updateChunk: (row, lists) => {
      if (lists === null) connection.run(`DELETE FROM ${chunks} WHERE chunk_no = ?`, row)
      else connection.run(`UPDATE ${chunks} SET lists = ? WHERE chunk_no = ?`, lists, row)
    },
  }
}

const STATE = recordOf<IndexState>({ version: number, holeNo: number, changeNo: number })
const HOLE = recordOf<Hole>({ holeNo: number, document: number })
const BUILDING = recordOf<NonNullable<ReturnType<SegmentTable<never>['building']>>>({
  segmentNo: number,
  since: ['building_since', time],
})
const SEGMENT = recordOf<StoredSegment>({
  ...{ segmentNo: number, documents: number, firstDocument: ['first_row', number], lastDocument: ['last_row', number] },
  ...{ directory: bytes, filter: bytes },
})

function conversationOf([no, id, root, summarizedTo, isMuted]: readonly unknown[]): StoredConversation {
  return {
    conversationNo: Number(no),
    conversationId: String(id),
    projectRoot: String(root),
    summarizedTo: Number(summarizedTo),
    isMuted: isMuted === 1,
  }
}
