/** A server with reader threads answers as one without does, whoever asks how many questions at once. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import type { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import type { Logger } from '../../src/domain/logger.ts'
import { createReaders, type Readers } from '../../src/doors/http/reader-threads.ts'
import { freshDatabase } from '../support/folder.ts'
import { type RestServer, startRestServer } from '../support/rest-server.ts'

const QUESTIONS = ['Where do the bees live?', '蜂箱在哪里？', 'When is the tram late?', 'Who plays the cello?', 'zzz']
const FACTS = [
  'The bees live behind the old brewery.',
  '蜂箱在老啤酒厂后面。',
  'The tram to the harbour is late on Mondays.',
  'Marta plays the cello in the town hall.',
]

/** A server with readers over a file with some memories; `lines` is its log. */
async function startWithReaders(
  count = 2,
  replacedAfterMs?: number,
): Promise<RestServer & { readers: Readers; lines: string[] }> {
  const path = freshDatabase('readers.db')
  const lines: string[] = []
  const note = (message: string): void => void lines.push(message)
  const logger: Logger = { debug: note, info: note, warn: note, error: note }
  const readers = createReaders({ path }, count, logger, replacedAfterMs)
  const server = await startRestServer({ path, readers, requestsPerMinute: 1_000_000 })
  onTestFinished(async () => {
    await server.close()
    await readers.close()
  })
  for (const text of FACTS) await server.memory.add(text, { userId: 'local', infer: false })
  return { ...server, readers, lines }
}

/** Asks until threads have answered as well: opening the database takes them a moment. */
async function askUntilShared({ ask, readers }: RestServer & { readers: Readers }): Promise<readonly unknown[]> {
  const before = readers.answered
  for (;;) {
    const now = new Date('2026-11-22T10:00:00Z').toISOString()
    const asked = Array.from({ length: 20 }, (_, at) => ({ query: QUESTIONS[at % QUESTIONS.length]!, now }))
    const answers = await Promise.all(asked.map((body) => ask('POST', '/memory/search', body)))
    if (readers.answered > before) return answers.map(({ status, body }) => ({ status, body }))
  }
}

test('questions that come at once are answered alike, in a thread or not', async () => {
  const server = await startWithReaders()
  const answers = await askUntilShared(server)
  for (const [at, answer] of answers.entries()) expect(answer).toEqual(answers[at % QUESTIONS.length])
  expect(answers[0]).toMatchObject({ status: 200, body: { results: [{ text: FACTS[0] }] } })
  expect(answers[1]).toMatchObject({ status: 200, body: { results: [{ text: FACTS[1] }] } })
})

test('what was stored, changed or deleted before a question is in every answer', async () => {
  const server = await startWithReaders()
  await askUntilShared(server)
  const { body } = await server.ask('POST', '/memory/long-term', { text: 'The lighthouse is painted yellow.' })
  const ask = () =>
    Promise.all(Array.from({ length: 12 }, () => server.ask('POST', '/memory/search', { query: 'lighthouse' })))
  const [id] = body.results.map((one: { id: string }) => one.id)
  for (const answer of await ask()) expect(answer.body.results.map((one: { id: string }) => one.id)).toEqual([id])
  await server.ask('PATCH', `/memory/long-term/${id}`, { text: 'The lighthouse is painted green.' })
  for (const answer of await ask()) expect(answer.text).toContain('green')
  await server.ask('DELETE', `/memory/long-term/${id}`)
  for (const answer of await ask()) expect(answer.body.results).toEqual([])
})

test('what is wrong is said in the same words', async () => {
  const server = await startWithReaders()
  await askUntilShared(server)
  const wrong = { query: 'bees', filters: { colour: 'yellow' } }
  const before = server.readers.answered
  const answers = await Promise.all(Array.from({ length: 12 }, () => server.ask('POST', '/memory/search', wrong)))
  expect(server.readers.answered).toBeGreaterThan(before)
  const words = answers.map(({ status, body: { request_id, ...problem } }) => ({ status, problem }))
  expect(new Set(words.map((one) => JSON.stringify(one))).size).toBe(1)
  expect(words[0]).toMatchObject({ status: 400, problem: { field: 'filters.colour' } })
})

test('a thread that cannot open the database leaves every answer to the server, and says why', async () => {
  const lines: string[] = []
  const note = (message: string): void => void lines.push(message)
  const path = freshDatabase('readers.db')
  const readers = createReaders({ path: `${path}.elsewhere` }, 1, { debug: note, info: note, warn: note, error: note })
  const { ask, close } = await startRestServer({ path, readers, requestsPerMinute: 1_000_000 })
  while (lines.length === 0) {
    const answers = await Promise.all(QUESTIONS.map((query) => ask('POST', '/memory/search', { query })))
    expect(answers.map(({ status }) => status)).toEqual(QUESTIONS.map(() => 200))
  }
  expect(lines).toEqual(['a thread of the server broke down'])
  expect(readers.answered).toBe(0)
  await close()
  await readers.close()
})

test('a thread that dies loses no question, and another one takes its place', async () => {
  const threads: Worker[] = []
  const note = (thread: Worker): void => void threads.push(thread)
  process.on('worker', note)
  onTestFinished(() => void process.off('worker', note))
  const server = await startWithReaders(1, 0)
  await askUntilShared(server)
  const asked = Array.from({ length: 12 }, () => server.ask('POST', '/memory/search', { query: QUESTIONS[0] }))
  await threads[0]?.terminate()
  for (const { status, text } of await Promise.all(asked)) expect({ status, text }).toMatchObject({ status: 200 })
  await askUntilShared(server)
  expect(threads).toHaveLength(2)
})

test('whoever closes the readers sees their end, also where nothing else keeps the process alive', async () => {
  const path = freshDatabase('readers.db')
  const { close } = await startRestServer({ path })
  await close()
  const readers = new URL('../../src/doors/http/reader-threads.ts', import.meta.url)
  const program = `
    import { createReaders } from ${JSON.stringify(readers)}
    const quiet = () => {}
    const readers = createReaders({ path: process.argv[2] }, 1, { debug: quiet, info: quiet, warn: quiet, error: quiet })
    const question = { operation: 'search_memories', userId: 'local', isOperator: true, input: { query: 'bees' } }
    while (readers.answered === 0)
      await Promise.all(Array.from({ length: 4 }, () => readers.answer(question, async () => '{}')))
    await readers.close()
    console.log('closed')`
  // In a file: a thread would inherit `--eval`, and take no file then.
  const file = `${path}.mjs`
  writeFileSync(file, program)
  expect(execFileSync(process.execPath, [file, path], { encoding: 'utf8', timeout: 20_000 })).toBe('closed\n')
})

test('how often a memory was used is right in every answer, whoever counted it', async () => {
  const server = await startWithReaders()
  await askUntilShared(server)
  const { body } = await server.ask('POST', '/memory/long-term', { text: 'The kiln is fired on Fridays.' })
  const [{ id }] = body.results
  const before = server.readers.answered
  for (let used = 1; used <= 5; used += 1) {
    await server.memory.touch([id], { userId: 'local' })
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => server.ask('POST', '/memory/search', { query: 'kiln' })),
    )
    expect(answers.map((answer) => answer.body.results[0].access_count)).toEqual(answers.map(() => used))
  }
  expect(server.readers.answered).toBeGreaterThan(before)
})

test('a question of another user is asked before the rest of a flood that waits', async () => {
  const readers = createReaders({ path: ':memory:' }, 0, { debug() {}, info() {}, warn() {}, error() {} })
  const order: string[] = []
  const users = [...Array.from({ length: 30 }, () => 'flood'), 'quiet']
  const asked = users.map((userId) =>
    readers.answer({ operation: 'search_memories', userId, isOperator: true, input: {} }, async () => {
      order.push(userId)
      return '{}'
    }),
  )
  await Promise.all(asked)
  expect(order.indexOf('quiet')).toBeLessThanOrEqual(2)
  expect(order).toHaveLength(31)
})
