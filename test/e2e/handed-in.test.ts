/** What a caller hands in may fail in every way: no work ends by it, and nobody waits for ever. */
import { afterEach, expect, test, vi } from 'vitest'
import type { Embedder, LanguageModel } from '../../src/domain/contracts/models.ts'
import { MnemeError } from '../../src/domain/errors.ts'
import { type OpenMemory, type OpenOptions, openMemory } from '../../src/doors/library/index.ts'
import { steadyEmbedder, steadyModel } from '../../src/usecases/guarded-adapters.ts'
import { freshDatabase } from '../support/folder.ts'

/** How what is handed in fails, once it does. */
const WAYS: Readonly<Record<string, () => unknown>> = {
  throws: () => {
    throw new TypeError('broken')
  },
  rejects: () => Promise.reject(new TypeError('broken')),
  'answers nonsense': () => [{ text: 7 }, new Date(Number.NaN), Number.NaN],
  'answers nothing': () => undefined,
}

const ANSWER = {
  text: '{}',
  model: 'guest',
  usage: { promptTokens: 1, completionTokens: 1, cost: null },
  attempts: 1,
  latencyMs: 1,
}
const MODEL = {
  model: 'guest',
  ask: async () => ANSWER,
  async *stream() {
    yield { text: 'Hello', answer: ANSWER }
  },
  isLeftAlone: () => false,
  close: async () => {},
} satisfies LanguageModel
const EMBEDDER = {
  model: 'vectors',
  dimension: async () => 4,
  embed: async (texts) => texts.map(({ length }) => Float32Array.of(length, 1, 2, 3)),
  isLeftAlone: () => false,
  close: async () => {},
} satisfies Embedder

/** The same object; its functions fail as soon as `isBroken`. */
function failing<T extends object>(sound: T, fail: () => unknown, isBroken: () => boolean): T {
  const functions = Object.entries(sound).map(([name, work]) => [
    name,
    typeof work === 'function' ? (...given: unknown[]) => (isBroken() ? fail() : work(...given)) : work,
  ])
  return Object.fromEntries(functions) as T
}

afterEach(() => void vi.useRealTimers())

test.each(Object.keys(WAYS))(
  'what a caller hands in and %s ends no work, and whoever awaits gets an answer',
  async (way) => {
    const fail = WAYS[way]!
    let isBroken = false
    const breaks = <T extends object>(sound: T): T => failing(sound, fail, () => isBroken)
    const log = () => {}
    const options: OpenOptions = {
      path: freshDatabase(),
      userId: 'ana',
      clock: breaks({ now: () => new Date('2026-05-07T10:00:00Z') }).now,
      logger: breaks({ debug: log, info: log, warn: log, error: log }),
      llm: breaks(MODEL),
      embedding: breaks(EMBEDDER),
    }
    const memory = await openMemory(options)
    isBroken = true
    const turns = Array.from({ length: 12 }, (_, at) => ({
      role: 'user' as const,
      content: `I live in Porto, flat ${at}.`,
    }))
    const onProgress = fail as () => void
    const work: Readonly<Record<string, (memory: OpenMemory) => Promise<unknown>>> = {
      store: () => memory.conversations.store({ conversationId: 'c', turns }),
      add: () => memory.add('Nora is a nurse in Lyon.', { infer: false }),
      recall: () => memory.recall('Where do I live?'),
      think: () => memory.maintenance.think({}, { onProgress }),
      chat: () => memory.chat.send('Where do I live?', { conversationId: 'c' }),
      embed: () => memory.maintenance.embed({ onProgress }),
      consolidate: () => memory.maintenance.consolidate({ onProgress }),
      idle: () => memory.idle(),
      delete: () => memory.conversations.delete({ conversationId: 'c' }, { onProgress }),
      close: () => memory.close(),
    }
    const failed: string[] = []
    for (const [name, call] of Object.entries(work))
      await call(memory).catch((error: unknown) =>
        failed.push(`${name} ${error instanceof MnemeError ? error.code : error}`),
      )
    expect(failed).toEqual(['chat model_failed', 'embed embedding_failed'])
  },
)

test('a model that stays silent is an error after a while, and nobody waits for its farewell', async () => {
  vi.useFakeTimers()
  const silent = () => new Promise<never>(() => {})
  const llm = steadyModel(failing(MODEL, silent, () => true))
  const embedder = steadyEmbedder(failing(EMBEDDER, silent, () => true))
  const asked = { step: 'chat', userId: 'ana', messages: [] }
  const code = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: MnemeError) => error.code,
    )
  const asking = (): Promise<unknown>[] => [
    llm.ask(asked),
    llm.stream(asked)[Symbol.asyncIterator]().next(),
    embedder.dimension(),
    embedder.embed(['one'], { kind: 'query' }),
  ]
  const told = Promise.all(asking().map(code))
  await vi.advanceTimersByTimeAsync(120_000)
  expect(await told).toEqual(['model_failed', 'model_failed', 'embedding_failed', 'embedding_failed'])
  const ended = Promise.all([...asking(), llm.close(), embedder.close()].map(code))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await ended).toEqual(['closed', 'closed', 'closed', 'closed', null, null])
})

test('an import whose source yields what is no bytes is refused', async () => {
  await using memory = await openMemory({ path: freshDatabase(), userId: 'ana' })
  for (const piece of [42, undefined, 'a text'])
    await expect(
      memory.conversations.import(
        (async function* () {
          yield piece as never
        })(),
      ),
    ).rejects.toMatchObject({ field: 'source' })
})
