/** Issue 6, MCP and bad input: "a clear 4xx …, no stack trace, nothing half-written"; here an answer that a model can act on. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serve } from '../../src/doors/cli/commands/serve.ts'
import type { Listening } from '../../src/doors/http/serve.ts'
import { type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { TOOLS } from '../../src/doors/mcp/tools.ts'
import { connectSdk1, connectSdk2, type ToolClient } from '../support/mcp-clients.ts'

const folder = mkdtempSync(join(tmpdir(), 'mneme-mcp-bad-'))
const db = join(folder, 'memory.db')
let memory: OpenMemory
let server: Listening
let clients: readonly ToolClient[] = []
const KINDS = ['SDK 2 over stdio', 'SDK 1 over HTTP']
/** A memory of another user. */
let foreign = ''

beforeAll(async () => {
  memory = await openMemory({ path: db })
  foreign = (await memory.add('Bob keeps bees.', { userId: 'bob', infer: false })).results[0]?.id ?? ''
  const turns = [{ role: 'user' as const, content: 'The hives are full.' }]
  await memory.conversations.store({ userId: 'bob', conversationId: 'bobs', turns })
  server = await serve({ memory, port: 0, version: '0.1.0' })
  clients = await Promise.all([
    connectSdk2({ db, user: 'ann' }),
    connectSdk1({ url: server.url, headers: { 'x-user-id': 'ann' } }),
  ])
})

afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()))
  await server.close()
  await memory.close()
  rmSync(folder, { recursive: true, force: true })
})

type Case = readonly [tool: string, args: Record<string, unknown>, says: RegExp]
const LONG = 'a'.repeat(70_000)
const long = (count: number, make: (index: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, at) => make(at))
const entity = (name: unknown, observations: unknown = []): object => ({ name, entityType: 'person', observations })
const relation = (from: unknown): object => ({ from, to: 'Ann', relationType: 'knows' })

/** Inputs that are wrong, and what the answer has to name. */
const CASES: readonly Case[] = [
  ['search_memories', {}, /^keyword: is missing/],
  ['search_memories', { keyword: '' }, /^keyword: is empty/],
  ['search_memories', { keyword: ' \n' }, /^keyword: is empty/],
  ['search_memories', { keyword: '茶\u0000' }, /^keyword: contains a NUL/],
  ['search_memories', { keyword: LONG }, /^keyword: .*\n.*at most 65536/],
  ['search_memories', { keyword: 7 }, /^keyword: is not a text/],
  ['search_memories', { keyword: '茶', time_range: '茶' }, /^time_range: "茶" names no time/],
  ['search_memories', { keyword: '茶', toString: 1 }, /^toString: is not known here/],
  ['search_memories', { keyword: '茶', time_range: {}, limit: 3 }, /^limit: is not known here/],
  ['search_memories', { keyword: '茶', time_range: { since: '2026-01-01' } }, /^time_range\.since: is not known here/],
  [
    'search_memories',
    { keyword: '茶', time_range: { from: '2026-02-30T10:00:00Z' } },
    /^time_range\.from: .*not a time/,
  ],
  [
    'search_memories',
    { keyword: '茶', time_range: { from: '2026-05-02', to: '2026-05-01' } },
    /^time_range\.from: lies after/,
  ],
  ['search_memories', { keyword: '茶', time_range: 5 }, /^time_range: must be an object/],
  ['search_memories', { keyword: 'tea', user_id: 'bob' }, /^user_id: is not known here/],
  ['add_memory', {}, /^text: or messages must be given/],
  ['add_memory', { text: '' }, /^text: /],
  ['add_memory', { text: '　' }, /is empty/],
  ['add_memory', { text: ['tea'] }, /^text: /],
  ['add_memory', { text: 'x'.repeat(1_100_000), infer: false }, /1048576/],
  ['add_memory', { text: 'tea', messages: [{ role: 'user', content: 'tea' }] }, /one of them/],
  ['add_memory', { messages: [{ role: 'king', content: 'tea' }] }, /^messages\[0\]\.role: "king" is not known/],
  ['add_memory', { text: 'tea', infer: 'no' }, /^infer: /],
  ['add_memory', { text: 'half \ud800', infer: false }, /surrogate/],
  ['add_memory', { text: 'tea', categroy: 'fact' }, /^categroy: is not known here\n.*category/],
  ['delete_all_memories', { sure: true }, /^sure: is not known here/],
  ['delete_memory', {}, /^id: is missing/],
  ['edit_turn', {}, /^conversation_id: is missing/],
  ['edit_turn', { conversation_id: 'c', turn_id: 0, content: 'x' }, /^turn_id: /],
  ['edit_turn', { conversation_id: 'c', turn_id: 1, content: '' }, /^content: is empty/],
  ['delete_turn', { conversation_id: 'c' }, /^turn_id: is missing/],
  ['delete_turn', { conversation_id: 'bobs', turn_id: 1 }, /bobs/],
  ['delete_memory', { id: 'nope' }, /^No memory "nope" exists/],
  ['get_memory', { id: '' }, /^id: /],
  ['get_memory', { id: 'a'.repeat(1025) }, /^id: .*\n.*1024/],
  ['get_memory', { id: '不存在' }, /^No memory "不存在" exists.*\n.*get_memories/],
  ['get_memories', { limit: 0 }, /^limit: /],
  ['get_memories', { limit: 'ten' }, /^limit: /],
  ['get_memories', { offset: -1 }, /^offset: /],
  ['get_memories', { category: 'secret' }, /^category: "secret" is not known\n.*preference/],
  ['get_memories', { reveal_secrets: true }, /^reveal_secrets: is not known here/],
  ['memory_history', { id: 'nope' }, /^No memory "nope" exists/],
  ['update_memory', { text: 'tea' }, /^id: is missing/],
  ['update_memory', { id: 'nope', text: 'tea' }, /^No memory "nope" exists/],
  ['update_memory', { id: 'nope' }, /^input: changes nothing\nName at least one of: text, category, tags, metadata\.$/],
  ['list_conversations', { limit: 10_001 }, /^limit: .*\n.*10000/],
  ['get_turns', {}, /^conversation_id: is missing/],
  ['get_turns', { conversation_id: 'nope' }, /nope/],
  ['get_turns', { conversation_id: 'bobs' }, /bobs/],
  ['get_turns', { conversation_id: 'c', from_turn: 0 }, /^from_turn: /],
  ['recall', { message: '' }, /^message: /],
  ['recall', { message: 'bees', since: '上周' }, /^since: is not a time\n.*2026-05-07T10:30:00Z or 2026-05-07/],
  ['store_conversation', { conversation_id: 'c' }, /^turns: is missing/],
  ['store_conversation', { conversation_id: 'c', turns: [] }, /^turns: /],
  [
    'store_conversation',
    {
      conversation_id: 'c',
      turns: [
        { role: 'user', content: 'one' },
        { role: 'user', content: '' },
      ],
    },
    /^turns\[1\]\.content: /,
  ],
  [
    'store_conversation',
    { conversation_id: 'c', turns: [{ role: 'user', content: 'one', created_at: 'gestern' }] },
    /^turns\[0\]\.created_at: is not a time\n.*2026-05-07/,
  ],
  ['load_context', {}, /^message: is missing/],
  ['load_context', { message: ' ' }, /^message: is empty/],
  ['load_context', { message: 'hi', token_budget: 0 }, /^token_budget: /],
  ['get_profile', { of: 'bob' }, /^of: is not known here/],
  ['create_entities', {}, /^entities: is missing/],
  ['create_entities', { entities: 'Ann' }, /^entities: /],
  ['create_entities', { entities: [{ name: 'Ann' }] }, /^entities\[0\]\.entityType: is missing/],
  ['create_entities', { entities: [entity('Eve'), entity('  ')] }, /^entities\[1\]\.name: is empty/],
  ['create_entities', { entities: [entity('Eve', ['fine', ' '])] }, /^entities\[0\]\.observations\[1\]: is empty/],
  [
    'create_entities',
    { entities: [{ ...entity('Eve'), age: 3 }] },
    /^entities\[0\]\.age: is not known here\nUse one of: name, entityType, observations\.$/,
  ],
  [
    'create_entities',
    { entities: [{ name: 'Eve', entity_type: 'person', observations: [] }] },
    /^entities\[0\]\.entity_type: is not known here\nWrite it as entityType\.$/,
  ],
  ['create_entities', { entities: long(1001, (at) => entity(`E${at}`)) }, /^entities: .*\n.*1000/],
  ['create_entities', { entities: [entity('Eve', ['x'.repeat(1_100_000)])] }, /1048576/],
  ['create_relations', { relations: [{ from: 'Ann', to: 'Ann' }] }, /^relations\[0\]\.relationType: is missing/],
  ['create_relations', { relations: [relation('Nobody')] }, /^No entity "Nobody" exists.*\n.*create_entities/],
  [
    'add_observations',
    { observations: [{ entityName: '无此人', contents: ['爱喝茶'] }] },
    /^No entity "无此人" exists/,
  ],
  ['delete_entities', { entityNames: [3] }, /^entityNames\[0\]: /],
  ['delete_entities', { names: ['Ann'] }, /^(names: is not known here|entityNames: is missing)/],
  ['delete_observations', { deletions: [{ entityName: 'Ann' }] }, /^deletions\[0\]\.observations: is missing/],
  [
    'delete_observations',
    { deletions: [{ entity_name: 'Ann', observations: ['tea'] }] },
    /^deletions\[0\]\.entity_name: is not known here\nWrite it as entityName\.$/,
  ],
  ['delete_entities', { entity_names: ['Ann'] }, /^entity_names: is not known here\nWrite it as entityNames\.$/],
  ['get_turns', { conversationId: 'c' }, /^conversationId: is not known here\nWrite it as conversation_id\.$/],
  ['delete_relations', { relations: [relation('')] }, /^relations\[0\]\.from: /],
  ['open_nodes', { names: [''] }, /^names\[0\]: is empty/],
  ['read_graph', { all: true }, /^all: is not known here/],
  ['search_nodes', { query: LONG }, /^query: /],
  ['search', { query: 1 }, /^query: /],
  ['fetch', { id: 'turn:1:nope' }, /nope/],
  ['fetch', { id: 'turn:0:c' }, /turn 0/],
  ['fetch', { id: 'turn:1:bobs' }, /bobs/],
]

test('every tool has a case here', () => {
  expect([...new Set(CASES.map(([tool]) => tool))].sort()).toEqual([...TOOLS.keys()].sort())
})

describe.each(KINDS)('%s', (kind) => {
  const client = (): ToolClient => clients[KINDS.indexOf(kind)] as ToolClient

  test.each(CASES)('%s %j is refused with what is wrong and what to do', async (tool, args, says) => {
    const { isError, text, structured } = await client().call(tool, args)
    expect(isError).toBe(true)
    expect(text).toMatch(says)
    expect(structured.error).toMatchObject({ code: expect.any(String), remedy: expect.stringMatching(/\S/) })
    expect(text).not.toMatch(/\n\s+at |node:|\.ts\b|SQLITE/)
  })

  test('another user’s memory is not found, "never 403 with a hint"', async () => {
    for (const tool of ['get_memory', 'delete_memory', 'memory_history', 'fetch', 'update_memory']) {
      const args = tool === 'update_memory' ? { id: foreign, text: 'mine' } : { id: foreign }
      const { isError, text } = await client().call(tool, args)
      expect([tool, isError, text.includes('exists for this user')]).toEqual([tool, true, true])
    }
    expect((await memory.get(foreign, { userId: 'bob' })).text).toBe('Bob keeps bees.')
  })

  test('arguments of 100 levels are refused at once', async () => {
    const deep: unknown = JSON.parse('['.repeat(100) + ']'.repeat(100))
    await expect(client().call('add_memory', { text: 'x', metadata: { deep } })).rejects.toThrow('64 deep')
  })

  test('an unknown tool is a fault of the protocol', async () => {
    await expect(client().call('drop_tables')).rejects.toThrow('There is no tool "drop_tables"')
  })

  test('nothing of all that was written', async () => {
    expect((await client().call('get_memories')).structured.total).toBe(0)
    expect((await client().call('list_conversations')).structured.total).toBe(0)
  })
})
