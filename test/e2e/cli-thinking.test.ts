/** The command line with thinking by rules: remembering, looking at it, changing it, taking it back. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answer, emptyFolder, type Json, objects, run } from './cli-process.ts'

const say = (cwd: string, conversation: string, content: string, role = 'user'): Promise<Json> =>
  answer('memory_store', ['--conversation', conversation, '--role', role, '--content', content], { cwd })

async function textsOf(cwd: string): Promise<readonly unknown[]> {
  return objects((await answer('mneme', ['memory', 'list'], { cwd })).items).map(({ text }) => text)
}

test('what is stored is thought about by the next command that asks for memories, and no job is left', async () => {
  const cwd = emptyFolder()
  await say(cwd, 'tea', '我对花生过敏，请记住。')
  await say(cwd, 'work', 'Please remember that my office is on the ninth floor.')
  expect(await answer('mneme', ['jobs', '--state', 'waiting'], { cwd })).toMatchObject({ total: 2 })
  const texts = (await textsOf(cwd)).join('\n')
  expect(texts).toContain('花生')
  expect(texts).toContain('ninth floor')
  expect(await answer('mneme', ['jobs'], { cwd })).toMatchObject({ items: [], total: 0 })
})

test('with --think it is thought about at once', async () => {
  const cwd = emptyFolder()
  const words = ['--conversation', 'car', '--role', 'user', '--content', 'My car is a red Škoda.', '--think']
  await answer('memory_store', words, { cwd })
  expect(await answer('mneme', ['jobs'], { cwd })).toMatchObject({ items: [], total: 0 })
  expect(await textsOf(cwd)).toEqual([expect.stringContaining('Škoda')])
})

test('what was imported is thought about when somebody says think, and once', async () => {
  const cwd = emptyFolder()
  const line = (content: string, id: string) =>
    JSON.stringify({ conversation_id: id, role: 'user', content, created_at: '2026-03-02T08:00:00Z' })
  writeFileSync(
    join(cwd, 'old.jsonl'),
    [line('I am allergic to walnuts.', 'food'), line('我住在青岛。', 'home')].join('\n'),
  )
  await answer('mneme', ['import', 'old.jsonl'], { cwd })
  expect(await textsOf(cwd)).toEqual([])
  expect(await answer('mneme', ['think', '--conversation', 'food'], { cwd })).toMatchObject({
    conversations: 1,
    turns: 1,
    waiting: 0,
    dead: 0,
  })
  expect(await textsOf(cwd)).toEqual([expect.stringContaining('walnuts')])
  expect(await answer('mneme', ['think'], { cwd })).toMatchObject({ conversations: 1, turns: 1, waiting: 0 })
  expect((await textsOf(cwd)).join()).toContain('青岛')
  expect(await answer('mneme', ['think'], { cwd })).toMatchObject({ conversations: 0, turns: 0 })
  const unknown = await run('mneme', ['think', '--conversation', '无'], { cwd })
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('无')])
})

test('many turns from standard input are thought about too', async () => {
  const cwd = emptyFolder()
  const lines = [
    { role: 'user', content: 'My dog is called Biscuit.', conversation_id: 'pets' },
    { role: 'assistant', content: 'A fine name.', conversation_id: 'pets' },
  ]
  const input = lines.map((line) => JSON.stringify(line)).join('\n')
  expect((await run('memory_store', ['--stdin'], { cwd, input })).stdout.split('\n')).toHaveLength(3)
  expect((await textsOf(cwd)).join()).toContain('Biscuit')
})

test('memory add thinks: what is worth nothing is rejected with the reason, --no-infer stores it as it is', async () => {
  const cwd = emptyFolder()
  const kept = await answer('mneme', ['memory', 'add', 'I am allergic to penicillin.'], { cwd })
  expect(objects(kept.results)).toMatchObject([{ event: 'ADD', memory: expect.stringContaining('penicillin') }])
  const chat = await answer('mneme', ['memory', 'add', '哈哈哈，好的'], { cwd })
  expect(chat).toEqual({ results: [], rejected: [{ text: '哈哈哈，好的', reason: expect.stringMatching(/./) }] })
  const plain = await answer('mneme', ['memory', 'add', '--no-infer', '哈哈哈，好的'], { cwd })
  expect(objects(plain.results)).toMatchObject([{ event: 'ADD', memory: '哈哈哈，好的' }])
})

test('context shows the layers of a message and counts nothing unless it is told to', async () => {
  const cwd = emptyFolder()
  await say(cwd, 'home', 'I live in Trondheim and keep bees on the roof.')
  const look = ['context', '--query', 'Where do I live?', '--conversation', 'home']
  const built = await answer('mneme', [...look, '--system', 'Answer in rhymes.'], { cwd })
  expect(objects(built.layers).map(({ level, name }) => [level, name])).toEqual([
    [0, 'system'],
    [1, 'profile'],
    [2, 'working_memory'],
    [3, 'memories'],
    [4, 'session_summaries'],
    [5, 'rolling_window'],
  ])
  expect(String(built.text)).toMatch(/Answer in rhymes[\s\S]*Trondheim[\s\S]*Where do I live\?/)
  const used = async () =>
    objects((await answer('mneme', ['memory', 'list'], { cwd })).items)
      .filter(({ access_count: count }) => count !== 0)
      .map(({ text, access_count: count }) => [text, count])
  expect(await used()).toEqual([])
  await answer('mneme', [...look, '--count'], { cwd })
  expect(await used()).toContainEqual([expect.stringContaining('Trondheim'), 1])

  const text = await run('mneme', ['context', '--query', '-', '--text', '--token-budget', '300'], {
    cwd,
    input: '我住在哪里？\n',
  })
  expect(text.stdout).toMatch(/我住在哪里？\n$/)
  const tight = await run('mneme', ['context', 'Where?', '--token-budget', '0'], { cwd })
  expect([tight.code, tight.stderr]).toEqual([2, expect.stringMatching(/^error: --token-budget: /)])
})

test('the profile is shown and replaced; what the user wrote is what it says', async () => {
  const cwd = emptyFolder()
  const set = await answer('mneme', ['profile', 'set', '--text', '-'], { cwd, input: '回答要简短。\n' })
  expect(set).toMatchObject({ text: '回答要简短。' })
  expect(await answer('mneme', ['profile'], { cwd })).toEqual(set)
  expect((await run('mneme', ['profile', 'show', '--text'], { cwd })).stdout).toBe('回答要简短。\n')
})

test('settings are listed with their source, set, unset, and fixed by the environment', async () => {
  const cwd = emptyFolder()
  const changed = await answer('mneme', ['settings', 'set', 'memory.rag_top_n', '3'], { cwd })
  expect(changed['memory.rag_top_n']).toEqual({ value: 3, source: 'database' })
  const env = { MEMORY_RAG_TOP_N: '7', MEMORY_ENABLE_USER_PROFILE: 'false', MNEME_CONTEXT_LIMIT: '4' }
  expect(await answer('mneme', ['settings'], { cwd, env })).toMatchObject({
    'memory.rag_top_n': { value: 7, source: 'environment' },
    'memory.enable_user_profile': { value: false, source: 'environment' },
    context_limit: { value: 4, source: 'environment' },
  })
  expect(await answer('mneme', ['settings', 'unset', 'memory.rag_top_n'], { cwd })).toMatchObject({
    'memory.rag_top_n': { value: 5, source: 'default' },
  })
  for (const [words, field] of [
    [['set', 'memory.rag_top_n', 'many'], /^error: memory\.rag_top_n: "many" is not a whole number/],
    [['set', 'memory.rag_top_n', '1000'], /^error: memory\.rag_top_n: /],
    [['set', 'memory.enable_user_profile', 'perhaps'], /is no switch/],
    [['set', 'memory.colour', '1'], /memory\.colour: is no setting/],
  ] as const) {
    const refused = await run('mneme', ['settings', ...words], { cwd })
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(field)])
  }
  const wrong = await run('mneme', ['settings'], { cwd, env: { MEMORY_ENABLE_AGENTIC_SEARCH: 'maybe' } })
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/^error: MEMORY_ENABLE_AGENTIC_SEARCH: /)])
})

test('session summaries are listed, edited and deleted', async () => {
  const cwd = emptyFolder()
  await say(cwd, 'trip', 'I am planning a week on the Faroe Islands in June.')
  await say(cwd, 'trip', 'The puffins are there then.', 'assistant')
  const { items, total } = await answer('mneme', ['sessions'], { cwd })
  expect(total).toBe(1)
  expect(objects(items)[0]).toMatchObject({
    conversation_id: 'trip',
    title: expect.stringMatching(/Faroe/),
    edited: false,
  })
  await answer('mneme', ['sessions', 'edit', 'trip', '--title', '法罗群岛之行'], { cwd })
  await say(cwd, 'trip', 'Is there a ferry from Denmark to the Faroe Islands?')
  await say(cwd, 'trip', 'Yes, once a week.', 'assistant')
  expect(await answer('mneme', ['sessions', 'show', 'trip'], { cwd })).toMatchObject({
    title: '法罗群岛之行',
    edited: true,
  })
  expect(await answer('mneme', ['sessions', 'delete', 'trip'], { cwd })).toEqual({
    conversation_id: 'trip',
    deleted: true,
  })
  expect((await run('mneme', ['sessions', 'show', 'trip'], { cwd })).code).toBe(2)
})

test('undo takes back what came from a turn, says how much, and asks first', async () => {
  const cwd = emptyFolder()
  await say(cwd, 'c#1', 'My bicycle is a green Batavus.')
  await say(cwd, 'c#1', 'Nice.', 'assistant')
  await say(cwd, 'c#1', '我的吉他是在里斯本买的。')
  expect(await textsOf(cwd)).toHaveLength(2)
  const asked = await run('mneme', ['undo', '--source', 'c#1#1'], { cwd })
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringMatching(/--yes/)])
  expect(await answer('mneme', ['undo', '--source', 'c#1#1', '--yes'], { cwd })).toMatchObject({ removed: 1 })
  expect(await textsOf(cwd)).toEqual([expect.stringContaining('吉他')])
  expect(await answer('mneme', ['undo', '--conversation', 'c#1', '--yes'], { cwd })).toMatchObject({ removed: 1 })
  expect(await textsOf(cwd)).toEqual([])
  expect(await answer('mneme', ['conversations', 'show', 'c#1'], { cwd })).toMatchObject({ turn_count: 3 })
  for (const words of [[], ['--conversation', 'a', '--source', 'a'], ['--source', 'a', '--turn', '1']])
    expect((await run('mneme', ['undo', ...words, '--yes'], { cwd })).code).toBe(2)
})

test('consolidate does nothing the second time, and says so in numbers', async () => {
  const cwd = emptyFolder()
  for (const day of ['Monday', 'Thursday'])
    await answer('mneme', ['memory', 'add', '--no-infer', '--type', 'episodic', `Swam in the lake on ${day}.`], { cwd })
  const first = await answer('mneme', ['consolidate'], { cwd })
  expect(first).toMatchObject({ model_calls: 0, took_ms: expect.any(Number) })
  expect(first.processed).toBeGreaterThanOrEqual(2)
  expect(await answer('mneme', ['consolidate', '--user', 'local'], { cwd })).toMatchObject({ processed: 0, merged: 0 })
  const refused = await run('mneme', ['consolidate', '--max-model-calls', '-1'], { cwd })
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/^error: --max-model-calls: /)])
})

test('an import stores only, and with --think what is new is thought about', async () => {
  const cwd = emptyFolder()
  const line = { role: 'user', content: 'I was born in Gdańsk and grew up in Oslo.', conversation_id: 'roots' }
  writeFileSync(join(cwd, 'roots.jsonl'), JSON.stringify(line))
  expect(await answer('memory_import', ['roots.jsonl'], { cwd })).not.toHaveProperty('thinking')
  await say(cwd, 'other', 'Good morning.')
  expect(await textsOf(cwd)).toEqual([])
  const thought = emptyFolder()
  const file = join(cwd, 'roots.jsonl')
  expect(await answer('memory_import', [file, '--think'], { cwd: thought })).toMatchObject({
    thinking: 'done',
    memories_made: 1,
  })
  expect((await textsOf(thought)).join()).toContain('Gdańsk')

  const backup = join(cwd, 'backup.json')
  await answer('memory_export', ['--output', backup], { cwd: thought })
  const again = emptyFolder()
  expect(await answer('memory_import', [backup, '--think'], { cwd: again })).toMatchObject({ thinking: 'done' })
  expect(await textsOf(again)).toEqual(await textsOf(thought))
})

test('the first word alone calls the usual command of a group, and help is still help', async () => {
  const cwd = emptyFolder()
  await answer('memory_init', [], { cwd })
  expect(await answer('mneme', ['jobs', '--state', 'dead', '--limit', '2'], { cwd })).toMatchObject({
    limit: 2,
    total: 0,
  })
  expect(await answer('mneme', ['sessions', '--limit', '3'], { cwd })).toMatchObject({ limit: 3 })
  expect((await run('mneme', ['jobs', '--help'], { cwd })).stdout).toContain('jobs retry')
  const typo = await run('mneme', ['jobs', 'rtry'], { cwd })
  expect([typo.code, typo.stderr]).toEqual([2, expect.stringContaining('Use one of: jobs list, jobs run, jobs retry')])
  expect((await run('mneme', ['jobs', '--state', 'lost'], { cwd })).stderr).toMatch(/^error: --state: "lost"/)
  expect((await run('mneme', ['jobs', 'retry'], { cwd })).code).toBe(2)
  expect(await answer('mneme', ['jobs', 'retry', '--all'], { cwd })).toEqual({ retried: 0 })
})
