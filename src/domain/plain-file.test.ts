import { execFileSync } from 'node:child_process'
import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshFolder } from '../../test/support/folder.ts'
import { notOurOwn, readPlain, replaceFile, saidOfFile, writeAside } from './plain-file.ts'

test.skipIf(process.platform === 'win32')('what may never end is not read, and what is piped has an end', () => {
  const pipe = join(freshFolder(), 'pipe')
  execFileSync('mkfifo', [pipe])
  for (const path of [pipe, '/dev/zero'])
    expect(() => readPlain(path)).toThrow(expect.objectContaining({ code: 'storage_failed', place: path }))
  expect(() => readPlain('/dev/zero', { piped: true })).toThrow('more than 67108864 bytes')
})

test.skipIf(process.platform === 'win32')('nothing is written through what lies in the place of the new file', () => {
  const folder = freshFolder()
  const [pipe, link] = [join(folder, 'pipe'), join(folder, 'link')]
  execFileSync('mkfifo', [pipe])
  writeFileSync(join(folder, 'precious'), 'kept')
  symlinkSync('precious', link)
  for (const aside of [pipe, link]) {
    writeAside(aside, '新的', 0o600)
    expect(readFileSync(aside, 'utf8')).toBe('新的')
    expect(lstatSync(aside).mode & 0o777).toBe(0o600)
  }
  expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('kept')
})

test('a database is no place for an export, whoever keeps it; what cannot be one is', () => {
  const folder = freshFolder()
  const [foreign, text] = [join(folder, 'foreign.db'), join(folder, 'text')]
  writeFileSync(foreign, `SQLite format 3\0${'\x07'.repeat(100)}`)
  writeFileSync(text, 'SQLite format 3 is what it is called.')
  symlinkSync(foreign, join(folder, 'link'))
  for (const path of [foreign, join(folder, 'link')])
    expect(() => notOurOwn('--output', path, null)).toThrow(
      expect.objectContaining({ code: 'invalid_input', field: '--output' }),
    )
  for (const path of [text, folder, join(folder, 'none')]) expect(notOurOwn('--output', path, null)).toBe(path)
})

test('a file that cannot be replaced is named, stays as it was, and leaves nothing beside it', () => {
  const folder = freshFolder()
  const path = join(folder, 'settings')
  replaceFile(path, 'one')
  replaceFile(path, 'two')
  expect(readFileSync(path, 'utf8')).toBe('two')
  const taken = join(folder, 'taken')
  mkdirSync(taken)
  expect(() => replaceFile(taken, 'three')).toThrow(
    expect.objectContaining({ code: 'storage_failed', message: expect.stringContaining(taken) }),
  )
  expect(readdirSync(folder).sort()).toEqual(['settings', 'taken'])
})

test('what the file system refuses somewhere is said of its file, and nothing else is', () => {
  const refused = (() => {
    try {
      return statSync(join(freshFolder(), 'x'.repeat(5000)))
    } catch (error) {
      return saidOfFile(error)
    }
  })()
  expect(refused).toMatchObject({ code: 'storage_failed', message: expect.stringContaining('ENAMETOOLONG') })
  const failed = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO', syscall: 'read' })
  expect(saidOfFile(failed)).toMatchObject({ code: 'storage_failed', message: expect.stringContaining('EIO') })
  for (const other of [new TypeError('ours'), Object.assign(new Error(), { code: 'ECONNRESET', syscall: 'read' })])
    expect(saidOfFile(other)).toBe(other)
})
