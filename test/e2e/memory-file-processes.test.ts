/** A change by a person, the clock, another process or the memory itself is seen by the next look at the memory file. */
import { mkdirSync, readFileSync, renameSync, rmdirSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { withLockedFile } from '../../src/notes/locked-file.ts'
import { type FileMemory, openFileMemory } from '../support/memory-file.ts'

const day = { date: '2026-05-07' }
const FACTS = ['The office is in Porto.', '会议室在二楼。', 'Standup is at 9:30.', '周报每周五发。']

async function withFacts(settings: Parameters<typeof openFileMemory>[0] = {}): Promise<FileMemory> {
  const one = await openFileMemory(settings)
  for (const [at, text] of FACTS.entries())
    await one.memory.add(text, { infer: false, importance: 2, createdAt: new Date(one.now.getTime() + at) })
  await one.memory.memoryFile.digest(day)
  expect((await one.memory.memoryFile.sync()).written).toBe(false)
  return one
}

/** Another process with the same files. */
async function elsewhere<T>(
  one: FileMemory,
  work: (memory: OpenMemory) => Promise<T>,
  memoryFile: Parameters<typeof openFileMemory>[0] = {},
): Promise<T> {
  await using memory = await openMemory({
    path: `${one.folder}/memory.db`,
    userId: 'ana',
    clock: () => one.now,
    memoryFile,
  })
  return await work(memory)
}

async function idOf({ memory }: FileMemory, words: string): Promise<string> {
  return (await memory.getAll({ limit: 100 })).items.find(({ text }) => text.includes(words))!.id
}

test('another process rewords, ends and deletes memories', async () => {
  const one = await withFacts()
  const ids = await Promise.all(['Porto', '二楼', '9:30'].map((words) => idOf(one, words)))
  await elsewhere(one, async (memory) => {
    await memory.update(ids[0]!, { text: 'The office is in Braga.' })
    await memory.update(ids[1]!, { validTo: one.now })
    await memory.delete(ids[2]!)
  })
  one.now = new Date(one.now.getTime() + 1000)
  const { edits } = await one.memory.memoryFile.sync()
  expect(edits).toEqual([])
  expect(await one.entries()).toEqual(['The office is in Braga.', '会议室在二楼。', '周报每周五发。'])
  expect(one.read()).toContain('~~会议室在二楼。~~')
})

test('another process digests, and takes in what the person wrote', async () => {
  const one = await withFacts()
  one.write(one.read().replace('in Porto', 'in Faro').concat('\n## 偏好设置\n- 我不吃香菜\n'))
  await elsewhere(one, async (memory) => {
    await memory.add('The kettle is behind the door.', { infer: false, importance: 2 })
    await memory.memoryFile.digest(day)
  })
  const { edits, added, removed, written } = await one.memory.memoryFile.digest(day)
  expect({ edits, added, removed, written }).toEqual({ edits: [], added: [], removed: [], written: false })
  expect((await one.entries()).toSorted()).toEqual(
    ['The office is in Faro.', 'The kettle is behind the door.', '我不吃香菜', ...FACTS.slice(1)].toSorted(),
  )
})

test('the file is to the byte what it was, but the memory is not', async () => {
  const one = await withFacts()
  const before = one.read()
  one.write(before.replace(/^- .*Porto.*\n/m, ''))
  await one.memory.memoryFile.sync()
  one.write(before)
  expect((await one.memory.memoryFile.sync()).edits).toEqual([expect.objectContaining({ edit: 'restored' })])
  await one.memory.update(await idOf(one, 'Porto'), { text: 'The office is in Coimbra.' })
  expect((await one.memory.memoryFile.sync()).updated).toEqual([{ text: 'The office is in Coimbra.' }])
})

test('an entry that the person changed again and again is the one of the memory that says it now', async () => {
  const one = await withFacts()
  for (const word of ['Faro', 'Braga', 'Evora']) {
    one.now = new Date(one.now.getTime() + 60_000)
    one.write(one.read().replace(/^(- \[.*?\] )The office is in \w+/m, `$1The office is in ${word}`))
    await one.memory.memoryFile.sync()
    const { entries } = await one.memory.memoryFile.read()
    expect(entries.find(({ text }) => text.includes(word))?.memoryId).toBe(await idOf(one, word))
  }
})

test('what was taken out after a conflict and is put back is found by the row that changed last', async () => {
  const one = await withFacts()
  const later = (): void => {
    one.now = new Date(one.now.getTime() + 60_000)
  }
  for (let round = 0; round < 5; round += 1) {
    // Several memories have had the id of this entry.
    const words = one.read().match(/The office is in (\w+)/)![1]!
    await one.memory.update(await idOf(one, words), { validTo: one.now })
    later()
    one.write(one.read().replace(`in ${words}`, `in ${words}x`))
    expect((await one.memory.memoryFile.sync()).conflicts).toHaveLength(1)
    const whole = one.read()
    later()
    one.write(whole.replace(/^- .*The office.*\n/m, ''))
    await one.memory.memoryFile.sync()
    later()
    one.write(whole)
    const restored = [expect.objectContaining({ edit: 'restored', text: `The office is in ${words}x.` })]
    const look = (memory: OpenMemory) => memory.memoryFile.digest({ ...day, dryRun: true })
    expect((await elsewhere(one, look)).edits).toEqual(restored)
    expect((await one.memory.memoryFile.sync()).edits).toEqual(restored)
  }
})

test('a deletion for good that could not reach the file is made up for by the next look, in the backups too', async () => {
  const one = await withFacts()
  await one.memory.add('The kettle is behind the door.', { infer: false, importance: 2 })
  await one.memory.memoryFile.digest(day)
  const holding = (): readonly string[] =>
    [one.file, ...one.backups()].filter((path) => readFileSync(path, 'utf8').includes('Porto'))
  expect(holding().length).toBeGreaterThan(1)
  renameSync(one.file, `${one.file}.away`)
  mkdirSync(one.file)
  await one.memory.delete(await idOf(one, 'Porto'))
  rmdirSync(one.file)
  renameSync(`${one.file}.away`, one.file)
  expect((await one.memory.memoryFile.sync()).removed).toEqual([{ text: FACTS[0], reason: 'deleted' }])
  expect(holding()).toEqual([])
})

test('deleting a memory that never had a line leaves the file alone, and no row behind', async () => {
  const one = await withFacts()
  const { results } = await one.memory.add('Milk.', { infer: false, importance: 0 })
  await one.memory.memoryFile.digest(day)
  const database = new DatabaseSync(`${one.folder}/memory.db`)
  onTestFinished(() => database.close())
  const rows = () => database.prepare('SELECT count(*) AS rows FROM memory_file_entries').get()?.rows
  expect(rows()).toBe(FACTS.length + 1)
  const [text, backups] = [one.read(), one.backups()]
  await one.memory.delete(results[0]!.id)
  await one.memory.memoryFile.sync()
  expect([one.read(), one.backups(), rows()]).toEqual([text, backups, FACTS.length])
})

test('nothing changes but the time, and a memory ends', async () => {
  const one = await withFacts()
  await one.memory.update(await idOf(one, 'Porto'), { validTo: new Date(one.now.getTime() + 60_000) })
  expect((await one.memory.memoryFile.sync()).updated).toEqual([])
  one.now = new Date(one.now.getTime() + 120_000)
  expect((await one.memory.memoryFile.sync()).updated).toEqual([{ text: FACTS[0] }])
})

test('a line that is over is no twin of what comes in', async () => {
  const one = await withFacts()
  await one.memory.memoryFile.digest(day)
  await one.memory.update(await idOf(one, 'Porto'), { validTo: one.now })
  one.now = new Date(one.now.getTime() + 60_000)
  await one.memory.add('The office is in Porto!', { infer: false, importance: 2 })
  const { added, updated, skipped } = await one.memory.memoryFile.digest(day)
  expect([added.map(({ text }) => text), updated.map(({ text }) => text), skipped]).toEqual([
    ['The office is in Porto!'],
    ['The office is in Porto.'],
    [],
  ])
  await one.memory.add('The office is in Porto', { infer: false, importance: 2 })
  expect((await one.memory.memoryFile.digest(day)).skipped).toMatchObject([{ twin: 'The office is in Porto!' }])
})

test('a memory matters more than when entries last made room', async () => {
  const one = await withFacts({ maxEntries: 4 })
  const add = async (text: string): Promise<readonly string[]> => {
    one.now = new Date(one.now.getTime() + 60_000)
    await one.memory.add(text, { infer: false, importance: 2 })
    return (await one.memory.memoryFile.digest(day)).removed.map(({ text: left }) => left)
  }
  expect(await add('The kettle is behind the door.')).toEqual([FACTS[0]])
  await one.memory.update(await idOf(one, '二楼'), { importance: 3 })
  expect(await add('书房的灯坏了。')).toEqual([FACTS[2]])
  await elsewhere(one, async (memory) => memory.update(await idOf(one, '周报'), { importance: 3 }))
  expect(await add('The blue folder is gone.')).toEqual(['The kettle is behind the door.'])
})

test('a dry run beside a digest tells what it finds, and hides nothing from it', async () => {
  const one = await withFacts()
  one.write(one.read().replace('in Porto', 'in Faro'))
  // The digest has begun and waits for the lock, which a dry run does not need.
  const [wet, dry] = await withLockedFile(one.file, async () => {
    const begun = one.memory.memoryFile.digest(day)
    return [() => begun, await one.memory.memoryFile.digest({ ...day, dryRun: true })] as const
  })
  const told = [{ edit: 'changed', text: 'The office is in Faro.', memoryId: expect.any(String) }]
  expect(dry.edits).toEqual(told)
  expect((await wet()).edits).toEqual(told)
  expect((await one.memory.memoryFile.sync()).edits).toEqual([])
})

test('a dry run that finds a write broken off leaves it to be understood by the next digest', async () => {
  const one = await withFacts()
  const database = new DatabaseSync(`${one.folder}/memory.db`)
  onTestFinished(() => database.close())
  const begun = (): number =>
    Number(
      database.prepare('SELECT count(*) AS begun FROM memory_file_entries WHERE next_state IS NOT NULL').get()?.begun,
    )
  database.exec(`UPDATE memory_file_entries SET next_state = 'left'`)
  await one.memory.memoryFile.digest({ ...day, dryRun: true })
  expect(begun()).toBe(FACTS.length)
  await one.memory.memoryFile.digest(day)
  expect(begun()).toBe(0)
  expect((await one.entries()).toSorted()).toEqual(FACTS.toSorted())
})

test('two databases in one folder have a file each, and a file that one keeps is refused to the other', async () => {
  const one = await withFacts()
  const other = { userId: 'ana', clock: () => one.now, path: `${one.folder}/家.db` }
  await using home = await openMemory(other)
  await home.add('The cat is called Miso.', { infer: false, importance: 2 })
  const { file, edits, added } = await home.memoryFile.digest(day)
  expect({ edits, added: added.map(({ text }) => text) }).toEqual({ edits: [], added: ['The cat is called Miso.'] })
  expect(file).not.toBe(one.file)
  expect((await one.memory.memoryFile.digest(day)).written).toBe(false)
  expect((await home.memoryFile.digest(day)).written).toBe(false)
  expect((await one.entries()).toSorted()).toEqual(FACTS.toSorted())
  await using same = await openMemory({ ...other, memoryFile: { path: one.file } })
  await expect(same.memoryFile.digest(day)).rejects.toMatchObject({ code: 'conflict', field: 'memoryFile.path' })
  // A database that is gone keeps nothing.
  await one.memory.close()
  renameSync(`${one.folder}/memory.db`, `${one.folder}/moved.db`)
  await using moved = await openMemory({ ...other, path: `${one.folder}/moved.db` })
  expect(await moved.memoryFile.digest(day)).toMatchObject({ file: one.file, edits: [], removed: [], written: false })
})
