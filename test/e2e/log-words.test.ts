/** A log tells what failed, never what was said: not even where a vendor's error quotes it. */
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '../../src/doors/cli/commands/serve.ts'
import { openMemory } from '../../src/doors/library/index.ts'
import { startEmbeddingServer } from '../support/embedding-server.ts'
import { freshDatabase } from '../support/folder.ts'
import { type Reply, type SeenRequest, startModelServer } from '../support/model-server.ts'
import { post } from './chat-server.ts'

const SAID = 'Meine Kusine Walburga wohnt in Quakenbrück, and 瓦尔布加对花生过敏。'
const WORDS = /Walburga|Quakenbr|花生/

/** Answers that quote everything that was asked, as vendors do when they find fault. */
const QUOTING: Readonly<Record<string, (text: string) => Reply>> = {
  'an error object': (text) => ({ status: 400, body: { error: { message: `Cannot read: ${text}`, code: text } } }),
  'an error in a good answer': (text) => ({ status: 200, body: { error: { message: text, type: 'Walburga lives' } } }),
  'a plain text': (text) => ({ status: 422, body: text }),
  'a bad gateway': (text) => ({ status: 502, body: `<html>${text}</html>` }),
  'an answer that is no JSON': (text) => ({ status: 200, body: text }),
  'an answer of another shape': (text) => ({ status: 200, body: { echo: text } }),
  'words that are no JSON': (text) => ({ content: `You said: ${text}` }),
  'an event that is an error': (text) => ({ events: [{ error: { message: text } }] }),
}

test.each(Object.entries(QUOTING))('a model that quotes what was said: %s', async (_, reply) => {
  const vendor = await startModelServer((request: SeenRequest) => reply(JSON.stringify(request.body)))
  const embedder = await startEmbeddingServer()
  embedder.play(...Array.from({ length: 100 }, () => ({ status: 400, body: { error: { message: SAID } } })))
  const lines: string[] = []
  const line = (message: string, details?: object): void => void lines.push(`${message} ${JSON.stringify(details)}`)
  const logger = { debug: line, info: line, warn: line, error: line }
  const path = freshDatabase('log-words.db')
  const memory = await openMemory({
    path,
    logger,
    llm: { provider: 'openai', baseUrl: vendor.url, model: 'quoting', apiKey: 'none', retries: 0 },
    embedding: { provider: 'openai', baseUrl: embedder.url, model: 'bag', apiKey: 'none' },
  })
  const server = await serve({ memory, port: 0, version: '0', logger })
  onTestFinished(async () => {
    await server.close(100)
    await memory.close()
    await Promise.all([vendor.close(), embedder.close()])
  })
  const chat = await post(`${server.url}/chat`, { message: SAID, stream: false })
  expect(await chat.text()).not.toMatch(/^\s*at /m)
  await (await post(`${server.url}/v1/chat/completions`, { messages: [{ role: 'user', content: SAID }] })).text()
  await (await post(`${server.url}/memory/long-term`, { text: SAID, infer: true, wait: true })).text()
  await (await post(`${server.url}/memory/search`, { query: SAID })).text()
  await memory.idle()
  await memory.maintenance.consolidate({ userId: 'local' })
  expect(lines.length).toBeGreaterThan(5)
  expect(lines.filter((one) => WORDS.test(one))).toEqual([])
  const database = new DatabaseSync(path, { readOnly: true })
  const jobs = database.prepare('SELECT last_error FROM jobs WHERE last_error IS NOT NULL').all()
  database.close()
  expect(JSON.stringify(jobs)).not.toMatch(WORDS)
})

test('whoever asked is told what the vendor said', async () => {
  const vendor = await startModelServer({
    status: 404,
    body: { error: { message: 'No model of this name.', code: 'no_model' } },
  })
  const memory = await openMemory({
    path: ':memory:',
    thinking: false,
    llm: { provider: 'openai', baseUrl: vendor.url, model: 'none', apiKey: 'none', retries: 0 },
  })
  const server = await serve({ memory, port: 0, version: '0' })
  onTestFinished(async () => {
    await server.close(100)
    await memory.close()
    await vendor.close()
  })
  const answer = await post(`${server.url}/chat`, { message: 'Hi', stream: false })
  expect(answer.status).toBe(502)
  expect(await answer.json()).toMatchObject({
    code: 'model_refused',
    detail: 'The model none refused: HTTP 404 (no_model): No model of this name.',
  })
})
