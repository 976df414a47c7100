/** The doctor finds every configuration that stops other commands. Docs name every setting. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { SETTING_NAMES } from '../../src/domain/settings.ts'
import { OPTION_NAMES, settingVariable, variableOf } from '../../src/doors/config/options.ts'
import { answer, emptyFolder, objects, run } from './cli-process.ts'

const page = (name: string): string => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), 'utf8')
const DOCS = page('configuration')
const ALL_DOCS = DOCS + page('memory-file') + page('rest')
const ADD = ['memory', 'add', 'I keep two hens.']
/** A command that needs the part. */
const STOPPED = { llm: ADD, embedding: ADD, 'vector store': ['memory', 'search', 'hens'] } as const
const MODEL = { MNEME_LLM_BASE_URL: 'http://127.0.0.1:9/v1', MNEME_LLM_MODEL: 'some-model' }

test.each([
  ['a key that no header can hold', { ...MODEL, MNEME_LLM_API_KEY: 'sk one two' }, 'llm', 'MNEME_LLM_API_KEY: holds'],
  ['an address that is none', { ...MODEL, MNEME_LLM_BASE_URL: 'nowhere' }, 'llm', 'MNEME_LLM_BASE_URL: is no address'],
  [
    'a key of a model of meaning',
    { MNEME_EMBEDDING: 'openai', OPENAI_API_KEY: '密钥' },
    'embedding',
    'OPENAI_API_KEY: holds',
  ],
  [
    'an address of Milvus that is none',
    { MNEME_EMBEDDING: 'openai', OPENAI_API_KEY: 'sk-one', MILVUS_URI: 'no where' },
    'vector store',
    'MILVUS_URI: is no address',
  ],
] as const)('the doctor finds what stops the other commands: %s', async (_, env, check, detail) => {
  const cwd = emptyFolder()
  await answer('memory_init', [], { cwd })
  const stopped = await run('mneme', STOPPED[check], { cwd, env })
  expect([stopped.code, stopped.stderr]).toEqual([2, expect.stringContaining(detail)])
  const doctor = await run('mneme', ['doctor'], { cwd, env })
  expect(doctor.code).toBe(1)
  const { ok, findings } = JSON.parse(doctor.stdout)
  expect(ok).toBe(false)
  expect(objects(findings).filter((finding) => finding.ok === false)).toMatchObject([
    { check, detail: expect.stringContaining(detail), remedy: expect.stringMatching(/\w/) },
  ])
})

test('the doctor finds a port that cannot be; headings that are none stop it as any word in the file that is not known', async () => {
  const cwd = emptyFolder()
  const doctor = await run('mneme', ['doctor', '--db', 'm.db'], { cwd, env: { MNEME_PORT: '99999' } })
  expect(doctor.code).toBe(1)
  const wrong = objects(JSON.parse(doctor.stdout).findings).filter(({ ok }) => ok === false)
  expect(wrong).toMatchObject([{ check: 'server', detail: expect.stringContaining('MNEME_PORT') }])
  writeFileSync(join(cwd, 'mneme.config.json'), JSON.stringify({ memory_file: { headings: 'klingon' } }))
  const stopped = await run('mneme', ['doctor', '--db', 'm.db'], { cwd })
  expect([stopped.code, stopped.stderr]).toEqual([2, expect.stringContaining('memory_file.headings: "klingon"')])
})

test('the config file that the docs show can be used as it stands', async () => {
  const cwd = emptyFolder()
  const [, example] = /```json\n([\s\S]*?)```/.exec(DOCS.slice(DOCS.indexOf('## The config file'))) ?? []
  writeFileSync(join(cwd, 'mneme.config.json'), example!)
  const used = ['--config', 'mneme.config.json']
  expect(await answer('mneme', ['doctor', ...used], { cwd })).toMatchObject({
    ok: true,
    config: { source: '--config' },
  })
  const { results } = await answer('mneme', [...ADD, ...used], { cwd })
  expect(objects(results)).toMatchObject([{ event: 'PENDING' }])
})

const VARIABLES = [
  ...OPTION_NAMES.map(variableOf),
  ...SETTING_NAMES.map(settingVariable),
  ...['MNEME_API_KEY', 'OPENROUTER_API_KEY', 'OPENAI_API_KEY', 'OPENAI_BASE_URL', 'CI', 'DISPLAY', 'WAYLAND_DISPLAY'],
]

test.each(VARIABLES)('the docs tell of the variable %s', (name) => {
  expect(ALL_DOCS).toContain(`\`${name}\``)
})
