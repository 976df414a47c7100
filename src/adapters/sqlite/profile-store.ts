/**
 * The profile of each user in the SQLite file: the contract ProfileStore. The document is kept as the user sees it;
 * beside it stands which of its lines are the machine's, and hashes, not texts, of those that the user took out.
 */
import type { ProfileStore } from '../../contracts/profile-store.ts'
import type { Connection, Row } from './connection.ts'
import { reclaim } from './log/reclaim.ts'
import {
  EMPTY,
  editedProfile,
  extendedProfile,
  profileOf,
  revisedProfile,
  type StoredProfile,
  withoutMachineLines,
} from './profile-changes.ts'
import { machineLineOf, takenBack } from './profile-lines.ts'
import { isoTime, json, jsonStrings, text, time, timeOrNull } from './rows.ts'
import type { Users } from './users.ts'
import { noteWipeDue } from './wipe-due.ts'

const READ = 'SELECT document, machine_lines, unwanted, updated_at, edited_at FROM profiles WHERE user_no = ?'
const WRITE = `INSERT INTO profiles (user_no, document, machine_lines, unwanted, updated_at, edited_at)
  VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (user_no) DO UPDATE SET document = excluded.document,
  machine_lines = excluded.machine_lines, unwanted = excluded.unwanted, updated_at = excluded.updated_at,
  edited_at = excluded.edited_at`

/** The store over an open, migrated database. */
export function sqliteProfileStore(connection: Connection, users: Users): ProfileStore {
  const read = (userNo: number | undefined): StoredProfile => {
    const row = userNo === undefined ? undefined : connection.get(READ, userNo)
    return row === undefined ? EMPTY : storedProfileOf(row)
  }
  const write = (userNo: number, { document, machine, unwanted, updatedAt, editedAt }: StoredProfile): void => {
    const times = [isoTime(updatedAt ?? 0), editedAt === null ? null : isoTime(editedAt)]
    connection.run(WRITE, userNo, document, JSON.stringify(machine), JSON.stringify(unwanted), ...times)
  }
  return {
    get: async (userId) => profileOf(read(users.find(userId))),

    setText: async (userId, document, at) =>
      connection.write(() => {
        const userNo = users.ensure(userId)
        const edited = editedProfile(read(userNo), document, at)
        write(userNo, edited)
        noteWipeDue(connection)
        return profileOf(edited)
      }),

    addLines: async (userId, lines, at) => {
      const known = read(users.find(userId))
      if (extendedProfile(known, lines, at).profile === known) return []
      return connection.write(() => {
        const userNo = users.ensure(userId)
        const before = read(userNo)
        const { profile, added } = extendedProfile(before, lines, at)
        if (profile !== before) write(userNo, profile)
        return added
      })
    },

    revise: async (userId, revise, at) => {
      const userNo = users.find(userId)
      if (userNo === undefined || read(userNo).machine.length === 0) return 0
      return connection.write(() => {
        const { profile, changed } = revisedProfile(read(userNo), revise, at)
        if (changed === 0) return 0
        write(userNo, profile)
        noteWipeDue(connection)
        return changed
      })
    },

    takeBack: async (userId, taken, at) => {
      const userNo = users.find(userId)
      if (userNo === undefined) return 0
      return connection.write(() => {
        const before = read(userNo)
        const { kept, gone } = takenBack(before.machine, taken)
        if (gone.length === 0 && kept.every((line, index) => line === before.machine[index])) return 0
        const left = { ...withoutMachineLines(before, gone), machine: kept }
        write(userNo, gone.length === 0 ? left : { ...left, updatedAt: at })
        noteWipeDue(connection)
        return gone.length
      })
    },

    remove: async (userId) => {
      const userNo = users.find(userId)
      if (userNo === undefined) return false
      const sql = 'DELETE FROM profiles WHERE user_no = ?'
      const removed = connection.write(() => connection.run(sql, userNo).changes > 0)
      if (removed) await reclaim(connection)
      return removed
    },
  }
}

function storedProfileOf(row: Row): StoredProfile {
  const machine = json(row, 'machine_lines')
  return {
    document: text(row, 'document'),
    machine: Array.isArray(machine) ? machine.flatMap(machineLineOf) : [],
    unwanted: jsonStrings(row, 'unwanted'),
    updatedAt: time(row, 'updated_at'),
    editedAt: timeOrNull(row, 'edited_at'),
  }
}
