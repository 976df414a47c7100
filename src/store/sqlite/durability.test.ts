import { expect, test } from 'vitest'
import { freshDatabase } from '../../../test/support/folder.ts'
import { openDatabase } from './file/open-database.ts'

test('full durability syncs every commit, and the usual one the log at its checkpoints', () => {
  const path = freshDatabase()
  const synchronous = (full: boolean): unknown => {
    const connection = openDatabase(path, { create: true, full })
    try {
      return connection.get('PRAGMA synchronous')?.synchronous
    } finally {
      connection.close()
    }
  }
  // SQLite's numbers: 1 is NORMAL, 2 is FULL.
  expect([synchronous(false), synchronous(true), synchronous(false)]).toEqual([1, 2, 1])
})
