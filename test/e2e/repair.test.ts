/** B.3: a cut file, a lost log, bit flips: `verify` and `doctor` find them, `repair` mends what can be read. */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import type { CheckFinding } from '../../src/domain/contracts/store.ts'
import { openMemory } from '../../src/doors/library/index.ts'
import { Connection } from '../../src/store/sqlite/file/connection.ts'
import { CHECKED } from '../../src/store/sqlite/file/word-checks.ts'
import { inspectStore, repairStore } from '../../src/usecases/open.ts'
import { freshDatabase } from '../support/folder.ts'
import { seeded, wholeNumber } from '../support/random.ts'
import { answer, emptyFolder, run } from './cli-process.ts'

const TURNS = 400
const PAGE = 4096
const content = (at: number) =>
  `Line ${at}: the sensor ${at} reads high in ${at % 2 ? 'hall' : '温室'} ${'leaf '.repeat(at % 40)}`

let sound: Buffer | undefined
async function soundBytes(): Promise<Buffer> {
  if (sound === undefined) {
    const path = freshDatabase()
    const memory = await openMemory({ path, userId: 'one' })
    for (let at = 0; at < TURNS; at += 20) {
      const turns = Array.from({ length: 20 }, (_, index) => ({ role: 'user' as const, content: content(at + index) }))
      await memory.conversations.store({ conversationId: `chat-${at}`, turns })
      await memory.add(`The spare key number ${at} hangs behind the blue door.`, { infer: false })
    }
    await memory.idle()
    await memory.close()
    sound = readFileSync(path)
  }
  return sound
}

/** The number of turns and memories that are as they were; throws where anything else is there. */
async function held(path: string, userId = 'one'): Promise<{ readonly turns: number; readonly memories: number }> {
  await using memory = await openMemory({ path, userId, create: false })
  let turns = 0
  for (const { conversationId } of (await memory.conversations.list({ limit: 100 })).items) {
    const { items } = await memory.conversations.turns(conversationId, { limit: 100 })
    const first = Number(conversationId.slice('chat-'.length))
    for (const turn of items) expect(turn.content).toBe(content(first + turn.turnId - 1))
    turns += items.length
  }
  if (turns > 0) expect((await memory.conversations.recall('sensor reads high')).results).not.toEqual([])
  expect((await memory.maintenance.verify()).filter(({ ok }) => !ok)).toEqual([])
  return { turns, memories: (await memory.getAll({ includePast: true })).total }
}

test('a file that was cut by its last page, or in its middle, is mended with what it held before the cut', async () => {
  const bytes = await soundBytes()
  for (const pages of [bytes.length / PAGE - 1, Math.floor(bytes.length / PAGE / 2)]) {
    const path = freshDatabase()
    writeFileSync(path, bytes.subarray(0, pages * PAGE))
    const { kept, findings } = await repairStore(path)
    expect(findings.filter(({ ok }) => !ok)).toEqual([])
    expect(readFileSync(kept)).toEqual(bytes.subarray(0, pages * PAGE))
    const { turns } = await held(path)
    if (pages > bytes.length / PAGE / 2 + 1) expect(turns).toBeGreaterThan(TURNS * 0.8)
  }
})

test('a young file whose list of tables was cut off is mended with all that it holds', async () => {
  const path = freshDatabase()
  const memory = await openMemory({ path, userId: 'one' })
  const turns = [0, 1, 2].map((at) => ({ role: 'user' as const, content: content(at) }))
  await memory.conversations.store({ conversationId: 'chat-0', turns })
  await memory.idle()
  await memory.close()
  const bytes = readFileSync(path)
  for (const length of [bytes.length - 1000, bytes.length - 2 * PAGE, Math.floor(bytes.length / 2)]) {
    writeFileSync(path, bytes.subarray(0, length))
    const { findings, userIds } = await repairStore(path)
    expect(findings.filter(({ ok }) => !ok)).toEqual([])
    expect((await held(path, userIds[0])).turns).toBe(3)
  }
})

// Pages behind it answer to another's number: some lead to one another, some are of another table.
test('whichever page is taken out, the repair ends, refuses nothing, and keeps what can be read', async () => {
  const bytes = await soundBytes()
  for (let page = 2; page < bytes.length / PAGE; page += 13) {
    const path = freshDatabase()
    writeFileSync(path, Buffer.concat([bytes.subarray(0, page * PAGE), bytes.subarray((page + 1) * PAGE)]))
    const { findings } = await repairStore(path)
    expect(findings.filter(({ ok }) => !ok)).toEqual([])
  }
})

test('whichever page is overwritten, what lies on the others is kept, and the file works again', async () => {
  const bytes = await soundBytes()
  const random = seeded(23)
  const lost: number[] = []
  let refused = 0
  for (let page = 1; page < bytes.length / PAGE; page += 13) {
    const path = freshDatabase()
    const damaged = Buffer.from(bytes)
    for (let at = 0; at < PAGE; at += 1) damaged[page * PAGE + at] = wholeNumber(random, 0, 255)
    writeFileSync(path, damaged)
    const repaired = await repairStore(path).catch((error: { readonly code?: string }) => error.code)
    if (typeof repaired !== 'object') {
      // The list of tables itself: said, and nothing was touched.
      expect(repaired).toBe('database_damaged')
      expect(readFileSync(path).equals(damaged)).toBe(true)
      refused += 1
    } else {
      expect({ page, findings: repaired.findings.filter(({ ok }) => !ok) }).toEqual({ page, findings: [] })
      lost.push(TURNS - (await held(path, repaired.userIds[0])).turns)
    }
  }
  expect(refused).toBeLessThan(3)
  // An inner page takes all rows below it; any other those that it holds.
  expect(lost.filter((turns) => turns > 40).length).toBeLessThan(3)
  expect(lost.filter((turns) => turns === 0).length).toBeGreaterThan(lost.length / 2)
})

test('flipped bits in words, times and data of rows are found, and the rows are readable again after a repair', async () => {
  const random = seeded(90131)
  const bytes = await soundBytes()
  for (let round = 0; round < 4; round += 1) {
    const path = freshDatabase()
    const flipped = Buffer.from(bytes)
    for (let bit = 0; bit < 60; bit += 1)
      flipped[wholeNumber(random, Math.floor(bytes.length * 0.4), bytes.length - 1)]! ^= 1 << wholeNumber(random, 0, 7)
    // Only one row holds this: no page shows it.
    flipped[flipped.lastIndexOf('user_stated') + 2]! ^= 2
    writeFileSync(path, flipped)
    expect((await inspectStore(path)).findings.some(({ ok }) => !ok)).toBe(true)
    await repairStore(path)
    await using memory = await openMemory({ path, userId: 'one', create: false })
    const { items } = await memory.conversations.list({ limit: 100 })
    for (const { conversationId } of items) await memory.conversations.turns(conversationId, { limit: 100 })
    expect((await memory.getAll({ includePast: true, limit: 100 })).items.length).toBeGreaterThan(15)
    // Where two bits of one row are others, its words stay damaged.
    expect((await memory.maintenance.verify()).filter(({ ok, check }) => !ok && check !== 'words')).toEqual([])
  }
})

test.each(['20261127', "'2026-11-27 10:00:00Z'", "'2026-11-27X10:00:00Z'"])(
  'a time that only a damaged row can hold (%s) is put right where the store reads it',
  async (time) => {
    const path = freshDatabase()
    writeFileSync(path, await soundBytes())
    const database = new DatabaseSync(path)
    database.exec(`UPDATE memories SET last_accessed = ${time}, updated_at = ${time}`)
    database.close()
    await repairStore(path)
    await using memory = await openMemory({ path, userId: 'one', create: false })
    const { items } = await memory.getAll({ includePast: true, limit: 100 })
    expect(items.length).toBeGreaterThan(15)
    for (const { lastAccessed, updatedAt } of items)
      expect([lastAccessed, Date.parse(updatedAt)]).toEqual([null, expect.any(Number)])
    expect((await memory.maintenance.verify()).filter(({ ok }) => !ok)).toEqual([])
  },
)

test('a log that was lost is said until somebody accepts it, and leaves what had reached the file', async () => {
  const path = freshDatabase()
  writeFileSync(path, await soundBytes())
  const memory = await openMemory({ path, userId: 'one' })
  const store = (content: string) =>
    memory.conversations.store({ conversationId: 'chat-500', turns: [{ role: 'user', content }] })
  await store(content(500))
  await store('Only in the log.')
  const withoutLog = readFileSync(path)
  await memory.close()
  const ofLog = async () => (await inspectStore(path)).findings.filter(({ check }) => check === 'log')
  expect(await ofLog()).toEqual([])

  // The file as a killed process leaves it, less its log.
  writeFileSync(path, withoutLog)
  expect(existsSync(`${path}-wal`)).toBe(false)
  expect(await ofLog()).toMatchObject([{ ok: false }])
  const opened = await openMemory({ path, userId: 'one' })
  expect((await opened.maintenance.verify()).filter(({ ok }) => !ok)).toMatchObject([{ check: 'log' }])
  // Whoever stores into it and closes it has not accepted the loss.
  await opened.conversations.store({ conversationId: 'chat-600', turns: [{ role: 'user', content: content(600) }] })
  await opened.close()
  expect(await ofLog()).toMatchObject([{ ok: false }])
  const copy = freshDatabase()
  copyFileSync(path, copy)
  expect((await held(copy)).turns).toBe(TURNS + 2)
  await repairStore(path)
  expect(await ofLog()).toEqual([])
  expect((await held(path)).turns).toBe(TURNS + 2)
})

test('a file that is empty or gone beside its log is damage to every command, and the log gives back what it holds', async () => {
  const cwd = emptyFolder()
  const path = `${cwd}/memory.db`
  const killed = async (at: number) => {
    const memory = await openMemory({ path, userId: 'one' })
    const turns = [{ role: 'user' as const, content: content(at) }]
    await memory.conversations.store({ conversationId: `chat-${at}`, turns })
    const log = readFileSync(`${path}-wal`)
    await memory.close()
    return log
  }
  const log = await killed(1)
  for (const leave of [() => writeFileSync(path, ''), () => rmSync(path), () => writeFileSync(path, 'A')]) {
    leave()
    writeFileSync(`${path}-wal`, log)
    for (const words of [['verify'], ['doctor'], ['conversations', 'list'], ['reindex']]) {
      const said = await run('mneme', [...words, '--db', path], { cwd })
      expect({ words, code: said.code === 0 }).toEqual({ words, code: false })
      expect(said.stdout + said.stderr).toContain('beside it lies its log')
      expect(readFileSync(`${path}-wal`).equals(log)).toBe(true)
    }
    const { kept } = (await answer('mneme', ['repair', '--db', path], { cwd })) as { readonly kept: string }
    expect(readFileSync(`${kept}-wal`).equals(log)).toBe(true)
    expect((await held(path)).turns).toBe(1)
  }
  // A log that was begun anew lacks what the file had before: nothing is made of it, and it stays.
  const later = await killed(2)
  rmSync(path)
  writeFileSync(`${path}-wal`, later)
  await expect(repairStore(path)).rejects.toMatchObject({ code: 'database_damaged' })
  expect(readFileSync(`${path}-wal`).equals(later)).toBe(true)
  expect(existsSync(path)).toBe(false)
})

test('verify and doctor find it, the command mends it and keeps the damaged file; a sound one is left alone', async () => {
  const cwd = emptyFolder()
  const path = `${cwd}/memory.db`
  writeFileSync(path, await soundBytes())
  expect(await answer('mneme', ['repair', '--db', path], { cwd })).toMatchObject({ ok: true, repaired: false })
  const connection = new Connection(path, { readOnly: true })
  const root = Number(connection.get(`SELECT rootpage FROM sqlite_master WHERE name = 'turns_user'`)?.rootpage)
  connection.close()
  for (const part of ['-wal', '-shm']) rmSync(path + part, { force: true })
  const bytes = readFileSync(path)
  bytes.fill(0x5a, (root - 1) * PAGE, root * PAGE)
  writeFileSync(path, bytes)
  expect((await run('mneme', ['verify', '--db', path], { cwd })).code).not.toBe(0)
  writeFileSync(`${cwd}/cut.db`, bytes.subarray(0, 3 * PAGE))
  const seen = await run('mneme', ['verify', '--db', `${cwd}/cut.db`], { cwd })
  expect({ code: seen.code, ...JSON.parse(seen.stdout) }).toMatchObject({
    code: 1,
    ok: false,
    findings: [{ ok: false }],
  })
  expect((await run('mneme', ['doctor', '--db', path], { cwd })).stdout).toContain('mneme repair')
  const report = await answer('mneme', ['repair', '--db', path], { cwd })
  expect(report).toMatchObject({ ok: true, repaired: true, kept: `${path}.damaged-1`, rows: { turns: TURNS } })
  expect(readFileSync(`${path}.damaged-1`).equals(bytes)).toBe(true)
  expect(await held(path)).toMatchObject({ turns: TURNS, memories: (report.rows as { memories: number }).memories })
})

test('a damaged header is written anew, and a table whose making was damaged gets its columns back', async () => {
  const bytes = await soundBytes()
  for (const at of [3, 16, 19, 22, 47, 59]) {
    const path = freshDatabase()
    const damaged = Buffer.from(bytes)
    damaged[at]! ^= 0x13
    writeFileSync(path, damaged)
    await repairStore(path)
    expect({ at, turns: (await held(path)).turns }).toEqual({ at, turns: TURNS })
  }
  for (const change of ["sql = replace(sql, 'symbols', 'symbolr')", "name = 'turnr', tbl_name = 'turnr'"]) {
    const path = freshDatabase()
    writeFileSync(path, bytes)
    const database = new DatabaseSync(path, { defensive: false })
    database.exec(
      `PRAGMA writable_schema=ON; UPDATE sqlite_master SET ${change} WHERE type = 'table' AND name = 'turns'`,
    )
    database.close()
    await repairStore(path)
    expect((await held(path)).turns, change).toBeGreaterThan(TURNS * 0.9)
  }
})

test('a file with one wrong bit anywhere in its header is damaged, and no foreign file', async () => {
  const bytes = await soundBytes()
  for (let bit = 0; bit < 24 * 8; bit += 1) {
    const path = freshDatabase()
    const damaged = Buffer.from(bytes)
    damaged[bit >> 3]! ^= 1 << (bit & 7)
    writeFileSync(path, damaged)
    const found = await inspectStore(path).then(
      () => 'looked at',
      (error: { readonly code?: string }) => error.code,
    )
    expect({ bit, found }).toEqual({ bit, found: expect.stringMatching(/^(?:looked at|database_damaged)$/) })
  }
})

test('a page of another table takes the rows of one page, and not all behind it', async () => {
  const bytes = Buffer.from(await soundBytes())
  const path = freshDatabase()
  writeFileSync(path, bytes)
  const connection = new Connection(path, { readOnly: true, still: true })
  const leaves = (table: string) =>
    connection
      .all(`SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path`, table)
      .map(({ pageno }) => Number(pageno))
  const [turns, memories] = [leaves('turns'), leaves('memories')]
  const size = Number(connection.get('PRAGMA page_size')?.page_size)
  connection.close()
  for (const at of [1, Math.floor(turns.length / 2), turns.length - 2]) {
    const damaged = Buffer.from(bytes)
    bytes.copy(damaged, (turns[at]! - 1) * size, (memories[0]! - 1) * size, memories[0]! * size)
    writeFileSync(path, damaged)
    const { rows, findings } = await repairStore(path)
    expect(findings.filter(({ ok }) => !ok)).toEqual([])
    expect(rows.turns).toBeGreaterThan(TURNS * 0.9)
    expect(rows.turns).toBeLessThan(TURNS)
    expect((await held(path)).turns).toBe(rows.turns)
  }
})

test('memories that were lost are made anew from their turns, but of whoever took one out', async () => {
  const path = freshDatabase()
  const before = await openMemory({ path })
  for (const userId of ['keeps', 'deletes'])
    for (const [at, said] of ['I live in Porto.', 'My sister is called Ada.'].entries())
      await before.conversations.store({ userId, conversationId: `c${at}`, turns: [{ role: 'user', content: said }] })
  await before.idle()
  const told = async (memory: typeof before, userId: string) =>
    (await memory.getAll({ userId })).items.map(({ text }) => text).sort()
  const kept = await told(before, 'keeps')
  expect(kept.length).toBeGreaterThan(1)
  const [first] = (await before.getAll({ userId: 'deletes' })).items
  await before.delete(first!.id, { userId: 'deletes' })
  await before.close()

  const connection = new Connection(path, { readOnly: true, still: true })
  const pages = connection.all(`SELECT pageno FROM dbstat WHERE name = 'memories' AND pagetype = 'leaf'`)
  const size = Number(connection.get('PRAGMA page_size')?.page_size)
  connection.close()
  const damaged = readFileSync(path)
  for (const { pageno } of pages) damaged.fill(0x5a, (Number(pageno) - 1) * size, Number(pageno) * size)
  writeFileSync(path, damaged)
  const { rows, thinkAgain } = await repairStore(path)
  expect({ memories: rows.memories, thinkAgain }).toEqual({ memories: 0, thinkAgain: 2 })
  await using memory = await openMemory({ path })
  await memory.idle()
  expect(await told(memory, 'keeps')).toEqual(kept)
  expect(await told(memory, 'deletes')).toEqual([])
})

const oldBytes = (schema: string): Buffer =>
  brotliDecompressSync(readFileSync(new URL(`../old-files/schema-${schema}.db.br`, import.meta.url)))

test.each(['002', '005', '011', '017', '023'])(
  'a file of schema %s with one wrong bit in its list of tables, which SQLite refuses to read, is mended whole',
  async (schema) => {
    const [bytes, path] = [oldBytes(schema), freshDatabase()]
    // The making of one index.
    bytes[bytes.lastIndexOf('CREATE INDEX') + 'CREATE IN'.length]! ^= 1
    writeFileSync(path, bytes)
    const opening = { path, userId: 'mira', create: false }
    await expect(openMemory(opening)).rejects.toMatchObject({ code: 'database_damaged' })
    expect((await repairStore(path)).findings.filter(({ ok }) => !ok)).toEqual([])
    await using memory = await openMemory(opening)
    const { length } = (await memory.conversations.turns('harbour')).items
    expect([length, (await memory.conversations.turns('茶室')).items.length]).toEqual([4, 2])
    expect((await memory.getAll({ includePast: true })).total).toBeGreaterThan(1)
    const lines = (await memory.profile.get()).text
    if (schema !== '002') expect(lines).toContain('Repairs wooden boats')
  },
)

test.each([
  ['a column', "replace(sql, 'summarized_to', 'summarised_to')", 'conversations'],
  ['a trigger', "replace(sql, 'new.speaker', 'new.speakes')", 'turns_unchecked'],
])('%s whose name has changed is found before a call meets it', async (_, sql, name) => {
  const path = freshDatabase()
  writeFileSync(path, oldBytes('024'))
  const database = new DatabaseSync(path, { defensive: false })
  database.exec(`PRAGMA writable_schema=ON; UPDATE sqlite_master SET sql = ${sql} WHERE name = '${name}'`)
  database.close()
  const wrong = async () => (await inspectStore(path)).findings.filter(({ ok }) => !ok).map(({ check }) => check)
  expect(await wrong()).toEqual(['tables'])
  await repairStore(path)
  expect(await wrong()).toEqual([])
})

test('a row that an upgrade cannot read is said as damage, and the file is mended and opens', async () => {
  const path = freshDatabase()
  for (const change of [`memories SET memory_type = 'sema.tic'`, `profiles SET machine_lines = '['`]) {
    writeFileSync(path, oldBytes('013'))
    const database = new DatabaseSync(path)
    database.exec(`UPDATE ${change}`)
    database.close()
    await expect(openMemory({ path })).rejects.toMatchObject({ code: 'database_damaged' })
    expect((await inspectStore(path)).findings.some(({ ok }) => !ok)).toBe(true)
    await repairStore(path)
    await using memory = await openMemory({ path, userId: 'mira' })
    expect((await memory.getAll({ includePast: true })).total).toBeGreaterThan(1)
  }
})

test('what was no text before an upgrade is found after it, and a repair takes it for no sound text either', async () => {
  const path = freshDatabase()
  writeFileSync(path, oldBytes('019'))
  const database = new DatabaseSync(path)
  const damaged = (text: string) => `CAST(CAST(replace(${text}, 'blue', 'b') AS BLOB) || x'c3' AS TEXT)`
  database.exec(`UPDATE memories SET text = ${damaged('text')} WHERE text LIKE '%blue door%'`)
  database.exec(`UPDATE turns SET content = 'Sound, with a \ufffd of its own.' WHERE turn_number = 2`)
  database.close()
  await (await openMemory({ path, userId: 'mira' })).close()
  const wrong = (findings: readonly CheckFinding[]) => findings.filter(({ ok }) => !ok).map(({ detail }) => detail)
  const found = wrong((await inspectStore(path)).findings)
  expect(found).toEqual([expect.stringMatching(/^damaged: memory .{36} \(1 in all\)$/)])
  expect(wrong((await repairStore(path)).findings)).toEqual(found)
  await using memory = await openMemory({ path, userId: 'mira' })
  const { items } = await memory.getAll({ includePast: true })
  const doubtful = items.filter(({ suspect }) => suspect?.reason.includes('damaged'))
  expect(doubtful.map(({ text }) => text.includes('door'))).toEqual([true])
  // Who writes it anew has mended it.
  await memory.update(doubtful[0]!.id, { text: 'The spare key hangs behind the blue door.' })
  expect(wrong(await memory.maintenance.verify())).toEqual([])
})

test('a file that somebody has open is not repaired, and what is stored meanwhile is kept', async () => {
  const path = freshDatabase()
  await wordsOfAllKinds(path)
  const memory = await openMemory({ path, userId: 'one' })
  await memory.conversations.turns('chat')
  await expect(repairStore(path)).rejects.toMatchObject({ code: 'database_locked' })
  await memory.conversations.store({ conversationId: 'later', turns: [{ role: 'user', content: 'Stored meanwhile.' }] })
  await memory.close()
  expect(readdirSync(dirname(path)).filter((name) => /repairing|damaged/.test(name))).toEqual([])
  await repairStore(path)
  await using again = await openMemory({ path, userId: 'one', create: false })
  expect((await again.conversations.turns('later')).items).toHaveLength(1)
})

test('of several processes that repair a file at once one does, and the others leave its work alone', async () => {
  const cwd = emptyFolder()
  const path = `${cwd}/memory.db`
  const bytes = Buffer.from(await soundBytes())
  bytes[bytes.lastIndexOf('CREATE INDEX') + 'CREATE IN'.length]! ^= 1
  writeFileSync(path, bytes)
  const codes = (await Promise.all([1, 2, 3].map(() => run('mneme', ['repair', '--db', path], { cwd })))).map(
    ({ code }) => code,
  )
  expect(codes).toContain(0)
  expect(readFileSync(`${path}.damaged-1`).equals(bytes)).toBe(true)
  expect(existsSync(`${path}.damaged-2`)).toBe(false)
  expect((await held(path)).turns).toBe(TURNS)
})

test.each([0, 1])(
  'where the new file stays in its log, since the disk is full, it takes no place (bits in the list: %i)',
  async (bits) => {
    const path = freshDatabase()
    const bytes = Buffer.from(await soundBytes())
    bytes[bytes.lastIndexOf('CREATE INDEX') + 'CREATE IN'.length]! ^= bits
    writeFileSync(path, bytes)
    const full = vi.spyOn(Connection.prototype, 'checkpoint').mockReturnValue(false)
    await expect(repairStore(path)).rejects.toMatchObject({ code: 'storage_full' })
    full.mockRestore()
    expect(readFileSync(path).equals(bytes)).toBe(true)
    await repairStore(path)
    expect((await held(path)).turns).toBe(TURNS)
  },
)

test('a file that is no database is not repaired', async () => {
  const path = freshDatabase()
  writeFileSync(path, 'salt and pepper '.repeat(1000))
  await expect(repairStore(path)).rejects.toMatchObject({ code: 'not_a_database' })
  expect(readFileSync(path, 'utf8')).toBe('salt and pepper '.repeat(1000))
})

test('whatever a call meets in a damaged file is said as damage', async () => {
  const path = freshDatabase()
  writeFileSync(path, await soundBytes())
  const database = new DatabaseSync(path)
  database.exec(
    `UPDATE turns SET created_at = '2026-99' WHERE turn_number = 2; UPDATE memories SET created_at = '2026-99'`,
  )
  database.close()
  await using memory = await openMemory({ path, userId: 'one', create: false })
  for (const work of [() => memory.conversations.turns('chat-0'), () => memory.getAll()])
    await expect(work()).rejects.toMatchObject({ code: 'database_damaged', remedy: expect.stringContaining('repair') })
})

test('a turn whose end lay behind the cut is left out and not shown with zeros in it', async () => {
  const bytes = await soundBytes()
  const at = bytes.indexOf('leaf leaf leaf leaf leaf leaf leaf leaf leaf leaf leaf leaf leaf')
  const path = freshDatabase()
  writeFileSync(path, bytes.subarray(0, at + 30))
  await repairStore(path)
  await held(path)
})

/** The tables of words, each with a row, in a file of one chat that was thought about; and its first turn, of which one memory was edited and one deleted. */
const TOLD = 'I moved to Lisbon. My sister Clara plays the violin. My dentist is Dr. Weber. I am allergic to peanuts.'
async function wordsOfAllKinds(path: string): Promise<void> {
  await using memory = await openMemory({ path, userId: 'one' })
  for (let at = 0; at < 24; at += 1) {
    const turns = [
      { role: 'user' as const, content: at === 0 ? TOLD : content(at) },
      { role: 'assistant' as const, content: `Noted, number ${at}.` },
    ]
    await memory.conversations.store({ conversationId: 'chat', turns })
  }
  await memory.idle()
  for (const { id, text } of (await memory.getAll()).items)
    if (text.includes('peanuts')) await memory.delete(id)
    else if (text.includes('Weber')) await memory.update(id, { text: 'My dentist is Dr. Novak.' })
  const { results } = await memory.add('The harbour office opens at nine.', { infer: false })
  await memory.update(results[0]!.id, { text: 'The harbour office opens at ten.' })
  await memory.idle()
}

/** Every word of every kind, by table, with the rows that have no check value. */
function wordsIn(path: string): Readonly<Record<string, { readonly rows: string; readonly unchecked: number }>> {
  const database = new DatabaseSync(path)
  const all = Object.entries(CHECKED).map(([table, { words }]) => {
    const rows = database.prepare(`SELECT ${words.join(', ')}, words_check FROM ${table} ORDER BY 1`).all()
    return [table, { rows: JSON.stringify(rows), unchecked: rows.filter((row) => row.words_check === null).length }]
  })
  database.close()
  return Object.fromEntries(all)
}

test('a bit that flips inside any words is found, named and turned back', async () => {
  const path = freshDatabase()
  await wordsOfAllKinds(path)
  const [bytes, written] = [readFileSync(path), wordsIn(path)]
  for (const [table, { rows, unchecked }] of Object.entries(written))
    expect([table, rows === '[]', unchecked]).toEqual([table, false, 0])
  const title = /"title":"([^"\\]{6})/.exec(written.session_summaries!.rows)![1]!
  const places = ['Lisbon', 'harbour', title].flatMap((word) =>
    [...bytes.toString('latin1').matchAll(new RegExp(word, 'g'))].map(({ index }) => index),
  )
  expect(places.length).toBeGreaterThan(10)
  const found = new Set<string>()
  for (const [number, place] of places.entries()) {
    const flipped = Buffer.from(bytes)
    flipped[place + (number % 5)]! ^= 1 << (number % 8)
    writeFileSync(path, flipped)
    const wrong = (await inspectStore(path)).findings.filter(({ ok }) => !ok)
    // What lies in the index of words, and in gaps, are no words of a row.
    for (const { check, detail } of wrong) found.add(`${check}: ${detail.split(' ')[1]}`)
    if (wrong.length > 0) await repairStore(path)
    expect({ place, words: wordsIn(path) }).toEqual({ place, words: written })
  }
  for (const kind of ['turn', 'memory', 'an', 'profile', 'title', 'summary', 'conversation'])
    expect(found).toContain(`words: ${kind}`)
})

test('where more has changed, turns and what a person wrote are kept and named, titles and summaries are made anew, and a sentence of a turn comes back', async () => {
  const path = freshDatabase()
  await wordsOfAllKinds(path)
  const database = new DatabaseSync(path)
  const damages = [
    ['memories', 'text', 'Lisbon'],
    ['memories', 'text', 'ten'],
    ['turns', 'content', 'number 9'],
    ['summaries', 'summary', 'Lisbon'],
    ['conversations', 'summary', 'Lisbon'],
  ] as const
  for (const [table, column, words] of damages)
    database.exec(`UPDATE ${table} SET ${column} = replace(${column}, '${words}', 'Q?x'), words_check = words_check + 1
      WHERE instr(${column}, '${words}')`)
  database.exec(`UPDATE session_summaries SET title = 'Q?x', words_check = words_check + 1`)
  // Behind the words, as damage has it: rows whose words alone are written anew lose their check value.
  for (const [table, column] of new Map(damages.map(([of, words]) => [of, words])))
    database.exec(`UPDATE ${table} SET words_check = words_check - 1 WHERE instr(${column}, 'Q?x')`)
  database.close()
  expect((await inspectStore(path)).findings).toContainEqual(
    expect.objectContaining({ check: 'words', ok: false, detail: expect.stringContaining('(6 in all)') }),
  )
  const { findings } = await repairStore(path)
  const remains = (found: typeof findings) =>
    found.filter(({ ok }) => !ok).map(({ detail }) => detail.match(/turn|memory/g))
  expect(remains(findings)).toEqual([['turn', 'memory']])
  await using memory = await openMemory({ path, userId: 'one', create: false })
  const doubts = async () =>
    Object.fromEntries((await memory.getAll()).items.map(({ text, suspect }) => [text, suspect?.reason ?? '']))
  await memory.idle()
  expect(await doubts()).toMatchObject({
    'I moved to Lisbon.': '',
    'My sister Clara plays the violin.': '',
    'My dentist is Dr. Novak.': '',
    'The harbour office opens at Q?x.': expect.stringContaining('damaged'),
  })
  // What was deleted or edited of the same turn stays so.
  expect(Object.keys(await doubts()).join()).not.toMatch(/peanuts|Weber/)
  expect(remains(await memory.maintenance.verify())).toEqual([['turn', 'memory']])
  const { turns, ...made } = wordsIn(path)
  expect(turns!.rows).toContain('Noted, Q?x')
  expect(JSON.stringify([made.session_summaries, made.summaries, made.conversations])).not.toContain('Q?x')
})
