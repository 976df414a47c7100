/**
 * The profile of each user in the SQLite file: the contract ProfileStore. Beside the document stand its machine lines,
 * and hashes, not texts, of the lines that the user took out.
 */
import type { NewProfileLine, ProfileStore, Telling } from '../../../domain/contracts/profile-store.ts'
import type { Connection } from '../file/connection.ts'
import { noteWipeDue, reclaim } from '../file/reclaim.ts'
import { isoTime, json, jsonStrings, number, type Row, text, time, timeOrNull } from '../file/rows.ts'
import type { Users } from '../file/users.ts'
import {
  EMPTY,
  editedProfile,
  extendedProfile,
  type LeftLines,
  type MachineLine,
  machineLineOf,
  profileLeft,
  profileOf,
  type StoredProfile,
  takenBack,
  withoutMemory,
} from './profile-changes.ts'

/** The store over an open, migrated database. */
export function sqliteProfileStore(connection: Connection, users: Users): ProfileStore {
  const read = (userNo: number | undefined): StoredProfile =>
    userNo === undefined ? EMPTY : connection.read(() => readProfile(connection, userNo))
  /** The number of lines that go. */
  const leave = (userId: string, at: number, left: (profile: StoredProfile) => LeftLines): number => {
    const userNo = users.find(userId)
    if (userNo === undefined || read(userNo).machine.length === 0) return 0
    return connection.write(() => {
      const before = readProfile(connection, userNo)
      const { kept, gone } = left(before)
      if (gone.length === 0 && kept.every((line, index) => line === before.machine[index])) return 0
      writeProfile(connection, userNo, profileLeft(before, { kept, gone }, at))
      noteWipeDue(connection)
      return gone.length
    })
  }
  return {
    get: async (userId) => profileOf(read(users.find(userId))),

    setText: async (userId, document, at) =>
      connection.write(() => {
        const userNo = users.ensure(userId)
        const edited = editedProfile(readProfile(connection, userNo), document, at)
        writeProfile(connection, userNo, edited)
        noteWipeDue(connection)
        return profileOf(edited)
      }),

    addLines: async (userId, lines, at) => {
      const known = read(users.find(userId))
      if (extendedProfile(known, lines, at).profile === known) return []
      return connection.write(() => addLinesTo(connection, users.ensure(userId), lines, at))
    },

    clear: async (userId, at) => void leave(userId, at, ({ machine }) => ({ kept: [], gone: machine })),

    takeBack: async (userId, taken, at) => leave(userId, at, ({ machine }) => takenBack(machine, taken)),

    remove: async (userId) =>
      users.of(userId, false, async (userNo) => {
        const sql = 'DELETE FROM profiles WHERE user_no = ?'
        const removed = connection.write(() => connection.run(sql, userNo).changes > 0)
        if (removed) await reclaim(connection)
        return removed
      }),
  }
}

const READ = 'SELECT document, machine_lines, unwanted, updated_at, edited_at FROM profiles WHERE user_no = ?'
const READ_SOURCES = `SELECT item, telling, origin, source, turn FROM sources WHERE user_no = ? AND kind = 'line'
  ORDER BY CAST(item AS INTEGER), telling, source, turn`
const WRITE = `INSERT INTO profiles (user_no, document, machine_lines, unwanted, updated_at, edited_at)
  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (user_no) DO UPDATE SET document = excluded.document,
  machine_lines = excluded.machine_lines, unwanted = excluded.unwanted, updated_at = excluded.updated_at,
  edited_at = excluded.edited_at`
const OF_MEMORY = `user_no = ? AND kind = 'line' AND origin = 'memory' AND source = ?`

/** The profile; an empty one where there is none. */
function readProfile(connection: Connection, userNo: number): StoredProfile {
  const row = connection.get(READ, userNo)
  if (row === undefined) return EMPTY
  const machine = json(row, 'machine_lines')
  const tellings = tellingsOf(connection.all(READ_SOURCES, userNo))
  return {
    document: text(row, 'document'),
    machine: (Array.isArray(machine) ? machine.flatMap(machineLineOf) : []).map((line) => ({
      ...line,
      tellings: tellings.get(line.id) ?? [],
    })),
    unwanted: jsonStrings(row, 'unwanted'),
    updatedAt: time(row, 'updated_at'),
    editedAt: timeOrNull(row, 'edited_at'),
  }
}

/** Writes the profile with the tellings of its lines. Call it inside a write. */
function writeProfile(connection: Connection, userNo: number, profile: StoredProfile): void {
  const { document, machine, unwanted, updatedAt, editedAt } = profile
  const times = [isoTime(updatedAt ?? 0), editedAt === null ? null : isoTime(editedAt)]
  const lines = machine.map(({ tellings: _, ...line }) => line)
  connection.run(WRITE, userNo, document, JSON.stringify(lines), JSON.stringify(unwanted), ...times)
  connection.run(`DELETE FROM sources WHERE user_no = ? AND kind = 'line'`, userNo)
  for (const line of machine)
    for (const source of sourcesOf(line)) connection.run(INSERT_SOURCE, userNo, String(line.id), ...source)
}

/** See `ProfileStore.addLines`. Call it inside a write. */
export function addLinesTo(
  connection: Connection,
  userNo: number,
  lines: readonly NewProfileLine[],
  at: number,
): readonly NewProfileLine[] {
  const before = readProfile(connection, userNo)
  const { profile, added } = extendedProfile(before, lines, at)
  if (profile !== before) writeProfile(connection, userNo, profile)
  return added
}

/** Removes the lines that only this memory tells; true when it told any. Call it inside a write. */
export function dropLinesOf(connection: Connection, userNo: number, memoryId: string, at: number): boolean {
  if (connection.get(`SELECT 1 FROM sources WHERE ${OF_MEMORY}`, userNo, memoryId) === undefined) return false
  const before = readProfile(connection, userNo)
  writeProfile(connection, userNo, profileLeft(before, withoutMemory(before.machine, memoryId), at))
  noteWipeDue(connection)
  return true
}

/**
 * Passes the lines of these memories on to `heir`, or, where it is null, takes the memories out of their sources. Call
 * it inside a write.
 */
export function passLinesOn(connection: Connection, userNo: number, ids: readonly string[], heir: string | null): void {
  for (const id of ids) {
    if (heir !== null) connection.run(`UPDATE OR IGNORE sources SET source = ? WHERE ${OF_MEMORY}`, heir, userNo, id)
    connection.run(`DELETE FROM sources WHERE ${OF_MEMORY}`, userNo, id)
  }
}

function tellingsOf(rows: readonly Row[]): ReadonlyMap<number, readonly Telling[]> {
  const found = new Map<number, Map<number, Telling>>()
  for (const row of rows) {
    const [item, at, source, turn] = [
      Number(text(row, 'item')),
      number(row, 'telling'),
      text(row, 'source'),
      number(row, 'turn'),
    ]
    const tellings = found.get(item) ?? new Map<number, Telling>()
    const known = tellings.get(at)
    const telling: Telling =
      text(row, 'origin') === 'memory'
        ? { memoryIds: [...(known !== undefined && 'memoryIds' in known ? known.memoryIds : []), source] }
        : {
            conversationId: source,
            turnIds: [
              ...(known !== undefined && 'turnIds' in known ? known.turnIds : []),
              ...(turn === 0 ? [] : [turn]),
            ],
          }
    found.set(item, tellings.set(at, telling))
  }
  return new Map([...found].map(([item, tellings]) => [item, [...tellings.values()]]))
}

const INSERT_SOURCE = `INSERT OR IGNORE INTO sources (user_no, kind, item, telling, origin, source, turn)
  VALUES (?, 'line', ?, ?, ?, ?, ?)`

/** Telling, origin, source and turn of each. */
function sourcesOf({ tellings }: MachineLine): readonly (readonly [number, string, string, number])[] {
  return tellings.flatMap((telling, at): readonly (readonly [number, string, string, number])[] =>
    'memoryIds' in telling
      ? telling.memoryIds.map((memoryId) => [at, 'memory', memoryId, 0])
      : (telling.turnIds.length === 0 ? [0] : telling.turnIds).map((turnId) => [
          at,
          'turn',
          telling.conversationId,
          turnId,
        ]),
  )
}
