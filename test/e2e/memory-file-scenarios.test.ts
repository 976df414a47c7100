/** Scenarios of specification 004 at changed settings, through the library; the others are in memory-file-mneme.test.ts. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { editSimilarity } from '../../src/language/spelling.ts'
import { openFileMemory } from '../support/memory-file.ts'

const day = { date: '2026-05-07' }

describe('重要性评分', () => {
  test('配置信息: an API key is kept, and masked in the file with the place where it can be read', async () => {
    const one = await openFileMemory()
    const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD'
    await one.say(`The OpenAI key of our staging server is ${key}.`)
    const { added } = await one.memory.memoryFile.digest(day)
    expect(added).toEqual([expect.objectContaining({ importance: 2, section: 'configuration' })])
    expect(one.read()).not.toContain(key)
    const id = /mneme memory show ([0-9a-f-]{36})/.exec(one.read())?.[1] ?? ''
    expect((await one.memory.get(id)).text).toContain(key)
    const plain = await one.memory.memoryFile.digest({ ...day, withSecrets: true })
    expect(plain.written).toBe(true)
    expect(one.read()).toContain(key)
    await one.memory.memoryFile.digest(day)
    expect(one.read()).not.toContain(key)
  })

  test.each([
    ['The garage door opener stopped reacting to the remote.', 'Re-pairing the remote solved it.', ' '],
    ['打印机卡纸，印出来都是条纹。', '换了硒鼓就好了。', ''],
  ])('技术问题: only its solution tells that it was one: %s', async (problem, remedy, gap) => {
    const one = await openFileMemory()
    await one.say(problem, remedy)
    expect((await one.memory.memoryFile.digest(day)).added).toEqual([
      expect.objectContaining({ text: `${problem}${gap}${remedy}`, importance: 2, section: 'problems' }),
    ])
    const other = await openFileMemory()
    await other.say('My cat is called Bo.', remedy)
    expect((await other.memory.memoryFile.digest(day)).added.map(({ text }) => text)).toContain('My cat is called Bo.')
  })

  test('nothing else comes into the file', async () => {
    const one = await openFileMemory()
    await one.say('Hi there!', 'What is the capital of France?', '今天天气真好。', 'I went to the cinema last night.')
    expect((await one.memory.memoryFile.digest(day)).added).toEqual([])
  })
})

describe('去重机制', () => {
  const add = (one: Awaited<ReturnType<typeof openFileMemory>>, text: string, at: number) =>
    one.memory.add(text, { infer: false, createdAt: new Date(one.now.getTime() + at), importance: 2 })

  test('阈值配置: at 1 only the very same is left out', async () => {
    const one = await openFileMemory({ dedupThreshold: 1 })
    await add(one, 'The nightly backup runs at three in the morning.', 0)
    await add(one, 'The nightly backups run at three in the morning.', 1)
    await add(one, 'The nightly backup runs at three in the morning.', 2)
    const { added, skipped } = await one.memory.memoryFile.digest(day)
    expect(added).toHaveLength(2)
    expect(skipped).toHaveLength(1)
  })

  test.each([
    [undefined, ['ADD', 'NONE'], 1],
    [0.97, ['ADD', 'ADD'], 2],
  ])('阈值配置: what add is told in nearly the same words, at %s', async (dedupThreshold, events, lines) => {
    for (const texts of [
      ['I like green tea with lemon.', 'I like green tea with lemons.'],
      ['请记住：我每天早上七点去公园跑步。', '请记住：我每天早上七点去公园里跑步。'],
    ]) {
      const one = await openFileMemory(dedupThreshold === undefined ? {} : { dedupThreshold })
      const told: string[] = []
      for (const text of texts) told.push(...(await one.memory.add(text)).results.map(({ event }) => event))
      await one.memory.memoryFile.digest(day)
      expect(told).toEqual(events)
      expect(await one.entries()).toHaveLength(lines)
      expect((await one.memory.add(texts[1]!)).results.map(({ event }) => event)).toEqual(['NONE'])
    }
  })

  test('阈值配置: at 0.5 more is left out than at the default of 0.8', async () => {
    const sentences = ['我们用 Redis 做缓存，端口 6379。', '我们用 Redis 存会话和锁，端口 6379。']
    const kept = async (dedupThreshold?: number): Promise<number> => {
      const one = await openFileMemory(dedupThreshold === undefined ? {} : { dedupThreshold })
      for (const [at, sentence] of sentences.entries()) await add(one, sentence, at)
      return (await one.memory.memoryFile.digest(day)).added.length
    }
    expect(editSimilarity(sentences[0]!, sentences[1]!)).toBeLessThan(0.8)
    expect([await kept(), await kept(0.5)]).toEqual([2, 1])
  })
})

describe('分类存储', () => {
  const SAID = [
    'We decided to use Kafka instead of RabbitMQ.',
    'Please remember that my phone number is 555 0142.',
    '我喜欢深色主题。',
    'Our API server listens on port 8443.',
    '数据库连接泄漏导致崩溃，升级驱动以后解决了。',
  ]

  test.each([
    ['both', '用户信息 / User information'],
    ['zh', '用户信息'],
    ['en', 'User information'],
  ] as const)('结构化存储: headings %j', async (headings, first) => {
    const one = await openFileMemory({ headings })
    await one.say(...SAID)
    await one.memory.memoryFile.digest(day)
    expect(one.read()).toContain(`## ${first}\n- [2026-05-07] `)
    expect(one.read().match(/^- .+/gm)).toHaveLength(SAID.length)
    expect((await one.memory.memoryFile.digest(day)).written).toBe(false)
  })

  test('分类标准', async () => {
    const one = await openFileMemory({ headings: 'zh' })
    await one.say(...SAID)
    await one.memory.memoryFile.digest(day)
    const plain = one
      .read()
      .replace(/ <!--.*?-->/g, '')
      .replaceAll('[2026-05-07] ', '')
    expect(plain).toBe(`# MEMORY

## 用户信息
- my phone number is 555 0142.

## 偏好设置
- 我喜欢深色主题。

## 技术配置
- Our API server listens on port 8443.

## 重要决定
- We decided to use Kafka instead of RabbitMQ.

## 技术问题
- 数据库连接泄漏导致崩溃，升级驱动以后解决了。
`)
  })
})

describe('去重算法', () => {
  test('字符串相似度', () => {
    expect(editSimilarity('kitten', 'sitting')).toBeCloseTo(1 - 3 / 7)
    expect(editSimilarity('我喜欢喝茶', '我喜欢喝水')).toBeCloseTo(0.8)
    expect(editSimilarity('same', 'same')).toBe(1)
    expect(editSimilarity('', 'abc')).toBe(0)
  })
})

describe('更新策略', () => {
  test.each([
    [5, undefined],
    [2, 2],
    [0, 0],
  ])('备份机制: the newest %d are kept', async (kept, backups) => {
    const one = await openFileMemory(backups === undefined ? {} : { backups })
    const texts: string[] = []
    const facts = [
      '我的车停在三号车库。',
      'Ana plays the cello.',
      '路由器在书架上面。',
      'The spare key hangs in the shed.',
    ]
    for (const text of [...facts, ...facts.map((fact) => `${fact.toUpperCase().repeat(2)} (${fact.length})`)]) {
      await one.memory.add(text, { infer: false, importance: 3 })
      const { backup } = await one.memory.memoryFile.digest(day)
      if (backup !== null) expect(readFileSync(backup, 'utf8')).toBe(texts.at(-1))
      texts.push(one.read())
      one.now = new Date(one.now.getTime() + 1000)
    }
    expect(one.backups()).toHaveLength(kept)
    const last = texts.slice(0, -1)
    expect(one.backups().map((path) => readFileSync(path, 'utf8'))).toEqual(last.slice(last.length - kept))
  })
})

describe('记忆限制', () => {
  const fill = async (one: Awaited<ReturnType<typeof openFileMemory>>, count: number): Promise<void> => {
    for (let number = 0; number < count; number += 1)
      await one.memory.add(
        `${String(number).repeat(9)} is the code of room ${'abcdefghij'[number % 10]}${number * 37}`,
        {
          infer: false,
          importance: number === 0 ? 3 : 2,
          createdAt: new Date(one.now.getTime() + number * 1000),
        },
      )
  }

  test('最大条目数: 100 are kept, the oldest leaves, what was asked for leaves last, all stay in the database', async () => {
    const one = await openFileMemory({ dedupThreshold: 1 })
    await fill(one, 100)
    expect((await one.memory.memoryFile.digest(day)).added).toHaveLength(100)
    await one.memory.add('Room z1 is locked now', {
      infer: false,
      importance: 1,
      createdAt: new Date(one.now.getTime() + 200_000),
    })
    const { removed } = await one.memory.memoryFile.digest(day)
    expect(removed).toEqual([{ text: '111111111 is the code of room b37', reason: 'limit' }])
    const entries = await one.entries()
    expect(entries).toHaveLength(100)
    expect(entries).toContain('000000000 is the code of room a0')
    expect(entries).toContain('Room z1 is locked now')
    expect((await one.memory.search('code of room b37', {})).results[0]?.text).toBe('111111111 is the code of room b37')
    expect((await one.memory.memoryFile.digest(day)).written).toBe(false)
  })

  test('配置化限制: 3', async () => {
    const one = await openFileMemory({ maxEntries: 3, dedupThreshold: 1 })
    await fill(one, 7)
    const { added, skipped } = await one.memory.memoryFile.digest(day)
    expect(added).toHaveLength(3)
    expect(skipped.map(({ reason }) => reason)).toEqual(['limit', 'limit', 'limit', 'limit'])
    expect((await one.entries()).map((text) => text[0])).toEqual(['0', '5', '6'])
  })
})

describe('错误处理', () => {
  test('格式错误', async () => {
    const one = await openFileMemory()
    await one.say('Please remember that my dentist is Dr. Kwan.', '我喜欢喝绿茶。')
    await one.memory.memoryFile.digest(day)
    const text = one.read()
    const broken = Buffer.concat([
      Buffer.from(text.replace('## 偏好设置', '##偏好设置').replace('# MEMORY', 'mine\n=======\ntheirs')),
      Buffer.from([0xff, 0xfe, 0x0a]),
    ])
    writeFileSync(one.file, broken)
    const { repairs, removed, edits } = await one.memory.memoryFile.digest(day)
    expect(repairs.length).toBeGreaterThan(1)
    expect([...removed, ...edits]).toEqual([])
    expect(one.read()).toContain('mine\n=======\ntheirs\n')
    expect(await one.entries()).toEqual(['my dentist is Dr. Kwan.', '我喜欢喝绿茶。'])
    const aside = /lies beside it in (.+)\.$/.exec(repairs.at(-1)!)![1]!
    expect(readFileSync(join(one.folder, aside)).equals(broken)).toBe(true)
  })
})
