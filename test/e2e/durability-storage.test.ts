/** Storage that fails: a full disk, a locked, newer, older, damaged or foreign file. Said plainly, nothing overwritten. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test, vi } from 'vitest'
import { MnemeError, type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { Connection } from '../../src/store/sqlite/file/connection.ts'
import { existingBackups, migrate, schemaVersion } from '../../src/store/sqlite/file/open-database.ts'
import { databaseFiles, freshDatabase, freshFolder } from '../support/folder.ts'
import { seeded, wholeNumber } from '../support/random.ts'
import { startForTest } from '../support/rest-server.ts'
import { smallDisk } from '../support/small-disk.ts'
import { nextMessage, reportOf, startWorker } from '../support/worker.ts'

/** The error that a call rejects with; fails when it does not reject with a MnemeError. */
async function refusal(work: Promise<unknown>): Promise<MnemeError> {
  const outcome = await work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
  if (!('error' in outcome)) throw new Error(`resolved with ${JSON.stringify(outcome.value)?.slice(0, 200)}`)
  if (!(outcome.error instanceof MnemeError)) throw outcome.error
  expect(outcome.error.remedy).not.toBe('')
  return outcome.error
}

async function fill(memory: OpenMemory, turns: number): Promise<void> {
  for (let first = 0; first < turns; first += 50)
    await memory.conversations.store({
      conversationId: `chat-${first}`,
      turns: Array.from({ length: 50 }, (_, at) => ({
        role: at % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content: `Line ${first + at}: the greenhouse sensor ${at} reads high, 温室第${at}号传感器读数偏高。 ${'leaf '.repeat(20)}`,
      })),
    })
}

let sound: Buffer | undefined
/** The bytes of a file with 200 turns that were thought about, and a memory. */
async function soundBytes(): Promise<Buffer> {
  if (sound === undefined) {
    const path = freshDatabase()
    const memory = await openMemory({ path, userId: 'one' })
    await fill(memory, 200)
    await memory.add('The spare key hangs behind the blue door.', { infer: false, tags: ['key'] })
    await memory.idle()
    await memory.close()
    sound = readFileSync(path)
  }
  return sound
}

test('a full disk is said to be full; acknowledged turns stay, refused ones are not there, and it works again', async (context) => {
  const disk = smallDisk(4)
  if (disk === null) return context.skip('mounting a small file system is not permitted here')
  const path = join(disk, 'memory.db')
  const ballast = join(disk, 'ballast')
  writeFileSync(ballast, Buffer.alloc(2 * 1024 * 1024, 1))
  const acknowledged: string[] = []
  const refused: string[] = []
  const codes = new Set<string>()
  const storeOne = (memory: OpenMemory, externalId: string) =>
    memory.conversations.store({
      conversationId: 'chat',
      turns: [{ role: 'user', content: `Pump report ${externalId} ${'pressure '.repeat(300)}`, externalId }],
    })
  {
    await using memory = await openMemory({ path, userId: 'one' })
    for (let turn = 0; turn < 2000 && refused.length < 25; turn += 1) {
      const externalId = `t${turn}`
      try {
        await storeOne(memory, externalId)
        acknowledged.push(externalId)
      } catch (error) {
        if (!(error instanceof MnemeError)) throw error
        expect(error.remedy).not.toBe('')
        codes.add(error.code)
        refused.push(externalId)
      }
    }
    expect(refused).toHaveLength(25)
    for (const code of codes) expect(['storage_full', 'storage_failed']).toContain(code)
    const { items } = await memory.conversations.turns('chat', { limit: 10_000 })
    const present = new Set(items.map(({ externalId }) => externalId))
    expect(acknowledged.filter((id) => !present.has(id))).toEqual([])
    expect(refused.filter((id) => present.has(id))).toEqual([])

    rmSync(ballast)
    for (const id of refused) await storeOne(memory, id)
    const { results } = await memory.conversations.recall('pump report pressure', { limit: 5 })
    expect(results.length).toBeGreaterThan(0)
  }
  await using memory = await openMemory({ path, userId: 'one' })
  const { items } = await memory.conversations.turns('chat', { limit: 10_000 })
  expect(items.map(({ externalId }) => externalId)).toEqual([...acknowledged, ...refused])
  expect((await memory.maintenance.verify()).filter(({ ok }) => !ok)).toEqual([])
})

test('on a disk without a free byte whatever is removed goes, by whom the file is open and by whom opens it', async (context) => {
  const disk = smallDisk(4)
  if (disk === null) return context.skip('mounting a small file system is not permitted here')
  const path = join(disk, 'memory.db')
  const filled = async (): Promise<readonly string[]> => {
    await using memory = await openMemory({ path, userId: 'one' })
    await fill(memory, 100)
    const told = ['The gate is blue.', 'The barn has a tin roof.', 'The well is dry.'].map((text) =>
      memory.add(text, { infer: false }),
    )
    await memory.profile.set({ text: 'Keeps goats.' })
    await memory.idle()
    return (await Promise.all(told)).map(({ results }) => results[0]!.id)
  }
  const [first, second] = await filled()
  const fillUp = (): void =>
    void execFileSync('sh', ['-c', `cat /dev/zero >> ${join(disk, 'ballast')} || true`], { stdio: 'ignore' })
  fillUp()
  for (const id of [first!, second!]) {
    await using memory = await openMemory({ path, userId: 'one' })
    const stored = memory.conversations.store({ conversationId: 'chat-0', turns: LONG_TURNS })
    expect((await refusal(stored)).code).toBe('storage_full')
    await memory.delete(id)
    fillUp()
    await memory.conversations.deleteTurn({ conversationId: 'chat-50', turnId: id === first ? 3 : 4 })
    fillUp()
  }
  await using memory = await openMemory({ path, userId: 'one' })
  await memory.conversations.delete({ conversationId: 'chat-0' })
  await memory.profile.set({ text: '' })
  fillUp()
  await memory.deleteAll()
  expect((await memory.getAll({ includePast: true })).total).toBe(0)
  expect((await memory.conversations.turns('chat-50')).total).toBe(48)
  expect((await memory.maintenance.verify()).filter(({ ok }) => !ok)).toEqual([])
  rmSync(join(disk, 'ballast'))
  await fill(memory, 50)
})

const LONG_TURNS = Array.from({ length: 200 }, (_, at) => ({
  role: 'user' as const,
  content: `Row ${at}: ${'furrow '.repeat(2000)}`,
}))

test('whatever room is left on the disk, a call that is refused has stored nothing and one that resolves all of it', async (context) => {
  const turns = Array.from({ length: 2100 }, (_, at) => ({
    role: 'user' as const,
    content: `Line ${at} about water pressure and openValve${at % 50}`,
  }))
  const outcomes = new Set<string>()
  for (let kilobytes = 20; kilobytes < 1500; kilobytes += 120) {
    const disk = smallDisk(4)
    if (disk === null) return context.skip('mounting a small file system is not permitted here')
    await using memory = await openMemory({ path: join(disk, 'memory.db'), userId: 'one' })
    const ballast = join(disk, 'ballast')
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(ballast, Buffer.alloc(bavail * bsize - kilobytes * 1024))
    const refused = await memory.conversations.store({ conversationId: 'chat', turns }).then(
      () => false,
      (error: MnemeError) => error.code,
    )
    const { total } = await memory.conversations.list()
    expect({ kilobytes, refused, total }).toEqual({ kilobytes, refused, total: refused === false ? 1 : 0 })
    outcomes.add(String(refused))
    rmSync(ballast)
    // With room again, summaries that were left for later are written with the next turn.
    await memory.conversations.store({ conversationId: 'chat', turns: turns.slice(0, 10) })
    const spans = await memory.conversations.summaries('chat')
    const stored = refused === false ? 2110 : 10
    expect(spans.at(-1)?.endTurn).toBe(5 * Math.floor((stored - 5) / 5))
  }
  expect(outcomes).toEqual(new Set(['false', 'storage_full']))
})

test('a write lock held by another process for longer than 5 seconds is said to be one, and nothing was stored', async () => {
  const path = freshDatabase()
  await using memory = await openMemory({ path, userId: 'one' })
  await memory.conversations.store({ conversationId: 'chat', turns: [{ role: 'user', content: 'Before the lock.' }] })
  await memory.add('The lock on the barn is green.', { infer: false })
  const worker = startWorker('hold-lock', path, 6500)
  const ended = new Promise((resolve) => worker.once('exit', resolve))
  await nextMessage(worker)
  const { results } = await memory.conversations.recall('before the lock')
  expect(results).toHaveLength(1)
  const error = await refusal(
    memory.conversations.store({ conversationId: 'chat', turns: [{ role: 'user', content: 'While locked.' }] }),
  )
  expect(error.code).toBe('database_locked')
  // Counting does not keep a recall back.
  let isFree = false
  void ended.then(() => {
    isFree = true
  })
  const { recalled } = await memory.context.build('What colour is the lock on the barn?')
  expect(recalled.map(({ kind }) => kind)).toContain('memory')
  expect(isFree).toBe(false)
  await ended
  await memory.conversations.store({ conversationId: 'chat', turns: [{ role: 'user', content: 'After the lock.' }] })
  const { items } = await memory.conversations.turns('chat')
  expect(items.map(({ content }) => content)).toEqual(['Before the lock.', 'After the lock.'])
})

test('a short lock of another process is waited for', async () => {
  const path = freshDatabase()
  await using memory = await openMemory({ path, userId: 'one' })
  const worker = startWorker('hold-lock', path, 600)
  await nextMessage(worker)
  const ended = reportOf(worker)
  const [stored] = await memory.conversations.store({
    conversationId: 'chat',
    turns: [{ role: 'user', content: '等锁释放以后再写。' }],
  })
  expect(stored?.turnId).toBe(1)
  await ended
})

test('while writes wait for a lock, reads are answered and timers go on', async () => {
  const path = freshDatabase()
  await using memory = await openMemory({ path, userId: 'one' })
  await memory.add('The ferry leaves at noon.', { infer: false })
  const worker = startWorker('hold-lock', path, 1200)
  await nextMessage(worker)
  const ended = reportOf(worker)
  const order: string[] = []
  const told = (what: string) => () => order.push(what)
  const writes = [
    memory.add('The ferry leaves at one.', { infer: false }).then(told('written')),
    memory.conversations
      .store({ conversationId: 'chat', turns: [{ role: 'user', content: '渡轮几点开？' }] })
      .then(told('written')),
  ]
  await new Promise((resolve) => setTimeout(resolve, 100)).then(told('timer'))
  await memory.search('ferry').then(told('found'))
  await Promise.all(writes)
  expect(order).toEqual(['timer', 'found', 'written', 'written'])
  expect((await memory.getAll()).total).toBe(2)
  await ended
})

test('a database of a newer program is refused and left as it is', async () => {
  const path = freshDatabase()
  {
    await using memory = await openMemory({ path, userId: 'one' })
    await fill(memory, 50)
  }
  const database = new DatabaseSync(path)
  database.exec('INSERT INTO schema_version (version) VALUES (997); PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  const before = readFileSync(path)
  const error = await refusal(openMemory({ path }))
  expect(error.code).toBe('database_newer')
  expect(error.message).toContain('997')
  expect(readFileSync(path).equals(before)).toBe(true)
  expect(databaseFiles(path).filter((file) => file.endsWith('.bak'))).toEqual([])
})

test('a file of an older program is migrated, with a backup from before, and keeps its turns', async () => {
  const path = freshDatabase()
  const old = new Connection(path)
  migrate(old, 1)
  expect(schemaVersion(old)).toBe(1)
  old.exec(`INSERT INTO users (user_id) VALUES ('one');
    INSERT INTO conversations (id, project_root, created_at, last_active, turn_count, conversation_no, user_no, public_id, last_turn)
      VALUES ('chat', '', '2026-01-05T08:00:00.000Z', '2026-01-05T08:00:00.000Z', 1, 1, 1, 'chat', 1);
    INSERT INTO turns (conversation_id, role, content, created_at, user_no, turn_number)
      VALUES ('chat', 'user', '老数据库里的潮汐表 tideTable', '2026-01-05T08:00:00.000Z', 1, 1);`)
  old.close()

  await using memory = await openMemory({ path, userId: 'one' })
  const backups = existingBackups(path)
  expect(backups).toHaveLength(1)
  const backup = new DatabaseSync(backups[0]!, { readOnly: true })
  expect(backup.prepare('SELECT max(version) AS v FROM schema_version').get()).toEqual({ v: 1 })
  expect(backup.prepare('SELECT content FROM turns').get()).toEqual({ content: '老数据库里的潮汐表 tideTable' })
  backup.close()
  const { results } = await memory.conversations.recall('潮汐表在哪里')
  expect(results.map(({ content }) => content)).toEqual(['老数据库里的潮汐表 tideTable'])
  await memory.add('The tide table hangs in the harbour office.', { infer: false })
  expect((await memory.getAll()).total).toBe(1)
})

test('what is under way when a memory is closed ends, or says that it was closed', async () => {
  const memory = await openMemory({ path: freshDatabase(), userId: 'one' })
  const turns = [{ role: 'user' as const, content: 'I own a punt.' }]
  const under = [
    memory.add('I own a sloop.'),
    memory.search('punt'),
    memory.context.build('punt'),
    memory.conversations.store({ conversationId: 'chat', turns }),
    memory.recall('punt'),
    memory.maintenance.consolidate(),
    memory.conversations.recall('punt'),
  ].map((work) =>
    work.then(
      () => 'done',
      ({ code }: { code: string }) => code,
    ),
  )
  await memory.close()
  expect(new Set(await Promise.all(under)).difference(new Set(['done', 'closed']))).toEqual(new Set())
})

test('the backup from before a migration is taken once, and removed with what it holds', async () => {
  const path = freshDatabase()
  const old = new Connection(path)
  migrate(old, 1)
  old.close()
  // A process that was killed while it copied: no process has this number.
  for (const end of ['bak', 'bak-journal']) writeFileSync(`${path}.before-002.4194305.${end}`, 'half a copy')
  const memory = await openMemory({ path, userId: 'one' })
  await memory.conversations.store({ conversationId: 'chat', turns: [{ role: 'user', content: 'Forget this soon.' }] })
  await memory.close()
  await using again = await openMemory({ path, userId: 'one' })
  // One for the upgrade, whatever it skips; what a killed process was making is gone.
  expect(existingBackups(path)).toHaveLength(1)
  await again.conversations.delete({ all: true })
  expect(existingBackups(path)).toEqual([])
})

for (const seed of [1, 2])
  test(`a damaged file is said to be damaged and stays byte for byte as it was (seed ${seed})`, async () => {
    const path = freshDatabase()
    const random = seeded(seed)
    const bytes = Buffer.from(await soundBytes())
    const pages = bytes.length / 4096
    // Page 1 is spared: without its header this would be no database at all.
    for (let page = 1; page < pages; page += 1)
      for (let at = 0; at < 4096; at += 1) bytes[page * 4096 + at] = wholeNumber(random, 0, 255)
    writeFileSync(path, bytes)

    const codes: string[] = []
    try {
      const memory = await openMemory({ path, userId: 'one' })
      codes.push((await refusal(memory.conversations.recall('greenhouse sensor'))).code)
      codes.push((await refusal(memory.conversations.turns('chat-0'))).code)
      codes.push((await refusal(memory.conversations.list())).code)
      codes.push((await refusal(memory.search('greenhouse sensor'))).code)
      codes.push((await refusal(memory.getAll())).code)
      const turns = [{ role: 'user' as const, content: 'One more line.' }]
      codes.push((await refusal(memory.conversations.store({ conversationId: 'chat-0', turns }))).code)
      codes.push((await refusal(memory.conversations.delete({ conversationId: 'chat-0' }))).code)
      await memory.close()
    } catch (error) {
      if (!(error instanceof MnemeError)) throw error
      expect(error.remedy).not.toBe('')
      codes.push(error.code)
    }
    expect(codes.length).toBeGreaterThan(0)
    expect(new Set(codes)).toEqual(new Set(['database_damaged']))
    expect(readFileSync(path).equals(bytes)).toBe(true)
  })

test('single damaged pages never turn into a raw error or an empty answer that hides them', async () => {
  const sound = await soundBytes()
  const random = seeded(11)
  for (let page = 1; page < sound.length / 4096; page += 3) {
    const path = freshDatabase()
    const bytes = Buffer.from(sound)
    for (let at = 0; at < 4096; at += 1) bytes[page * 4096 + at] = wholeNumber(random, 0, 255)
    writeFileSync(path, bytes)
    const answers = await openMemory({ path, userId: 'one' }).then(
      async (memory) => {
        const calls = await Promise.allSettled([
          memory.maintenance.verify(),
          memory.conversations.recall('greenhouse sensor 温室', { limit: 20 }),
          memory.conversations.turns('chat-50'),
          memory.conversations.list(),
          memory.search('spare key'),
        ])
        return [...calls, ...(await Promise.allSettled([memory.close()]))]
      },
      (reason: unknown) => [{ status: 'rejected' as const, reason }],
    )
    // A file that can be opened can be verified: damage is a finding.
    if (answers.length > 1) expect({ page, status: answers[0]!.status }).toEqual({ page, status: 'fulfilled' })
    for (const answer of answers)
      if (answer.status === 'rejected')
        expect({ page, code: answer.reason?.code, text: String(answer.reason?.stack) }).toMatchObject({
          code: 'database_damaged',
        })
  }
})

test('what is not a database, is a folder or belongs to another program is refused and left as it is', async () => {
  const text = freshDatabase('notes.txt')
  writeFileSync(text, 'Dear diary, 今天下雨了。\n'.repeat(400))
  const before = readFileSync(text)
  expect((await refusal(openMemory({ path: text }))).code).toBe('not_a_database')
  expect(readFileSync(text).equals(before)).toBe(true)
  expect(databaseFiles(text)).toEqual([text])

  expect((await refusal(openMemory({ path: freshFolder() }))).code).toBe('not_a_database')

  const link = freshDatabase('link.db')
  symlinkSync(link, link)
  expect((await refusal(openMemory({ path: link }))).message).toContain('The database file cannot be opened.')

  const short = freshDatabase('short.db')
  for (const text of ['SQLite', 'A']) {
    writeFileSync(short, text)
    expect((await refusal(openMemory({ path: short }))).code).toBe('not_a_database')
    expect(readFileSync(short, 'utf8')).toBe(text)
  }

  const foreign = freshDatabase('foreign.db')
  const database = new DatabaseSync(foreign)
  database.exec(`CREATE TABLE recipes (name TEXT); INSERT INTO recipes VALUES ('soup')`)
  database.close()
  const foreignBytes = readFileSync(foreign)
  expect((await refusal(openMemory({ path: foreign }))).code).toBe('not_a_database')
  expect(readFileSync(foreign).equals(foreignBytes)).toBe(true)
  expect(databaseFiles(foreign)).toEqual([foreign])
})

test('a file cut off in the middle is said to be damaged', async () => {
  const path = freshDatabase()
  const bytes = (await soundBytes()).subarray(0, 5 * 4096 + 17)
  writeFileSync(path, bytes)
  const outcome = await openMemory({ path, userId: 'one' }).then(
    async (memory) => {
      const error = await refusal(memory.conversations.recall('greenhouse sensor'))
      await memory.close().catch(() => undefined)
      return error
    },
    (error: unknown) => error,
  )
  expect(outcome).toMatchObject({ code: 'database_damaged' })
  expect(readFileSync(path).equals(bytes)).toBe(true)
})

test('an absent file is not created when create is false, and a folder that cannot be made is said', async () => {
  const path = freshDatabase()
  expect((await refusal(openMemory({ path, create: false }))).code).toBe('not_found')
  expect(databaseFiles(path)).toEqual([])
  const file = freshDatabase('plain')
  writeFileSync(file, 'x')
  expect((await refusal(openMemory({ path: join(file, 'below', 'memory.db') }))).code).toBe('storage_failed')
  await (await openMemory({ path: join(freshFolder(), 'a', 'b', 'memory.db') })).close()
})

test('an empty file becomes a database', async () => {
  const path = freshDatabase()
  writeFileSync(path, '')
  await (await openMemory({ path })).close()
  expect(statSync(path).size).toBeGreaterThan(0)
})

test('a memory of :memory: lives and ends with its process, and two of them share nothing', async () => {
  await using first = await openMemory({ path: ':memory:', userId: 'one' })
  await using second = await openMemory({ path: ':memory:', userId: 'one' })
  await fill(first, 100)
  expect((await first.conversations.recall('温室传感器')).results.length).toBeGreaterThan(0)
  expect((await second.conversations.recall('温室传感器')).results).toEqual([])
  await first.conversations.delete({ all: true })
  expect((await first.conversations.list()).total).toBe(0)
  expect((await first.maintenance.verify()).every(({ ok }) => ok)).toBe(true)
})

test('a server whose disk is full says so in /health', async (context) => {
  const disk = smallDisk(4)
  if (disk === null) return context.skip('mounting a small file system is not permitted here')
  const { ask } = await startForTest({ path: join(disk, 'memory.db'), open: { thinking: false } })
  const content = 'Pump report, pressure as before. '.repeat(2000)
  let stored = 0
  for (let turn = 0; turn < 200; turn += 1) {
    const { status } = await ask('POST', `/conversations/c${turn}/turns`, { turns: [{ role: 'user', content }] })
    if (status !== 201) break
    stored += 1
  }
  expect(stored).toBeGreaterThan(5)
  const { body } = await ask('GET', '/health')
  expect(body).toMatchObject({ status: 'degraded', degraded: [expect.stringMatching(/disk is full|input\/output/)] })
})

test('a file that is removed, emptied or exchanged while it is open takes no more writes, and its log harms no other file', async () => {
  const other = freshDatabase('other.db')
  writeFileSync(other, await soundBytes())
  for (const lose of [
    (path: string) => renameSync(path, `${path}.away`),
    (path: string) => truncateSync(path),
    (path: string) => renameSync(other, path),
  ]) {
    const path = freshDatabase()
    const { ask } = await startForTest({ path, open: { thinking: false } })
    const store = (content: string) =>
      ask('POST', '/conversations/c/turns', { turns: [{ role: 'user', content }] }).then(({ status }) => status)
    expect(await store('The pump hums.')).toBe(201)
    lose(path)
    expect((await ask('GET', '/health')).body).toMatchObject({
      status: 'down',
      degraded: [expect.stringContaining('Nothing can be stored any more')],
    })
    await vi.waitFor(async () => expect(await store('The pump is silent.')).toBe(503), 30_000)
    if (existsSync(`${path}.away`)) {
      renameSync(`${path}.away`, path)
      expect(await store('The pump hums again.')).toBe(201)
    } else if (statSync(path).size > 0) {
      expect(existsSync(`${path}-wal`)).toBe(false)
      expect(existsSync(`${path}.damaged-1-wal`)).toBe(true)
      await using opened = await openMemory({ path, userId: 'one' })
      expect((await opened.maintenance.verify()).filter(({ ok }) => !ok)).toEqual([])
      expect((await opened.conversations.list()).total).toBeGreaterThan(0)
    }
  }
})
