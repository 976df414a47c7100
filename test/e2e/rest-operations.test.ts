/** Every operation of the table over HTTP: good input is answered as documented, bad input by a 4xx that names it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { AnyOperation } from '../../src/doors/operations/operation.ts'
import { OPERATIONS } from '../../src/doors/operations/table.ts'
import { type RestServer, startRestServer } from '../support/rest-server.ts'
import { emptyFolder } from './cli-process.ts'

let server: RestServer
/** Ids of what the first test stored, by the name of the field. */
const known: Record<string, string> = {}
const used: string[] = []

beforeAll(async () => {
  server = await startRestServer({ path: join(emptyFolder(), 'operations.db') })
  const { body } = await server.ask('POST', '/memory/long-term', { text: '我对花生过敏。', key: 'allergy' })
  known.id = body.results[0].id
  used.push(body.results[0].id)
  const turns = [
    { role: 'user', content: 'We deploy with Kamal to Hetzner.', external_id: 'a' },
    { role: 'assistant', content: 'Noted: Kamal on Hetzner.' },
  ]
  await server.ask('POST', '/conversations/chat-1/turns', { turns })
  await server.memory.idle()
  known.conversation_id = 'chat-1'
  known.session_id = 'chat-1'
  known.turn_id = '1'
})
afterAll(() => server.close())

/** Inputs that an operation cannot do without, besides ids. */
const INPUTS: Readonly<Record<string, object>> = {
  search_everything: { keyword: '花生', time_range: { from: '2001-01-01' } },
  add_memory: { text: 'Ana prefers window seats.' },
  search_memories: { query: '花生', explain: true },
  touch_memories: { ids: used },
  delete_memories: { ids: ['not-there'] },
  create_conversation: {},
  store_turns: { turns: [{ role: 'user', content: '端口是 8022。' }] },
  recall: { query: 'Hetzner', explain: true },
  update_conversation: { title: 'Deploying' },
  delete_conversations: { older_than: '2001-01-01' },
  summarize: { from_turn: 1, to_turn: 2 },
  update_turn: { content: 'We deploy with Kamal to Hetzner and Fly.', is_collected: true },
  update_working_memory: { current_topic: 'Deploying' },
  create_session_summary: { conversation_id: 'chat-1', title: 'Deploying' },
  build_context: { message: 'Where do we deploy?' },
  set_profile: { text: 'Answers briefly.' },
  update_session_summary: { snippet: 'Kamal, Hetzner' },
  update_memory: { importance: 2 },
  undo: { conversation_id: 'chat-1' },
  preview_undo: { conversation_id: 'chat-1' },
  create_key: { name: 'reader' },
  chat: { message: 'Where do we deploy?', stream: false },
  complete_chat: { body: { messages: [{ role: 'user', content: 'Where do we deploy?' }] } },
  evict: { threshold: 1000 },
  import: { body: '{"mneme_export": 1}' },
}
/** Removals of others' test data come last. */
const LAST = [
  'delete_memory',
  'delete_working_memory',
  'delete_session_summary',
  'create_session_summary',
  'delete_turn',
  'delete_conversation',
  'delete_all_memories',
]
const AT_REST = OPERATIONS.filter(({ rest }) => rest !== undefined)
/** These would shut this test out or need something that this server has not: test/e2e/page-doors.test.ts asks them. */
const ELSEWHERE = ['create_key', 'revoke_key', 'get_memory_file_backup']
/** Those that answer in JSON of ours; what streams has tests of its own. */
const ordered = [
  ...AT_REST.filter(
    ({ name, rest }) => ![...LAST, ...ELSEWHERE].includes(name) && rest !== undefined && rest.own === undefined,
  ),
  ...LAST.map((name) => OPERATIONS.find((operation) => operation.name === name)!),
]

function pathOf({ rest }: AnyOperation, ids: Readonly<Record<string, string>>): string {
  return rest !== undefined
    ? rest.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? 'none'))
    : ''
}

function sending({ rest }: AnyOperation, path: string, input: object) {
  if (rest === undefined) throw new Error('REST does not have it.')
  const method = rest.method.toUpperCase()
  const whole = rest.own?.body?.field
  const { [whole ?? '']: body, ...others } = input as Record<string, unknown>
  if (whole === undefined && method !== 'GET' && method !== 'DELETE') return server.ask(method, path, input)
  const query = new URLSearchParams(
    Object.entries(others).map(([name, value]): [string, string] => [name, String(value)]),
  )
  return server.ask(method, query.size === 0 ? path : `${path}?${query}`, body)
}

/** The schema with nothing besides what it names, at every depth. */
function strict(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodObject)
    return z.strictObject(
      Object.fromEntries(Object.entries(schema.shape).map(([name, inner]) => [name, strict(inner as z.ZodType)])),
    )
  if (schema instanceof z.ZodArray) return z.array(strict(schema.element as z.ZodType))
  if (schema instanceof z.ZodOptional) return strict(schema.unwrap() as z.ZodType).optional()
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map((option) => strict(option as z.ZodType)))
  if (schema instanceof z.ZodNullable) return strict(schema.unwrap() as z.ZodType).nullable()
  return schema
}

describe('an operation answers as its schema says, with nothing besides', () => {
  test.each(ordered.map((operation) => [operation.name, operation] as const))('%s', async (_, operation) => {
    const answer = await sending(operation, pathOf(operation, known), INPUTS[operation.name] ?? {})
    expect(answer.text).not.toContain('"code"')
    expect(answer.status).toBe(operation.rest !== undefined ? (operation.rest.status ?? 200) : 0)
    expect(strict(operation.output).safeParse(answer.body).error?.issues ?? []).toEqual([])
  })
})

describe('an unknown field is a 400 that names it', () => {
  test.each(AT_REST.map((operation) => [operation.name, operation] as const))('%s', async (_, operation) => {
    const given = { ...INPUTS[operation.name], colour: 'red' }
    const { status, body } = await sending(operation, pathOf(operation, known), given)
    expect([status, body.field]).toEqual([400, 'colour'])
    // Anthropic's clients know an error by its type.
    const type = operation.name.includes('message') ? 'error' : 'about:blank'
    expect(body).toMatchObject({ code: 'invalid_input', title: 'Bad Request', type })
    // A vendor's route takes the user as its vendor does.
    if (operation.rest !== undefined && operation.rest.own?.ofVendor !== true)
      expect(body.remedy).toMatch(/\buser_id\b/)
    else expect(body.remedy.length).toBeGreaterThan(5)
  })
})

describe('a field by the name of what every object has is unknown like any other', () => {
  test.each(AT_REST.map((operation) => [operation.name, operation] as const))('%s', async (_, operation) => {
    for (const name of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) {
      const given = Object.fromEntries([...Object.entries(INPUTS[operation.name] ?? {}), [name, '1']])
      const { status, body } = await sending(operation, pathOf(operation, known), given)
      expect([name, status, body.field]).toEqual([name, 400, name])
      expect(body.remedy).not.toContain('native code')
    }
  })
})

describe('what is missing, empty, of a wrong type or too long is a 400 that names the field', () => {
  const cases: readonly [string, string, string, unknown, string][] = [
    ['missing', 'POST', '/memory/search', {}, 'query'],
    ['empty', 'POST', '/memory/search', { query: '' }, 'query'],
    ['white space', 'POST', '/memory/search', { query: '   ' }, 'query'],
    ['wrong type', 'POST', '/memory/search', { query: ['a'] }, 'query'],
    ['too long', 'POST', '/memory/search', { query: '长'.repeat(70_000) }, 'query'],
    ['a NUL', 'POST', '/memory/long-term', { text: 'a\u0000b' }, 'text'],
    ['too many bytes', 'POST', '/memory/long-term', { text: 'x'.repeat(1_100_000) }, 'text'],
    ['both', 'POST', '/memory/long-term', { text: 'a', messages: [{ role: 'user', content: 'b' }] }, 'text'],
    [
      'an unknown role',
      'POST',
      '/conversations/c/turns',
      { turns: [{ role: 'robot', content: 'a' }] },
      'turns[0].role',
    ],
    ['no time', 'POST', '/recall', { query: 'a', since: 'yesterday-ish' }, 'since'],
    ['no such day', 'POST', '/recall', { query: 'a', since: '2026-02-30' }, 'since'],
    ['page of nothing', 'GET', '/memory/long-term?limit=0', undefined, 'limit'],
    ['a huge page', 'GET', '/memory/long-term?limit=99999999', undefined, 'limit'],
    ['a negative offset', 'GET', '/conversations?offset=-1', undefined, 'offset'],
    ['no number', 'GET', '/conversations?limit=ten', undefined, 'limit'],
    ['twice', 'GET', '/conversations?limit=1&limit=2', undefined, 'limit'],
    ['out of range', 'POST', '/memory/long-term', { text: 'a', confidence: 1.5 }, 'confidence'],
    ['an unknown setting', 'PATCH', '/settings', { 'memory.rag_top': 1 }, 'memory.rag_top'],
    ['a setting out of bounds', 'PATCH', '/settings', { 'memory.rag_top_n': 1000 }, 'memory.rag_top_n'],
    ['an unknown filter', 'POST', '/memory/search', { query: 'a', filters: { colour: 1 } }, 'filters.colour'],
    ['an empty user', 'GET', '/profile?user_id=', undefined, 'user_id'],
    ['a user too long', 'GET', `/profile?user_id=${'u'.repeat(2000)}`, undefined, 'user_id'],
  ]
  test.each(cases)('%s (%s)', async (_, method, path, input, field) => {
    const before = await server.memory.maintenance.stats({ allUsers: true })
    const { status, body } = await server.ask(method, path, input)
    expect([status, body.field]).toEqual([400, field])
    const { bytes: _b, ...after } = await server.memory.maintenance.stats({ allUsers: true })
    expect(before).toMatchObject(after)
  })

  test('an offset beyond everything is an empty page with the total', async () => {
    await server.ask('POST', '/memory/long-term', { text: 'One memory.' }, { 'x-user-id': 'pages' })
    const { body } = await server.ask('GET', '/memory/long-term?offset=9007199254740991', undefined, {
      'x-user-id': 'pages',
    })
    expect(body).toMatchObject({ items: [], total: 1, has_more: false })
  })
})

describe('an unknown id, and the id of another user, is a 404 with the same words', () => {
  const withId = OPERATIONS.filter(
    ({ name, rest }) => rest?.path.includes('{') && rest.method !== 'post' && !ELSEWHERE.includes(name),
  )
  test.each(withId.map((operation) => [operation.name, operation] as const))('%s', async (_, operation) => {
    const own = await startRestServer()
    const turns = [{ role: 'user', content: 'My badge number is 4711.' }]
    await own.ask('POST', '/conversations/private/turns', { turns }, { 'x-user-id': 'ana' })
    const made = await own.ask('POST', '/memory/long-term', { text: 'Ana has badge 4711.' }, { 'x-user-id': 'ana' })
    await own.memory.idle()
    const ids = { id: made.body.results[0].id, conversation_id: 'private', session_id: 'private', turn_id: '1' }
    const method = operation.rest !== undefined ? operation.rest.method.toUpperCase() : ''
    const input = method === 'GET' || method === 'DELETE' ? undefined : (INPUTS[operation.name] ?? {})
    const foreign = await own.ask(method, pathOf(operation, ids), input, { 'x-user-id': 'bob' })
    const unknown = await own.ask(method, pathOf(operation, { turn_id: '1' }), input, { 'x-user-id': 'bob' })
    expect([foreign.status, unknown.status]).toEqual([404, 404])
    const words = (text: string): string =>
      text
        .replaceAll(ids.id, 'none')
        .replaceAll('private', 'none')
        .replace(/"request_id":"[^"]+"/, '')
    expect(words(foreign.text)).toBe(words(unknown.text))
    expect(words(foreign.text)).not.toContain('4711')
    await own.close()
  })

  test('in a body as well, and nothing is counted', async () => {
    const own = await startRestServer()
    const add = (text: string, user: string) => own.ask('POST', '/memory/long-term', { text }, { 'x-user-id': user })
    const [anas, bobs] = [await add('Ana has badge 4711.', 'ana'), await add('Bob has badge 12.', 'bob')]
    const ids = [bobs.body.results[0].id, anas.body.results[0].id]
    const touch = (ids: readonly string[]) => own.ask('POST', '/memory/touch', { ids }, { 'x-user-id': 'bob' })
    for (const answer of [await touch(ids), await touch(['none'])]) expect(answer.status).toBe(404)
    expect((await own.memory.get(ids[0], { userId: 'bob' })).accessCount).toBe(0)
    expect((await touch([ids[0], ids[0]])).body).toEqual({ touched: 1 })
    expect((await own.memory.get(ids[0], { userId: 'bob' })).accessCount).toBe(1)
    expect((await own.ask('POST', '/jobs/retry', { id: 'none' })).status).toBe(404)
    await own.close()
  })
})

test('the document tells what every request may be answered, and that a vendor answers in its own words', async () => {
  const { body } = await server.ask('GET', '/openapi.json')
  for (const [path, methods] of Object.entries<Record<string, { responses: object }>>(body.paths))
    for (const [method, { responses }] of Object.entries(methods))
      expect(Object.keys(responses), `${method} ${path}`).toEqual(expect.arrayContaining(['400', '408', '417', '431']))
  const { responses } = body.paths['/v1/chat/completions'].post
  for (const status of ['401', '429', '502'])
    expect(Object.keys(responses[status].content)).toEqual(['application/problem+json', '*/*'])
})

test('the page names every path of the document', async () => {
  const page = readFileSync(new URL('../../docs/rest.md', import.meta.url), 'utf8')
  const { body } = await server.ask('GET', '/openapi.json')
  const own = Object.keys(body.paths).filter((path) => !/^\/(?:mem0|mcp)\b/.test(path))
  // Lists write the beginning of a path once, and ids in short.
  const isNamed = (path: string): boolean =>
    [path, path.slice(path.lastIndexOf('/') + 1), path.replace(/\{\w+\}$/, '{id}')].some((name) => page.includes(name))
  expect(own.filter((path) => !isNamed(path))).toEqual([])
  expect(own).toContain('/memory-file/digest')
})
