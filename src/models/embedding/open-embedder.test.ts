import { afterEach, beforeEach, expect, test } from 'vitest'
import { type EmbeddingServer, hashedVector, startEmbeddingServer } from '../../../test/support/embedding-server.ts'
import { freshFolder } from '../../../test/support/folder.ts'
import type { EmbedderOptions } from './embed-source.ts'
import { EMBEDDED_CHARACTERS, openEmbedder } from './open-embedder.ts'

const KEY = 'sk-secret-9f27c1d4a8'
let server: EmbeddingServer

beforeEach(async () => {
  server = await startEmbeddingServer()
})
afterEach(() => server.close())

const open = (more: Partial<EmbedderOptions> = {}) =>
  openEmbedder({ provider: 'openai', baseUrl: server.url, apiKey: KEY, model: 'hashed', random: () => 0, ...more })
const texts = (count: number) => Array.from({ length: count }, (_, at) => `第${at}条：the stock of item ${at} ran low`)

test('vectors come in the order of the texts, whatever the order of the answer, as unit vectors', async () => {
  const embedder = await open()
  const said = ['I take my tea without sugar', '我喝茶不加糖', 'The build failed twice']
  const vectors = await embedder.embed(said, { kind: 'document' })
  for (const [at, vector] of vectors.entries()) {
    const wanted = hashedVector(said[at]!, 64)
    expect(Math.max(...vector.map((value, i) => Math.abs(value - wanted[i]!)))).toBeLessThan(1e-6)
    expect(Math.hypot(...vector)).toBeCloseTo(1, 6)
  }
  expect(server.requests[0]).toMatchObject({
    path: '/v1/embeddings',
    authorization: `Bearer ${KEY}`,
    body: { model: 'hashed', encoding_format: 'float' },
  })
  await embedder.close()
})

test('OpenRouter has its default model, and its questions carry the words that this model was trained with', async () => {
  const embedder = await openEmbedder({ provider: 'openrouter', baseUrl: server.url })
  expect(embedder.model).toBe('openrouter/qwen/qwen3-embedding-4b')
  await embedder.embed(['What do I drink?'], { kind: 'query' })
  await embedder.embed(['I drink tea.'], { kind: 'document' })
  expect(server.requests[0]?.body.input).toEqual([expect.stringMatching(/^Instruct: .*\nQuery:What do I drink\?$/)])
  expect(server.requests[1]?.body.input).toEqual(['I drink tea.'])
})

test('many texts go in batches bounded by number and bytes, equal ones once', async () => {
  const embedder = await open()
  const said = [...texts(150), ...texts(20), '长'.repeat(7000), '长'.repeat(7500), '大'.repeat(7900)]
  const vectors = await embedder.embed(said, { kind: 'document' })
  expect(vectors).toHaveLength(said.length)
  expect(vectors[155]).toEqual(vectors[5])
  expect(server.requests.flatMap(({ body }) => body.input)).toHaveLength(153)
  for (const { body } of server.requests) {
    expect(body.input.length).toBeLessThanOrEqual(64)
    expect(body.input.reduce((sum, text) => sum + Buffer.byteLength(text), 0)).toBeLessThanOrEqual(200_000)
  }
})

test('of a very long text the beginning is embedded, without half a character at its end', async () => {
  const embedder = await open()
  await embedder.embed([`${'a'.repeat(EMBEDDED_CHARACTERS - 1)}😀 and so on`], { kind: 'document' })
  const [sent] = server.requests[0]!.body.input
  expect(sent!.length).toBe(EMBEDDED_CHARACTERS)
  expect(sent!.isWellFormed()).toBe(true)
})

test('the dimension is probed by one call, and not at all when a vector has come or the option says it', async () => {
  const probed = await open()
  expect([await probed.dimension(), await probed.dimension()]).toEqual([64, 64])
  expect(server.requests).toHaveLength(1)
  const known = await open({ dimension: 64 })
  expect(await known.dimension()).toBe(64)
  expect(server.requests).toHaveLength(1)
  await known.embed(['咖啡'], { kind: 'document' })
  expect(server.requests[1]?.body.dimensions).toBe(64)
})

test('another dimension than asked for is an error that names both numbers', async () => {
  const embedder = await open({ dimension: 128 })
  const embedding = embedder.embed(['tea'], { kind: 'document' })
  await expect(embedding).rejects.toMatchObject({ code: 'embedding_failed', message: expect.stringMatching(/64.*128/) })
  expect(server.requests).toHaveLength(2)
})

test('a question is embedded once; what is stored already is not embedded again', async () => {
  const stored = hashedVector('我住在里斯本', 64)
  const asked: string[] = []
  const embedder = await open({
    knownVectors: async (wanted, { userId }) => {
      asked.push(...wanted.map((text) => `${userId}: ${text}`))
      return new Map(wanted.includes('我住在里斯本') ? [['我住在里斯本', stored]] : [])
    },
  })
  await embedder.embed(['Where do I live?'], { kind: 'query' })
  await embedder.embed(['Where do I live?'], { kind: 'query' })
  expect(server.requests).toHaveLength(1)
  const vectors = await embedder.embed(['我住在里斯本', 'I work in Porto'], { kind: 'document', userId: 'ann' })
  expect(vectors[0]).toBe(stored)
  expect(server.requests[1]?.body.input).toEqual(['I work in Porto'])
  expect(asked).toEqual(['ann: 我住在里斯本', 'ann: I work in Porto'])
})

test('with room for two questions the one that was asked longest ago is forgotten', async () => {
  const embedder = await open({ cacheEntries: 2 })
  for (const question of ['one?', 'two?', 'one?', 'three?', 'one?', 'two?'])
    await embedder.embed([question], { kind: 'query' })
  expect(server.requests.map(({ body }) => body.input[0])).toEqual(['one?', 'two?', 'three?', 'two?'])
})

test('a server in trouble is asked again, at most three times, and as late as it wants', async () => {
  const embedder = await open()
  server.play({ status: 503 }, { status: 429, headers: { 'retry-after': '0.2' } }, { body: '{"data": [' }, null)
  const started = performance.now()
  expect(await embedder.embed(['tea'], { kind: 'document' })).toHaveLength(1)
  expect(performance.now() - started).toBeGreaterThanOrEqual(190)
  expect(server.requests).toHaveLength(4)
  server.play({ status: 500 }, { status: 500 }, { status: 500 }, { status: 500 })
  await expect(embedder.embed(['coffee'], { kind: 'document' })).rejects.toMatchObject({
    code: 'embedding_failed',
    message: expect.stringContaining('4 requests'),
  })
  expect(server.requests).toHaveLength(8)
})

test('what the server refuses is not sent again, and no error holds the key', async () => {
  for (const status of [400, 401]) {
    const embedder = await open()
    const day = { status, body: { error: { message: `Incorrect API key provided: ${KEY}` } } }
    server.play(day, day)
    const error: Error = await embedder.embed(['tea'], { kind: 'document' }).then(
      () => new Error('no error'),
      (reason) => reason,
    )
    expect(error).toMatchObject({ code: 'embedding_failed', message: expect.stringContaining(`HTTP ${status}`) })
    for (let at: unknown = error; at instanceof Error; at = at.cause)
      expect(`${at.message} ${at.stack} ${JSON.stringify(at)}`).not.toContain(KEY)
  }
  // A malformed request may be the fault of the text: one that every endpoint takes was sent as well.
  expect(server.requests.map(({ body }) => body.input.join())).toEqual(['tea', 'memory', 'tea'])
})

test.each([
  ['refuses', { status: 400, body: { error: { message: 'The input was blocked.' } } }],
  ['is too small for', { status: 413, body: 'too many tokens' }],
  ['makes zeros of', { body: { data: [{ index: 0, embedding: Array.from({ length: 64 }, () => 0) }] } }],
])('a text that the endpoint %s is found, and all the others are embedded', async (_case, day) => {
  const embedder = await open()
  server.spoil((input) => (input.some((text) => text.includes('item 7 ')) ? day : null))
  const said = texts(20)
  const vectors = await embedder.embed(said, { kind: 'document' })
  for (const [at, vector] of vectors.entries()) {
    const likeness = vector.reduce((sum, value, i) => sum + value * hashedVector(said[at]!, 64)[i]!, 0)
    if (at === 7) expect(Math.abs(likeness)).toBeLessThan(0.6)
    else expect(likeness).toBeCloseTo(1, 5)
  }
  expect(Math.hypot(...vectors[7]!)).toBeCloseTo(1, 6)
  expect((await embedder.embed([said[7]!], { kind: 'document' }))[0]).toEqual(vectors[7])
})

test('of a text that is too long for the model as much is embedded as it takes', async () => {
  const embedder = await open()
  server.spoil((input) => (input.some((text) => text.length > 900) ? { status: 413, body: 'too long' } : null))
  const [vector] = await embedder.embed(['The mill wheel turns. '.repeat(200)], { kind: 'document' })
  const wanted = hashedVector('The mill wheel turns. '.repeat(200).slice(0, 500), 64)
  expect(vector!.reduce((sum, value, i) => sum + value * wanted[i]!, 0)).toBeCloseTo(1, 5)
})

test('a parameter that the server refuses by name is left out from then on', async () => {
  const embedder = await open()
  server.play({ status: 400, body: { error: { message: 'unknown field: encoding_format' } } })
  await embedder.embed(['tea'], { kind: 'document' })
  await embedder.embed(['coffee'], { kind: 'document' })
  expect(server.requests.map(({ body }) => 'encoding_format' in body)).toEqual([true, false, false])
})

test('a server that accepts and never answers ends the call in time; a question waits less than a document', async () => {
  const embedder = await open({ timeoutMs: 400, queryTimeoutMs: 60 })
  server.play({ hang: true }, { hang: true })
  const started = performance.now()
  await expect(embedder.embed(['?'], { kind: 'query' })).rejects.toMatchObject({ code: 'embedding_failed' })
  const asked = performance.now()
  await expect(embedder.embed(['.'], { kind: 'document' })).rejects.toMatchObject({
    message: expect.stringContaining('400 ms'),
  })
  expect(asked - started).toBeLessThan(performance.now() - asked)
})

test('after five failures in a row nothing is sent for a while', async () => {
  let now = Date.UTC(2026, 4, 7)
  const embedder = await open({ retries: 0, clock: () => new Date(now) })
  server.play(...Array.from({ length: 5 }, () => ({ status: 500 })))
  for (let at = 0; at < 5; at += 1) await embedder.embed(['tea'], { kind: 'document' }).catch(() => undefined)
  await expect(embedder.embed(['tea'], { kind: 'query' })).rejects.toMatchObject({ code: 'embedding_failed' })
  expect(server.requests).toHaveLength(5)
  now += 31_000
  expect(await embedder.embed(['tea'], { kind: 'query' })).toHaveLength(1)
})

test('an answer that holds no usable vector for every text is an error', async () => {
  const good = [...hashedVector('x', 64)]
  const bad: readonly object[] = [
    { data: [] },
    { data: [{ embedding: good }, { embedding: good }] },
    { data: [{ index: 1, embedding: good }] },
    { data: [{ embedding: good.map(() => 0) }] },
    { data: [{ embedding: good.map(() => 1e300) }] },
    { data: [{ embedding: [] }] },
    { data: [{ embedding: [null] }] },
    { vectors: [good] },
  ]
  for (const body of bad) {
    const embedder = await open({ retries: 0 })
    server.play({ body }, { body })
    const embedding = embedder.embed(['tea'], { kind: 'document' })
    await expect(embedding, JSON.stringify(body).slice(0, 60)).rejects.toMatchObject({ code: 'embedding_failed' })
  }
})

test('an empty text is refused before anything is sent', async () => {
  const embedder = await open()
  await expect(embedder.embed(['tea', ' \n'], { kind: 'document' })).rejects.toMatchObject({ code: 'invalid_input' })
  expect(server.requests).toHaveLength(0)
})

test('a caller may stop waiting, and a closed embedder says so', async () => {
  const embedder = await open()
  server.play({ hang: true })
  const stop = new AbortController()
  const embedding = embedder.embed(['tea'], { kind: 'document', signal: stop.signal })
  setTimeout(() => stop.abort(), 30)
  await expect(embedding).rejects.toMatchObject({ code: 'aborted' })
  await embedder.close()
  await expect(embedder.embed(['tea'], { kind: 'document' })).rejects.toMatchObject({ code: 'closed' })
})

test('options that cannot be are refused with the field and a remedy', async () => {
  const bad: readonly (readonly [object, string])[] = [
    [{ provider: 'somewhere' }, 'embedding.provider'],
    [{ provider: 'openai' }, 'embedding.apiKey'],
    [{ provider: 'openai', baseUrl: 'nowhere' }, 'embedding.baseUrl'],
    [{ provider: 'openai', baseUrl: 'http://u:p@localhost' }, 'embedding.baseUrl'],
    [{ provider: 'openai', baseUrl: 'http://localhost', dimension: 0 }, 'embedding.dimension'],
    [{ provider: 'openai', baseUrl: 'http://localhost', modle: 'typo' }, 'embedding.modle'],
    [{ provider: 'local' }, 'embedding.modelsDir'],
  ]
  for (const [options, field] of bad)
    await expect(openEmbedder(options as EmbedderOptions)).rejects.toMatchObject({ code: 'invalid_input', field })
})

test('a local model whose folder is missing is named, with what belongs there', async () => {
  await expect(openEmbedder({ provider: 'local', modelsDir: freshFolder() })).rejects.toMatchObject({
    code: 'not_found',
    message: expect.stringContaining('all-MiniLM-L6-v2'),
    remedy: expect.stringContaining('model_quantized.onnx'),
  })
})
