/** mem0's configuration becomes options of `openMemory`; nothing that it names is passed over. */
import { expect, test } from 'vitest'
import { openOptionsOf } from './config.ts'

test.each([
  [{ historyDbPath: 'mine.db' }],
  [{ historyStore: { provider: 'sqlite', config: { historyDbPath: 'mine.db' } } }],
  [{ vectorStore: { provider: 'memory', config: { dbPath: 'mine.db', collectionName: 'm', dimension: 8 } } }],
  [{ vectorStore: { provider: 'milvus', config: { dbPath: 'mine.db' } } }],
])('%o names the database', (config) => {
  expect(openOptionsOf(config, {}).path).toBe('mine.db')
})

test.each([
  [{ historyStore: { config: { path: 'mine.db' } } }, 'historyStore.config.path', 'historyDbPath'],
  [{ historyStore: { config: { foo: 1 } } }, 'historyStore.config.foo', 'historyDbPath'],
  [{ vectorStore: { provider: 'memory', config: { path: 'mine.db' } } }, 'vectorStore.config.path', 'dbPath'],
  [{ vectorStore: { config: { dbpath: 'mine.db' } } }, 'vectorStore.config.dbpath', 'dbPath'],
  [{ vectorStore: { config: { foo: 1 } } }, 'vectorStore.config.foo', 'dbPath'],
  [{ vectorStore: { config: { db_path: 'b.db' } } }, 'vectorStore.config.db_path', 'dbPath'],
  [{ vectorStore: { provider: 'milvus', config: { url: 'a', uri: 'b' } } }, 'vectorStore.config.uri', 'once'],
  [{ historyDbPath: '' }, 'historyDbPath', 'name of a file'],
  [{ llm: { config: { colour: 1 } } }, 'llm.config.colour', 'baseURL'],
])('%o is refused by name', (config, field, remedy) => {
  expect(() => openOptionsOf(config, {})).toThrow(
    expect.objectContaining({ field, remedy: expect.stringContaining(remedy) }),
  )
})

test.each([
  ['llm', 'openai', { apiKey: '' }, 'is empty', 'OPENAI_API_KEY'],
  ['llm', 'openai', {}, 'OPENAI_API_KEY is not set', 'OPENAI_API_KEY'],
  ['llm', 'openrouter', { apiKey: ' ', model: 'm' }, 'is empty', 'OPENROUTER_API_KEY'],
  ['llm', 'ollama', { apiKey: '', model: 'm' }, 'is empty', 'leave it out'],
  ['embedder', 'openai', { apiKey: '' }, 'is empty', 'OPENAI_API_KEY'],
  ['embedder', 'openai', {}, 'OPENAI_API_KEY is not set', 'OPENAI_API_KEY'],
])(
  'a key of %s that %s lacks is named, with the variable that may hold it',
  (part, provider, config, reason, remedy) => {
    expect(() => openOptionsOf({ [part]: { provider, config } }, {})).toThrow(
      expect.objectContaining({
        field: `${part}.config.apiKey`,
        message: expect.stringContaining(reason),
        remedy: expect.stringContaining(remedy),
      }),
    )
    const environment = { OPENAI_API_KEY: 'key', OPENROUTER_API_KEY: 'key' }
    if (Object.keys(config).length === 0)
      expect(openOptionsOf({ [part]: { provider, config } }, environment)).toMatchObject({
        [part === 'llm' ? 'llm' : 'embedding']: { apiKey: 'key' },
      })
  },
)

test('providers are named in letters of any size, and a local model needs its folder alone', () => {
  const config = { modelsDir: '/models', model: 'm' }
  expect(openOptionsOf({ embedder: { provider: 'Local', config } }, {}).embedding).toEqual({
    provider: 'local',
    modelsDir: '/models',
    model: 'm',
  })
  expect(openOptionsOf({ embedder: { provider: 'none' } }, {}).embedding).toBe('none')
  expect(
    openOptionsOf({ llm: { provider: 'Ollama', config: { baseURL: 'http://box:1/', model: 'm' } } }, {}).llm,
  ).toMatchObject({ provider: 'openai', baseUrl: 'http://box:1/v1' })
})

test('a Milvus is named by its own settings; an empty token is none', () => {
  const config = { url: 'http://box:19530', token: '', dbName: 'd', collectionName: 'c', embeddingModelDims: 8 }
  expect(openOptionsOf({ vectorStore: { provider: 'milvus', config } }, {})).toEqual({
    vectorStore: { provider: 'milvus', uri: 'http://box:19530', database: 'd', collection: 'c' },
  })
})
