/**
 * The profile of each user in the SQLite file: the contract ProfileStore. Beside the document stand its machine lines,
 * and hashes, not texts, of the lines that the user took out.
 */
import type { ProfileStore } from '../../domain/contracts/profile-store.ts'
import type { Connection } from './connection.ts'
import { reclaim } from './log/reclaim.ts'
import { EMPTY, editedProfile, extendedProfile, profileLeft, profileOf, type StoredProfile } from './profile-changes.ts'
import { type LeftLines, takenBack } from './profile-lines.ts'
import { addLinesTo, readProfile, writeProfile } from './profile-table.ts'
import type { Users } from './users.ts'
import { noteWipeDue } from './wipe-due.ts'

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
