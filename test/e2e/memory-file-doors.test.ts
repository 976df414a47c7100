/** The memory file at every door: the command line with its settings, REST, MCP, and a server that watches it. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openMemory } from '../../src/doors/library/index.ts'
import { freshFolder } from '../support/folder.ts'
import { startRestServer } from '../support/rest-server.ts'
import { exitOf } from '../support/worker.ts'
import { answer, objects, run } from './cli-process.ts'

const KEY = 'ghp_abcdefghijklmnopqrstuvwxyz0123456789'

test('mneme digest writes what was stored a moment ago, tells what it did, and shows what it would do', async () => {
  const cwd = freshFolder()
  const db = join(cwd, 'memory.db')
  const env = { MNEME_DB: db }
  const turns = [
    { role: 'user', content: '请记住：我对花生过敏。' },
    { role: 'user', content: `The GitHub token of our build server is ${KEY}.` },
    { role: 'user', content: 'We decided to use Kafka instead of RabbitMQ.' },
  ]
  const input = turns.map((turn) => JSON.stringify(turn)).join('\n')
  expect((await run('memory_store', ['--conversation', 'c', '--stdin'], { cwd, env, input })).code).toBe(0)
  const file = join(cwd, 'MEMORY.md')
  const look = await answer('mneme', ['digest', '--dry-run'], { cwd, env })
  expect(existsSync(file)).toBe(false)
  expect(look).toMatchObject({ dry_run: true, written: false })
  const told = await answer('mneme', ['digest'], { cwd, env })
  for (const name of ['date', 'file', 'added', 'skipped', 'removed', 'backup']) expect(told).toHaveProperty(name)
  expect(told.file).toBe(file)
  const textsOf = (report: typeof told) => objects(report.added).map(({ text }) => text)
  expect(textsOf(told)).toEqual(textsOf(look))
  expect(textsOf(told)[0]).toBe('我对花生过敏。')
  expect(JSON.stringify(told)).not.toContain(KEY)
  expect(readFileSync(file, 'utf8')).toContain('ghp_…(masked')
  const plain = await answer('mneme', ['digest', '--with-secrets'], { cwd, env })
  expect(JSON.stringify(plain)).not.toContain(KEY)
  expect(readFileSync(file, 'utf8')).toContain(KEY)
  const shown = await answer('mneme', ['context', '--file'], { cwd, env })
  expect(JSON.stringify(shown)).not.toContain(KEY)
  const { stdout } = await run('mneme', ['context', '--file', '--text'], { cwd, env })
  expect(stdout).toContain('## 用户信息 / User information\n- ')
})

test('the environment beats the config file, and what neither can mean is refused', async () => {
  const cwd = freshFolder()
  const db = join(cwd, 'memory.db')
  writeFileSync(
    join(cwd, 'mneme.config.json'),
    JSON.stringify({ memory_file: { path: 'notes.md', max_entries: 2, headings: 'zh' } }),
  )
  await using memory = await openMemory({ path: db, userId: 'local' })
  for (const text of ['我的车停在三号车库。', 'Ana plays the cello.', '路由器在书架上面。'])
    await memory.add(text, { infer: false, importance: 2 })
  const first = await answer('mneme', ['digest', '--db', db], { cwd })
  expect(first.file).toBe(join(cwd, 'notes.md'))
  expect(objects(first.added)).toHaveLength(2)
  expect(readFileSync(join(cwd, 'notes.md'), 'utf8')).toContain('## 技术配置\n')
  const env = {
    MNEME_MEMORY_FILE: 'other.md',
    MEMORY_MAX_ENTRIES: '1',
    MEMORY_BACKUPS: '0',
    MEMORY_DEDUP_THRESHOLD: '90%',
  }
  const doctor = await answer('mneme', ['doctor', '--db', db], { cwd, env })
  expect(doctor.settings).toMatchObject({
    memory_file: {
      path: { value: join(cwd, 'other.md'), source: 'MNEME_MEMORY_FILE' },
      max_entries: { value: 1, source: 'MEMORY_MAX_ENTRIES' },
      backups: { value: 0, source: 'MEMORY_BACKUPS' },
      dedup_threshold: { value: 0.9, source: 'MEMORY_DEDUP_THRESHOLD' },
      headings: { value: 'zh' },
    },
  })
  for (const [name, value] of [
    ['MEMORY_MAX_ENTRIES', '0'],
    ['MEMORY_DEDUP_THRESHOLD', '1.5'],
    ['MEMORY_BACKUPS', 'many'],
  ] as const) {
    const { code, stderr } = await run('mneme', ['digest', '--db', db], { cwd, env: { [name]: value } })
    expect({ code, named: stderr.includes(name) }).toEqual({ code: 2, named: true })
  }
  const { code, stderr } = await run('mneme', ['digest', '--date', '2026-02-30', '--db', db], { cwd })
  expect({ code, named: stderr.includes('date') }).toEqual({ code: 2, named: true })
})

test('REST shows the file and brings it up to date', async () => {
  const folder = freshFolder()
  const server = await startRestServer({ path: join(folder, 'memory.db') })
  try {
    await server.memory.add('Ana plays the cello.', { userId: 'local', infer: false, importance: 2 })
    const look = await server.ask('POST', '/memory-file/digest', { dry_run: true })
    expect(look.body).toMatchObject({ dry_run: true, added: [{ text: 'Ana plays the cello.' }] })
    expect((await server.ask('GET', '/memory-file')).body).toMatchObject({ text: '', updated_at: null, entries: [] })
    const told = await server.ask('POST', '/memory-file/digest', {})
    expect(told.status).toBe(200)
    const shown = (await server.ask('GET', '/memory-file')).body
    expect(shown.entries).toEqual([
      {
        section: 'user',
        text: 'Ana plays the cello.',
        date: told.body.date,
        memory_id: told.body.added[0].memory_id,
        mark: null,
      },
    ])
    // Nobody at the other end needs to know where on this machine it lies.
    writeFileSync(join(folder, 'MEMORY.md'), Buffer.concat([readFileSync(join(folder, 'MEMORY.md')), Buffer.of(0xff)]))
    const repaired = await server.ask('POST', '/memory-file/digest', {})
    expect(repaired.body).toMatchObject({ file: 'MEMORY.md', backup: expect.stringMatching(/^MEMORY\.md\.backups\//) })
    expect(repaired.body.repairs.join()).toMatch(/lies beside it in MEMORY\.md\.backups\/damaged-/)
    for (const { body } of [look, told, repaired, await server.ask('GET', '/memory-file')])
      expect(JSON.stringify(body)).not.toContain(folder)
    expect((await server.ask('POST', '/memory-file/digest', { into: ['/etc/passwd'] })).status).toBe(400)
    expect((await server.ask('POST', '/memory-file/digest', { date: 'soon' })).status).toBe(400)
    await server.memory.deleteAll({ userId: 'local' })
    expect((await server.ask('GET', '/memory-file')).body.entries).toEqual([])
  } finally {
    await server.close()
  }
})

test('a running server takes over what a person saves', async () => {
  const cwd = freshFolder()
  const db = join(cwd, 'memory.db')
  const file = join(cwd, 'MEMORY.md')
  const first = await openMemory({ path: db, userId: 'local' })
  await first.add('Ana plays the cello.', { infer: false, importance: 2 })
  await first.memoryFile.digest()
  await first.close()
  const entry = fileURLToPath(new URL('./cli-entry.ts', import.meta.url))
  const { NODE_OPTIONS: _, ...env } = process.env
  const child = spawn(process.execPath, [entry, 'mneme', 'serve', '--port', '0', '--db', db], { cwd, env })
  try {
    await new Promise<void>((resolve, reject) => {
      child.stdout.once('data', () => resolve())
      child.once('exit', () => reject(new Error('the server ended')))
    })
    await using memory = await openMemory({ path: db, userId: 'local' })
    for (let tries = 0; tries < 60; tries += 1) {
      // Watching begins a moment after listening: what is saved again is seen then.
      writeFileSync(
        file,
        `${readFileSync(file, 'utf8').replace(/\n*$/, '\n')}${tries === 0 ? '- 会议室在二楼。\n' : ''}`,
      )
      await setTimeout(500)
      if ((await memory.getAll({})).items.some(({ text }) => text === '会议室在二楼。')) break
    }
    expect((await memory.getAll({ filters: { source: 'user_stated' } })).items.map(({ text }) => text)).toContain(
      '会议室在二楼。',
    )
  } finally {
    child.kill('SIGTERM')
    await exitOf(child)
    rmSync(`${file}.backups`, { recursive: true, force: true })
  }
})
