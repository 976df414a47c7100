import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type OpenMemory, openMemory } from '../doors/library/index.ts'

const folders: string[] = []
const open: OpenMemory[] = []

afterEach(async () => {
  for (const memory of open.splice(0)) await memory.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-meanings-'))
  folders.push(folder)
  return join(folder, 'memory.db')
}

async function opened(path: string, more = {}): Promise<OpenMemory> {
  const memory = await openMemory({ path, userId: 'ana', thinking: false, ...more })
  open.push(memory)
  return memory
}

/** Turns that share no word with the questions of these tests. */
const SMALL_TALK = Array.from({ length: 200 }, (_, n) => ({
  role: 'user' as const,
  content: `Invoice ${n} over ${n * 7} euros was paid by transfer.`,
}))
const DOG = 'My puppy chewed the slippers again.'

async function bestFor(memory: OpenMemory, question: string): Promise<string | undefined> {
  const { results } = await memory.conversations.recall(question, { limit: 1 })
  return results[0]?.content
}

test('what was stored a moment ago is found by its meaning, though nobody waited', async () => {
  const memory = await opened(file())
  await memory.conversations.store({ conversationId: 'c', turns: [...SMALL_TALK, { role: 'user', content: DOG }] })
  expect(await bestFor(memory, 'What did the young dog do to the shoes?')).toBe(DOG)
})

test('the next process finds the meanings made', async () => {
  const path = file()
  const first = await opened(path)
  await first.conversations.store({ conversationId: 'c', turns: [{ role: 'user', content: DOG }, ...SMALL_TALK] })
  await first.idle()
  await first.close()
  // It makes none by itself, and the first ones of the log are beyond what it makes while somebody waits.
  const second = await opened(path, { background: false })
  expect(await bestFor(second, 'What did the young dog do to the shoes?')).toBe(DOG)
})

test('a context found by words alone asks no table of meanings', async () => {
  const memory = await opened(file())
  await memory.conversations.store({ conversationId: 'c', turns: [{ role: 'user', content: DOG }, ...SMALL_TALK] })
  const armsOf = async (meaning: boolean) => {
    const question = 'What did the young dog do to the slippers?'
    const { recalled } = await memory.context.build(question, { meaning, explain: true })
    return recalled.flatMap(({ explanation }) => explanation?.arms ?? [])
  }
  expect(await armsOf(true)).toContain('similarity')
  const byWords = await armsOf(false)
  expect(byWords).toContain('full-text')
  expect(byWords).not.toContain('similarity')
})

test('a turn that is deleted takes its meaning along, and those beside it are made anew', async () => {
  const path = file()
  const memory = await opened(path)
  await memory.conversations.store({ conversationId: 'dog', turns: [{ role: 'user', content: DOG }] })
  await memory.conversations.store({ conversationId: 'c', turns: SMALL_TALK })
  await memory.conversations.store({
    conversationId: 'cat',
    turns: [{ role: 'user', content: 'A kitten sleeps on our sofa.' }],
  })
  await memory.idle()
  await memory.conversations.delete({ conversationId: 'dog' })
  expect(await bestFor(memory, 'What did the young dog do to the shoes?')).not.toBe(DOG)
  await memory.idle()
  expect(await bestFor(memory, 'Which young cat naps on the couch?')).toContain('kitten')
})

test('Chinese is found by its words, as if there were no table', async () => {
  const memory = await opened(file())
  const turns = ['我的狗叫豆豆，三岁了。', '昨天去银行办了房贷。'].map((content) => ({
    role: 'user' as const,
    content,
  }))
  await memory.conversations.store({ conversationId: 'c', turns })
  await memory.idle()
  expect(await bestFor(memory, '豆豆几岁？')).toContain('豆豆')
})

test('closing does not wait for all meanings to be made', async () => {
  const memory = await opened(file())
  await memory.conversations.store({ conversationId: 'c', turns: SMALL_TALK })
  await memory.close()
  await expect(memory.conversations.recall('puppy')).rejects.toMatchObject({ code: 'closed' })
})

test('memories that were added are found by what they mean, by every search', async () => {
  const memory = await opened(file())
  for (const text of ['I always prefer short emails.', 'My sister lives in Porto.', 'I play the cello on Sundays.'])
    await memory.add(text, { infer: false })
  for (const find of [memory.recall, memory.search]) {
    const { results } = await find('How long should my messages be?', {})
    expect(results.map(({ text }) => text)).toEqual(['I always prefer short emails.'])
    expect((await find('What is the capital of France?', {})).results).toEqual([])
  }
})

test('a memory means what it says now, and a deleted one nothing', async () => {
  const memory = await opened(file())
  const { results } = await memory.add('I always prefer short emails.', { infer: false })
  const question = 'How long should my messages be?'
  const found = async () => (await memory.recall(question)).results.map(({ text }) => text)
  expect(await found()).toEqual(['I always prefer short emails.'])
  await memory.update(results[0]!.id, { text: 'The cellar is damp in winter.' })
  expect(await found()).toEqual([])
  await memory.update(results[0]!.id, { text: 'E-mails ought to be brief.' })
  expect(await found()).toEqual(['E-mails ought to be brief.'])
  await memory.delete(results[0]!.id)
  expect(await found()).toEqual([])
})

test('of many memories the first are searched at once and the others soon', async () => {
  const memory = await opened(file())
  const texts = Array.from({ length: 600 }, (_, n) => `Invoice ${n} over ${n * 7} euros was paid by transfer.`)
  texts.splice(20, 0, 'I always prefer short emails.')
  texts.push('My sister resides in Porto.')
  for (const text of texts) await memory.add(text, { infer: false })
  const find = async (question: string) => (await memory.search(question)).results[0]?.text
  expect(await find('Are brief mails better?')).toBe('I always prefer short emails.')
  await memory.idle()
  expect(await find('Which Portuguese town is my sibling living in?')).toBe('My sister resides in Porto.')
})
