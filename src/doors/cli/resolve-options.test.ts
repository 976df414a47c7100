import { mkdirSync, mkdtempSync, rmdirSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { assistantDatabase, modelOf, resolveSettings } from './resolve-options.ts'

function folderWith(config: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-settings-'))
  writeFileSync(join(folder, 'mneme.config.json'), config)
  return folder
}

test('a flag beats the environment, which beats the config file, which beats the default', () => {
  const folder = folderWith('{"user":"小明","retrieval_limit":7}')
  const db = join(folder, 'a.db')
  expect(resolveSettings({ db }, {}).user).toEqual({ value: '小明', source: join(folder, 'mneme.config.json') })
  expect(resolveSettings({ db, user: 'ana' }, {}).user).toEqual({ value: 'ana', source: '--user' })
  expect(resolveSettings({ db }, { MEMORY_RETRIEVAL_LIMIT: '9' }).retrieval_limit).toEqual({
    value: 9,
    source: 'MEMORY_RETRIEVAL_LIMIT',
  })
  expect(resolveSettings({ db }, {}).retrieval_limit.value).toBe(7)
  expect(resolveSettings({ db: join(folder, 'elsewhere', 'b.db') }, {}).user).toEqual({
    value: 'local',
    source: 'default',
  })
})

test('without a flag the database is that of MNEME_DB, else the one of the specification', () => {
  expect(resolveSettings({}, { MNEME_DB: 'm.db' }).db).toEqual({ value: resolve('m.db'), source: 'MNEME_DB' })
  expect(resolveSettings({}, {}).db).toEqual({
    value: resolve('.devbooks/conversation-memory.db'),
    source: 'default',
  })
})

test('a named config file may name the database, seen from the file', () => {
  const folder = folderWith('{"db":"data/m.db"}')
  mkdirSync(join(folder, 'data'))
  const config = join(folder, 'mneme.config.json')
  expect(resolveSettings({ config }, {}).db).toEqual({ value: join(folder, 'data', 'm.db'), source: config })
  expect(resolveSettings({ config }, { MNEME_DB: '/x.db' }).db.value).toBe('/x.db')
})

test.each([
  ['not JSON', '{'],
  ['a name that is not known', '{"usr":"x"}'],
  ['a wrong type', '{"retrieval_limit":"many"}'],
  ['a list', '[]'],
  ['a field of a model that is not known', '{"llm":{"modle":"x"}}'],
  ['an embedding that is not known', '{"embedding":{"provider":"cloud"}}'],
])('a config file with %s is an error that names the file', (_, text) => {
  const folder = folderWith(text)
  expect(() => resolveSettings({ db: join(folder, 'a.db') }, {})).toThrow(/mneme\.config\.json/)
})

test('a config file may describe both models; places in it are seen from the file', () => {
  const folder = folderWith(
    '{"llm":{"model":"m","base_url":"http://127.0.0.1:1"},"embedding":{"provider":"local","models_dir":"models"}}',
  )
  const settings = resolveSettings({ db: join(folder, 'a.db') }, {})
  expect(modelOf(settings, 'llm')).toMatchObject({ provider: 'openai', model: 'm' })
  expect(modelOf(settings, 'embedding')).toEqual({ provider: 'local', modelsDir: join(folder, 'models') })
  expect(modelOf(resolveSettings({}, {}), 'llm')).toBeUndefined()
})

test('a variable that cannot be read is an error that names it', () => {
  expect(() => resolveSettings({}, { MEMORY_EVICTION_THRESHOLD: 'all' })).toThrow(/^MEMORY_EVICTION_THRESHOLD/)
  expect(() => resolveSettings({}, { MNEME_LOG_LEVEL: 'loud' })).toThrow(/^MNEME_LOG_LEVEL/)
})

test('a config file that was named must exist', () => {
  expect(() => resolveSettings({ config: '/nowhere/c.json' }, {})).toThrow(/^--config/)
})

test('a deleted working folder is missed only by relative paths', () => {
  const before = process.cwd()
  const gone = mkdtempSync(join(tmpdir(), 'mneme-settings-'))
  process.chdir(gone)
  rmdirSync(gone)
  try {
    expect(assistantDatabase(resolveSettings({}, {}))).toBe(join(homedir(), '.mneme', 'memory.db'))
    expect(resolveSettings({ db: '/kept/memory.db' }, {}).db.value).toBe('/kept/memory.db')
    expect(() => resolveSettings({ db: 'memory.db' }, {})).toThrow('uv_cwd')
  } finally {
    process.chdir(before)
  }
})
