/** The SQL of index segments: immutable stretches of one user's index, oldest first. */
import type { Connection } from '../connection.ts'
import { bytes, number } from '../rows.ts'
import { type Directory, readDirectory, type WrittenChunks } from './chunk-table.ts'

/** A segment without its contents. */
export interface Segment {
  readonly segmentNo: number
  readonly directory: Directory
  /** See term-filter. */
  readonly filter: Uint8Array
  readonly documents: number
  readonly firstRow: number
  readonly lastRow: number
}

/** Segments of a user that may be read, in order of arrival. */
export function readSegments(connection: Connection, userNo: number): readonly Segment[] {
  return connection
    .all(
      `SELECT segment_no, documents, first_row, last_row, directory, filter FROM index_segments
       WHERE user_no = ? AND building = 0 ORDER BY first_row`,
      userNo,
    )
    .map((row) => ({
      segmentNo: number(row, 'segment_no'),
      directory: readDirectory(bytes(row, 'directory')),
      filter: bytes(row, 'filter'),
      documents: number(row, 'documents'),
      firstRow: number(row, 'first_row'),
      lastRow: number(row, 'last_row'),
    }))
}

/** The columns of a segment as they are stored. */
export function readColumnsBlob(connection: Connection, segmentNo: number): Uint8Array {
  const row = connection.get('SELECT turn_columns FROM index_segments WHERE segment_no = ?', segmentNo)
  if (row === undefined) throw new Error(`index segment ${segmentNo} is gone`)
  return bytes(row, 'turn_columns')
}

/** What is known of a segment before its chunks are written. */
export type SegmentFacts = Omit<Segment, 'segmentNo' | 'directory' | 'filter'>

/** Writes a segment's row; the directory follows by `closeSegment`. Returns its number. */
export function insertSegment(
  connection: Connection,
  userNo: number,
  segment: SegmentFacts,
  building: { readonly since: string } | null,
): number {
  return connection.run(
    `INSERT INTO index_segments (user_no, building, building_since, documents, first_row, last_row, turn_columns,
       directory, filter) VALUES (?, ?, ?, ?, ?, ?, x'', x'', x'')`,
    userNo,
    building === null ? 0 : 1,
    building?.since ?? null,
    segment.documents,
    segment.firstRow,
    segment.lastRow,
  ).lastInsertRowid
}

/** Makes a segment readable: its columns, its directory and its filter are whole. */
export function closeSegment(
  connection: Connection,
  segmentNo: number,
  columns: Uint8Array,
  { directory, filter }: WrittenChunks,
): void {
  connection.run(
    `UPDATE index_segments SET building = 0, building_since = NULL, turn_columns = ?, directory = ?, filter = ?
     WHERE segment_no = ?`,
    columns,
    directory,
    filter,
    segmentNo,
  )
}

/** Replaces the columns of a segment (after a removal). */
export function updateColumns(connection: Connection, segmentNo: number, columns: Uint8Array): void {
  connection.run('UPDATE index_segments SET turn_columns = ? WHERE segment_no = ?', columns, segmentNo)
}

/** Removes segments with everything in them. */
export function deleteSegments(connection: Connection, segmentNos: readonly number[]): void {
  for (const segmentNo of segmentNos) {
    connection.run('DELETE FROM index_chunks WHERE segment_no = ?', segmentNo)
    connection.run('DELETE FROM index_segments WHERE segment_no = ?', segmentNo)
  }
}

/** Says to every process that the user's segments are others now; returns the new version. */
export function raiseIndexVersion(connection: Connection, userNo: number): number {
  const row = connection.get(
    'UPDATE users SET index_version = index_version + 1 WHERE user_no = ? RETURNING index_version',
    userNo,
  )
  return row === undefined ? 0 : number(row, 'index_version')
}
