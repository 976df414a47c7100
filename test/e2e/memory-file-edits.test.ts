/** A person's edits in the memory file become memory, and changes in memory reach the file. */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshFolder, wordsInFiles } from '../support/folder.ts'
import { type FileMemory, openFileMemory } from '../support/memory-file.ts'
import { oneOf, seeded, shuffled, wholeNumber } from '../support/random.ts'

const day = { date: '2026-05-07' }

async function withFacts(...facts: readonly string[]): Promise<FileMemory> {
  const one = await openFileMemory()
  for (const [at, text] of facts.entries())
    await one.memory.add(text, { infer: false, importance: 2, createdAt: new Date(one.now.getTime() + at) })
  await one.memory.memoryFile.digest(day)
  return one
}

const texts = async (one: FileMemory): Promise<readonly string[]> =>
  (await one.memory.getAll({})).items.map(({ text }) => text).sort()

describe('edits of the person', () => {
  test('a line that was added is a memory of the person’s own, and gets an id', async () => {
    const one = await withFacts('The office is in Porto.')
    one.write(`${one.read()}\n## 偏好设置\n- 我不吃香菜\n`)
    const { edits, skipped } = await one.memory.memoryFile.digest(day)
    // A line that stands in the file since a moment ago is no news that repeats it.
    expect(skipped).toEqual([])
    expect(edits).toEqual([{ edit: 'added', text: '我不吃香菜', memoryId: expect.any(String) }])
    const memory = await one.memory.get(edits[0]!.memoryId!)
    expect(memory).toMatchObject({ source: 'user_stated', importance: 3, category: 'preference', validTo: null })
    expect(one.read()).toMatch(/^- 我不吃香菜 <!-- mneme:[0-9a-f]{12} -->$/m)
    expect((await one.memory.memoryFile.digest(day)).written).toBe(false)
  })

  test('a line that was changed takes the place of what it said, and no digest brings that back', async () => {
    const one = await withFacts('The office is in Porto.')
    one.write(one.read().replace('in Porto', 'in Braga'))
    await one.memory.memoryFile.digest(day)
    expect(await texts(one)).toEqual(['The office is in Braga.'])
    await one.memory.add('The office is in Porto.', { infer: false, importance: 2, createdAt: one.now })
    for (let time = 0; time < 3; time += 1) {
      one.now = new Date(one.now.getTime() + 60_000)
      await one.memory.memoryFile.digest(day)
      expect(await one.entries()).toEqual(['The office is in Braga.'])
    }
  })

  test('a line that was taken out is remembered no longer, whatever the next digests find', async () => {
    const one = await withFacts('The office is in Porto.', '会议室在二楼。')
    one.write(one.read().replace(/^- .*Porto.*\n/m, ''))
    const { edits, removed } = await one.memory.memoryFile.digest(day)
    expect(edits).toEqual([expect.objectContaining({ edit: 'removed', text: 'The office is in Porto.' })])
    expect(removed).toEqual([{ text: 'The office is in Porto.', reason: 'person' }])
    expect(await texts(one)).toEqual(['会议室在二楼。'])
    await one.memory.add('The office is in Porto!', { infer: false, importance: 2, createdAt: one.now })
    one.now = new Date(one.now.getTime() + 60_000)
    const { skipped } = await one.memory.memoryFile.digest(day)
    expect(skipped).toEqual([expect.objectContaining({ reason: 'refused' })])
    expect(await one.entries()).toEqual(['会议室在二楼。'])
  })

  test('a line that is put back is remembered again', async () => {
    const one = await withFacts('The office is in Porto.', '会议室在二楼。')
    const before = one.read()
    one.write(before.replace(/^- .*Porto.*\n/m, ''))
    await one.memory.memoryFile.digest(day)
    one.write(before)
    const { edits } = await one.memory.memoryFile.sync()
    expect(edits).toEqual([expect.objectContaining({ edit: 'restored' })])
    expect(await texts(one)).toEqual(['The office is in Porto.', '会议室在二楼。'])
  })

  test('a line that lost its comment is still the same entry', async () => {
    const one = await withFacts('The office is in Porto.', '会议室在二楼。')
    one.write(
      one
        .read()
        .replaceAll(/ <!--.*?-->/g, '')
        .replace('二楼', '三楼'),
    )
    const { edits } = await one.memory.memoryFile.sync()
    expect(edits).toEqual([expect.objectContaining({ edit: 'changed', text: '会议室在三楼。' })])
    expect(await texts(one)).toEqual(['The office is in Porto.', '会议室在三楼。'])
    expect(one.read().match(/mneme:/g)).toHaveLength(2)
  })

  test('a value that stays masked in a changed line is the one that is stored', async () => {
    const one = await withFacts('The token of the billing service is ghp_abcdefghijklmnopqrstuvwxyz0123456789.')
    one.write(one.read().replace('billing', 'invoice'))
    const { edits } = await one.memory.memoryFile.sync({ revealSecrets: true })
    expect(edits[0]?.text).toBe('The token of the invoice service is ghp_abcdefghijklmnopqrstuvwxyz0123456789.')
    expect(one.read()).not.toContain('ghp_abcdefghijklmnopqrstuvwxyz')
  })

  test('a copied line with a changed copy is two entries', async () => {
    const one = await withFacts('The office is in Porto.')
    const line = /^- .*Porto.*\n/m.exec(one.read())![0]
    one.write(one.read().replace(line, line + line.replace('Porto', 'Lisbon on Fridays')))
    await one.memory.memoryFile.sync()
    expect(await texts(one)).toEqual(['The office is in Lisbon on Fridays.', 'The office is in Porto.'])
    expect(new Set(one.read().match(/mneme:[0-9a-f]+/g)).size).toBe(2)
  })
})

describe('changes of memory', () => {
  test('what is superseded stays, struck through, and what took its place stands there', async () => {
    const one = await openFileMemory()
    await one.say('We use Postgres 14 as our database.')
    await one.memory.memoryFile.digest(day)
    one.now = new Date(one.now.getTime() + 3_600_000)
    await one.say('We switched our database from Postgres 14 to MySQL 8.')
    const { removed, updated, edits } = await one.memory.memoryFile.sync()
    expect({ removed, edits }).toEqual({ removed: [], edits: [] })
    expect(updated).toEqual([{ text: 'We use Postgres 14 as our database.' }])
    expect((await one.entries()).join()).toContain('MySQL 8')
    expect(one.read()).toMatch(/~~We use Postgres 14 as our database\.~~ <!-- mneme:\w{12} over since 2026-05-07 -->\n/)
    const marks = (await one.memory.memoryFile.read()).entries.map(({ mark }) => mark)
    expect(marks).toEqual(['over', null])
    expect((await one.memory.memoryFile.sync()).written).toBe(false)
  })

  test('what took the place of an entry comes in only if it is a plain statement', async () => {
    const one = await openFileMemory()
    await one.say('I prefer Vim for editing.', 'I enjoy long bike rides.')
    await one.memory.memoryFile.digest(day)
    one.now = new Date(2026, 4, 8, 12)
    await one.say(
      'I switched from Vim to Zed for editing.',
      'Thanks so much! I no longer ride my bike. It was fun while it lasted!',
    )
    const { updated } = await one.memory.memoryFile.digest({ date: '2026-05-08' })
    expect(updated.map(({ text }) => text).sort()).toEqual(['I enjoy long bike rides.', 'I prefer Vim for editing.'])
    const entries = await one.entries()
    expect(entries).toContain('I switched from Vim to Zed for editing.')
    expect(entries.join()).not.toMatch(/Thanks|fun while/)
  })

  test('what is over is marked, what is reworded is reworded', async () => {
    const one = await withFacts('The office is in Porto.', '会议室在二楼。')
    const { items } = await one.memory.getAll({})
    const porto = items.find(({ text }) => text.includes('Porto'))!
    const room = items.find(({ text }) => text.includes('二楼'))!
    await one.memory.update(room.id, { text: '会议室在六楼。' })
    await one.memory.update(porto.id, { validTo: one.now })
    one.now = new Date(one.now.getTime() + 1000)
    const { removed, updated } = await one.memory.memoryFile.sync()
    expect(removed).toEqual([])
    expect(updated.map(({ text }) => text).sort()).toEqual(['The office is in Porto.', '会议室在六楼。'])
    expect(one.read()).toContain('~~The office is in Porto.~~')
    await one.memory.update(porto.id, { validTo: null })
    await one.memory.memoryFile.sync()
    expect(one.read()).not.toContain('~~')
  })

  test.each(['***', '——', '~~The office is in Porto.~~', '\u200b', '\u3164'])(
    'a memory whose words were blotted out as %j loses its line, and is neither ended nor shown by the next digest',
    async (text) => {
      const one = await withFacts('The office is in Porto.', '会议室在二楼。')
      const { items } = await one.memory.getAll({})
      const { id } = items.find((memory) => memory.text.includes('Porto'))!
      await one.memory.update(id, { text })
      const { removed, edits } = await one.memory.memoryFile.digest(day)
      expect({ removed, edits }).toEqual({ removed: [{ text: 'The office is in Porto.', reason: 'ended' }], edits: [] })
      const bullets = (): readonly string[] => one.read().match(/^- .*/gm) ?? []
      expect(bullets()).toEqual([expect.stringContaining('会议室在二楼。')])
      expect((await one.memory.memoryFile.digest(day)).edits).toEqual([])
      expect(await one.memory.get(id)).toMatchObject({ text, validTo: null })
      await one.memory.update(id, { text: 'The office is in Braga.' })
      await one.memory.memoryFile.digest(day)
      expect(bullets()).toHaveLength(2)
      expect(await one.entries()).toContain('The office is in Braga.')
    },
  )

  test('a memory without words gets no line', async () => {
    const one = await withFacts('***', '——', '\u200b', '会议室在二楼。')
    expect(one.read().match(/^- .*/gm)).toEqual([expect.stringContaining('会议室在二楼。')])
    expect((await one.memory.memoryFile.digest(day)).edits).toEqual([])
    expect(await texts(one)).toHaveLength(4)
  })

  test.each([
    ['I live in Porto, near the river.', 'I moved to Ghent last week.'],
    ['我住在滨江，每天骑车去公司。', '我搬到余杭了。'],
  ])('what came into doubt is marked until it is said again: %s', async (before, since) => {
    const one = await openFileMemory()
    await one.say(before)
    await one.memory.memoryFile.digest(day)
    one.now = new Date(2026, 4, 8, 12)
    await one.say(since)
    const { updated, edits } = await one.memory.memoryFile.sync()
    expect({ updated, edits }).toEqual({ updated: [{ text: before }], edits: [] })
    expect(one.read()).toMatch(/<!-- mneme:\w{12} in doubt since 2026-05-08 -->/)
    expect((await one.memory.memoryFile.sync()).written).toBe(false)
    one.now = new Date(2026, 4, 9, 12)
    await one.say(before)
    await one.memory.memoryFile.sync()
    expect(one.read()).toMatch(/\[2026-05-07\] .+ <!-- mneme:\w{12} -->\n/)
    expect(one.read()).not.toContain('in doubt')
  })

  test('a conflict keeps both and says so', async () => {
    const one = await withFacts('The office is in Porto.')
    const [memory] = (await one.memory.getAll({})).items
    await one.memory.update(memory!.id, { text: 'The office is in Coimbra.' })
    one.write(one.read().replace('in Porto', 'in Braga'))
    const { conflicts } = await one.memory.memoryFile.sync()
    expect(conflicts).toEqual([
      { inFile: 'The office is in Braga.', inMemory: 'The office is in Coimbra.', explanation: expect.any(String) },
    ])
    expect((await one.entries()).toSorted()).toEqual(['The office is in Braga.', 'The office is in Coimbra.'])
    expect(await texts(one)).toEqual(['The office is in Braga.', 'The office is in Coimbra.'])
    expect(one.log.some(({ level, message }) => level === 'warn' && message.includes('differ'))).toBe(true)
    expect((await one.memory.memoryFile.sync()).written).toBe(false)
  })

  test('what an edited memory said before leaves the file and its backups with the next look', async () => {
    const one = await withFacts('The xylophone hangs in the hall.', '会议室在二楼。')
    await one.memory.memoryFile.digest(day)
    one.write(`${one.read()}\nA line of mine.\n`)
    await one.memory.memoryFile.sync()
    const [memory] = (await one.memory.getAll({})).items.filter(({ text }) => text.includes('xylophone'))
    await one.memory.update(memory!.id, { text: 'The harp hangs in the hall.' })
    await one.memory.memoryFile.sync()
    const files = [...readdirSync(`${one.file}.backups`).map((name) => join(`${one.file}.backups`, name)), one.file]
    const everywhere = files.map((path) => readFileSync(path, 'utf8')).join('\n')
    expect(everywhere).not.toContain('xylophone')
    expect(one.read()).toContain('The harp hangs in the hall.')
    expect(everywhere.match(/会议室在二楼。/g)!.length).toBeGreaterThan(1)
  })

  test('deleting a memory leaves no word of it: not in the file, its backups, or the database', async () => {
    const one = await withFacts('The zebrafinch sings at dawn.', '会议室在二楼。')
    await one.memory.memoryFile.digest(day)
    one.write(one.read().replace('at dawn', 'at noon'))
    await one.memory.memoryFile.sync()
    one.write(`\xff\n${one.read()}`)
    writeFileSync(one.file, Buffer.concat([Buffer.from([0xff, 0x0a]), readFileSync(one.file)]))
    await one.memory.memoryFile.sync()
    const everywhere = (): string =>
      [...readdirSync(`${one.file}.backups`).map((name) => join(`${one.file}.backups`, name)), one.file]
        .map((path) => readFileSync(path, 'utf8'))
        .join('\n')
    expect(everywhere().match(/zebrafinch/g)!.length).toBeGreaterThan(2)
    for (const { id } of (await one.memory.getAll({ includePast: true })).items.filter(({ text }) =>
      text.includes('zebra'),
    ))
      await one.memory.delete(id)
    expect(everywhere()).not.toContain('zebrafinch')
    expect(everywhere()).toContain('会议室在二楼。')
    await one.memory.idle()
    expect(wordsInFiles(join(one.folder, 'memory.db'), ['zebrafinch'])).toEqual([])
  })
})

describe('files of others', () => {
  test('one file belongs to one user', async () => {
    const one = await withFacts('The office is in Porto.')
    await one.memory.add('Bea lives in Faro.', { userId: 'Bea Costa', infer: false, importance: 2 })
    const { file } = await one.memory.memoryFile.digest({ userId: 'Bea Costa' })
    expect(file).not.toBe(one.file)
    expect(readFileSync(file, 'utf8')).toContain('Faro')
    expect(one.read()).not.toContain('Faro')
    const named = await openFileMemory({ path: join(freshFolder(), 'notes-{user}.md') })
    expect((await named.memory.memoryFile.digest()).file).toMatch(/notes-ana\.md$/)
  })

  test('secrets are written out only into a file that nobody else can read', async () => {
    const one = await withFacts('The token is ghp_abcdefghijklmnopqrstuvwxyz0123456789.')
    expect(statSync(one.file).mode & 0o077).not.toBe(0)
    await one.memory.memoryFile.digest({ ...day, withSecrets: true })
    expect(one.read()).toContain('ghp_abcdefghijklmnopqrstuvwxyz0123456789')
    expect(statSync(one.file).mode & 0o077).toBe(0)
    for (const path of one.backups()) expect(statSync(path).mode & 0o077).toBe(0)
  })

  test('a secret that was written out is masked again, even if its comment does not say any more that it was', async () => {
    const one = await withFacts('The token is ghp_abcdefghijklmnopqrstuvwxyz0123456789.')
    await one.memory.memoryFile.digest({ ...day, withSecrets: true })
    one.write(one.read().replace(/(<!-- mneme:[0-9a-f]+) written in full/, '$1'))
    await one.memory.memoryFile.digest(day)
    expect(one.read()).not.toContain('ghp_abcdefghijklmnopqrstuvwxyz0123456789')
  })
})

/** MNEME_EDITS=1000 edits so often; the default is quick. */
const EDITS = Number(process.env.MNEME_EDITS ?? 150)
const SUBJECTS = [
  'The kettle',
  '书房的灯',
  'Our old tram',
  '我的邻居',
  'The blue folder',
  '周三的课',
  'Grandma’s recipe',
  '仓库钥匙',
]
const STATES = [
  'is kept behind the door',
  '放在楼下',
  'needs 40 minutes',
  '总是迟到',
  'belongs to nobody',
  'costs 7 euros',
  '不见了',
]
const FREE = [
  '',
  'A line of my own.',
  '> 引用一句话',
  '| a | b |',
  '```\ncode - with a dash\n```',
  '### My part',
  '<!-- todo -->',
  '## Elsewhere\n- no entry',
]

/** Lines that the person wrote must be found in the file, in whatever place. */
test(`${EDITS} random edits between digests lose no line that a person wrote`, { timeout: 600_000 }, async () => {
  const random = seeded(20260507)
  const one = await openFileMemory({ maxEntries: 100_000, backups: 1 })
  await one.memory.memoryFile.digest(day)
  const own = new Map<string, number>()
  let serial = 0
  const line = (): string => {
    serial += 1
    const text = `${oneOf(random, SUBJECTS)} ${oneOf(random, STATES)} ${serial}`
    own.set(text, serial)
    return text
  }
  const lines = (): string[] => one.read().split('\n')
  const places = (all: readonly string[]): readonly number[] =>
    all.flatMap((text, at) => (text.startsWith('- ') && text.includes('mneme:') ? [at] : []))
  for (let edit = 0; edit < EDITS; edit += 1) {
    const all = lines()
    const entries = places(all)
    const kind = wholeNumber(random, 0, 9)
    const at = entries.length === 0 ? all.length - 1 : oneOf(random, entries)
    const said = all[at]!.replace(/ <!-- mneme.*?-->/, '').replace(/^- (?:\[[\d-]+\] )?/, '')
    if (kind <= 2) all.splice(at + 1, 0, `- ${line()}`)
    else if (kind <= 4 && own.delete(said)) all[at] = all[at]!.replace(said, line())
    else if (kind === 5 && own.delete(said) && entries.length > 20) all.splice(at, 1)
    else if (kind === 6) {
      const free = oneOf(random, FREE).replace('my own', `my own, ${edit}`)
      all.splice(wholeNumber(random, 1, all.length), 0, ...free.split('\n'))
    } else if (kind === 7) all[at] = all[at]!.replace(/ <!-- mneme.*?-->/, '')
    else if (kind === 8 && entries.length > 1) {
      const [a, b] = shuffled(random, entries)
      ;[all[a!], all[b!]] = [all[b!]!, all[a!]!]
    } else await one.memory.add(`Machine note ${edit} 机器 ${oneOf(random, SUBJECTS)}`, { infer: false, importance: 2 })
    // Whatever of the person's was deleted above is theirs to delete; only what they left must stay.
    for (const text of [...own.keys()]) if (!all.some((line_) => line_.includes(text))) own.delete(text)
    const before = all.filter((text) => !text.startsWith('- ') && text.trim() !== '')
    one.write(all.join('\n'))
    await one.memory.memoryFile.digest(day)
    const after = one.read()
    for (const text of own.keys()) if (!after.includes(text)) throw new Error(`edit ${edit} (${kind}) lost ${text}`)
    const kept = new Set(after.split('\n'))
    for (const text of before) if (!kept.has(text)) throw new Error(`edit ${edit} (${kind}) lost the line ${text}`)
  }
  expect(own.size).toBeGreaterThan(EDITS / 10)
})
