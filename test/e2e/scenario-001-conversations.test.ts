/** Specification 001 on saved conversations (会话持久化): the five fields of a message, the user's mark, and its own names. */
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMemory } from '../../src/doors/library/index.ts'
import { freshDatabase, wordsInFiles } from '../support/folder.ts'
import { type RestServer, startRestServer } from '../support/rest-server.ts'
import { MINUTE, openThinking, tell } from '../support/thinking-memory.ts'
import { answer, emptyFolder, run } from './cli-process.ts'

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

async function whole(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

describe('"每条记录 MUST 包含 session_id、role、content、create_time、is_collected", over HTTP', () => {
  let server: RestServer
  const turns = '/conversations/garden/turns'
  beforeAll(async () => {
    server = await startRestServer()
    await server.ask('POST', turns, {
      turns: [
        { role: 'user', content: '番茄什么时候打顶？' },
        { role: 'assistant', content: 'When the fifth truss has set.', is_collected: true },
      ],
    })
  })
  afterAll(() => server.close())

  test('消息持久化: "系统 MUST 将消息写入 conversation 表并关联当前 session_id": every turn has them, and the mark is the user’s to set and take off', async () => {
    const [first, second] = (await server.ask('GET', turns)).body.items
    expect(first).toMatchObject({
      session_id: 'garden',
      role: 'user',
      content: '番茄什么时候打顶？',
      created_at: expect.stringMatching(/Z$/),
      is_collected: false,
    })
    expect(second.is_collected).toBe(true)
    const set = await server.ask('PATCH', `${turns}/1`, { is_collected: true })
    expect([set.status, set.body]).toEqual([200, { ...first, is_collected: true }])
    const off = await server.ask('PATCH', `${turns}/2`, { is_collected: false })
    expect(off.body).toEqual({ ...second, is_collected: false })
    expect((await server.ask('GET', turns)).body.items).toMatchObject([{ is_collected: true }, { is_collected: false }])
  })

  test('what cannot be collected is refused by name', async () => {
    const statusOf = async (path: string, body: object, headers = {}) => {
      const { status, body: problem } = await server.ask('PATCH', path, body, headers)
      return [status, problem.field ?? problem.code]
    }
    expect(await statusOf(`${turns}/99`, { is_collected: true })).toEqual([404, 'not_found'])
    expect(await statusOf('/conversations/none/turns/1', { is_collected: true })).toEqual([404, 'not_found'])
    expect(await statusOf(`${turns}/1`, { is_collected: true }, { 'x-user-id': 'bo' })).toEqual([404, 'not_found'])
    expect(await statusOf(`${turns}/1`, {})).toEqual([400, 'is_collected'])
    expect(await statusOf(`${turns}/1`, { is_collected: 'yes' })).toEqual([400, 'is_collected'])
    expect(await statusOf(`${turns}/0`, { is_collected: true })).toEqual([400, 'turn_id'])
    expect(await statusOf(`${turns}/one`, { is_collected: true })).toEqual([400, 'turn_id'])
    const { status, body } = await server.ask('POST', turns, {
      turns: [{ role: 'user', content: 'hm', is_collected: 1 }],
    })
    expect([status, body.field]).toEqual([400, 'turns[0].is_collected'])
  })

  test('新建会话: "新建会话时 SHALL 生成唯一 session_id … MUST 生成新 session_id": two that are begun without an id get two', async () => {
    const [one, two] = [await server.ask('POST', '/conversations', {}), await server.ask('POST', '/conversations', {})]
    expect(one.body.conversation_id).toMatch(/\S{8,}/)
    expect(two.body.conversation_id).not.toBe(one.body.conversation_id)
    expect((await server.ask('GET', `/conversations/${one.body.conversation_id}/turns`)).body.total).toBe(0)
  })
})

describe('the mark and everything else', () => {
  test('recall, summaries and thinking do not look at it', async () => {
    const { memory } = await openThinking('rules')
    for (let number = 1; number <= 6; number += 1)
      await tell(memory, 'boat', `Plank ${number} of the boat is larch.`, `Plank ${number} noted, 第${number}块。`)
    await memory.idle()
    const look = async () => {
      const { latencyMs: _, ...recalled } = await memory.conversations.recall('which plank is larch', { explain: true })
      return [recalled, await memory.conversations.summaries('boat'), (await memory.getAll()).total]
    }
    const before = await look()
    await memory.conversations.collect({ conversationId: 'boat', turnId: 2, isCollected: true })
    await memory.conversations.collect({ conversationId: 'boat', turnId: 11, isCollected: true })
    await memory.idle()
    expect(await look()).toEqual(before)
  })

  test('deleting by age leaves what was collected, and what was remembered from it', async () => {
    const { memory, pass } = await openThinking('rules')
    await tell(memory, 'old', '我对花生过敏。', '记住了。')
    await tell(memory, 'old', 'My sister is called Wanda.', 'Noted.')
    await memory.idle()
    await memory.conversations.collect({ conversationId: 'old', turnId: 1, isCollected: true })
    pass(60 * MINUTE)
    const olderThan = new Date('2026-05-07T10:00:00Z')
    expect(await memory.conversations.delete({ olderThan })).toMatchObject({ conversationsDeleted: 0, turnsDeleted: 3 })
    expect((await memory.conversations.turns('old')).items.map(({ turnId }) => turnId)).toEqual([1])
    const left = JSON.stringify((await memory.getAll()).items)
    expect(left).toContain('花生')
    expect(left).not.toContain('Wanda')
    expect((await memory.conversations.recall('花生')).results).toMatchObject([{ turnId: 1 }])
    expect(await memory.conversations.delete({ conversationId: 'old' })).toMatchObject({ turnsDeleted: 1 })
  })

  test('a summary that covered it and others is written anew from it, and nothing of the others stays in the file', async () => {
    const path = freshDatabase()
    const { memory, pass } = await openThinking('rules', { path, thinking: false })
    for (let number = 1; number <= 12; number += 1)
      await memory.conversations.store({
        conversationId: 'crane',
        turns: [
          {
            role: number % 2 === 1 ? 'user' : 'assistant',
            content: `We decided that beam ${number} of the crane is word${number}zyx, 第${number}根梁。`,
          },
        ],
      })
    expect((await memory.conversations.summaries('crane')).length).toBeGreaterThan(0)
    await memory.conversations.collect({ conversationId: 'crane', turnId: 2, isCollected: true })
    pass(60 * MINUTE)
    await memory.conversations.delete({ olderThan: new Date('2026-05-07T10:00:00Z') })
    const left = JSON.stringify([
      await memory.conversations.summaries('crane'),
      await memory.conversations.get('crane'),
    ])
    expect(left).not.toMatch(/word(?!2zyx)\d+zyx/)
    expect((await memory.conversations.recall('beam of the crane')).results).toHaveLength(1)
    await memory.close()
    const others = Array.from({ length: 12 }, (_, at) => `word${at + 1}zyx`).filter((word) => word !== 'word2zyx')
    expect(wordsInFiles(path, others)).toEqual([])
  })

  test('an export keeps it in both formats; one from before has none; a turn that is here keeps its own', async () => {
    const { memory } = await openThinking('rules')
    await tell(memory, 'tea', '龙井用多少度的水？', 'Eighty degrees.')
    await memory.conversations.collect({ conversationId: 'tea', turnId: 2, isCollected: true })
    const marks = async (text: string, change?: (other: typeof memory) => Promise<unknown>) => {
      const other = await openMemory({ path: ':memory:', userId: 'one' })
      await other.conversations.import(bytes(text))
      await change?.(other)
      await other.conversations.import(bytes(text))
      const { items } = await other.conversations.turns('tea')
      await other.close()
      return items.map(({ isCollected }) => isCollected)
    }
    const text = await whole(memory.conversations.export())
    expect(text.match(/"is_collected":true/g)).toHaveLength(1)
    expect(await marks(text)).toEqual([false, true])
    expect(await marks(text.replaceAll(/,"is_collected":(true|false)/g, ''))).toEqual([false, false])
    expect(
      await marks(text, (other) =>
        other.conversations.collect({ conversationId: 'tea', turnId: 2, isCollected: false }),
      ),
    ).toEqual([false, false])
  })
})

test('mneme conversations collect', async () => {
  const cwd = emptyFolder()
  await run('memory_store', ['--stdin', '--conversation', 'c'], {
    cwd,
    input:
      '{"role":"user","content":"Which bolt?"}\n{"role":"assistant","content":"M8, 八毫米。","is_collected":true}\n',
  })
  expect(await answer('mneme', ['conversations', 'collect', 'c', '1'], { cwd })).toMatchObject({
    turn_id: 1,
    is_collected: true,
  })
  await answer('mneme', ['conversations', 'collect', 'c', '1', '--undo'], { cwd })
  const shown = await answer('mneme', ['conversations', 'show', 'c'], { cwd })
  expect(shown.turns).toMatchObject({ items: [{ is_collected: false }, { is_collected: true }] })
  expect(await run('mneme', ['conversations', 'collect', 'c', '7'], { cwd })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No turn "7"'),
  })
  expect(await run('mneme', ['conversations', 'collect', 'c', 'seven'], { cwd })).toMatchObject({ code: 2 })
})

test('the file itself shows the four records of 001 under its names', async () => {
  const path = freshDatabase()
  const { memory } = await openThinking('rules', { path })
  await memory.profile.set({ text: '- 简短回答' })
  await memory.add('On Saturday we planted a quince behind the shed.', {
    infer: false,
    memoryType: 'episodic',
    conversationId: 'yard',
  })
  await tell(memory, 'yard', '我们星期六种了一棵榅桲。', 'Lovely.')
  await memory.conversations.collect({ conversationId: 'yard', turnId: 1, isCollected: true })
  await memory.idle()
  const database = new DatabaseSync(path, { readOnly: true })
  const all = (sql: string) => database.prepare(sql).all()
  expect(all('SELECT session_id, role, content, create_time, is_collected FROM conversation ORDER BY turn_id')).toEqual(
    [
      {
        session_id: 'yard',
        role: 'user',
        content: '我们星期六种了一棵榅桲。',
        create_time: '2026-05-07T09:30:00.000Z',
        is_collected: 1,
      },
      {
        session_id: 'yard',
        role: 'assistant',
        content: 'Lovely.',
        create_time: '2026-05-07T09:30:00.000Z',
        is_collected: 0,
      },
    ],
  )
  expect(
    all(
      `SELECT id, timestamp, content, tags, session_id, create_time FROM atomic_memory WHERE content LIKE '%quince%'`,
    ),
  ).toMatchObject([
    {
      id: expect.any(String),
      content: expect.any(String),
      tags: '[]',
      session_id: 'yard',
      create_time: expect.any(String),
    },
  ])
  expect(all('SELECT content FROM user_profile')).toEqual([{ content: expect.stringContaining('简短回答') }])
  expect(all('SELECT session_id, title, snippet, created_at FROM session_summary')).toMatchObject([
    { session_id: 'yard' },
  ])
  database.close()
})
