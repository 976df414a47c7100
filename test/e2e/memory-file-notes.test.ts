/** The notes of a day's talk: in which words, by rules, with a model over real HTTP, for whom and for which session. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openMemory } from '../../src/doors/library/index.ts'
import { freshFolder } from '../support/folder.ts'
import { openFileMemory } from '../support/memory-file.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { answer, emptyFolder, objects, run } from './cli-process.ts'

const day = { date: '2026-05-07' }

describe('by rules', () => {
  test('of a day of small talk only what lasts comes in, each under its heading', async () => {
    const one = await openFileMemory()
    await one.say(
      'Hey, long time no see! Thanks so much for being there for me.',
      'I love long walks by the canal. It was so relaxing!',
      'I felt a bit down today. What would you do?',
      "Guess what, my sister Ines lives in Faro. Can't wait to visit her!",
      '我老婆是小学老师，平时比我还忙。',
      '昨晚没睡好，困死了。',
      '我每周三晚上去打羽毛球。',
    )
    await one.memory.memoryFile.digest(day)
    const plain = one.read().replace(/ <!--.*?-->/g, '')
    expect(plain).toContain('- [2026-05-07] I love long walks by the canal.\n')
    expect(plain).toContain('- [2026-05-07] 我每周三晚上去打羽毛球。\n')
    for (const noise of ['long time', 'relaxing', 'felt', 'wait', '困死']) expect(plain).not.toContain(noise)
  })

  test('keys of several services stand beside each other, each masked', async () => {
    const made = (length: number, from = 0): string => 'aB3dE6gH9jK2mN5pQ8rS'.repeat(3).slice(from, from + length)
    const one = await openFileMemory()
    await one.say(
      `AWS key is AKIA${made(16).toUpperCase()} and the secret ${made(40)}`,
      `Slack bot token: xoxb-${made(40, 3)}`,
      `我的阿里云 AccessKey 是 LTAI${made(20, 7)}，secret 是 ${made(30, 9)}`,
      `The Telegram bot token is 123456789:AA${made(33, 11)}`,
      '数据库连接串是 postgres://admin:Pa55w0rd!@db.internal:5432/prod',
    )
    const { added, removed } = await one.memory.memoryFile.digest(day)
    expect(added.map(({ section }) => section)).toEqual(Array(5).fill('configuration'))
    expect(removed).toEqual([])
    const plain = one.read()
    expect(plain).toMatch(/postgres:\/\/admin:…\(masked, 9 characters\)@db\.internal/)
    expect(plain).not.toContain('Pa55w0rd')
    expect(plain).not.toContain(made(16))
  })

  test('a problem and what solved it are one entry', async () => {
    const one = await openFileMemory()
    await one.say(
      'The deploy kept failing with ImagePullBackOff. Turned out the registry token had expired; I fixed it by rotating the pull secret.',
    )
    const { added } = await one.memory.memoryFile.digest(day)
    expect(added).toEqual([expect.objectContaining({ section: 'problems', importance: 2 })])
    expect(added[0]!.text).toMatch(/ImagePullBackOff.*rotating the pull secret/)
    expect((await one.memory.memoryFile.digest(day)).written).toBe(false)
  })

  test('in a chat of several people a line says whose words it holds', async () => {
    const one = await openFileMemory()
    for (const [speaker, content] of [
      ['Lena', 'I prefer the window seat on trains.'],
      ['Tomas', 'I prefer the aisle seat on trains.'],
    ] as const)
      await one.memory.conversations.store({
        conversationId: 'friends',
        turns: [{ role: 'user', speaker, content, createdAt: one.now }],
      })
    await one.memory.idle()
    const { added } = await one.memory.memoryFile.digest(day)
    expect(added.map(({ text }) => text).sort()).toEqual([
      'Lena: I prefer the window seat on trains.',
      'Tomas: I prefer the aisle seat on trains.',
    ])
  })

  test('what was asked for comes in if it says more than what is known', async () => {
    const one = await openFileMemory()
    await one.say('Remember that Noor waters the plants.', '请记住：投影仪的遥控器在柜子里。')
    await one.memory.memoryFile.digest(day)
    one.now = new Date(one.now.getTime() + 60_000)
    await one.say('Remember that Noor waters the plants and feeds the fish.', '请记住：投影仪的备用灯泡也在柜子里。')
    const { added } = await one.memory.memoryFile.digest(day)
    expect(added.map(({ text, importance }) => [text, importance])).toEqual([
      ['Noor waters the plants and feeds the fish.', 3],
      ['投影仪的备用灯泡也在柜子里。', 3],
    ])
  })

  test('two values are two entries, however alike the lines are', async () => {
    const one = await openFileMemory()
    for (const [at, text] of [
      'The API listens on port 8080.',
      'The proxy listens on port 8081.',
      '例会在周二。',
      '例会在周四。',
    ].entries())
      await one.memory.add(text, { infer: false, importance: 2, createdAt: new Date(one.now.getTime() + at) })
    const { skipped } = await one.memory.memoryFile.digest(day)
    expect(skipped).toEqual([])
  })

  test('an entry that the person takes out ends the memory that it shows a part of; the turn has all its words', async () => {
    const one = await openFileMemory()
    await one.say('I prefer tabs over spaces. It was a long evening.')
    const { added } = await one.memory.memoryFile.digest(day)
    expect(added.map(({ text }) => text)).toEqual(['I prefer tabs over spaces.'])
    one.write(one.read().replace(/^- .*tabs.*\n/m, ''))
    one.now = new Date(one.now.getTime() + 60_000)
    await one.memory.memoryFile.digest(day)
    expect((await one.memory.getAll()).items.map(({ text }) => text).join(' ')).not.toContain('tabs')
    const { results } = await one.memory.conversations.recall('tabs or spaces')
    expect(JSON.stringify(results)).toContain('tabs over spaces. It was a long evening.')
  })
})

describe('with a model', () => {
  let server: ModelServer
  beforeEach(async () => {
    server = await startModelServer({ status: 500 })
  })
  afterEach(() => server.close())

  /** Facts that were said to the assistant, thought about by rules, and then digested with the model. */
  const digestWith = async (said: readonly string[], notes: (texts: readonly string[]) => unknown) => {
    const path = join(freshFolder(), 'memory.db')
    const clock = () => new Date(2026, 4, 7, 12)
    await using plain = await openMemory({ path, userId: 'ana', clock })
    for (const content of said)
      await plain.conversations.store({
        conversationId: 'chat',
        turns: [{ role: 'user', content, createdAt: clock() }],
      })
    await plain.idle()
    await plain.close()
    server.play((request) => {
      const data = request.body.messages?.at(-1)?.content ?? ''
      const texts = [...data.matchAll(/"text":\s*"([^"]*)"/g)].map(([, text]) => text!)
      const content = notes(texts)
      return content === null ? { status: 400, body: 'no' } : { content: JSON.stringify(content) }
    })
    await using memory = await openMemory({
      path,
      userId: 'ana',
      clock,
      llm: { provider: 'openai', baseUrl: server.url, apiKey: 'sk-test', model: 'scripted-model' },
    })
    return await memory.memoryFile.digest(day)
  }

  test('chooses and words the notes; what was asked for comes in as it is, and is not shown to it', async () => {
    const report = await digestWith(
      ['I drink my tea without sugar, by the way.', 'Please remember that my locker is number 14.'],
      (texts) => ({
        notes: texts.flatMap((text, at) =>
          text.includes('tea') ? [{ n: at + 1, text: 'I drink tea without sugar.', section: 'preferences' }] : [],
        ),
      }),
    )
    expect(report.answeredBy).toBe('model')
    expect(report.added.map(({ text, section, importance }) => [text, section, importance])).toEqual([
      ['my locker is number 14.', expect.any(String), 3],
      ['I drink tea without sugar.', 'preferences', 1],
    ])
    expect(server.requests.map(({ text }) => text).join()).not.toContain('locker')
  })

  test('a note that the memory does not hold is replaced by the rules', async () => {
    const report = await digestWith(['I prefer tabs over spaces.'], () => ({
      notes: [{ n: 1, text: 'I moved to Oslo with 47 penguins.', section: 'user' }],
    }))
    expect(report.added).toEqual([expect.objectContaining({ text: 'I prefer tabs over spaces.' })])
    expect(report.answeredBy).toBe('rules')
  })

  test('what is deleted for good while a model thinks about the notes does not come in', async () => {
    const folder = freshFolder()
    const given = { path: join(folder, 'memory.db'), userId: 'ana', clock: () => new Date(2026, 4, 7, 12) }
    await using plain = await openMemory(given)
    for (const content of ['I prefer tea to coffee.', 'I prefer tabs over spaces.'])
      await plain.conversations.store({
        conversationId: 'chat',
        turns: [{ role: 'user', content, createdAt: given.clock() }],
      })
    await plain.idle()
    const tea = (await plain.getAll()).items.find(({ text }) => text.includes('tea'))!
    let deleted: Promise<unknown> | null = null
    server.play(() => {
      if (deleted === null) deleted = plain.delete(tea.id)
      return { status: 400, body: 'no', after: deleted }
    })
    await using memory = await openMemory({
      ...given,
      llm: { provider: 'openai', baseUrl: server.url, apiKey: 'sk-test', model: 'scripted-model' },
    })
    const { added } = await memory.memoryFile.digest(day)
    expect(deleted).not.toBeNull()
    expect(added.map(({ text }) => text)).toEqual(['I prefer tabs over spaces.'])
    expect(readFileSync(join(folder, 'MEMORY.md'), 'utf8')).not.toContain('tea')
  })

  test('a model that fails leaves the notes to the rules', async () => {
    const report = await digestWith(['I prefer tabs over spaces.'], () => null)
    expect(report.added).toEqual([expect.objectContaining({ text: 'I prefer tabs over spaces.' })])
    expect(report.answeredBy).toBe('rules')
  })
})

describe('at the end of a session', () => {
  test('mneme digest --conversation takes in what was said in that one, and the daily digest the rest', async () => {
    const cwd = emptyFolder()
    const say = (conversation: string, content: string) =>
      answer('memory_store', ['--conversation', conversation, '--role', 'user', '--content', content], { cwd })
    await say('coding', 'We decided to use Kafka instead of RabbitMQ.')
    await say('kitchen', 'I prefer oat milk in my coffee.')
    const texts = (report: Awaited<ReturnType<typeof answer>>) => objects(report.added).map(({ text }) => text)
    const session = await answer('mneme', ['digest', '--conversation', 'coding'], { cwd })
    expect(texts(session)).toEqual(['We decided to use Kafka instead of RabbitMQ.'])
    expect(texts(await answer('mneme', ['digest'], { cwd }))).toEqual(['I prefer oat milk in my coffee.'])
    const unknown = await run('mneme', ['digest', '--conversation', 'nowhere'], { cwd })
    expect(unknown.code).toBe(2)
    expect(unknown.stderr).toContain('nowhere')
    const both = await run('mneme', ['digest', '--conversation', 'coding', '--date', '2026-05-07'], { cwd })
    expect(both.code).toBe(2)
    expect(both.stderr).toContain('conversation')
  })
})

test('a file that cannot be used names no path to people elsewhere', async () => {
  const folder = freshFolder()
  writeFileSync(join(folder, 'plain'), 'no folder')
  const one = await openFileMemory({ path: join(folder, 'plain', 'MEMORY.md') })
  const failed = await one.memory.memoryFile.digest().then(
    () => null,
    (error: unknown) => error,
  )
  const { reasonOf } = await import('../../src/domain/errors.ts')
  expect(String(failed)).toContain(folder)
  expect(reasonOf(failed)).not.toContain(folder)
})
