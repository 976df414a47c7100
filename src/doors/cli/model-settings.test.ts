import { expect, test } from 'vitest'
import type { Environment } from '../config/environment.ts'
import type { ConfigFile } from './config-file.ts'
import { resolveModels } from './model-settings.ts'

const KEY = 'sk-or-1234'
const llm = (environment: Environment, config: Partial<ConfigFile> = {}) =>
  resolveModels(environment, { path: null, ...config }).llm
const embedding = (environment: Environment, config: Partial<ConfigFile> = {}) =>
  resolveModels(environment, { path: null, ...config }).embedding

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
  const config = { path: '/x/mneme.config.json', llm: { model: 'small', base_url: 'http://127.0.0.1:2/v1' } }
  expect(llm({}, config).shown.model).toEqual({ value: 'small', source: '/x/mneme.config.json' })
  expect(llm({ MNEME_LLM_MODEL: 'large' }, config).options()).toMatchObject({
    model: 'large',
    baseUrl: 'http://127.0.0.1:2/v1',
  })
  expect(llm({ MNEME_LLM_MODEL: 'none' }, config).options()).toBeUndefined()
  const local = { path: '/x/c.json', embedding: { provider: 'local' as const, models_dir: '/x/models' } }
  expect(embedding({}, local).options()).toEqual({ provider: 'local', modelsDir: '/x/models' })
  expect(embedding({ MNEME_EMBEDDING: 'none' }, local).options()).toBeUndefined()
  expect(embedding({ MNEME_MODELS_DIR: '/y' }, local).options()).toMatchObject({ modelsDir: '/y' })
})

test('what is shown holds neither a key nor what an address may hide', () => {
  const address = 'https://ann:pa55@models.example.org/v1?key=hidden'
  const { shown } = llm({ MNEME_LLM_BASE_URL: address, MNEME_LLM_API_KEY: KEY })
  expect(JSON.stringify(shown)).not.toMatch(/pa55|hidden|sk-or/)
  expect(shown.base_url.value).toBe('https://models.example.org/v1')
  expect(shown.api_key).toEqual({ value: 'set', source: 'MNEME_LLM_API_KEY' })
})
