/**
 * Promises of the memory file beside the scenarios of 004: nothing twice, near twins where wanted, projects, no damage
 * taken for words.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { openFileMemory } from '../support/memory-file.ts'
import { answer, emptyFolder, objects, run } from './cli-process.ts'

const day = { date: '2026-05-07' }

describe('the same day digested twice adds nothing', () => {
  test.each([
    [['The deploy job keeps failing with error 137.', 'I fixed it by raising the memory limit of the runner.']],
    [['打印机一直报错 E05。', '换了硒鼓就好了，问题解决。']],
    [['I prefer tabs over spaces.', 'We decided to use Kafka instead of RabbitMQ.', 'I was at the dentist today.']],
  ])('%j', async (said) => {
    const one = await openFileMemory({ maxEntries: 2 })
    await one.say(...said)
    expect((await one.memory.memoryFile.digest(day)).added.length).toBeGreaterThan(0)
    const before = one.read()
    for (const again of [day, {}, day]) {
      one.now = new Date(one.now.getTime() + 60_000)
      const { added, written } = await one.memory.memoryFile.digest(again)
      expect({ added, written }).toEqual({ added: [], written: false })
    }
    expect(one.read()).toBe(before)
  })

  test('a twin that was passed over does not come in when the other one has made room', async () => {
    const one = await openFileMemory({ maxEntries: 1 })
    const add = (text: string, at: number) =>
      one.memory.add(text, { infer: false, importance: 2, createdAt: new Date(one.now.getTime() + at) })
    await add('The nightly backup runs at three in the morning.', 0)
    await one.memory.memoryFile.digest(day)
    await add('The nightly backups run at three in the morning.', 1)
    await add('我们的服务器在上海机房。', 2)
    await one.memory.memoryFile.digest(day)
    expect(await one.entries()).toEqual(['我们的服务器在上海机房。'])
    expect((await one.memory.memoryFile.digest(day)).added).toEqual([])
  })
})

test.each([
  ['The office printer is on the third floor.', 'The office printers are on the third floor.'],
  ['我家的备用钥匙放在鞋柜上面的盒子里。', '我家的备用钥匙放在鞋柜上面盒子里。'],
])('a threshold above the default lets near twins in that were said in a conversation: %s', async (first, second) => {
  const kept = async (dedupThreshold?: number): Promise<readonly string[]> => {
    const one = await openFileMemory(dedupThreshold === undefined ? {} : { dedupThreshold })
    await one.say(`Remember: ${first}`, `Remember: ${second}`)
    await one.memory.memoryFile.digest(day)
    one.now = new Date(one.now.getTime() + 60_000)
    const { added, written } = await one.memory.memoryFile.digest(day)
    expect({ added, written }).toEqual({ added: [], written: false })
    return one.entries()
  }
  expect(await kept()).toEqual([first])
  expect(await kept(0.99)).toEqual([first, second])
})

test('an entry of a project is named with it, and changed without its name', async () => {
  const one = await openFileMemory()
  for (const [name, port] of [
    ['shop', 4010],
    ['blog', 9090],
  ] as const)
    await one.memory.add(`The API listens on port ${port}.`, {
      infer: false,
      importance: 2,
      projectRoot: `/home/ana/${name}`,
      createdAt: new Date(one.now.getTime() + port),
    })
  await one.memory.memoryFile.digest(day)
  expect(await one.entries()).toEqual(['shop: The API listens on port 4010.', 'blog: The API listens on port 9090.'])
  one.write(one.read().replace('4010', '4011'))
  one.now = new Date(one.now.getTime() + 60_000)
  const { edits } = await one.memory.memoryFile.sync()
  expect(edits).toEqual([expect.objectContaining({ edit: 'changed', text: 'The API listens on port 4011.' })])
  expect(await one.memory.get(edits[0]!.memoryId!)).toMatchObject({ projectRoot: '/home/ana/shop' })
  expect((await one.memory.getAll({})).total).toBe(2)
  expect((await one.memory.memoryFile.sync()).written).toBe(false)
})

test.each([
  ['a broken byte in an English line', 'Porto', Buffer.from([0x50, 0xff, 0x72, 0x74, 0x6f])],
  ['a broken byte in a Chinese line', '二楼', Buffer.from([0xe4, 0xba, 0x41, 0xe6, 0xa5, 0xbc])],
  ['characters that a crash has zeroed', 'Porto', Buffer.alloc(5)],
])('%s is written anew from the memory, and is nobody’s word', async (_, good, bad) => {
  const one = await openFileMemory()
  for (const [at, text] of ['The office is in Porto.', '会议室在二楼。'].entries())
    await one.memory.add(text, { infer: false, importance: 2, createdAt: new Date(one.now.getTime() + at) })
  await one.memory.memoryFile.digest(day)
  const before = readFileSync(one.file)
  const at = before.indexOf(good)
  const damaged = Buffer.concat([before.subarray(0, at), bad, before.subarray(at + Buffer.byteLength(good))])
  for (const bytes of [damaged, Buffer.concat([damaged, Buffer.from([0x0a, 0x2d, 0x20, 0xff, 0x61, 0x0a])])]) {
    writeFileSync(one.file, bytes)
    const { edits, conflicts, repairs } = await one.memory.memoryFile.sync()
    expect({ edits, conflicts }).toEqual({ edits: [], conflicts: [] })
    expect(repairs.join()).toMatch(/Damaged entries that were written anew/)
    expect(one.read()).toContain('The office is in Porto.')
    expect(one.read()).toContain('会议室在二楼。')
  }
  expect((await one.memory.getAll({})).items.map(({ text }) => text).sort()).toEqual([
    'The office is in Porto.',
    '会议室在二楼。',
  ])
})

test('the day’s conversations can be read as they were digested', async () => {
  const cwd = emptyFolder()
  const say = (conversation: string, content: string) =>
    answer('memory_store', ['--conversation', conversation, '--role', 'user', '--content', content], { cwd })
  await say('work', 'We decided to use Kafka instead of RabbitMQ.')
  await say('家', '我妈妈周三来看我们，我去车站接她。')
  const shown = await answer('mneme', ['digest', '--show'], { cwd })
  expect(
    objects(shown.conversations)
      .map(({ conversation_id }) => conversation_id)
      .sort(),
  ).toEqual(['work', '家'])
  expect(JSON.stringify(shown)).toContain('Kafka instead of RabbitMQ')
  expect(JSON.stringify(shown)).toContain('周三来看我们')
  expect(objects((await answer('mneme', ['digest', '--show', '--date', '2020-01-01'], { cwd })).conversations)).toEqual(
    [],
  )
  const both = await run('mneme', ['digest', '--show', '--dry-run'], { cwd })
  expect(both.code).toBe(2)
})
