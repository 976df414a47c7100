import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshFolder } from '../../../test/support/folder.ts'
import { writeWholeFile } from './commands/import-export.ts'

async function* pieces(): AsyncGenerator<string> {
  yield '第一行\n'
  yield 'second line\n'
}

test('a link stays a link, and the file behind it is replaced whole', async () => {
  const folder = freshFolder()
  writeFileSync(join(folder, 'file'), 'before')
  symlinkSync('file', join(folder, 'link'))
  await writeWholeFile(join(folder, 'link'), pieces())
  expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true)
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('第一行\nsecond line\n')
  expect(readdirSync(folder).sort()).toEqual(['file', 'link'])
  symlinkSync('new', join(folder, 'ahead'))
  await writeWholeFile(join(folder, 'ahead'), pieces())
  expect(lstatSync(join(folder, 'ahead')).isSymbolicLink()).toBe(true)
  expect(readFileSync(join(folder, 'new'), 'utf8')).toBe('第一行\nsecond line\n')
})

test.skipIf(process.platform === 'win32')(
  'a pipe is written into and stays a pipe; a device is not replaced',
  async () => {
    const folder = freshFolder()
    const pipe = join(folder, 'pipe')
    execFileSync('mkfifo', [pipe])
    const reader = spawn('cat', [pipe], { stdio: ['ignore', 'pipe', 'inherit'] })
    const closed = once(reader, 'close')
    let read = ''
    reader.stdout.on('data', (bytes) => {
      read += String(bytes)
    })
    await writeWholeFile(pipe, pieces())
    await closed
    expect(read).toBe('第一行\nsecond line\n')
    expect(lstatSync(pipe).isFIFO()).toBe(true)
    await writeWholeFile('/dev/null', pieces())
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true)
  },
)

test.skipIf(process.platform !== 'linux')('a pipe that the shell made and a link to it are written into', async () => {
  const folder = freshFolder()
  // Node gives children sockets; the shell gives them pipes.
  const program = `import { writeWholeFile } from '${new URL('./commands/import-export.ts', import.meta.url).href}'
    await writeWholeFile(process.argv[1], ['one,', 'two'])`
  symlinkSync('/dev/stdout', join(folder, 'link'))
  for (const place of ['/dev/stdout', join(folder, 'link')]) {
    const script = '"$0" --input-type=module -e "$1" "$2" | cat'
    expect(execFileSync('sh', ['-c', script, process.execPath, program, place], { encoding: 'utf8' })).toBe('one,two')
  }
})

test.skipIf(process.platform !== 'linux')('a full disk is said in one sentence', async () => {
  await expect(writeWholeFile('/dev/full', pieces())).rejects.toMatchObject({
    code: 'storage_full',
    field: '--output',
    message: expect.stringMatching(/^\/dev\/full: has no room on its disk \(ENOSPC/),
  })
})
