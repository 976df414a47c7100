/** A database that is absent, locked, damaged, from a newer program, or no database at all. */
import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { Connection } from '../../src/store/sqlite/file/connection.ts'
import { migrate } from '../../src/store/sqlite/file/open-database.ts'
import { smallDisk } from '../support/small-disk.ts'
import { answer, emptyFolder, objects, run } from './cli-process.ts'

const RECALL = ['--query', 'anything']

async function filled(cwd: string): Promise<string> {
  const input = Array.from({ length: 200 }, (_, index) =>
    JSON.stringify({
      role: 'user',
      conversation_id: 'c',
      content: `Turn ${index}: 支付服务 payment service ${'details '.repeat(20)}`,
    }),
  ).join('\n')
  await run('memory_store', ['--db', 'm.db', '--stdin'], { cwd, input })
  return join(cwd, 'm.db')
}

test('memory_init creates the file once and says so', async () => {
  const cwd = emptyFolder()
  const first = await answer('memory_init', [], { cwd })
  expect(first).toMatchObject({ database: join(cwd, '.devbooks', 'conversation-memory.db'), created: true })
  expect(first.schema_version).toBeGreaterThanOrEqual(1)
  expect(await answer('mneme', ['init'], { cwd })).toEqual({ ...first, created: false })
})

test('a database that is not there is an error for those who read, with the way to create it', async () => {
  for (const [program, words] of [
    ['memory_recall', RECALL],
    ['memory_export', []],
    ['memory_reindex', []],
    ['mneme', ['conversations', 'list']],
  ] as const) {
    const { code, stderr } = await run(program, words, { cwd: emptyFolder() })
    expect(code).toBe(2)
    expect(stderr).toMatch(/there is no such database.*\nremedy: .*memory_init/)
  }
})

test('a file that is no database, a folder and a path below a file are refused and left as they are', async () => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'notes.txt'), 'These are my notes, 这是我的笔记, not a database.')
  mkdirSync(join(cwd, 'folder'))
  for (const db of ['notes.txt', 'folder', 'notes.txt/m.db']) {
    const { code, stderr } = await run('memory_store', ['--db', db, '--role', 'user', '--content', 'x'], { cwd })
    expect(code).toBe(2)
    expect(stderr).toMatch(/^error: --db: .+\nremedy: .+\n$/)
    const doctor = await run('mneme', ['doctor', '--db', db], { cwd })
    expect([doctor.code, JSON.parse(doctor.stdout).ok]).toEqual([1, false])
  }
  expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('These are my notes, 这是我的笔记, not a database.')
})

test('a database of another program is refused and left as it is', async () => {
  const cwd = emptyFolder()
  const path = join(cwd, 'other.db')
  const other = new DatabaseSync(path)
  other.exec("CREATE TABLE songs (title TEXT); INSERT INTO songs VALUES ('夜曲')")
  other.close()
  const { code, stderr } = await run('memory_store', ['--db', path, '--role', 'user', '--content', 'x'], { cwd })
  expect([code, stderr]).toEqual([2, expect.stringMatching(/another program/)])
  const still = new DatabaseSync(path)
  expect(still.prepare('SELECT title FROM songs').all()).toEqual([{ title: '夜曲' }])
  still.close()
})

test('a damaged database is kept byte for byte, and the doctor says what to do', async () => {
  const cwd = emptyFolder()
  const path = await filled(cwd)
  const bytes = readFileSync(path)
  // The header stays, so that it is recognised as a database; every page behind the first is overwritten.
  bytes.fill(0x5a, 4096)
  writeFileSync(path, bytes)
  const { code, stderr } = await run('memory_recall', ['--db', path, ...RECALL], { cwd })
  expect([code, stderr]).toEqual([2, expect.stringMatching(/damaged/)])
  await run('memory_store', ['--db', path, '--role', 'user', '--content', 'x'], { cwd })
  const doctor = await run('mneme', ['doctor', '--db', path], { cwd })
  expect(doctor.code).toBe(1)
  const finding = objects(JSON.parse(doctor.stdout).findings).find(({ ok }) => ok === false)
  expect(finding?.remedy).toMatch(/mneme repair.*aside/)
  expect(readFileSync(path).equals(bytes)).toBe(true)
})

test('a disk that is read-only is said to be one, by who reads and writes there, and by the doctor', async (context) => {
  const disk = smallDisk(4)
  if (disk === null) return context.skip('mounting a small file system is not permitted here')
  const cwd = emptyFolder()
  const path = join(disk, 'm.db')
  copyFileSync(await filled(cwd), path)
  execFileSync('mount', ['-o', 'remount,ro', disk])
  for (const [program, ...words] of [
    ['memory_recall', ...RECALL, '--db', path],
    ['memory_export', '--db', path],
    ['mneme', 'verify', '--db', path],
    ['mneme', 'repair', '--db', path],
    ['memory_init', '--db', join(disk, 'new.db')],
    ['memory_init', '--db', join(disk, 'folder', 'new.db')],
    ['memory_export', '--db', 'm.db', '--output', join(disk, 'out.json')],
  ] as const) {
    const { code, stderr } = await run(program, words, { cwd })
    expect([words, code, stderr]).toEqual([
      words,
      2,
      expect.stringMatching(/^error: .+ read-only .+\nremedy: Make the disk/),
    ])
  }
  for (const db of [path, join(disk, 'new.db')]) {
    const { code, stdout } = await run('mneme', ['doctor', '--db', db], { cwd })
    const wrong = objects(JSON.parse(stdout).findings).filter(({ ok }) => ok === false)
    expect([code, wrong]).toEqual([1, [expect.objectContaining({ detail: expect.stringContaining('read-only') })]])
  }
})

test('a database of a newer program is refused and left as it is', async () => {
  const cwd = emptyFolder()
  const path = await filled(cwd)
  const newer = new DatabaseSync(path)
  newer.exec('INSERT INTO schema_version (version) VALUES (999); PRAGMA wal_checkpoint(TRUNCATE)')
  newer.close()
  const bytes = readFileSync(path)
  const { code, stderr } = await run('memory_store', ['--db', path, '--role', 'user', '--content', 'x'], { cwd })
  expect([code, stderr]).toEqual([2, expect.stringMatching(/newer Mneme \(schema 999/)])
  const doctor = await run('mneme', ['doctor', '--db', path], { cwd })
  expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining('Install the version of Mneme')])
  expect(readFileSync(path).equals(bytes)).toBe(true)
})

test('a database that another process keeps locked is exit 1 after the busy timeout', async () => {
  const cwd = emptyFolder()
  const path = await filled(cwd)
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  const { code, stderr } = await run('memory_store', ['--db', path, '--role', 'user', '--content', 'x'], { cwd })
  other.exec('ROLLBACK')
  other.close()
  expect([code, stderr]).toEqual([1, expect.stringMatching(/lock.*\nremedy: Try again/)])
  expect((await run('memory_store', ['--db', path, '--role', 'user', '--content', 'x'], { cwd })).code).toBe(0)
})

test('the doctor says where each setting came from', async () => {
  const cwd = emptyFolder()
  writeFileSync(join(cwd, 'mneme.config.json'), '{"user":"小明"}')
  await answer('memory_init', ['--db', 'm.db'], { cwd })
  const found = await answer('mneme', ['doctor'], { cwd, env: { MNEME_DB: 'm.db', MEMORY_RETRIEVAL_LIMIT: '8' } })
  expect(found).toMatchObject({
    ok: true,
    node: process.versions.node,
    database: { path: join(cwd, 'm.db'), exists: true },
    settings: {
      db: { value: join(cwd, 'm.db'), source: 'MNEME_DB' },
      user: { value: '小明', source: join(cwd, 'mneme.config.json') },
      retrieval_limit: { value: 8, source: 'MEMORY_RETRIEVAL_LIMIT' },
      eviction_threshold: { value: null, source: 'default' },
    },
  })
})

test('a doctor before the first turn finds nothing wrong and creates nothing', async () => {
  const cwd = emptyFolder()
  expect(await answer('mneme', ['doctor'], { cwd })).toMatchObject({ ok: true, database: { exists: false } })
})

test('a doctor looks at a file of an older schema and changes nothing, not even beside it', async () => {
  const cwd = emptyFolder()
  const path = join(cwd, 'old.db')
  const old = new Connection(path)
  migrate(old, 1)
  old.close()
  const bytes = readFileSync(path)
  const found = await answer('mneme', ['doctor', '--db', path], { cwd })
  expect(found).toMatchObject({ ok: true, database: { schema_version: 1 }, backups: [] })
  expect(objects(found.findings)[0]?.detail).toMatch(/older schema 1; it will be brought to \d+, with a backup/)
  expect(readFileSync(path).equals(bytes)).toBe(true)
  expect(readdirSync(cwd)).toEqual(['old.db'])
  // The doctor's announcement comes true.
  await answer('mneme', ['stats', '--db', path], { cwd })
  expect(objects((await answer('mneme', ['doctor', '--db', path], { cwd })).findings)[0]?.detail).toMatch(/^opens/)
  expect(readdirSync(cwd).some((name) => name.endsWith('.bak'))).toBe(true)
})

test('a doctor looks at a file that another process is writing to, and sees what it has written', async () => {
  const cwd = emptyFolder()
  const path = await filled(cwd)
  const other = new DatabaseSync(path)
  other.exec('UPDATE conversations SET turn_count = 99; BEGIN IMMEDIATE; DELETE FROM symbol_index')
  const { code, stdout } = await run('mneme', ['doctor', '--db', path], { cwd })
  other.exec('ROLLBACK')
  other.close()
  expect(code).toBe(1)
  expect(objects(JSON.parse(stdout).findings).filter(({ ok }) => ok === false)).toMatchObject([
    { check: 'turn counts' },
  ])
})

test('common flags are taken before the name of a command, in its middle and behind it', async () => {
  const cwd = emptyFolder()
  const said = ['--role', 'user', '--content', '午饭吃面。', '--conversation', 'lunch']
  await answer('mneme', ['--db', 'one.db', '--user=周', '--project', '/canteen', 'memory_store', ...said], { cwd })
  const places = [
    ['--db', 'one.db', '--user', '周', '--pretty', 'conversations', 'list'],
    ['conversations', '--db', 'one.db', '--user', '周', 'list'],
    ['--db', 'none.db', 'conversations', 'list', '--db', 'one.db', '--user', '周'],
  ]
  for (const words of places) {
    const { items } = await answer('mneme', words, { cwd })
    expect(items).toMatchObject([{ conversation_id: 'lunch', project_root: '/canteen', turn_count: 1 }])
  }
})

test('the reader of a long answer may go away without a word', async () => {
  const cwd = emptyFolder()
  await filled(cwd)
  const entry = new URL('./cli-entry.ts', import.meta.url).pathname
  const shell = spawn(
    'sh',
    ['-c', `"${process.execPath}" "${entry}" memory_export --db m.db | head -c 20 >/dev/null`],
    { cwd },
  )
  let errors = ''
  shell.stderr.on('data', (chunk) => {
    errors += String(chunk)
  })
  expect(await new Promise((resolve) => shell.on('close', resolve))).toBe(0)
  expect(errors).toBe('')
})
