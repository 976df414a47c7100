/**
 * Promises of doors.md about `add`: PENDING with a model, nothing stored twice, jobs that can be seen, one memory a
 * fact.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../src/doors/library/index.ts'
import { freshDatabase } from '../support/folder.ts'
import { startModelServer } from '../support/model-server.ts'
import { allMemories, byPhrase, exchangeReply, MINUTE, openThinking, tell } from '../support/thinking-memory.ts'

const VIOLIN = 'My daughter Ilka started violin lessons in February.'
const ANSWERS = byPhrase({
  violin: { records: [{ text: 'The user’s daughter Ilka started violin lessons in February.', who: 'Ilka' }] },
  游泳: { records: [{ text: '用户每周二晚上去游泳。', who: 'user' }] },
})

test('with a model "it answers at once with event PENDING and a jobId, and nothing is stored by rules before the model has answered"', async () => {
  const { memory, requests, play } = await openThinking('model', { script: { hang: 'silent' }, timeoutMs: 30_000 })
  const answer = await memory.add(VIOLIN, { conversationId: 'chat' })
  expect(answer).toEqual({
    results: [{ id: answer.jobId, memory: VIOLIN, event: 'PENDING' }],
    rejected: [],
    jobId: expect.stringMatching(/./),
  })
  expect(await memory.maintenance.jobs()).toMatchObject({ total: 1, items: [{ id: answer.jobId, kind: 'add' }] })
  // The model has the question and is still silent.
  while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(await allMemories(memory)).toEqual([])
  expect(await memory.maintenance.jobs({ state: 'running' })).toMatchObject({ total: 1 })
  play(ANSWERS)
})

test('with a model and idle: the job is done, its memory is the model’s, once, and the job is gone', async () => {
  const { memory, requests } = await openThinking('model', { script: ANSWERS })
  await memory.add(VIOLIN, { conversationId: 'chat' })
  await memory.idle()
  const stored = await allMemories(memory)
  expect(stored).toMatchObject([{ text: expect.stringContaining('The user’s daughter Ilka'), conversationId: 'chat' }])
  expect(await memory.maintenance.jobs()).toEqual({ items: [], total: 0 })
  expect(requests).toHaveLength(1)
  await memory.idle()
  expect(requests).toHaveLength(1)
})

test('`{ wait: true }` answers when that is done: with what was stored, or with what was refused and why', async () => {
  const { memory } = await openThinking('model', { script: ANSWERS })
  const kept = await memory.add('我每周二晚上去游泳。', { wait: true })
  expect(kept.results).toMatchObject([{ event: 'ADD', memory: '用户每周二晚上去游泳。' }])
  expect(await memory.get(kept.results[0]!.id)).toMatchObject({ text: '用户每周二晚上去游泳。', source: 'user_stated' })
  const refused = await memory.add('哈哈，今天天气不错嘛', { wait: true })
  expect(refused).toMatchObject({
    results: [],
    rejected: [{ text: '哈哈，今天天气不错嘛', reason: expect.any(String) }],
  })
})

test('`{ wait: true }` when the model finally fails: the rules have stored it, once', async () => {
  const { memory } = await openThinking('model', { script: { status: 500, body: '' }, retries: 0 })
  const { results } = await memory.add(VIOLIN, { wait: true })
  expect(results).toMatchObject([{ event: 'ADD' }])
  expect((await allMemories(memory)).map(({ id }) => id)).toEqual([results[0]!.id])
})

test('without a model "it answers with the decision"', async () => {
  const { memory } = await openThinking('rules')
  const kept = await memory.add(VIOLIN)
  expect(kept).toMatchObject({ results: [{ event: 'ADD' }], rejected: [] })
  expect(kept.jobId).toBeUndefined()
  const refused = await memory.add('Thanks, that was quick!')
  expect(refused).toMatchObject({ results: [], rejected: [{ reason: expect.any(String) }] })
  expect(await memory.maintenance.jobs()).toEqual({ items: [], total: 0 })
})

test('a text that is added by itself was chosen to be remembered; one of a conversation was only said in it', async () => {
  const { memory } = await openThinking('rules')
  const text = 'Test fixtures must not contain real names.'
  expect(await memory.add(text, { conversationId: 'chat' })).toMatchObject({ results: [] })
  expect(await memory.add(text)).toMatchObject({ results: [{ event: 'ADD', memory: text }], rejected: [] })
})

test('messages are thought about together, and only the user’s words count', async () => {
  const { memory } = await openThinking('rules')
  const { results } = await memory.add([
    { role: 'user', content: '我从小对芒果过敏。' },
    { role: 'assistant', content: '我住在云端，对什么都不过敏。' },
    { role: 'user', content: '好的谢谢' },
  ])
  expect(results.map(({ event }) => event)).toEqual(['ADD'])
  expect((await allMemories(memory)).map(({ text }) => text)).toEqual(['我从小对芒果过敏。'])
})

test.each(['rules', 'model'] as const)('`add` is idempotent by externalId (%s)', async (by) => {
  const { memory } = await openThinking(by, { script: ANSWERS })
  const first = await memory.add(VIOLIN, { externalId: 'note-7', wait: true })
  const again = await memory.add(VIOLIN, { externalId: 'note-7', wait: true })
  expect(first.results).toMatchObject([{ event: 'ADD' }])
  expect(again.results).toMatchObject([{ event: 'NONE', id: first.results[0]!.id }])
  expect(await allMemories(memory)).toMatchObject([{ externalId: 'note-7' }])
  // Another user has ids of their own.
  const other = await memory.add(VIOLIN, { externalId: 'note-7', wait: true, userId: 'two' })
  expect(other.results).toMatchObject([{ event: 'ADD' }])
})

test('twenty times the same at once, with a model: one memory', async () => {
  const { memory } = await openThinking('model', { script: ANSWERS })
  await Promise.all(Array.from({ length: 20 }, () => memory.add(VIOLIN)))
  await memory.idle()
  expect(await allMemories(memory)).toHaveLength(1)
})

test('an exchange that is stored and added is remembered once', async () => {
  for (const by of ['rules', 'model'] as const) {
    const { memory } = await openThinking(by, { script: ANSWERS })
    await tell(memory, 'chat', VIOLIN, 'How lovely!')
    await memory.add(VIOLIN, { conversationId: 'chat' })
    await memory.idle()
    expect(await allMemories(memory)).toHaveLength(1)
  }
})

test('"the same fact 20 times at once, from 4 processes → one memory"', async () => {
  const texts = ['I have been allergic to walnuts since I was a child.', '我从小就对核桃过敏。']
  const path = freshDatabase()
  await (await openMemory({ path })).close()
  const children = Array.from({ length: 4 }, () => start(path, 5, ...texts))
  await Promise.all(children.map((child) => once(child, 'message')))
  const told = children.map((child) => once(child, 'message'))
  for (const child of children) child.send('go')
  const events = (await Promise.all(told)).flatMap(([list]) => list as string[])
  await using memory = await openMemory({ path, userId: 'one' })
  expect((await allMemories(memory)).map((one) => one.text).toSorted()).toEqual(texts)
  expect(events.toSorted()).toEqual([...Array(2).fill('ADD'), ...Array(38).fill('NONE')])
})

function start(...words: readonly (string | number)[]): ChildProcess {
  const child = fork(new URL('../support/add-process.ts', import.meta.url), words.map(String))
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  })
  return child
}

test('a question that waits for its answer is asked about once, together with it; without an answer it is not forgotten', async () => {
  const { memory, requests, pass } = await openThinking('model', { script: ANSWERS })
  await tell(memory, 'chat', VIOLIN)
  await memory.idle()
  expect(requests).toHaveLength(0)
  expect(await memory.maintenance.jobs({ state: 'waiting' })).toMatchObject({ total: 1, items: [{ kind: 'think' }] })
  pass(2 * MINUTE)
  await memory.idle()
  expect(requests).toHaveLength(1)
  expect(await allMemories(memory)).toHaveLength(1)
})

test('an addition that was PENDING when the process ended is done by the next one, which has no model', async () => {
  const path = freshDatabase()
  const first = await openThinking('model', { path, script: { hang: 'silent' }, timeoutMs: 30_000 })
  await first.memory.add(VIOLIN, { conversationId: 'chat' })
  await first.memory.close()
  await using second = await openMemory({ path, userId: 'one', clock: () => new Date('2026-05-07T09:31:00Z') })
  await second.idle()
  expect((await allMemories(second)).map(({ text }) => text)).toEqual([VIOLIN])
  expect(await second.maintenance.jobs()).toEqual({ items: [], total: 0 })
})

test('two processes on one file ask a model about an exchange once', async () => {
  const path = freshDatabase()
  const one = await openThinking('model', { path, script: ANSWERS })
  const other = await openThinking('model', { path, script: ANSWERS })
  await tell(one.memory, 'chat', VIOLIN, 'How lovely!')
  await Promise.all([one.memory.idle(), other.memory.idle()])
  await Promise.all([one.memory.idle(), other.memory.idle()])
  expect(one.requests.length + other.requests.length).toBe(1)
  expect(await allMemories(one.memory)).toHaveLength(1)
})

test('a conversation that is deleted while the model thinks about it leaves nothing behind', async () => {
  const { memory, requests } = await openThinking('model', {
    script: () => ({ ...exchangeReply({ records: [{ text: VIOLIN, who: 'user' }] }), delayMs: 150 }),
  })
  await tell(memory, 'chat', VIOLIN, 'How lovely!')
  const idle = memory.idle()
  while (requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  await memory.conversations.delete({ conversationId: 'chat' })
  await idle
  await memory.idle()
  expect(await allMemories(memory)).toEqual([])
  expect(await memory.sessionSummaries.list()).toEqual({ items: [], total: 0 })
  expect(await memory.maintenance.jobs()).toEqual({ items: [], total: 0 })
})

test('a spent budget of calls: the rules answer, and the log says why', async () => {
  const server = await startModelServer(ANSWERS)
  onTestFinished(() => server.close())
  const lines: string[] = []
  const line = (message: string, details?: object) => void lines.push(message + JSON.stringify(details))
  await using memory = await openMemory({
    path: freshDatabase(),
    userId: 'one',
    llm: { provider: 'openai', baseUrl: server.url, apiKey: 'k', model: 'scripted', dailyCalls: 1 },
    logger: { debug: line, info: line, warn: line, error: line },
  })
  await memory.add(VIOLIN, { wait: true })
  const second = await memory.add('我每周二晚上去游泳。', { wait: true })
  expect(server.requests).toHaveLength(1)
  expect(second.results).toMatchObject([{ event: 'ADD', memory: '我每周二晚上去游泳。' }])
  expect(lines.some((text) => text.includes('rules answer') && /budget|allowed/i.test(text))).toBe(true)
  // Requests are counted for each user and step.
  expect(await memory.maintenance.usage()).toMatchObject([{ userId: 'one', step: 'exchange', calls: 1 }])
})

test('who an addition is said to be of is so in its record, too (002 R2.3)', async () => {
  await using memory = await openMemory({ path: freshDatabase(), userId: 'one' })
  const { results } = await memory.add('I live in Turku.', { who: 'Pia' })
  expect(await memory.get(results[0]!.id)).toMatchObject({ who: 'Pia', metadata: { who: 'Pia' } })
})
