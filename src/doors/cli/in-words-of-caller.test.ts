import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { invalid, MnemeError } from '../../domain/errors.ts'
import type { Environment } from '../config/options.ts'
import { errorText } from './report-error.ts'
import type { FlagValues } from './resolve-options.ts'
import { inWordsOfCaller, modelOf, resolveSettings } from './resolve-options.ts'

const CONFIG = {
  db: 'records.db',
  user: '小明',
  llm: { model: 'm', base_url: 'http://127.0.0.1:9/v1' },
  memory_file: { path: 'notes.md' },
  vector_store: { uri: 'ftp://y' },
}

/** Words that a person reads; `FILE` stands for the config file. */
function told(error: unknown, flags: FlagValues = {}, environment: Environment = {}, config: object = CONFIG): string {
  const file = join(mkdtempSync(join(tmpdir(), 'mneme-words-')), 'c.json')
  writeFileSync(file, JSON.stringify(config))
  const settings = resolveSettings({ config: file, ...flags }, environment)
  return errorText(inWordsOfCaller(settings, error)).replaceAll(file, 'FILE')
}

test.each<[FlagValues, Environment, object, string]>([
  [{ db: 'x.db' }, { MNEME_DB: 'y.db' }, CONFIG, '--db'],
  [{}, { MNEME_DB: 'y.db' }, CONFIG, 'MNEME_DB'],
  [{}, {}, CONFIG, 'FILE: db'],
  [{}, {}, {}, '--db'],
])('a database of no use is blamed on where its name came from: %j %j', (flags, environment, config, given) => {
  const damaged = new MnemeError('database_damaged', '/home/path/m.db: The database file is damaged.', {
    remedy: 'Copy it aside.',
    place: '/home/path/m.db',
  })
  expect(told(damaged, flags, environment, config)).toBe(
    `error: ${given}: /home/path/m.db: The database file is damaged.\nremedy: Copy it aside.\n`,
  )
})

test.each<[Environment, object, string]>([
  [{ MNEME_MEMORY_FILE: 'm.md' }, CONFIG, 'MNEME_MEMORY_FILE'],
  [{}, CONFIG, 'FILE: memory_file.path'],
  [{}, {}, 'MNEME_MEMORY_FILE'],
])(
  'the memory file is blamed on where its name came from, and no folder of a path is a name: %j',
  (env, config, given) => {
    const place = '/home/ana/path/limit/llm.model/MEMORY.md'
    const error = new MnemeError('storage_failed', `${place} is a folder, not a file.`, {
      remedy: 'Name another memory file.',
      field: 'memoryFile.path',
      place,
    })
    expect(told(error, {}, env, config)).toBe(
      `error: ${given}: ${place} is a folder, not a file.\nremedy: Name another memory file.\n`,
    )
  },
)

test.each<[FlagValues, Environment, string]>([
  [{ milvusUri: './milvus.db' }, {}, '--milvus-uri'],
  [{}, { MILVUS_URI: 'ftp://x' }, 'MILVUS_URI'],
  [{}, {}, 'FILE: vector_store.uri'],
])('an address of no use is blamed on where it came from: %j %j', (flags, environment, given) => {
  const error = invalid('vectorStore.uri', 'is no address', 'Pass another.')
  expect(told(error, flags, environment)).toBe(`error: ${given}: is no address\nremedy: Pass another.\n`)
})

test('a key that is missing may stand in the config file, too', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'mneme-words-')), 'c.json')
  writeFileSync(file, '{"llm":{"provider":"openai"},"embedding":{"provider":"local"}}')
  const settings = resolveSettings({ config: file }, {})
  expect(() => modelOf(settings, 'llm')).toThrow(
    expect.objectContaining({ remedy: expect.stringContaining(`OPENAI_API_KEY (or ${file}: llm.api_key)`) }),
  )
  expect(() => modelOf(settings, 'embedding')).toThrow(
    expect.objectContaining({ remedy: expect.stringContaining(`(or ${file}: embedding.models_dir)`) }),
  )
})

test('an option whose name begins with that of another is told by its own', () => {
  const error = invalid('embedding.modelsDir', 'holds no such model', 'Name another.')
  expect(told(error)).toBe('error: MNEME_MODELS_DIR: holds no such model\nremedy: Name another.\n')
})

test('a config file with what is not known there is refused by the names of the file', () => {
  const refusal = (memory_file: object) => () => told(null, {}, {}, { memory_file })
  expect(refusal({ blocks: [] })).toThrow(expect.objectContaining({ remedy: expect.stringContaining('path, max_') }))
  expect(refusal({ headings: { user: 'Me' } })).toThrow(/headings: an object is not known$/)
})

test('what is no error of ours stays as it is', () => {
  const fault = new TypeError('x is not a function')
  expect(inWordsOfCaller({}, fault)).toBe(fault)
})
