/** The scenarios of specification 000 that concern memories, through the use cases, on a real store. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { NASTY_USERS } from '../../test/contracts/memory-store.ts'
import type { Store } from '../domain/contracts/store.ts'
import { MnemeError } from '../domain/errors.ts'
import { silentLogger } from '../domain/logger.ts'
import { freshMemory } from '../domain/memory.ts'
import { openSqliteStore } from '../store/sqlite/open-store.ts'
import { type AddMemoryInput, addMemories, getMemory, listMemories, memoryHistory } from './memories.ts'
import { deleteAllMemories, deleteMemory, type UpdateMemoryInput, updateMemory } from './memories-edit.ts'
import { type SearchMemoriesInput, searchMemories } from './memories-search.ts'
import { type Opened, resolveOptions } from './open-options.ts'

const START = Date.parse('2026-06-01T08:00:00Z')
const DAY = 86_400_000

let store: Store
let now: number
/** Texts of more than 1,024 bytes are refused. */
let opened: Opened
const clock = () => new Date(now)

beforeEach(async () => {
  now = START
  store = await openSqliteStore({ path: ':memory:', create: true, clock, logger: silentLogger })
  opened = { store, options: resolveOptions({ clock, maxContentBytes: 1024 }) }
})
afterEach(() => store.close())

async function add(text: string, said: Partial<AddMemoryInput> = {}): Promise<string> {
  const [added] = await addMemories(opened, text, { userId: 'anna', ...said })
  return added?.memory.id ?? ''
}

async function search(query: string, said: Partial<SearchMemoriesInput> = {}) {
  return searchMemories(opened, query, { userId: 'anna', ...said })
}

async function texts(query: string, said: Partial<SearchMemoriesInput> = {}): Promise<readonly string[]> {
  return (await search(query, said)).results.map(({ memory }) => memory.text)
}

function edit(id: string, patch: UpdateMemoryInput) {
  return updateMemory(opened, 'anna', id, patch)
}

async function speak(topic: string | null): Promise<void> {
  const turn = { role: 'user' as const, content: 'Hello', speaker: null, createdAt: now, externalId: null }
  const turns = [{ ...turn, metadata: null, isCollected: false, symbols: [] }]
  await store.log.append('anna', [{ conversationId: 'chat', projectRoot: '', turns }], now)
  await store.workingMemory.update('anna', 'chat', { currentTopic: topic }, now)
}

describe('000, storage', () => {
  test('Create long-term memory from user statement: user_stated with a confidence of 0.9', async () => {
    const id = await add('我对花生过敏')
    expect(await getMemory(store.memories, 'anna', id)).toMatchObject({
      text: '我对花生过敏',
      memoryType: 'semantic',
      category: 'fact',
      source: 'user_stated',
      confidence: 0.9,
      createdAt: START,
      accessCount: 0,
      lastAccessed: null,
    })
  })

  test('what the caller says of a memory is kept', async () => {
    const id = await add('Took the night train to Vienna', {
      memoryType: 'episodic',
      category: 'pattern',
      key: 'trip',
      value: { city: 'Vienna' },
      tags: ['travel', 'travel', 'train'],
      confidence: 0.4,
      source: 'inferred',
      importance: 3,
      who: 'Anna',
      occurredAt: '2026-05-20',
      createdAt: new Date(START - DAY),
      conversationId: 'chat',
      sourceTurnIds: [4],
      metadata: { seat: '4A' },
    })
    expect(await getMemory(store.memories, 'anna', id)).toMatchObject({
      tags: ['travel', 'train'],
      occurredAt: Date.parse('2026-05-20T00:00:00Z'),
      createdAt: START - DAY,
      validFrom: Date.parse('2026-05-20T00:00:00Z'),
      confidence: 0.4,
      value: { city: 'Vienna' },
      sourceTurnIds: [4],
    })
  })

  test('each of several messages becomes one memory, and all are refused when one is bad', async () => {
    const said = { userId: 'anna' }
    const good = [
      { role: 'user' as const, content: 'My sister lives in Oslo' },
      { role: 'assistant' as const, content: 'Oslo is lovely in June' },
    ]
    const added = await addMemories(opened, good, said)
    expect(added.map(({ memory, event }) => [memory.who, event])).toEqual([
      ['user', 'ADD'],
      ['assistant', 'ADD'],
    ])
    await expect(addMemories(opened, [...good, { role: 'user', content: ' ' }], said)).rejects.toThrow('messages[2]')
    expect((await listMemories(opened, said)).total).toBe(2)
  })

  test('the same external id is added once', async () => {
    const id = await add('Bakes bread on Fridays', { externalId: 'diary-1' })
    expect(await add('Bakes bread on Fridays', { externalId: 'diary-1' })).toBe(id)
    expect((await listMemories(opened, { userId: 'anna' })).total).toBe(1)
  })
})

describe('000, retrieval', () => {
  test('Retrieve relevant long-term memories: ordered by score, at most five unless said otherwise', async () => {
    for (let lap = 1; lap <= 8; lap += 1) await add(`Swam ${lap} laps in the lake`)
    await add('Swam with dolphins in the cold lake near Bergen')
    await add('Collects old maps')
    const { results, warnings } = await search('who swam in the cold lake near Bergen?', { ranking: 'long-term' })
    expect(results).toHaveLength(5)
    expect(results[0]?.memory.text).toContain('dolphins')
    const scores = results.map(({ score }) => score)
    expect(scores).toEqual([...scores].sort((a, b) => b - a))
    expect(warnings).toEqual([])
    expect(await search('swam in the lake')).toMatchObject({ results: { length: 9 } })
    expect((await search('lake', { limit: 2 })).results).toHaveLength(2)
  })

  test('Keyword matching with SQLite FTS: words, parts of words with a star, both languages', async () => {
    await add('我喜欢用 Python 写代码')
    await add('The deployment runs on Kubernetes')
    expect(await texts('Pyth*')).toEqual(['我喜欢用 Python 写代码'])
    expect(await texts('kube* 部署')).toEqual(['The deployment runs on Kubernetes'])
    expect(await texts('代码')).toEqual(['我喜欢用 Python 写代码'])
    expect(await texts('which deployments run?')).toEqual(['The deployment runs on Kubernetes'])
  })

  test('operators of FTS5 and SQL in a message are text', async () => {
    await add('Keeps two rabbits')
    for (const message of [
      'rabbits" OR "x',
      'rabbits AND NOT rabbits',
      'NEAR(rabbits',
      "rabbits'; DROP TABLE memories; --",
    ])
      expect(await texts(message)).toEqual(['Keeps two rabbits'])
    expect(await texts('% _ * " \' ( ) terms:')).toEqual([])
    expect((await listMemories(opened, { userId: 'anna' })).total).toBe(1)
  })

  test('a preference is found behind any number of better matching facts when preferences are spoken of', async () => {
    const facts = Array.from({ length: 80 }, (_, index) => `Coffee, coffee, coffee: delivery ${index}`)
    for (const text of facts) await add(text, { confidence: 0, source: 'inferred' })
    const taste = await add('After lunch in the garden with the neighbours she takes coffee without sugar or milk', {
      category: 'preference',
    })
    const { results } = await search('I love coffee', { ranking: 'long-term' })
    expect(results.map(({ memory }) => memory.id)).toContain(taste)
  })

  test('filters, moments and the past: only what may answer answers', async () => {
    await add('Lived in Graz with a dog', { metadata: { topic: 'home' }, createdAt: '2020-01-01' })
    const id = await add('Lives in Linz with a dog', { metadata: { topic: 'home' }, confidence: 0.95 })
    await store.memories.update('anna', id, { validTo: START + DAY }, START)
    expect(await texts('dog', { filters: { confidence: { gte: 0.95 } } })).toEqual(['Lives in Linz with a dog'])
    expect(await texts('dog', { filters: { 'metadata.topic': 'work' } })).toEqual([])
    expect(await texts('dog', { asOf: '2021-01-01' })).toEqual(['Lived in Graz with a dog'])
    now = START + 2 * DAY
    expect(await texts('dog')).toEqual(['Lived in Graz with a dog'])
    expect((await listMemories(opened, { userId: 'anna', includePast: true })).total).toBe(2)
    expect((await listMemories(opened, { userId: 'anna', filters: { 'metadata.topic': 'home' } })).total).toBe(1)
  })
})

describe('000, lifecycle', () => {
  test('User delete specific memory: it is gone, and asking for it again is an error', async () => {
    const id = await add('Owes Peter ten euros')
    await deleteMemory(opened, 'anna', id)
    expect(await texts('Peter')).toEqual([])
    for (const attempt of [
      getMemory(store.memories, 'anna', id),
      deleteMemory(opened, 'anna', id),
      memoryHistory(store.memories, 'anna', id),
      edit(id, { text: 'Owes nothing' }),
    ])
      await expect(attempt).rejects.toMatchObject({ code: 'not_found' })
  })

  test('User clear all memories: the working memory stays', async () => {
    await add('喜欢爬山')
    await add('讨厌堵车')
    await speak('weekend plans')
    expect(await deleteAllMemories(opened, { userId: 'anna' })).toBe(2)
    expect((await listMemories(opened, { userId: 'anna' })).total).toBe(0)
    expect(await store.workingMemory.get('anna', 'chat', START)).toMatchObject({ currentTopic: 'weekend plans' })
  })

  test('memories that pass a filter are deleted, the others stay', async () => {
    for (let index = 0; index < 12; index += 1) await add(`Draft ${index}`, { metadata: { draft: index % 3 === 0 } })
    expect(await deleteAllMemories(opened, { userId: 'anna', filters: { 'metadata.draft': true } })).toBe(4)
    expect(await deleteAllMemories(opened, { userId: 'anna', filters: { category: 'pattern' } })).toBe(0)
    expect((await listMemories(opened, { userId: 'anna' })).total).toBe(8)
  })

  test('one that is edited while those that pass a filter are looked for is deleted too', async () => {
    const drafts = Array.from({ length: 600 }, (_, index) => {
      const metadata = { draft: index % 100 === 98 }
      return freshMemory({ id: `m${index + 1}`, text: `Draft ${index}`, createdAt: now, occurredAt: now, metadata })
    })
    await store.memories.insert('anna', drafts)
    let pages = 0
    const list: typeof store.memories.list = async (userId, page) => {
      const found = await store.memories.list(userId, page)
      pages += 1
      now += 1
      // By id the last of all.
      if (pages === 1) await edit('m99', { text: 'A draft, edited' })
      return found
    }
    const filters = { 'metadata.draft': true }
    expect(
      await deleteAllMemories(
        { ...opened, store: { ...store, memories: { ...store.memories, list } } },
        { userId: 'anna', filters },
      ),
    ).toBe(6)
    expect((await listMemories(opened, { userId: 'anna', filters })).total).toBe(0)
  })

  test('an edit is told in the history', async () => {
    const id = await add('Has one child')
    now += DAY
    expect(await edit(id, { text: 'Has two children', category: 'fact' })).toMatchObject({ text: 'Has two children' })
    expect((await memoryHistory(store.memories, 'anna', id)).map(({ event, newText }) => [event, newText])).toEqual([
      ['ADD', 'Has one child'],
      ['UPDATE', 'Has two children'],
    ])
  })

  test('a page holds as many as asked for, with the total', async () => {
    for (let index = 0; index < 7; index += 1) await add(`Note ${index}`, { tags: index < 5 ? ['few'] : [] })
    const page = await listMemories(opened, { userId: 'anna', limit: 3, offset: 3 })
    expect([page.items.length, page.total]).toEqual([3, 7])
    const filters = { OR: [{ tag: 'few' }] }
    const filtered = await listMemories(opened, { userId: 'anna', limit: 3, offset: 3, filters })
    expect([filtered.items.length, filtered.total]).toEqual([2, 5])
  })
})

test('a memory with an end holds until then, can be given another, and includePast finds it afterwards', async () => {
  const id = await add('The pool is closed', { validTo: new Date(START + DAY) })
  expect(await texts('pool')).toEqual(['The pool is closed'])
  now = START + DAY
  expect(await texts('pool')).toEqual([])
  expect(await texts('pool', { includePast: true })).toEqual(['The pool is closed'])
  await edit(id, { validTo: null })
  expect(await texts('pool')).toEqual(['The pool is closed'])
  await expect(edit(id, { validTo: 'soon' })).rejects.toMatchObject({ field: 'validTo' })
  await store.memories.update('anna', id, { validTo: now, supersededBy: 'm9' }, now)
  await expect(edit(id, { validTo: null })).rejects.toThrow(/took its place/)
  const past = { userId: 'anna', includePast: true, filters: { supersededBy: null } }
  expect((await listMemories(opened, past)).total).toBe(0)
})

test('whatever users are called, a search answers each with their own memories only', async () => {
  for (const [index, userId] of NASTY_USERS.entries())
    await add(`Locker number ${index} holds the umbrella`, { userId })
  for (const [index, userId] of NASTY_USERS.entries())
    expect(await texts('which locker holds the umbrella?', { userId })).toEqual([
      `Locker number ${index} holds the umbrella`,
    ])
})

describe('bad input is refused with its field, and nothing is written', () => {
  test.each<[string, unknown, object]>([
    ['text', '', {}],
    ['text', ' \n\t', {}],
    ['text', 42, {}],
    ['text', 'half \ud83d of a pair', {}],
    ['text', 'nul \0 inside', {}],
    ['text', 'x'.repeat(1025), {}],
    ['messages', [], {}],
    ['messages[0].role', [{ role: 'robot', content: 'Beep' }], {}],
    ['userId', 'Fine', { userId: undefined }],
    ['userId', 'Fine', { userId: '' }],
    ['confidence', 'Fine', { confidence: 1.01 }],
    ['confidence', 'Fine', { confidence: Number.NaN }],
    ['importance', 'Fine', { importance: 4 }],
    ['importance', 'Fine', { importance: 1.5 }],
    ['category', 'Fine', { category: 'wish' }],
    ['source', 'Fine', { source: 'guessed' }],
    ['memoryType', 'Fine', { memoryType: 'procedural' }],
    ['createdAt', 'Fine', { createdAt: 'soon' }],
    ['occurredAt', 'Fine', { occurredAt: '2026-02-30' }],
    ['tags', 'Fine', { tags: 'one' }],
    ['tags[1]', 'Fine', { tags: ['one', 2] }],
    ['metadata', 'Fine', { metadata: [1] }],
    ['value', 'Fine', { value: { big: 1n } }],
    ['sourceTurnIds[0]', 'Fine', { sourceTurnIds: [0] }],
    [
      'externalId',
      [
        { role: 'user', content: 'a' },
        { role: 'user', content: 'b' },
      ],
      { externalId: 'e' },
    ],
    ['colour', 'Fine', { colour: 'red' }],
  ])('add: %s', async (field, content, said) => {
    const input: AddMemoryInput = { userId: 'anna', ...said }
    const refused = await addMemories(opened, content as string, input).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(MnemeError)
    expect(refused).toMatchObject({ code: 'invalid_input', field })
    expect((await listMemories(opened, { userId: 'anna' })).total).toBe(0)
  })

  test.each<[string, unknown, object]>([
    ['query', '', {}],
    ['query', 'x'.repeat(65_537), {}],
    ['query', null, {}],
    ['limit', 'tea', { limit: 0 }],
    ['limit', 'tea', { limit: 10_001 }],
    ['limit', 'tea', { limit: 2.5 }],
    ['ranking', 'tea', { ranking: 'conversation' }],
    ['now', 'tea', { now: 'noon' }],
    ['asOf', 'tea', { asOf: 'then' }],
    ['filters.nope', 'tea', { filters: { nope: 1 } }],
    ['explain', 'tea', { explain: 'yes' }],
    ['topK', 'tea', { topK: 3 }],
  ])('search: %s', async (field, query, said) => {
    const refused = await search(query as string, said).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'invalid_input', field })
  })

  test('list, edit and delete check their input as well', async () => {
    const id = await add('Sings in a choir')
    const attempts: readonly [string, Promise<unknown>][] = [
      ['limit', listMemories(opened, { userId: 'anna', limit: 10_001 })],
      ['offset', listMemories(opened, { userId: 'anna', offset: -1 })],
      ['includePast', listMemories(opened, { userId: 'anna', includePast: true, asOf: '2026-01-01' })],
      ['patch', edit(id, {})],
      ['text', edit(id, { text: '' })],
      ['text', edit(id, { text: 'x'.repeat(1025) })],
      ['confidence', edit(id, { confidence: -1 })],
      ['id', edit(id, { ...{ id: 'other' }, text: 'Sings' })],
      ['id', getMemory(store.memories, 'anna', '')],
      ['filters.nope', deleteAllMemories(opened, { userId: 'anna', filters: { nope: 1 } })],
    ]
    for (const [field, attempt] of attempts)
      await expect(attempt).rejects.toMatchObject({ code: 'invalid_input', field })
    expect(await getMemory(store.memories, 'anna', id)).toMatchObject({ text: 'Sings in a choir', updatedAt: START })
  })
})
