/** Issue 6, MCP: every tool with good input, by the official client and by the reference client of SDK 1.x, on one database. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countTokens } from 'gpt-tokenizer'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serve } from '../../src/doors/cli/commands/serve.ts'
import type { Listening } from '../../src/doors/http/serve.ts'
import { type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { wordsInFiles } from '../support/folder.ts'
import { connectSdk1, connectSdk2, type ToolClient } from '../support/mcp-clients.ts'

const folder = mkdtempSync(join(tmpdir(), 'mneme-mcp-'))
const db = join(folder, 'memory.db')
let memory: OpenMemory
let server: Listening
const clients = new Map<string, ToolClient>()
const KINDS = [
  'SDK 2 over stdio',
  'SDK 1 over stdio',
  'SDK 2 over HTTP',
  'SDK 2 over HTTP, newest revision',
  'SDK 1 over HTTP',
]

beforeAll(async () => {
  memory = await openMemory({ path: db })
  server = await serve({ memory, port: 0, version: '0.1.0' })
  const overHttp = (user: string) => ({ url: server.url, headers: { 'x-user-id': user } })
  const connected = await Promise.all([
    connectSdk2({ db, user: 'u0' }, { modern: true }),
    connectSdk1({ db, user: 'u1' }),
    connectSdk2(overHttp('u2')),
    connectSdk2(overHttp('u3'), { modern: true }),
    connectSdk1(overHttp('u4')),
  ])
  for (const [index, kind] of KINDS.entries()) clients.set(kind, connected[index] as ToolClient)
})

afterAll(async () => {
  await Promise.all([...clients.values()].map((client) => client.close()))
  await server.close()
  await memory.close()
  rmSync(folder, { recursive: true, force: true })
})

function clientOf(kind: string): ToolClient {
  return clients.get(kind) as ToolClient
}

describe.each(KINDS)('%s', (kind) => {
  const used = new Set<string>()
  const ask = async (name: string, args: Record<string, unknown> = {}) => {
    used.add(name)
    const answer = await clientOf(kind).call(name, args)
    expect(answer.isError, answer.text).toBe(false)
    return answer
  }

  test('"the operations under the names in use": what is added is listed, corrected, told and deleted', async () => {
    const { structured } = await ask('add_memory', {
      text: '我对花生过敏。',
      infer: false,
      category: 'fact',
      key: 'allergy',
    })
    const { id } = structured.results[0]
    await ask('add_memory', { text: 'I play the cello every Thursday evening.' })
    expect((await ask('get_memory', { id })).structured).toMatchObject({ text: '我对花生过敏。', key: 'allergy' })
    const listed = (await ask('get_memories', { key: 'allergy' })).structured
    expect(listed).toMatchObject({ total: 1, has_more: false })
    await ask('update_memory', { id, text: '我对花生和腰果过敏。' })
    const { items } = (await ask('memory_history', { id })).structured
    expect(items.map((one: { event: string }) => one.event)).toEqual(['ADD', 'UPDATE'])
    expect((await ask('search_memories', { keyword: '腰果' })).structured.results[0]).toMatchObject({
      id,
      kind: 'memory',
    })
    expect((await ask('delete_memory', { id })).structured).toEqual({ id, deleted: true })
    expect((await ask('search_memories', { keyword: '腰果' })).structured.results).toEqual([])
  })

  test('conversations are logged, listed, read and recalled', async () => {
    await ask('store_conversation', {
      conversation_id: 'trip',
      turns: [
        { role: 'user', content: 'Which ferry did we take to Naxos?' },
        { role: 'assistant', content: 'The Blue Star, at seven in the morning.' },
      ],
    })
    expect((await ask('list_conversations')).structured.items[0].conversation_id).toBe('trip')
    expect((await ask('get_turns', { conversation_id: 'trip', from_turn: 2 })).structured.items).toHaveLength(1)
    const { results } = (await ask('recall', { message: 'ferry to Naxos' })).structured
    expect(results[0]).toMatchObject({ conversation_id: 'trip' })
    const edited = { conversation_id: 'trip', turn_id: 2, content: 'The Aqua Blue, at eight in the morning.' }
    expect((await ask('edit_turn', edited)).structured).toMatchObject(edited)
    const { turn_id, conversation_id } = edited
    expect((await ask('delete_turn', { conversation_id, turn_id })).structured).toMatchObject({ turns_deleted: 1 })
  })

  test('search_memories(keyword, time_range) of specification 001 searches memories and turns', async () => {
    const weekAgo = new Date(Date.now() - 7 * 86_400_000).toISOString()
    const longAgo = '2019-03-02T10:00:00Z'
    await ask('store_conversation', {
      conversation_id: 'garden',
      turns: [
        { role: 'user', content: 'The tomatoes in the greenhouse are ripe.', created_at: longAgo },
        { role: 'user', content: 'The greenhouse needs a new pane of glass.', created_at: weekAgo },
      ],
    })
    const found = async (time_range?: unknown): Promise<string[]> => {
      const { structured } = await ask('search_memories', {
        keyword: 'greenhouse',
        ...(time_range === undefined ? {} : { time_range }),
      })
      return structured.results.map(({ text }: { text: string }) => text)
    }
    expect((await found()).length).toBeGreaterThanOrEqual(2)
    for (const words of ['last week', '上周']) {
      const texts = await found(words)
      expect(
        texts.some((text) => text.includes('glass')),
        words,
      ).toBe(true)
      expect(
        texts.some((text) => text.includes('tomatoes')),
        words,
      ).toBe(false)
    }
    expect((await found({ to: '2019-03-02' })).some((text) => text.includes('tomatoes'))).toBe(true)
    expect(await found({ from: '2018-01-01', to: '2018-12-31' })).toEqual([])
    expect((await found('2019年3月')).every((text) => text.includes('tomatoes'))).toBe(true)
  })

  test('"the reference memory server’s nine tools on the same store", with its arguments and answers', async () => {
    const alice = {
      name: 'Alice Moreau',
      entityType: 'person',
      observations: ['Lives in Porto', 'Plays chess on Sundays'],
    }
    const company = { name: '云帆科技', entityType: '公司', observations: ['总部在杭州'] }
    const created = await ask('create_entities', { entities: [alice, company] })
    expect(JSON.parse(created.text)).toEqual([alice, company])
    expect(created.structured).toEqual({ entities: [alice, company] })
    expect(JSON.parse((await ask('create_entities', { entities: [alice] })).text)).toEqual([])

    const worksAt = { from: 'Alice Moreau', to: '云帆科技', relationType: 'works_at' }
    expect((await ask('create_relations', { relations: [worksAt, worksAt] })).structured).toEqual({
      relations: [worksAt],
    })
    const added = await ask('add_observations', {
      observations: [{ entityName: 'Alice Moreau', contents: ['Plays chess on Sundays', '会说葡萄牙语'] }],
    })
    expect(JSON.parse(added.text)).toEqual([{ entityName: 'Alice Moreau', addedObservations: ['会说葡萄牙语'] }])

    const whole = { ...alice, observations: [...alice.observations, '会说葡萄牙语'] }
    expect((await ask('read_graph')).structured).toEqual({ entities: [whole, company], relations: [worksAt] })
    expect((await ask('search_nodes', { query: 'chess' })).structured).toEqual({
      entities: [whole],
      relations: [worksAt],
    })
    expect((await ask('search_nodes', { query: '杭州' })).structured.entities).toEqual([company])
    expect((await ask('open_nodes', { names: ['云帆科技', 'Nobody'] })).structured).toEqual({
      entities: [company],
      relations: [worksAt],
    })

    const deleted = await ask('delete_observations', {
      deletions: [{ entityName: 'Alice Moreau', observations: ['Plays chess on Sundays'] }],
    })
    expect(deleted).toMatchObject({ text: 'Observations deleted successfully', structured: { success: true } })
    expect((await ask('delete_relations', { relations: [worksAt] })).text).toBe('Relations deleted successfully')
    expect((await ask('delete_relations', { relations: [worksAt] })).text).toContain('Deleted 0 of 1')
    expect((await ask('delete_entities', { entityNames: ['云帆科技'] })).text).toBe('Entities deleted successfully')
    expect((await ask('delete_entities', { entityNames: ['云帆科技'] })).text).toContain('Not found: 云帆科技')
    expect((await ask('read_graph')).structured.entities).toEqual([
      { ...whole, observations: ['Lives in Porto', '会说葡萄牙语'] },
    ])
  })

  test('what the graph holds is found by search and shown in lists, and it is found by whose it is', async () => {
    const { results } = (await ask('search_memories', { keyword: 'Where does Alice Moreau live?' })).structured
    expect(results.map(({ text }: { text: string }) => text)).toContain('Lives in Porto')
    const { items } = (await ask('get_memories')).structured
    expect(items.map(({ text }: { text: string }) => text)).toContain('会说葡萄牙语')
  })

  test('search and fetch answer as chat connectors want them', async () => {
    const { structured, text } = await ask('search', { query: 'the greenhouse and its glass' })
    expect(JSON.parse(text)).toEqual(structured)
    const turn = structured.results.find(({ id }: { id: string }) => id.startsWith('turn:'))
    expect(Object.keys(turn).sort()).toEqual(['id', 'title', 'url'])
    const whole = (await ask('fetch', { id: turn.id })).structured
    expect(Object.keys(whole).sort()).toEqual(['id', 'metadata', 'text', 'title', 'url'])
    expect(whole.text).toContain('greenhouse')
    const [first] = (await ask('search', { query: 'cello' })).structured.results
    expect((await ask('fetch', { id: first.id })).structured.text).toContain('cello')
  })

  test('the profile and the context are there for a model', async () => {
    const user = `u${KINDS.indexOf(kind)}`
    await memory.profile.set({ userId: user, text: '# Language\nAnswers in French, please.' })
    expect((await ask('get_profile')).structured.text).toContain('French')
    const context = await ask('load_context', { message: 'When do I play the cello?' })
    expect(context.text).toContain('French')
    expect(context.text).toContain('Thursday evening')
  })

  test('every tool that is listed was called; annotations tell what a call may do', async () => {
    await ask('delete_all_memories')
    const tools = await clientOf(kind).tools()
    expect(tools.map(({ name }) => name).sort()).toEqual([...used].sort())
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]))
    expect(hints.search_memories).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    })
    expect(hints.delete_entities).toMatchObject({ readOnlyHint: false, destructiveHint: true })
    expect(hints.add_memory).toMatchObject({ readOnlyHint: false, destructiveHint: false, idempotentHint: false })
    expect((await ask('get_memories')).structured.total).toBe(0)
  })
})

test('clients speak the revision that they know', () => {
  expect(clientOf('SDK 2 over stdio').protocol).toBe('2026-07-28')
  expect(clientOf('SDK 2 over HTTP, newest revision').protocol).toBe('2026-07-28')
  expect(clientOf('SDK 2 over HTTP').protocol).toBe('2025-11-25')
})

test('"all tools together cost under 2,500 tokens"', async () => {
  const tools = await clientOf('SDK 1 over stdio').tools()
  const cost = tools.map((tool) => {
    const { name, description, inputSchema } = tool as { name: string; description?: string; inputSchema?: unknown }
    return countTokens(JSON.stringify({ name, description, inputSchema }))
  })
  expect(tools.length).toBeGreaterThan(20)
  expect(cost.reduce((a, b) => a + b)).toBeLessThan(2500)
})

test('memory.enable_agentic_search: false hides the searches, and a call says which setting', async () => {
  const client = clientOf('SDK 1 over HTTP')
  const other = clientOf('SDK 2 over stdio')
  await memory.settings.set({ 'memory.enable_agentic_search': false })
  try {
    for (const one of [client, other]) {
      const names = (await one.tools()).map(({ name }) => name)
      expect(names).not.toContain('search_memories')
      expect(names).toContain('add_memory')
      const { isError, text } = await one.call('search_memories', { keyword: 'tea' })
      expect(isError).toBe(true)
      expect(text).toContain('memory.enable_agentic_search')
    }
  } finally {
    await memory.settings.set({ 'memory.enable_agentic_search': null })
  }
  expect((await other.tools()).map(({ name }) => name)).toContain('search_memories')
})

test('what a model is shown counts as used', async () => {
  const client = clientOf('SDK 2 over stdio')
  const id = (await client.call('add_memory', { text: 'My bicycle is a red tandem.', infer: false })).structured
    .results[0].id
  await client.call('search_memories', { keyword: 'bicycle' })
  await client.call('fetch', { id })
  expect((await client.call('get_memory', { id })).structured.access_count).toBe(2)
})

test('one database: what one client adds another client of the same user sees, and what it deletes is gone from the file', async () => {
  const here = await connectSdk2({ db, user: 'shared' })
  const there = await connectSdk1({ url: server.url, headers: { 'x-user-id': 'shared' } })
  await here.call('create_entities', {
    entities: [{ name: 'Zephyrine', entityType: 'cat', observations: ['Sleeps on the quixotarium'] }],
  })
  expect((await there.call('search_nodes', { query: 'quixotarium' })).structured.entities[0].name).toBe('Zephyrine')
  expect((await memory.search('quixotarium', { userId: 'shared' })).results).toHaveLength(1)
  expect((await there.call('delete_entities', { entityNames: ['Zephyrine'] })).isError).toBe(false)
  expect((await here.call('read_graph')).structured).toEqual({ entities: [], relations: [] })
  await here.close()
  await there.close()
  expect(wordsInFiles(db, ['quixotarium', 'Zephyrine'])).toEqual([])
})
