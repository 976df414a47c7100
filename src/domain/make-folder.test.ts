import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshFolder } from '../../test/support/folder.ts'
import { makeFolder } from './make-folder.ts'

test('a folder is made with those above it, once', () => {
  const folder = join(freshFolder(), 'a', '二', 'c')
  makeFolder(folder)
  makeFolder(folder)
  expect(existsSync(folder)).toBe(true)
})

test.skipIf(!existsSync('/proc/self'))('a folder that cannot be made is one error, below /proc too', () => {
  const error = { code: 'storage_failed', message: expect.stringContaining('/proc/nothing') }
  expect(() => makeFolder('/proc/nothing/deeper')).toThrow(expect.objectContaining(error))
})
