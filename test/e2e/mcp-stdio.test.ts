/** Issue 6, MCP over stdio: what the process does with its streams, with several clients, with long calls. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../src/doors/library/index.ts'
import { freshDatabase, freshFolder } from '../support/folder.ts'
import { CLI_ENTRY, CLI_ENVIRONMENT, connectSdk1, connectSdk2 } from '../support/mcp-clients.ts'

interface Spoken {
  readonly lines: readonly string[]
  readonly stderr: string
  readonly code: number | null
}

function start(db: string): ChildProcessWithoutNullStreams {
  const child = spawn(process.execPath, [CLI_ENTRY, 'mneme', 'mcp', '--db', db, '--user', 'ann'], {
    cwd: tmpdir(),
    env: CLI_ENVIRONMENT,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** Writes everything at once, closes stdin, and reads to the end. */
async function speak(db: string, input: string | Buffer): Promise<Spoken> {
  const child = start(db)
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  return { lines: stdout.split('\n').filter((line) => line !== ''), stderr, code }
}

const request = (id: number, method: string, params: object = {}): string =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
const HELLO = `${request(0, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
})}${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`

test('"Stdio: ends when stdin closes, finishing what was accepted"; stdout carries nothing but messages', async () => {
  const db = freshDatabase()
  const texts = Array.from({ length: 40 }, (_, at) => `Fact number ${at}: 第${at}条。`)
  const calls = texts.map((text, at) =>
    request(at + 1, 'tools/call', { name: 'add_memory', arguments: { text, infer: false } }),
  )
  const { lines, code } = await speak(db, HELLO + calls.join(''))
  expect(code).toBe(0)
  const answers = lines.map((line) => JSON.parse(line))
  expect(answers.map(({ id }) => id).sort((a, b) => a - b)).toEqual([0, ...texts.map((_, at) => at + 1)])
  expect(answers.every(({ error }) => error === undefined)).toBe(true)
  const memory = await openMemory({ path: db })
  expect((await memory.getAll({ userId: 'ann' })).total).toBe(40)
  await memory.close()
})

test('a call that names no project is of the repository that the server was started in; null is everywhere', async () => {
  const db = freshDatabase()
  const started = (folder: string) => connectSdk2({ db, user: 'ann', folder })
  const repositories = ['shop', 'blog'].map((name) => join(freshFolder(), name))
  for (const [at, folder] of repositories.entries()) {
    mkdirSync(join(folder, '.git'), { recursive: true })
    mkdirSync(join(folder, 'src'))
    const client = await started(join(folder, 'src'))
    await client.call('add_memory', { text: `The dev server listens on port ${4010 + at}.` })
    await client.close()
  }
  const asked = { message: 'Which port does the dev server listen on?' }
  const textsFor = async (folder: string, more = {}): Promise<readonly string[]> => {
    const client = await started(folder)
    const { structured } = await client.call('recall', { ...asked, ...more })
    await client.close()
    return structured.results.map(({ text }: { text: string }) => text.match(/\d+/)![0]).sort()
  }
  expect(await textsFor(repositories[0]!)).toEqual(['4010'])
  expect(await textsFor(repositories[1]!)).toEqual(['4011'])
  expect(await textsFor(repositories[1]!, { project_root: null })).toEqual(['4010', '4011'])
  expect(await textsFor(tmpdir())).toEqual(['4010', '4011'])
})

test('a line that is no message is answered with an error of the protocol, and the next one is served', async () => {
  const bad = [
    '{"jsonrpc": "2.0", "id": 9',
    '[]',
    '"hello"',
    '{"id": 3}',
    '{"a": 1, "a": 2}',
    `${'['.repeat(100)}${']'.repeat(100)}`,
  ]
  const invalidUtf8 = Buffer.concat([Buffer.from('"'), Buffer.from([0xff, 0xfe]), Buffer.from('"\n')])
  const input = Buffer.concat([
    Buffer.from(HELLO),
    Buffer.from(`${bad.join('\n')}\n\n`),
    invalidUtf8,
    Buffer.from(`"${'x'.repeat(17 * 1024 * 1024)}"\n`),
    Buffer.from(request(1, 'tools/call', { name: 'get_profile' })),
    Buffer.from(request(2, 'no/such/method')),
  ])
  const { lines, code, stderr } = await speak(freshDatabase(), input)
  const answers = lines.map((line) => JSON.parse(line))
  const errors = answers.filter(({ error, id }) => error !== undefined && id !== 2)
  expect(errors).toHaveLength(bad.length + 2)
  expect(errors.every(({ error }) => [-32_700, -32_600].includes(error.code))).toBe(true)
  expect(answers.find(({ id }) => id === 1).result.isError).toBeUndefined()
  expect(answers.find(({ id }) => id === 2).error.code).toBe(-32_601)
  expect(code).toBe(0)
  expect(stderr).not.toMatch(/\n\s+at /)
})

test('SIGTERM ends it, and a database that cannot be opened is told on stderr with exit code 2', async () => {
  const child = start(freshDatabase())
  child.stdin.write(HELLO)
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  expect((await once(child, 'close'))[0]).toBe(0)

  const { lines, stderr, code } = await speak(CLI_ENTRY, HELLO)
  expect(lines).toEqual([])
  expect(stderr).toContain('error: ')
  expect(code).toBe(2)
})

test('"several clients at once on one database": what each adds, all find', async () => {
  const db = freshDatabase()
  const clients = await Promise.all([
    connectSdk2({ db, user: 'ann' }),
    connectSdk1({ db, user: 'ann' }),
    connectSdk2({ db, user: 'ann' }, { modern: true }),
  ])
  await Promise.all(
    clients.flatMap((client, who) =>
      Array.from({ length: 15 }, (_, at) =>
        client.call('create_entities', {
          entities: [
            { name: `Person ${who}-${at}`, entityType: 'person', observations: [`Has the number ${who * 100 + at}`] },
            { name: 'Everyone', entityType: 'group', observations: ['Knows the others'] },
          ],
        }),
      ),
    ),
  )
  for (const client of clients) {
    const { entities } = (await client.call('read_graph')).structured
    expect(entities).toHaveLength(46)
    expect(entities.every(({ observations }: { observations: string[] }) => observations.length === 1)).toBe(true)
  }
  const listed = (await clients[0]?.call('get_memories', { limit: 200 }))?.structured
  expect(listed.items.filter(({ who }: { who: string }) => who === 'Everyone')).toHaveLength(2)
  await Promise.all(clients.map((client) => client.close()))
})

test.each([false, true])(
  '"progress and cancellation": a long call tells how far it is (newest revision: %s)',
  async (modern) => {
    const client = await connectSdk2({ db: freshDatabase(), user: 'ann' }, { modern })
    // A call that is over at once may answer before its client has looked at what it told.
    const observations = Array.from({ length: 900 }, (_, at) => `Counts to ${at}`)
    const entities = Array.from({ length: 8 }, (_, at) => ({
      name: `Counter ${at}`,
      entityType: 'machine',
      observations,
    }))
    const told: number[] = []
    await client.call(
      'create_entities',
      { entities },
      { onprogress: ({ progress, total }) => told.push(progress / (total ?? 1)) },
    )
    expect(told.length).toBeGreaterThan(0)
    expect(told.every((share) => share > 0 && share <= 1)).toBe(true)
    expect(told).toEqual([...told].sort((a, b) => a - b))
    await client.close()
  },
)

const creating = (name: string) => {
  const observations = Array.from({ length: 900 }, (_, at) => `Counts to ${at}`)
  return { name: 'create_entities', arguments: { entities: [{ name, entityType: 'machine', observations }] } }
}

test('"progress and cancellation": a call that is cancelled leaves nothing of the graph', async () => {
  const db = freshDatabase()
  const cancel = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
  const call = request(1, 'tools/call', creating('Counter'))
  await speak(db, `${HELLO}${call}${cancel}\n${request(2, 'tools/call', creating('Other'))}`)
  const memory = await openMemory({ path: db, userId: 'ann' })
  onTestFinished(() => memory.close())
  const { items, total } = await memory.getAll({ limit: 1 })
  expect([items[0]?.who, total]).toEqual(['Other', 901])
})

test('a process that is killed while it adds to the graph has added all of the call or nothing', async () => {
  const totals = new Set<number>()
  for (const after of [0, 20, 40, 80]) {
    const db = freshDatabase()
    const child = start(db)
    child.stdin.write(HELLO)
    await once(child.stdout, 'data')
    const params = { ...creating('Counter'), _meta: { progressToken: 'p' } }
    child.stdin.write(request(1, 'tools/call', params))
    // It tells its progress as soon as it is at work.
    await once(child.stdout, 'data')
    await setTimeout(after)
    child.kill('SIGKILL')
    await once(child, 'close')
    const memory = await openMemory({ path: db, userId: 'ann' })
    totals.add((await memory.getAll({ limit: 1 })).total)
    await memory.close()
  }
  expect([...totals].filter((total) => total !== 0 && total !== 901)).toEqual([])
})
