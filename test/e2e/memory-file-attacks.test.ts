/** People, editors and version control mistreat a memory file, and no line of a person's is lost. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { type FileMemory, openFileMemory } from '../support/memory-file.ts'
import { seeded, wholeNumber } from '../support/random.ts'
import { answer, emptyFolder, objects, run } from './cli-process.ts'

const day = { date: '2026-05-07' }
const FACTS = ['The office is in Porto.', '会议室在二楼。', 'Ana plays the cello.']
const TASTES = '## 偏好设置 / Preferences\n'

async function withFacts(): Promise<FileMemory> {
  const one = await openFileMemory()
  for (const [at, text] of FACTS.entries())
    await one.memory.add(text, { infer: false, importance: 2, createdAt: new Date(one.now.getTime() + at) })
  await one.memory.memoryFile.digest(day)
  return one
}

const texts = async (one: FileMemory): Promise<readonly string[]> =>
  (await one.memory.getAll({})).items.map(({ text }) => text).sort()

const later = (one: FileMemory): void => {
  one.now = new Date(one.now.getTime() + 60_000)
}

describe('the lines stay, and so do the memories', () => {
  test.each<readonly [string, (text: string) => string, readonly string[], readonly string[]]>([
    [
      'line ends of Windows',
      (text) => `${text.replaceAll('\n', '\r\n').replace('# MEMORY\r\n', '# MEMORY\r\n\r\nMine.\r\n')}- 我爱吃桃子\r\n`,
      ['Mine.\r\n', '- 我爱吃桃子 <!--'],
      ['我爱吃桃子'],
    ],
    ['line ends of old Macs', (text) => text.replaceAll('\n', '\r'), ['# MEMORY\n'], []],
    ['a byte order mark', (text) => `\ufeff${text}`, ['\ufeff# MEMORY'], []],
    [
      'tabs behind bullets, other bullets and numbers',
      (text) => text.replace(TASTES, `${TASTES}-\tI drink tea\n* I eat rice\n2) 我唱歌\n`),
      ['-\tI drink tea <!--', '* I eat rice <!--', '2) 我唱歌 <!--'],
      ['I drink tea', 'I eat rice', '我唱歌'],
    ],
    [
      'list items and headings in a fence of code',
      (text) =>
        text.replace(TASTES, `${TASTES}\`\`\`md\n## 技术配置\n- no entry <!-- mneme:aaaaaaaaaaaa -->\n\`\`\`\n`),
      ['```md\n## 技术配置\n- no entry <!-- mneme:aaaaaaaaaaaa -->\n```\n'],
      [],
    ],
    ['a comment that was cut off', (text) => text.replace(/(Porto\. <!-- mneme:\w{4})\w+ -->/, '$1'), ['Porto.'], []],
    ['a comment of which only its beginning is left', (text) => text.replace(/(二楼。 <!--).*/, '$1'), ['二楼。'], []],
    [
      'the id of one entry behind another line',
      (text) => text.replace(TASTES, `${TASTES}- I like plums ${/Porto\. (<!--.*)/.exec(text)?.[1]}\n`),
      ['- I like plums <!--', 'in Porto. <!--'],
      ['I like plums'],
    ],
    [
      'an id that nobody gave',
      (text) => text.replace(TASTES, `${TASTES}- 我爱李子 <!-- mneme:0123456789ab -->\n`),
      ['- 我爱李子 <!--'],
      ['我爱李子'],
    ],
    [
      'a section with another name',
      (text) => text.replace('## 用户信息 / User information', '## Us'),
      ['## Us\n- '],
      [],
    ],
    [
      'a section at another place',
      (text) => {
        const section = /## 用户信息[\s\S]*?(?=## 偏好)/.exec(text)?.[0] ?? ''
        return `${text.replace(section, '')}\n${section}`
      },
      ['## 用户信息'],
      [],
    ],
    ['no headings at all', (text) => text.replaceAll(/^#.*\n/gm, ''), [], []],
    ['an end in the middle of an entry', (text) => text.slice(0, text.indexOf('议室')), ['会议室在二楼。'], []],
  ])('%s', async (_, edit, kept, added) => {
    const one = await withFacts()
    one.write(edit(one.read()))
    later(one)
    const { removed, edits } = await one.memory.memoryFile.digest(day)
    expect(removed).toEqual([])
    expect(edits.filter(({ edit: kind }) => kind !== 'added')).toEqual([])
    expect(await texts(one)).toEqual([...FACTS, ...added].sort())
    for (const text of [...kept, ...FACTS]) expect(one.read()).toContain(text)
    later(one)
    expect(await one.memory.memoryFile.digest(day)).toMatchObject({ written: false, edits: [] })
  })
})

test('lines that a person indents below an entry belong to it', async () => {
  const one = await withFacts()
  one.write(one.read().replace(/(- .*Porto.*\n)/, '$1  second floor\n    left door\n'))
  const { edits } = await one.memory.memoryFile.digest(day)
  expect(edits).toEqual([expect.objectContaining({ edit: 'changed', text: expect.stringContaining('left door') })])
  expect(one.read()).toMatch(/Porto\. <!-- mneme:\w+ -->\n {2}second floor\n {4}left door\n/)
  expect((await one.memory.memoryFile.digest(day)).written).toBe(false)
})

test.each([
  ['English', 'lorem ipsum '.repeat(100_000), 'dolor ipsum '],
  ['中文', '我喜欢在周末去爬山，'.repeat(50_000), '不想去爬山，'],
])('a line as long as a book (%s) is taken in, changed and taken out', async (_, book, more) => {
  const one = await withFacts()
  one.write(one.read().replace(TASTES, `${TASTES}- ${book}\n`))
  for (const kind of ['added', 'changed'] as const) {
    later(one)
    const { edits } = await one.memory.memoryFile.digest(day)
    expect(edits).toEqual([expect.objectContaining({ edit: kind })])
    const said = kind === 'added' ? book : more + book
    expect(await one.memory.get(edits[0]!.memoryId!)).toMatchObject({ text: said.trim(), validTo: null })
    one.write(one.read().replace(book, more + book))
  }
  one.write(one.read().replace(/^- dolor.*\n|^- 不想.*\n/m, ''))
  later(one)
  await one.memory.memoryFile.digest(day)
  expect(await texts(one)).toEqual([...FACTS].sort())
})

test('a memory that was edited to mere marks harms no digest', async () => {
  const one = await openFileMemory()
  await one.say('I prefer aisle seats.', 'I prefer my tea without milk.')
  const { items } = await one.memory.getAll({})
  await one.memory.update(items.find(({ text }) => text.includes('tea'))!.id, { text: '- -' })
  const { added } = await one.memory.memoryFile.digest(day)
  expect(added.map(({ text }) => text)).toEqual(['I prefer aisle seats.'])
})

test('a shorter line in place of an entry is a memory of its own, and stays', async () => {
  const one = await withFacts()
  one.write(
    one
      .read()
      .replace(/^- .*cello.*\n/m, '')
      .replace(TASTES, `${TASTES}- Ana plays\n`),
  )
  for (let time = 0; time < 3; time += 1) {
    later(one)
    await one.memory.memoryFile.digest(day)
    expect(await one.entries()).toContain('Ana plays')
    expect(await texts(one)).toEqual(['Ana plays', 'The office is in Porto.', '会议室在二楼。'])
  }
})

test('an older version of the file takes back what came in later, and the newer one brings it again', async () => {
  const one = await withFacts()
  const older = one.read()
  await one.memory.add('The tram stops at nine.', { infer: false, importance: 2, createdAt: one.now })
  await one.memory.memoryFile.digest(day)
  one.write(`${one.read()}- 我的车位是 14 号\n`)
  await one.memory.memoryFile.sync()
  const newer = one.read()
  one.write(older)
  later(one)
  await one.memory.memoryFile.sync()
  expect(await texts(one)).toEqual([...FACTS].sort())
  expect(one.read()).toBe(older)
  one.write(newer)
  later(one)
  await one.memory.memoryFile.sync()
  expect(one.read()).toBe(newer)
  expect(await texts(one)).toEqual([...FACTS, 'The tram stops at nine.', '我的车位是 14 号'].sort())
})

test('what a person writes while digests write is all there at the end', async () => {
  const one = await withFacts()
  const random = seeded(29)
  const lines: string[] = []
  const personWrites = async (number: number): Promise<void> => {
    await setTimeout(wholeNumber(random, 0, 60))
    const line = `Line ${number} of mine, 第 ${number} 行.`
    appendFileSync(one.file, `${line}\n`)
    lines.push(line)
  }
  for (let number = 0; number < 25; number += 1) {
    await one.memory.add(`Shelf ${number * 97} holds ${'abc'.repeat(1 + (number % 4))}`, {
      infer: false,
      importance: 2,
    })
    later(one)
    await Promise.all([one.memory.memoryFile.digest(), personWrites(2 * number), personWrites(2 * number + 1)])
  }
  const text = one.read()
  expect(lines.filter((line) => !text.includes(`${line}\n`))).toEqual([])
  expect(text.match(/^- .*Shelf/gm)).toHaveLength(25)
})

test('two digests of the command line at once add each entry once', async () => {
  const cwd = emptyFolder()
  const say = (content: string) =>
    answer('memory_store', ['--conversation', 'c', '--role', 'user', '--content', content], { cwd })
  await say('We decided to use Kafka instead of RabbitMQ.')
  await say('请记住：我对花生过敏。')
  const runs = await Promise.all([0, 1, 2].map(() => run('mneme', ['digest'], { cwd })))
  expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual([0, 1, 2].map(() => [0, '']))
  const { entries } = await answer('mneme', ['context', '--file'], { cwd })
  expect(
    objects(entries)
      .map(({ text }) => text)
      .sort(),
  ).toEqual(['We decided to use Kafka instead of RabbitMQ.', '我对花生过敏。'].sort())
})

test('the settings of 004 act by the environment and by the config file', async () => {
  const cwd = emptyFolder()
  const env = { MEMORY_BACKUPS: '1', MEMORY_DEDUP_THRESHOLD: '50%' }
  mkdirSync(join(cwd, '.devbooks'))
  writeFileSync(join(cwd, '.devbooks', 'mneme.config.json'), JSON.stringify({ memory_file: { max_entries: 2 } }))
  const digest = async (content: string) => {
    const stored = await run('mneme', ['memory', 'add', content, '--no-infer', '--importance', '2'], { cwd })
    expect(stored.stderr).toBe('')
    return answer('mneme', ['digest'], { cwd, env })
  }
  await digest('The cellar key hangs behind the blue door.')
  const similar = await digest('The cellar key hangs behind the old blue door, on a nail.')
  expect(objects(similar.skipped).map(({ reason }) => reason)).toEqual(['similar'])
  await digest('会议室在二楼。')
  const third = await digest('Ana plays the cello on Sundays.')
  expect(objects(third.removed).map(({ reason }) => reason)).toEqual(['limit'])
  expect(readFileSync(String(third.file), 'utf8')).not.toContain('cellar')
})
