/** Faults of a memory file on the disk, which harm nothing but the file. */
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openMemory } from '../../src/doors/library/index.ts'
import { takeLock } from '../../src/notes/locked-file.ts'
import { freshFolder } from '../support/folder.ts'
import { type FileMemory, openFileMemory } from '../support/memory-file.ts'
import { seeded, wholeNumber } from '../support/random.ts'

const day = { date: '2026-05-07' }

async function withEntries(dedupThreshold = 0.8): Promise<FileMemory> {
  const one = await openFileMemory({ dedupThreshold })
  for (const text of ['The office is in Porto.', '会议室在二楼。'])
    await one.memory.add(text, { infer: false, importance: 2 })
  await one.memory.memoryFile.digest(day)
  return one
}

const errors = (one: FileMemory): readonly string[] =>
  one.log.filter(({ level }) => level === 'error').map(({ message }) => message)

test('a file that is missing or empty is built anew, and nothing is taken for an edit', async () => {
  const one = await withEntries()
  const before = (await one.entries()).toSorted()
  for (const lose of [() => rmSync(one.file), () => truncateSync(one.file), () => writeFileSync(one.file, '\n\n')]) {
    one.log.length = 0
    lose()
    const isMissing = !existsSync(one.file)
    const { repairs, edits } = await one.memory.memoryFile.digest(day)
    expect(repairs.join()).toMatch(/built anew/)
    expect(edits).toEqual([])
    expect((await one.entries()).toSorted()).toEqual(before)
    expect(errors(one).length === 0).toBe(isMissing)
  }
  expect((await one.memory.getAll({})).total).toBe(2)
})

test('a half-written file loses no entry, and what it was is kept', async () => {
  const one = await withEntries()
  const text = one.read()
  const cut = text.indexOf('mneme:', text.indexOf('mneme:') + 1) + 9
  one.write(text.slice(0, cut))
  const { repairs, edits, removed } = await one.memory.memoryFile.digest(day)
  expect(repairs).toHaveLength(2)
  expect([...edits.filter(({ edit }) => edit === 'removed'), ...removed]).toEqual([])
  expect((await one.entries()).toSorted()).toEqual(['The office is in Porto.', '会议室在二楼。'].toSorted())
  const kept = readdirSync(`${one.file}.backups`).filter((name) => name.startsWith('damaged-'))
  expect(readFileSync(join(`${one.file}.backups`, kept[0]!), 'utf8')).toBe(text.slice(0, cut))
  expect(errors(one)).toContain('the memory file was repaired')
})

test('a folder in its place, a link out of its folder and a device are refused and left alone', async () => {
  const one = await withEntries()
  const outside = join(freshFolder(), 'secret.txt')
  writeFileSync(outside, 'not yours')
  rmSync(one.file)
  symlinkSync(outside, one.file)
  await expect(one.memory.memoryFile.digest(day)).rejects.toMatchObject({ message: expect.stringContaining('a link') })
  expect(readFileSync(outside, 'utf8')).toBe('not yours')
  rmSync(one.file)
  mkdirSync(one.file)
  await expect(one.memory.memoryFile.digest(day)).rejects.toMatchObject({ message: expect.stringContaining('folder') })
  await expect(openFileMemory({ path: '/dev/null' }).then((it) => it.memory.memoryFile.digest())).rejects.toThrow()
  expect(errors(one)).toHaveLength(2)
})

test('a link to a file beside it is followed and stays a link', async () => {
  const one = await withEntries()
  const notes = join(one.folder, 'notes.md')
  renameSync(one.file, notes)
  symlinkSync('notes.md', one.file)
  await one.memory.add('The tram stops at nine.', { infer: false, importance: 2 })
  await one.memory.memoryFile.digest(day)
  expect(readFileSync(notes, 'utf8')).toContain('tram')
  expect(one.read()).toBe(readFileSync(notes, 'utf8'))
})

/** Whom root lends the work to, since nothing is forbidden to root itself. */
const NOBODY = 65_534

/** `mneme digest` for the user of the tests, or for nobody where that is root. */
function digestAsNobody(db: string): Promise<{ readonly code: number | null; readonly stderr: string }> {
  const entry = fileURLToPath(new URL('./cli-entry.ts', import.meta.url))
  const { NODE_OPTIONS: _, ...env } = process.env
  const rights = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  const child = spawn(process.execPath, [entry, 'mneme', 'digest', '--db', db, '--user', 'ana'], {
    cwd: dirname(db),
    env: { ...env, HOME: dirname(db), NODE_COMPILE_CACHE: '' },
    ...rights,
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk)
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stderr })))
}

test('a file that may not be read, and one whose folder may not be written, are told with a remedy', async () => {
  const one = await withEntries()
  const before = one.read()
  await one.memory.close()
  const all = [
    one.folder,
    ...readdirSync(one.folder, { recursive: true }).map((name) => join(one.folder, String(name))),
  ]
  if (process.getuid?.() === 0) for (const path of all) chownSync(path, NOBODY, NOBODY)
  const db = join(one.folder, 'memory.db')
  chmodSync(one.file, 0o000)
  const unreadable = await digestAsNobody(db)
  expect(unreadable.code).toBe(1)
  expect(unreadable.stderr).toMatch(/may not be read or written \(EACCES/)
  expect(unreadable.stderr).toContain('Give this user the right')
  chmodSync(one.file, 0o600)
  chmodSync(`${one.file}.backups`, 0o500)
  for (const name of readdirSync(`${one.file}.backups`)) rmSync(join(`${one.file}.backups`, name))
  const unwritable = await digestAsNobody(db)
  expect(unwritable.code).toBe(1)
  expect(unwritable.stderr).toMatch(/Give this user the right|cannot be read or written/)
  chmodSync(`${one.file}.backups`, 0o700)
  expect(readFileSync(one.file, 'utf8')).toBe(before)
  expect(await digestAsNobody(db)).toMatchObject({ code: 0 })
})

test('a full disk leaves the old file whole', async () => {
  if (!existsSync('/dev/full')) return
  const one = await withEntries()
  const before = one.read()
  // Every write to /dev/full fails as on a full disk: the copy is made there.
  const copies = `${one.file}.backups`
  rmSync(copies, { recursive: true })
  symlinkSync('/dev/full', copies)
  await one.memory.add('The tram stops at nine.', { infer: false, importance: 2 })
  await expect(one.memory.memoryFile.digest(day)).rejects.toMatchObject({ remedy: expect.stringContaining('unharmed') })
  expect(one.read()).toBe(before)
  rmSync(copies)
  expect((await one.memory.memoryFile.digest(day)).added).toHaveLength(1)
})

test('headings that were broken by hand lose nothing', async () => {
  const one = await withEntries()
  one.write(
    one
      .read()
      .replace(/^## 用户信息.*$/m, '**用户信息**')
      .replace(/^## 技术配置.*$/m, '###### 3) 技术配置:'),
  )
  expect((await one.memory.memoryFile.digest(day)).edits).toEqual([])
  one.write(
    one
      .read()
      .replace(/^.*用户信息.*$/m, 'About me')
      .replace(/^## .*\n/gm, ''),
  )
  expect((await one.memory.memoryFile.digest(day)).edits).toEqual([])
  expect(await one.entries()).toHaveLength(2)
})

test('two processes take turns, and neither loses what the other wrote', async () => {
  const one = await withEntries(1)
  await using other = await openMemory({
    path: join(one.folder, 'memory.db'),
    userId: 'ana',
    clock: () => one.now,
    memoryFile: { dedupThreshold: 1 },
  })
  const write = async (memory: typeof other, name: string): Promise<void> => {
    for (let number = 0; number < 5; number += 1) {
      await memory.add(`${name.repeat(6)} ${number * 7919} noted`, { infer: false, importance: 2, createdAt: one.now })
      await memory.memoryFile.digest(day)
    }
  }
  await Promise.all([write(one.memory, 'left'), write(other, '右边')])
  await one.memory.memoryFile.digest(day)
  expect(await one.entries()).toHaveLength(12)
  const release = await takeLock(one.file, join(`${one.file}.backups`, 'lock'))
  const waiting = one.memory.memoryFile.digest(day)
  release()
  expect((await waiting).edits).toEqual([])
})

test('whoever saves while it is written is not overwritten', async () => {
  const one = await withEntries()
  const both = Promise.all([
    ...Array.from({ length: 5 }, async (_, number) => {
      await one.memory.add(`The tram number ${number * 31} stops at nine.`, { infer: false, importance: 2 })
      return one.memory.memoryFile.digest(day)
    }),
  ])
  await both
  one.write(`${one.read()}\nMine to the end.\n`)
  await one.memory.memoryFile.digest(day)
  expect(one.read().endsWith('\nMine to the end.\n')).toBe(true)
})

test('a file that was cut anywhere or overwritten anywhere ends no memory and adds none', async () => {
  const one = await openFileMemory()
  for (const text of [
    'The office is in Porto.',
    '会议室在二楼。',
    'I prefer oat milk in coffee.',
    'We decided to use Postgres for the shop.',
    'The staging server runs on port 8443.',
  ])
    await one.memory.add(text, { infer: false, importance: 3 })
  await one.memory.memoryFile.digest(day)
  const whole = readFileSync(one.file)
  const memories = async (): Promise<unknown> =>
    (await one.memory.getAll({ includePast: true })).items.map(({ text, validTo }) => [text, validTo]).toSorted()
  const before = await memories()
  const first = whole.indexOf('- [')
  const over = (at: number, fill: (place: number) => number): Buffer =>
    Buffer.from(whole.map((byte, place) => (place >= at && place < at + 40 ? fill(place) : byte)))
  // Behind the last heading a cut at the end of a line is the same file as one from which a person took lines out.
  const cuts = Array.from({ length: 30 }, (_, step) => whole.subarray(0, first + 2 + step * 11))
  const lines = [...whole.toString().matchAll(/\n/g)].map(({ index }) => index + 1)
  const ends = lines.map((end) => Buffer.from(whole.toString().slice(0, end)))
  const others = ends.filter((part) => part.length <= whole.indexOf('- [', whole.indexOf('## 技术配置')))
  const [line = ''] = whole
    .toString()
    .split('\n')
    .filter((one) => one.includes('Porto'))
  const around = [...line.slice(0, line.indexOf('] ') + 1), ...line.slice(line.indexOf('<!--'))].length
  const flips = Array.from({ length: around }, (_, step) => {
    const at = step < 14 ? step : line.indexOf('<!--') + step - 14
    const flipped = Buffer.from(whole)
    flipped[whole.indexOf(line) + at]! ^= 1 << (step % 5)
    return flipped
  })
  const zeros = Array.from({ length: 15 }, (_, step) => over(first + step * 23, () => 0))
  const noise = Array.from({ length: 15 }, (_, step) => over(first + step * 23, (place) => 128 + ((place * 37) % 100)))
  const glued = Buffer.concat([whole.subarray(0, whole.indexOf('mneme:') + 5), whole])
  const joined = (end: string, begin: string): Buffer =>
    Buffer.concat([whole.subarray(0, whole.indexOf(end)), whole.subarray(whole.indexOf(begin))])
  const seams = [joined('fer oat', 'ided to use'), joined('gres for', 'ffice is'), joined('ffice is', '# MEMORY')]
  for (const damaged of [
    ...cuts.filter((part) => part.at(-1) !== 10),
    ...others,
    ...flips,
    ...zeros,
    ...noise,
    glued,
    ...seams,
  ]) {
    writeFileSync(one.file, damaged)
    // Remains of the damage are no word of a person's the next time either.
    for (let time = 0; time < 2; time += 1) await one.memory.memoryFile.digest(day)
    expect(await memories(), damaged.toString()).toEqual(before)
    writeFileSync(one.file, whole)
    await one.memory.memoryFile.digest(day)
  }
})

test('what has changed on the disk although nobody wrote the file is no edit, and one bit is turned back wherever it was', async () => {
  const one = await openFileMemory()
  for (const text of ['The office is in Porto.', 'I prefer oat milk in coffee.', '会议室在二楼。', 'The sauna is hot.'])
    await one.memory.add(text, { infer: false, importance: 3 })
  await one.memory.memoryFile.digest(day)
  writeFileSync(one.file, `${one.read()}\nMine to the end.\n`)
  await one.memory.memoryFile.digest(day)
  const whole = readFileSync(one.file)
  const memories = async (): Promise<unknown> =>
    (await one.memory.getAll({ includePast: true })).items.map(({ text, validTo }) => [text, validTo]).toSorted()
  const before = await memories()
  const sameTime = `${one.file}.time`
  const random = seeded(1127)
  const place = (): number => wholeNumber(random, 0, whole.length - 1)
  const flip = (bytes: Buffer): void => {
    bytes[place()]! ^= 1 << wholeNumber(random, 0, 7)
  }
  const copy = (bytes: Buffer): void => {
    whole.subarray(place()).subarray(0, 60).copy(bytes, place())
  }
  for (const [damage, isMended] of [
    ...Array.from({ length: 30 }, () => [flip, true] as const),
    ...Array.from({ length: 20 }, () => [copy, false] as const),
  ]) {
    execFileSync('touch', ['-r', one.file, sameTime])
    const now = readFileSync(one.file)
    const damaged = Buffer.from(now)
    damage(damaged)
    writeFileSync(one.file, damaged)
    execFileSync('touch', ['-r', sameTime, one.file])
    await one.memory.memoryFile.digest(day)
    expect(await memories(), damaged.toString()).toEqual(before)
    if (isMended) expect(one.read()).toBe(whole.toString())
  }
  // The same letter, changed by a person in the file without what the damage left in it.
  writeFileSync(one.file, whole)
  await one.memory.memoryFile.digest(day)
  writeFileSync(one.file, one.read().replace('The sauna', 'The fauna'))
  await one.memory.memoryFile.digest(day)
  expect(await memories()).toContainEqual(['The fauna is hot.', null])
})

test('what a person saved a moment before a digest is kept from damage as what Mneme wrote', async () => {
  const one = await openFileMemory()
  await one.memory.add('The harbour office is in Porto.', { infer: false, importance: 3 })
  await one.memory.memoryFile.digest(day)
  writeFileSync(one.file, `${one.read()}\nMine to the end.\n`)
  await one.memory.memoryFile.digest(day)
  const whole = one.read()
  const sameTime = `${one.file}.time`
  execFileSync('touch', ['-r', one.file, sameTime])
  writeFileSync(one.file, whole.replace('office', 'offiae'))
  execFileSync('touch', ['-r', sameTime, one.file])
  await one.memory.memoryFile.digest(day)
  expect((await one.memory.getAll()).items.map(({ text }) => text)).toEqual(['The harbour office is in Porto.'])
})
