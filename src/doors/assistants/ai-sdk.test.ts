import { generateText, streamText, wrapLanguageModel } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenMemory, openMemory } from '../library/index.ts'
import { memoryMiddleware, memoryTools } from './ai-sdk.ts'

let memory: OpenMemory
beforeEach(async () => {
  memory = await openMemory({ path: ':memory:', userId: 'ann' })
  await memory.conversations.store({
    conversationId: 'before',
    turns: [{ role: 'user', content: 'My sister Nilufar keeps bees in Bukhara.' }],
  })
})
afterEach(() => memory.close())

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const said = (text: string) => ({
  content: [{ type: 'text' as const, text }],
  finishReason: { unified: 'stop' as const, raw: 'stop' },
  usage,
  warnings: [],
})

test('a model gets what answers the message before it, and the exchange is stored once', async () => {
  const inner = new MockLanguageModelV4({ doGenerate: async () => said('She lives in Bukhara.') })
  const model = wrapLanguageModel({ model: inner, middleware: memoryMiddleware(memory, { conversationId: 'now' }) })
  const ask = () => generateText({ model, system: 'Be brief.', prompt: 'Where does my sister keep her bees?' })
  expect((await ask()).text).toBe('She lives in Bukhara.')
  await ask()
  const [system, user] = inner.doGenerateCalls[0]?.prompt ?? []
  expect(system).toMatchObject({ role: 'system', content: 'Be brief.' })
  expect(JSON.stringify(user?.content)).toMatch(/Nilufar.*Where does my sister/)
  const { items } = await memory.conversations.turns('now')
  expect(items.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'Where does my sister keep her bees?'],
    ['assistant', 'She lives in Bukhara.'],
  ])
})

test('a streamed answer is stored whole, a Chinese one too', async () => {
  const inner = new MockLanguageModelV4({
    doStream: async () => ({
      stream: simulateReadableStream({
        chunks: [
          { type: 'text-start' as const, id: '1' },
          { type: 'text-delta' as const, id: '1', delta: '她在' },
          { type: 'text-delta' as const, id: '1', delta: '布哈拉。' },
          { type: 'text-end' as const, id: '1' },
          { type: 'finish' as const, finishReason: { unified: 'stop' as const, raw: 'stop' }, usage },
        ],
      }),
    }),
  })
  const model = wrapLanguageModel({ model: inner, middleware: memoryMiddleware(memory, { conversationId: '现在' }) })
  const { text } = streamText({ model, prompt: '我妹妹在哪里？' })
  expect(await text).toBe('她在布哈拉。')
  expect((await memory.conversations.turns('现在')).items.map(({ content }) => content)).toEqual([
    '我妹妹在哪里？',
    '她在布哈拉。',
  ])
})

test('a memory that is closed fails no chat', async () => {
  const closed = await openMemory({ path: ':memory:', userId: 'ann' })
  await closed.close()
  const inner = new MockLanguageModelV4({ doGenerate: async () => said('Hello!') })
  const model = wrapLanguageModel({ model: inner, middleware: memoryMiddleware(closed, { conversationId: 'now' }) })
  expect((await generateText({ model, prompt: 'Hi' })).text).toBe('Hello!')
})

test('a model recalls, remembers, corrects and forgets by its tools', async () => {
  const { recall, remember, correct, forget } = memoryTools(memory)
  const [kept] = await remember.execute({ statement: 'Ann plays the oud.' })
  const id = kept?.id ?? ''
  expect(await recall.execute({ question: 'Which instrument does Ann play?' })).toContainEqual(
    expect.objectContaining({ id, text: 'Ann plays the oud.' }),
  )
  await correct.execute({ id, statement: 'Ann plays the ney.' })
  expect((await memory.get(id)).text).toBe('Ann plays the ney.')
  await forget.execute({ id })
  await expect(memory.get(id)).rejects.toMatchObject({ code: 'not_found' })
})
