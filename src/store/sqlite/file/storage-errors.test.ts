import { closeSync, readSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MnemeError } from '../../../domain/errors.ts'
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
