/** The evidence for a message: the same list through every door, within its bounds, and errors that name the field. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMemory } from '../../src/doors/library/index.ts'
import { connectSdk1, connectSdk2, type ToolClient } from '../support/mcp-clients.ts'
import { type RestServer, startRestServer } from '../support/rest-server.ts'
import { answer, emptyFolder, run } from './cli-process.ts'

const USER = 'mara'
const AS_USER = { 'x-user-id': USER }
const cwd = emptyFolder()
const path = join(cwd, 'recall.db')
const asMara = ['--user', USER, '--db', path]
let server: RestServer
let overStdio: ToolClient
let overHttp: ToolClient

const ENGLISH = [
  ['user', 'My sister Ines keeps bees behind the old mill in Tavira.'],
  ['assistant', 'How many hives does Ines have?'],
  ['user', 'Eleven hives, and in June she harvests the orange blossom honey.'],
  ['assistant', 'That must be a busy month.'],
  ['user', 'The lighthouse tour costs nine euros and starts at half past four.'],
] as const
const CHINESE = [
  ['user', '我们家的猫叫豆沙，它只吃三文鱼罐头。'],
  ['assistant', '豆沙几岁了？'],
  ['user', '它今年六岁，兽医说每年十月要打疫苗。'],
  ['user', '书架是我爷爷用樟木做的。'],
] as const
const NOTE = 'The spare key of the greenhouse lies under the blue watering can.'
const QUESTIONS = [
  ['Where does Ines keep her bees?', 'old mill in Tavira'],
  ['When is the honey harvested?', 'orange blossom honey'],
  ['豆沙吃什么罐头？', '三文鱼'],
  ['兽医说什么时候打疫苗？', '十月'],
  ['Where is the spare key of the greenhouse?', 'blue watering can'],
] as const

const turnsOf = (said: readonly (readonly [string, string])[], day: string) =>
  said.map(([role, content], at) => ({ role, content, created_at: `${day}T10:0${at}:00Z` }))

beforeAll(async () => {
  server = await startRestServer({ path })
  await server.ask('POST', '/conversations/tavira/turns', { turns: turnsOf(ENGLISH, '2026-03-02') }, AS_USER)
  await server.ask('POST', '/conversations/豆沙/turns', { turns: turnsOf(CHINESE, '2026-03-05') }, AS_USER)
  await server.memory.idle()
  await server.memory.add(NOTE, { userId: USER, infer: false, createdAt: '2026-03-07T10:00:00Z' })
  overStdio = await connectSdk1({ db: path, user: USER })
  overHttp = await connectSdk2({ url: server.url, headers: AS_USER })
})
afterAll(async () => {
  await Promise.all([overStdio.close(), overHttp.close()])
  await server.close()
})

/** An answer as a test looks at it. */
interface Evidence {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  readonly results: readonly any[]
  readonly tokens: number
  readonly latency_ms: number
  readonly warnings: readonly string[]
}
type Ask = (message: string, fields?: Readonly<Record<string, unknown>>) => Promise<Evidence>

/** `token_budget` as the library has it; the other fields of these tests are one word. */
const camel = ({ token_budget, as_of, ...fields }: Readonly<Record<string, unknown>>) => ({
  ...fields,
  ...(token_budget === undefined ? {} : { tokenBudget: token_budget as number }),
  ...(as_of === undefined ? {} : { asOf: as_of as string }),
})
const flagsOf = (fields: Readonly<Record<string, unknown>>): readonly string[] =>
  Object.entries(fields).flatMap(([name, value]) => [`--${name.replaceAll('_', '-')}`, String(value)])

const LIBRARY = 'the library of another process’s memory'
const DOORS: Readonly<Record<string, Ask>> = {
  [LIBRARY]: async (message, fields = {}) => {
    await using memory = await openMemory({ path, userId: USER })
    const { latencyMs, results, ...rest } = await memory.recall(message, camel(fields))
    const named = results.map(({ conversationId, turnId, projectRoot, createdAt, ...one }) => {
      const { validFrom, validTo, supersededBy, sourceTurnIds, ...same } = one
      return {
        ...same,
        conversation_id: conversationId,
        turn_id: turnId,
        project_root: projectRoot,
        created_at: createdAt,
        ...(validFrom === undefined ? {} : { valid_from: validFrom, valid_to: validTo, superseded_by: supersededBy }),
        ...(sourceTurnIds === undefined ? {} : { source_turn_ids: sourceTurnIds }),
      }
    })
    return { ...rest, results: named, latency_ms: latencyMs }
  },
  REST: async (query, fields = {}) => {
    // Turns alone are a question to the log, unless a budget says otherwise.
    const asEvidence = fields.kinds === undefined ? { kinds: ['turn', 'memory'] } : { token_budget: 2000 }
    const { status, body } = await server.ask('POST', '/recall', { query, ...asEvidence, ...fields }, AS_USER)
    expect(status).toBe(200)
    return body
  },
  'MCP over stdio': async (message, fields) => (await overStdio.call('recall', { message, ...fields })).structured,
  'MCP over HTTP': async (message, fields) => (await overHttp.call('recall', { message, ...fields })).structured,
  'the command line': async (message, fields = {}) =>
    (await answer('mneme', ['ask', message, ...flagsOf(fields), ...asMara], { cwd })) as unknown as Evidence,
}

/** Scores fall a little with every second that passes. */
const comparable = ({ results, tokens, warnings }: Evidence) => ({
  tokens,
  warnings,
  results: results.map(({ score, ...one }) => one),
})

describe('every door recalls the same', () => {
  test.each(QUESTIONS)('%s', async (question, told) => {
    const expected = await DOORS[LIBRARY]!(question)
    expect(expected.results[0].text).toContain(told)
    for (const [name, ask] of Object.entries(DOORS)) {
      const found = await ask(question)
      expect(comparable(found), name).toEqual(comparable(expected))
      expect(found.latency_ms, name).toBeGreaterThanOrEqual(0)
      for (const [at, { score }] of found.results.entries())
        expect(score, name).toBeCloseTo(expected.results[at].score, 2)
    }
  })
})

test('a turn has its place and who said it, a memory its id and since when it holds', async () => {
  const [turn] = (await DOORS.REST!('Where does Ines keep her bees?', { kinds: ['turn'] })).results
  expect(turn).toMatchObject({ conversation_id: 'tavira', turn_id: 1, excerpt: false })
  const [memory] = (await DOORS.REST!('spare key of the greenhouse', { kinds: ['memory'] })).results
  expect(memory).toMatchObject({
    kind: 'memory',
    id: expect.any(String),
    text: NOTE,
    turn_id: null,
    valid_from: '2026-03-07T10:00:00.000Z',
    valid_to: null,
    superseded_by: null,
    source_turn_ids: [],
  })
})

describe('what nothing here answers gets an empty list', () => {
  test.each(['Thanks, have a nice evening!', 'ok 👍', '谢谢，晚安！', '哈哈哈'])('%s', async (smallTalk) => {
    for (const [name, ask] of Object.entries(DOORS)) {
      const { results, tokens } = await ask(smallTalk)
      expect([results, tokens], name).toEqual([[], 0])
    }
  })
})

test('limit and token_budget are kept at every door', async () => {
  const question = 'Tell me about Ines, her hives, the honey, the mill, the lighthouse tour and the greenhouse key.'
  expect((await DOORS[LIBRARY]!(question)).results.length).toBeGreaterThan(2)
  for (const [name, ask] of Object.entries(DOORS)) {
    expect((await ask(question, { limit: 2 })).results, name).toHaveLength(2)
    const { results, tokens } = await ask(question, { token_budget: 60 })
    expect(tokens, name).toBeLessThanOrEqual(60)
    expect(results.length, name).toBeGreaterThan(0)
    expect(
      results.reduce((sum: number, one: { tokens: number }) => sum + one.tokens, 0),
      name,
    ).toBe(tokens)
  }
})

test('kinds, as_of, since and until choose', async () => {
  const key = 'Where is the spare key of the greenhouse?'
  for (const [name, ask] of Object.entries(DOORS)) {
    const kinds = (await ask('Ines and the bees', { kinds: ['turn'] })).results.map(({ kind }) => kind)
    expect(new Set(kinds), name).toEqual(new Set(['turn']))
    const before = await ask(key, { as_of: '2026-03-06', kinds: ['memory'] })
    expect(
      before.results.map(({ text }) => text),
      name,
    ).not.toContain(NOTE)
    const later = (await ask('疫苗 honey', { since: '2026-03-05', kinds: ['turn'] })).results
    expect(new Set(later.map(({ conversation_id }) => conversation_id)), name).toEqual(new Set(['豆沙']))
    const earlier = (await ask('疫苗 honey', { until: '2026-03-04', kinds: ['turn'] })).results
    expect(new Set(earlier.map(({ conversation_id }) => conversation_id)), name).toEqual(new Set(['tavira']))
  }
})

test('what the running conversation shows anyway is left out', async () => {
  const shown = await overStdio.call('recall', {
    message: 'Ines and her bees',
    conversation_id: 'tavira',
    kinds: ['turn'],
  })
  expect(shown.structured.results).toEqual([])
  const from = ['ask', 'Ines and her bees', '--conversation', 'tavira', '--kinds', 'turn']
  expect(await answer('mneme', [...from, ...asMara], { cwd })).toMatchObject({ results: [], tokens: 0 })
})

test('--explain tells how a score came about, and secrets are masked unless they are asked for', async () => {
  const token = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'
  const turns = [{ role: 'user', content: `The GitHub token of the beekeeping site is ${token}.` }]
  await server.ask('POST', '/conversations/site/turns', { turns }, AS_USER)
  await server.memory.idle()
  const ask = ['ask', 'GitHub token of the beekeeping site', '--kinds', 'turn', ...asMara]
  const masked = await answer('mneme', ask, { cwd })
  expect(JSON.stringify(masked)).toContain('beekeeping site')
  expect(JSON.stringify(masked)).not.toContain(token)
  expect(JSON.stringify(masked)).not.toContain('explanation')
  const open = JSON.stringify(await answer('mneme', [...ask, '--reveal-secrets', '--explain'], { cwd }))
  expect(open).toContain(token)
  expect(open).toContain('"explanation":{"ranking":"hybrid"')
  const body = { query: 'GitHub token of the beekeeping site', token_budget: 500, explain: true, reveal_secrets: true }
  const { results } = (await server.ask('POST', '/recall', body, AS_USER)).body
  expect(results[0]).toMatchObject({ text: expect.stringContaining(token), explanation: { ranking: 'hybrid' } })
})

test('what MCP shows a model counts as used; a look through another door does not', async () => {
  const { results } = (await server.ask('POST', '/memory/search', { query: 'greenhouse key' }, AS_USER)).body
  const { id } = results[0]
  const uses = async (): Promise<number> => (await server.memory.get(id, { userId: USER })).accessCount
  const before = await uses()
  await DOORS.REST!('Where is the spare key of the greenhouse?')
  await DOORS['the command line']!('Where is the spare key of the greenhouse?')
  expect(await uses()).toBe(before)
  await overHttp.call('recall', { message: 'Where is the spare key of the greenhouse?' })
  expect(await uses()).toBe(before + 1)
})

describe('POST /recall keeps its shape unless memories or a budget are asked for', () => {
  test.each([
    ['nothing else', {}],
    ['turns and summaries', { kinds: ['turn', 'summary'], ranking: 'conversation', time_range: '2026' }],
    ['turns', { kinds: ['turn'], limit: 3 }],
  ])('%s', async (_, fields) => {
    const { status, body } = await server.ask('POST', '/recall', { query: 'Ines and the bees', ...fields }, AS_USER)
    expect(status).toBe(200)
    expect(body).toMatchObject({ total_searched: expect.any(Number), results: expect.any(Array) })
    expect(body.results[0]).toMatchObject({ relevance: expect.any(Number), content: expect.any(String) })
    expect(body).not.toHaveProperty('tokens')
  })
  test.each([
    ['memories', { kinds: ['memory'] }],
    ['a budget', { token_budget: 200 }],
    ['turns within a budget', { kinds: ['turn'], token_budget: 200 }],
  ])('%s: the evidence', async (_, fields) => {
    const { status, body } = await server.ask('POST', '/recall', { query: 'spare key greenhouse', ...fields }, AS_USER)
    expect(status).toBe(200)
    expect(body).toMatchObject({ tokens: expect.any(Number), results: expect.any(Array), warnings: [] })
    expect(body).not.toHaveProperty('total_searched')
  })
  test('a document of OpenAPI has both', async () => {
    const { body } = await server.ask('GET', '/openapi.json')
    const { requestBody, responses } = body.paths['/recall'].post
    expect(responses['200'].content['application/json'].schema.anyOf).toEqual([
      { $ref: '#/components/schemas/RecallAnswer' },
      { $ref: '#/components/schemas/EvidenceAnswer' },
    ])
    const { properties } = requestBody.content['application/json'].schema
    expect(Object.keys(properties)).toEqual(
      expect.arrayContaining(['query', 'ranking', 'kinds', 'time_range', 'token_budget', 'as_of']),
    )
    expect(body.components.schemas.EvidenceAnswer.properties.results.items).toEqual({
      $ref: '#/components/schemas/Evidence',
    })
  })
})

describe('bad input is told by the name of the field', () => {
  const BAD: readonly (readonly [string, object, string, RegExp])[] = [
    ['a ranking of evidence', { token_budget: 90, ranking: 'hybrid' }, 'ranking', /does not go with token_budget/],
    ['a ranking of memories', { kinds: ['memory'], ranking: 'long-term' }, 'ranking', /go with "memory" in kinds/],
    ['summaries and memories', { kinds: ['memory', 'summary'] }, 'kinds[1]', /summary does not go with "memory"/],
    ['summaries within a budget', { kinds: ['summary'], token_budget: 90 }, 'kinds[0]', /go with token_budget/],
    ['a stretch in words', { kinds: ['memory'], time_range: '上周' }, 'time_range', /does not go with/],
    ['the log as of a moment', { as_of: '2026-03-06' }, 'as_of', /for memories alone/],
    ['no budget', { token_budget: 0 }, 'token_budget', /out of range/],
    ['a budget beyond all', { token_budget: 1_000_001 }, 'token_budget', /out of range/],
    ['half a token', { token_budget: 1.5 }, 'token_budget', /./],
    ['no results', { token_budget: 90, limit: 0 }, 'limit', /out of range/],
    ['an unknown kind', { kinds: ['memory', 'dream'] }, 'kinds[1]', /not known/],
    ['no kind', { kinds: [] }, 'kinds', /./],
    ['no time', { kinds: ['memory'], as_of: 'gestern' }, 'as_of', /not a time/],
    ['no such day', { kinds: ['memory'], as_of: '2026-02-30' }, 'as_of', /not a time|no such/],
    ['swapped ends', { token_budget: 90, since: '2026-03-05', until: '2026-03-01' }, 'since', /after until/],
    ['white space', { kinds: ['memory'], query: '　 ' }, 'query', /empty/],
    ['an unknown field', { token_budget: 90, colour: 'red' }, 'colour', /not known/],
  ]
  test.each(BAD)('REST: %s', async (_, fields, field, detail) => {
    const { status, body } = await server.ask('POST', '/recall', { query: 'Ines', ...fields }, AS_USER)
    expect([status, body.field]).toEqual([400, field])
    expect(body.detail).toMatch(detail)
    expect(body.remedy.length).toBeGreaterThan(5)
  })
  test.each([
    [{}, /^message: is missing/],
    [{ message: ' ' }, /^message: is empty/],
    [{ message: 'Ines', token_budget: 0 }, /^token_budget: /],
    [{ message: 'Ines', kinds: ['summary'] }, /^kinds\[0\]: "summary" is not known\n.*turn, memory/],
    [{ message: 'Ines', as_of: '2026-02-30' }, /^as_of: /],
    [{ message: 'Ines', ranking: 'hybrid' }, /^ranking: is not known here/],
    [{ message: 'Ines', query: 'Ines' }, /^query: is not known here/],
    [{ message: 'Ines', reveal_secrets: true }, /^reveal_secrets: is not known here/],
  ])('MCP: %j', async (fields, said) => {
    const { isError, text } = await overStdio.call('recall', fields)
    expect([isError, text]).toEqual([true, expect.stringMatching(said)])
  })
  test.each([
    [['ask'], /<?message>?/],
    [['ask', ' '], /^error: .*message.*empty/],
    [['ask', 'Ines', '--limit', '0'], /^error: --limit: 0 is out of range/],
    [['ask', 'Ines', '--token-budget', 'many'], /^error: --token-budget: /],
    [['ask', 'Ines', '--kinds', 'turn,summary'], /^error: --kinds: "summary" is not known\nremedy: .*turn, memory/],
    [['ask', 'Ines', '--as-of', '2026-02-30'], /^error: --as-of: /],
    [['ask', 'Ines', '--since', '2026-03-05', '--until', '2026-03-01'], /^error: --since: lies after/],
    [['ask', 'Ines', '--ranking', 'hybrid'], /--ranking/],
  ])('mneme %j', async (words, said) => {
    const { code, stdout, stderr } = await run('mneme', [...words, ...asMara], { cwd })
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(said)])
  })
  test('mneme ask fails with 1 where the database cannot be used', async () => {
    const { code, stderr } = await run('mneme', ['ask', 'Ines', '--db', join(cwd, 'nowhere', 'none.db')], { cwd })
    expect(code).toBeGreaterThan(0)
    expect(stderr).toMatch(/^error: /)
  })
})

test('evidence_tokens bounds what a context recalls, at every door', async () => {
  const message = 'Tell me about Ines, her hives, the honey and the lighthouse tour.'
  const recalled = {
    REST: async (tokens: number) =>
      (await server.ask('POST', '/context', { message, evidence_tokens: tokens, count: false }, AS_USER)).text,
    'MCP over stdio': async (tokens: number) =>
      (await overStdio.call('load_context', { message, evidence_tokens: tokens })).text,
    'the command line': async (tokens: number) =>
      JSON.stringify(
        await answer('mneme', ['context', message, '--evidence-tokens', String(tokens), ...asMara], { cwd }),
      ),
  }
  for (const [name, ask] of Object.entries(recalled)) {
    expect(await ask(500), name).toContain('lighthouse tour costs')
    expect(await ask(0), name).not.toContain('lighthouse tour costs')
  }
  const bad = await run('mneme', ['context', message, '--evidence-tokens', 'x', ...asMara], { cwd })
  expect([bad.code, bad.stderr]).toEqual([2, expect.stringMatching(/^error: --evidence-tokens: /)])
})

test('the setting memory.evidence_tokens holds at once, and its variable fixes it', async () => {
  const question = 'Where does Ines keep her bees?'
  await server.ask('PATCH', '/settings', { 'memory.evidence_tokens': 0 }, AS_USER)
  for (const [name, ask] of Object.entries(DOORS)) expect((await ask(question)).results, name).toEqual([])
  const ask = ['ask', question, ...asMara]
  const env = { MEMORY_EVIDENCE_TOKENS: '300' }
  expect((await answer('mneme', ask, { cwd, env })).tokens).toBeGreaterThan(0)
  await server.ask('PATCH', '/settings', { 'memory.evidence_tokens': null }, AS_USER)
  expect((await DOORS.REST!(question)).results).not.toEqual([])
})

test('what is recalled tells which memories stand in a turn: in contexts, in chats, in the evidence', async () => {
  const said = { role: 'user', content: 'My boat is called Albatros.', created_at: '2026-03-09T10:00:00Z' }
  await server.ask('POST', '/conversations/boat/turns', { turns: [said] }, AS_USER)
  await server.memory.idle()
  const message = 'What is my boat called?'
  const { recalled } = (await server.ask('POST', '/context', { message }, AS_USER)).body
  expect(recalled[0]).toMatchObject({ kind: expect.any(String), tells: expect.any(Array) })
  const [own] = (await DOORS.REST!(message)).results
  const chat = (await server.ask('POST', '/chat', { message, stream: false }, AS_USER)).body
  expect(chat.recalled[0]).toMatchObject({ kind: expect.any(String), tells: expect.any(Array) })
  const { results } = (await server.ask('POST', '/memory/search', { query: 'boat' }, AS_USER)).body
  const ids = results.map(({ id }: { id: string }) => id)
  expect([own.id, ...(own.tells ?? [])].some((id) => ids.includes(id))).toBe(true)
})
