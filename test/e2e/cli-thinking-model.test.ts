/** The command line with a model, over real HTTP: when it is asked, with which key, what it leaves in the queue. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { answer, emptyFolder, objects, run } from './cli-process.ts'

const KEY = 'sk-test-71b2c0ffee'
const SAID = 'I keep two hens called Agnes and Brünnhilde.'
const NOTES = JSON.stringify({
  statements: [{ text: SAID, about: 'user', kind: 'fact', by: 'said', quote: SAID, confidence: 0.95, importance: 2 }],
  working_memory: { current_topic: 'hens', context_variables: {}, emotion: '' },
})
let server: ModelServer
let env: Record<string, string>

beforeEach(async () => {
  server = await startModelServer({ content: NOTES })
  env = { MNEME_LLM_BASE_URL: server.url, MNEME_LLM_MODEL: 'scripted-model', MNEME_LLM_API_KEY: KEY }
})
afterEach(() => server.close())

const store = (cwd: string, role: string, content: string) =>
  answer('memory_store', ['--conversation', 'farm', '--role', role, '--content', content], { cwd, env })

test('storing asks no model and leaves a job; jobs run does it, and the usage is counted', async () => {
  const cwd = emptyFolder()
  await store(cwd, 'user', SAID)
  await store(cwd, 'assistant', 'Lovely names.')
  await answer('memory_recall', ['--query', 'hens', '--ranking', 'hybrid'], { cwd, env })
  expect(server.requests).toHaveLength(0)
  const { items } = await answer('mneme', ['jobs'], { cwd, env })
  expect(objects(items)).toMatchObject([{ kind: 'think', subject: 'farm', state: 'waiting', user_id: 'local' }])

  const done = await answer('mneme', ['jobs', 'run', '--wait'], { cwd, env })
  expect(done).toMatchObject({ waiting: 0, running: 0, dead: 0 })
  expect(server.requests).toHaveLength(1)
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  const list = await answer('mneme', ['memory', 'list'], { cwd })
  expect(objects(list.items)).toMatchObject([{ text: expect.stringContaining('Agnes') }])
  const { model_usage } = await answer('mneme', ['stats'], { cwd })
  expect(objects(model_usage)).toMatchObject([{ user_id: 'local', calls: 1, prompt_tokens: 20, completion_tokens: 5 }])
})

test('memory add is PENDING with a job id, and with --wait it stays for the answer', async () => {
  const cwd = emptyFolder()
  const pending = await answer('mneme', ['memory', 'add', SAID], { cwd, env })
  expect(objects(pending.results)).toMatchObject([{ event: 'PENDING' }])
  expect(pending.job_id).toBeTypeOf('string')
  expect(server.requests).toHaveLength(0)
  const waited = await answer('mneme', ['memory', 'add', SAID, '--wait'], { cwd: emptyFolder(), env })
  expect(objects(waited.results)).toMatchObject([{ event: 'ADD', memory: SAID }])
})

test('a key alone makes nothing call out, and the doctor says why', async () => {
  const cwd = emptyFolder()
  const keys = { OPENROUTER_API_KEY: KEY, OPENAI_API_KEY: KEY, OPENAI_BASE_URL: server.url }
  const added = await answer('mneme', ['memory', 'add', SAID], { cwd, env: keys })
  expect(objects(added.results)).toMatchObject([{ event: 'ADD' }])
  expect(server.requests).toHaveLength(0)
  const seen = await run('mneme', ['doctor'], { cwd, env: keys })
  expect(seen.code).toBe(0)
  expect(seen.stdout).toContain('a key alone switches none on')
  expect(seen.stdout).not.toContain(KEY)
})

test('the doctor shows the model and where it came from, the key only as set', async () => {
  const cwd = emptyFolder()
  const seen = await run('mneme', ['doctor'], { cwd, env })
  expect(seen.stdout).not.toContain(KEY)
  expect(JSON.parse(seen.stdout).settings.llm).toMatchObject({
    enabled: { value: true, source: 'MNEME_LLM_MODEL' },
    provider: { value: 'openai', source: 'MNEME_LLM_BASE_URL' },
    model: { value: 'scripted-model', source: 'MNEME_LLM_MODEL' },
    base_url: { value: server.url, source: 'MNEME_LLM_BASE_URL' },
    api_key: { value: 'set', source: 'MNEME_LLM_API_KEY' },
  })
  const missing = await run('mneme', ['doctor'], {
    cwd,
    env: { MNEME_LLM_MODEL: 'vendor/some-model', OPENROUTER_API_KEY: '' },
  })
  expect([missing.code, missing.stdout]).toEqual([1, expect.stringContaining('OpenRouter needs a key')])
})

test('a model in the config file is used, and its key is never shown', async () => {
  const cwd = emptyFolder()
  const config = { llm: { model: 'scripted-model', base_url: server.url, api_key: KEY } }
  writeFileSync(join(cwd, 'mneme.config.json'), JSON.stringify(config))
  const words = ['memory', 'add', SAID, '--wait', '--db', 'm.db']
  const log = { MNEME_LOG_LEVEL: 'debug' }
  const added = await run('mneme', words, { cwd, env: log })
  expect(JSON.parse(added.stdout).results).toMatchObject([{ event: 'ADD' }])
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`)
  const others = [
    await run('mneme', ['doctor', '--db', 'm.db'], { cwd, env: log }),
    await run('memory_export', ['--db', 'm.db'], { cwd, env: log }),
  ]
  for (const { stdout, stderr } of [added, ...others]) expect(stdout + stderr).not.toContain(KEY)
  const off = await answer('mneme', ['doctor', '--db', 'm.db'], { cwd, env: { MNEME_LLM_MODEL: 'none' } })
  expect(JSON.stringify(off.settings)).toContain('"enabled":{"value":false,"source":"MNEME_LLM_MODEL"}')
})

test('a model that is down loses nothing: the turn is stored, the job waits for another try', async () => {
  server.play({ status: 401, body: { error: { message: 'no such key' } } })
  const cwd = emptyFolder()
  await store(cwd, 'user', SAID)
  await store(cwd, 'assistant', 'Lovely names.')
  const { code, stderr } = await run('mneme', ['jobs', 'run'], { cwd, env })
  expect(code).toBe(0)
  expect(stderr).not.toContain(KEY)
  const list = await answer('mneme', ['memory', 'list'], { cwd })
  const { total } = await answer('mneme', ['jobs'], { cwd })
  // Answered by the rules at last, or still to be tried: never lost.
  expect(Number(list.total) + Number(total)).toBeGreaterThan(0)
  expect(await answer('memory_recall', ['--query', 'hens'], { cwd, env })).toMatchObject({ total_searched: 2 })
})
