import { chmodSync, closeSync, readSync } from 'node:fs'
import { dirname } from 'node:path'
import { expect, test } from 'vitest'
import { freshDatabase } from '../../../../test/support/folder.ts'
import { MnemeError } from '../../../domain/errors.ts'
import { Connection } from './connection.ts'
import { storageError } from './storage-errors.ts'

test('what the file system refuses of our own work on the file is said as what SQLite meets', () => {
  const refused = (code: string): unknown => Object.assign(new Error(`${code}: write`), { code, syscall: 'write' })
  const codes = ['EIO', 'ENOSPC', 'EROFS'].map((code) => (storageError(refused(code), '/a.db') as MnemeError).code)
  expect(codes).toEqual(['storage_failed', 'storage_full', 'storage_read_only'])
  for (const work of [() => closeSync(99_999), () => readSync(99_999, Buffer.alloc(1))])
    try {
      work()
    } catch (error) {
      expect(storageError(error, '/a.db')).toBeInstanceOf(MnemeError)
    }
  const other = new TypeError('ours')
  expect(storageError(other, '/a.db')).toBe(other)
})

test.skipIf(process.getuid?.() === 0 || process.platform === 'win32')(
  'a folder without the right to write is said to be one',
  () => {
    const path = freshDatabase()
    const open = (): Connection => new Connection(path)
    open().close()
    chmodSync(dirname(path), 0o500)
    expect(open).toThrow(
      expect.objectContaining({ code: 'storage_read_only', message: expect.stringContaining('EACCES') }),
    )
    chmodSync(dirname(path), 0o700)
  },
)
