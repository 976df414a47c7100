import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Environment, OptionName } from '../config/options.ts'
import { shownSettings } from './commands/doctor.ts'
import {
  type ConfigFile,
  modelOf,
  modelSwitch,
  resolveSettings,
  type Settings,
  vectorStoreOptions,
} from './resolve-options.ts'

const KEY = 'sk-or-1234'
type Values = Partial<Record<OptionName, unknown>>
const FILE = '/x/mneme.config.json'
/** The settings as they are with such a config file. */
function settingsOf(environment: Environment, values: Values = {}, flags = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-models-'))
  const file = join(folder, 'mneme.config.json')
  const groups: Record<string, Record<string, unknown>> = {}
  for (const [name, value] of Object.entries(values)) {
    const [group = '', key = ''] = name.split('.')
    groups[group] = { ...groups[group], [key]: value }
  }
  writeFileSync(file, JSON.stringify(groups))
  const named = Object.keys(values).length === 0 ? {} : { config: file }
  try {
    const settings = resolveSettings({ db: join(folder, 'm.db'), ...named, ...flags }, environment)
    const config: ConfigFile = { ...settings.config, value: FILE }
    return { ...settings, config }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
const chosen = (settings: Settings, part: 'llm' | 'embedding') => {
  return { enabled: modelSwitch(settings, part), options: () => modelOf(settings, part) }
}
const llm = (environment: Environment, values?: Values) => chosen(settingsOf(environment, values), 'llm')
const embedding = (environment: Environment, values?: Values) => chosen(settingsOf(environment, values), 'embedding')

test('a key, or an address for other programs, switches no model on', () => {
  const environment = { OPENROUTER_API_KEY: KEY, OPENAI_API_KEY: KEY, OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }
  expect(llm(environment).options()).toBeUndefined()
  expect(embedding(environment).options()).toBeUndefined()
})

test('without an address the name of the model says whose it is', () => {
  const keys = { OPENROUTER_API_KEY: 'or', OPENAI_API_KEY: 'oa' }
  expect(llm({ MNEME_LLM_MODEL: 'vendor/large', ...keys }).options()).toEqual({
    provider: 'openrouter',
    model: 'vendor/large',
    apiKey: 'or',
  })
  expect(llm({ MNEME_LLM_MODEL: 'large', ...keys }).options()).toEqual({
    provider: 'openai',
    model: 'large',
    apiKey: 'oa',
  })
  expect(llm({ MNEME_LLM_MODEL: 'vendor/large', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' }).options()).toMatchObject({
    provider: 'openai',
    baseUrl: 'http://127.0.0.1:9/v1',
  })
})

test('a key of the environment goes only to the address that it belongs to', () => {
  const keys = { OPENROUTER_API_KEY: 'or', OPENAI_API_KEY: 'oa' }
  const at = (address: string) => llm({ MNEME_LLM_BASE_URL: address, ...keys }).options()
  expect(at('https://openrouter.ai/api/v1')).toMatchObject({ provider: 'openrouter', apiKey: 'or' })
  expect(at('https://api.openai.com/v1')).toMatchObject({ provider: 'openai', apiKey: 'oa' })
  expect(at('https://models.example.org/v1')).toEqual({ provider: 'openai', baseUrl: 'https://models.example.org/v1' })
  expect(at('https://openrouter.ai.example.org/v1')).not.toHaveProperty('apiKey')
  const own = { MNEME_LLM_BASE_URL: 'https://models.example.org/v1', MNEME_LLM_API_KEY: 'mine', ...keys }
  expect(llm(own).options()).toMatchObject({ apiKey: 'mine' })
  const beside = { OPENAI_BASE_URL: 'https://models.example.org/v1', MNEME_LLM_MODEL: 'm', OPENAI_API_KEY: 'oa' }
  expect(llm(beside).options()).toMatchObject({ baseUrl: 'https://models.example.org/v1', apiKey: 'oa' })
})

test('a model without the key that it needs is an error that names the variables', () => {
  expect(() => llm({ MNEME_LLM_MODEL: 'vendor/large' }).options()).toThrow(/^MNEME_LLM_API_KEY: .*OpenRouter/)
  expect(() => embedding({ MNEME_EMBEDDING: 'openai' }).options()).toThrow(/^OPENAI_API_KEY: /)
  expect(() => embedding({ MNEME_EMBEDDING: 'local' }).options()).toThrow(/^MNEME_MODELS_DIR: /)
  expect(() => embedding({ MNEME_EMBEDDING: 'cloud' })).toThrow(/^MNEME_EMBEDDING: "cloud"/)
})

test('the environment beats the config file, and none switches off', () => {
  const file = { 'llm.model': 'small', 'llm.base_url': 'http://127.0.0.1:2/v1' }
  expect(settingsOf({}, file)['llm.model'].value).toBe('small')
  expect(llm({ MNEME_LLM_MODEL: 'large' }, file).options()).toMatchObject({
    model: 'large',
    baseUrl: 'http://127.0.0.1:2/v1',
  })
  expect(llm({ MNEME_LLM_MODEL: 'none' }, file).options()).toBeUndefined()
  const local = { 'embedding.provider': 'local', 'embedding.models_dir': '/x/models' }
  expect(embedding({}, local).options()).toEqual({ provider: 'local', modelsDir: '/x/models' })
  expect(embedding({ MNEME_EMBEDDING: 'none' }, local).options()).toBeUndefined()
  expect(embedding({ MNEME_MODELS_DIR: '/y' }, local).options()).toMatchObject({ modelsDir: '/y' })
})

test('what is shown holds neither a key nor what an address may hide', () => {
  const address = 'https://ann:pa55@models.example.org/v1?key=hidden'
  const shown = shownSettings(settingsOf({ MNEME_LLM_BASE_URL: address, MNEME_LLM_API_KEY: KEY }))
  expect(JSON.stringify(shown)).not.toMatch(/pa55|hidden|sk-or/)
  expect(shown).toMatchObject({
    llm: {
      base_url: { value: 'https://models.example.org/v1' },
      api_key: { value: 'set', source: 'MNEME_LLM_API_KEY' },
    },
  })
})

test('every option is shown, also those of the server', () => {
  expect(shownSettings(settingsOf({ MNEME_SERVER_STREAMS: '9' }))).toMatchObject({
    llm: { enabled: { value: false }, provider: { value: null }, daily_calls: { value: null, source: 'default' } },
    server: { streams: { value: 9, source: 'MNEME_SERVER_STREAMS' }, port: { value: 7077 } },
  })
  expect(shownSettings(settingsOf({ MNEME_SERVER_STREAMS: 'many' }))).not.toHaveProperty('server')
})

test('without MILVUS_URI there is no vector database, whatever token lies about', () => {
  const settings = settingsOf({ MILVUS_TOKEN: 'root:Milvus' })
  expect(vectorStoreOptions(settings)).toBeUndefined()
  expect(shownSettings(settings)).toMatchObject({ vector_store: { uri: { value: null, source: 'default' } } })
})

test('of Milvus the environment beats the config file, a flag beats both, and neither password nor token is shown', () => {
  const file = {
    'vector_store.uri': 'http://other:1',
    'vector_store.collection': 'notes',
    'vector_store.required': true,
  }
  const environment = { MILVUS_URI: 'http://ann:s3cret@127.0.0.1:19530', MILVUS_TOKEN: 'tok3n' }
  const settings = settingsOf(environment, file)
  expect(vectorStoreOptions(settings)).toMatchObject({
    uri: environment.MILVUS_URI,
    collection: 'notes',
    required: true,
  })
  const shown = shownSettings(settings)
  expect(shown).toMatchObject({
    vector_store: {
      uri: { value: 'http://127.0.0.1:19530', source: 'MILVUS_URI' },
      token: { value: 'set', source: 'MILVUS_TOKEN' },
    },
  })
  expect(JSON.stringify(shown)).not.toMatch(/s3cret|tok3n/)
  const flags = { milvusUri: 'https://ann:s3cret@milvus.example:19530/db', milvusCollection: 'letters' }
  const flagged = settingsOf(environment, file, flags)
  expect(vectorStoreOptions(flagged)).toMatchObject({ uri: flags.milvusUri, collection: 'letters' })
  expect(shownSettings(flagged)).toMatchObject({
    vector_store: {
      uri: { value: 'https://milvus.example:19530/db', source: '--milvus-uri' },
      collection: { value: 'letters', source: '--milvus-collection' },
    },
  })
  const inContainer = { MILVUS_URI: '127.0.0.1:19530', MILVUS_DATABASE: 'team', MILVUS_COLLECTION: 'chats' }
  expect(vectorStoreOptions(settingsOf(inContainer))).toMatchObject({
    database: 'team',
    collection: 'chats',
    required: false,
  })
})
