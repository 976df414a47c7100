import { expect, test } from 'vitest'
import { memoryOf } from '../../../../test/contracts/memory-store.ts'
import { DAY_MS, MINUTE_MS } from '../../../domain/clock.ts'
import type { MemoryStore } from '../../../domain/contracts/memory-store.ts'
import type { LanguageModel, ModelRequest } from '../../../domain/contracts/models.ts'
import type { VectorIndex } from '../../../domain/contracts/vector-index.ts'
import type { Logger } from '../../../domain/logger.ts'
import type { Memory } from '../../../domain/memory.ts'
import { openDatabase } from '../../../store/sqlite/file/open-database.ts'
import { sqliteMemoryStore } from '../../../store/sqlite/memories/memory-store.ts'
import { consolidate } from './consolidate.ts'
import type { ConsolidateDependencies } from './find-similar.ts'

const START = Date.parse('2026-06-01T08:00:00Z')
const NOTHING = { processed: 0, merged: 0, separated: 0, promoted: 0, deleted: 0, skipped: 0, modelCalls: 0 }

interface Line {
  readonly level: string
  readonly message: string
  readonly details: Record<string, unknown> | undefined
}

/** A real store, and a logger that keeps its lines. */
function rig(): ConsolidateDependencies & { readonly lines: Line[] } {
  const connection = openDatabase(':memory:', { create: true })
  const lines: Line[] = []
  const keep =
    (level: string): Logger['info'] =>
    (message, details) =>
      void lines.push({ level, message, details })
  return {
    memories: sqliteMemoryStore(connection),
    clock: () => new Date(START + 30 * DAY_MS),
    vectors: null,
    llm: null,
    logger: { debug: keep('debug'), info: keep('info'), warn: keep('warn'), error: keep('error') },
    lines,
  }
}

function episode(id: string, text: string, changes: Partial<Memory> & { readonly after?: number } = {}): Memory {
  const { after = 0, ...rest } = changes
  const at = START + after
  return memoryOf(id, text, {
    memoryType: 'episodic',
    conversationId: 'chat-a',
    who: 'user',
    occurredAt: at,
    createdAt: at,
    updatedAt: at,
    validFrom: at,
    sourceTurnIds: [1],
    metadata: { context: '', thing: '', time: new Date(at).toISOString(), chatid: 'chat-a', who: 'user' },
    ...rest,
  })
}

async function texts(memories: MemoryStore, userId = 'kim', filter = {}): Promise<readonly string[]> {
  return (await memories.list(userId, { limit: 100, offset: 0, filter })).items.map(({ text }) => text).toSorted()
}

/** An index in which every pair of these memories has the cosine that is asked for. */
function vectorsWith(cosine: number): Pick<VectorIndex, 'search' | 'get' | 'remove'> {
  const ids = ['a', 'b']
  return {
    get: async (_user, asked) =>
      new Map(asked.filter((id) => ids.includes(id)).map((id) => [id, new Float32Array([1])])),
    search: async () => ids.map((id) => ({ id, score: cosine })),
    remove: async () => 0,
  }
}

const NO_USAGE = { promptTokens: 0, completionTokens: 0, cost: null }

/** A model that answers so. */
function asking(answer: (request: ModelRequest) => Promise<string>): LanguageModel {
  return {
    model: 'scripted',
    ask: async (request) => ({ text: await answer(request), model: '', usage: NO_USAGE, attempts: 1, latencyMs: 0 }),
    stream: () => {
      throw new Error('nothing is streamed')
    },
    close: async () => {},
  }
}

const VENUE = 'Visited the Harbour Hall with Noor, it has a wide stage.'
const VENUE_AGAIN = 'Noor and I visited the Harbour Hall, the stage is wide.'

test('002 R5.1: every episodic memory is looked at, and similar ones are found among many others', async () => {
  const rigged = rig()
  const others = Array.from({ length: 60 }, (_, n) =>
    episode(`o${n}`, `Order ${n} of ${n * 7} bolts went to depot ${n}.`),
  )
  await rigged.memories.insert('kim', [episode('a', VENUE), ...others, episode('b', VENUE_AGAIN)])
  const counts = await consolidate(rigged, { userId: 'kim' })
  expect(counts.merged).toBe(1)
  expect(counts.processed).toBeGreaterThanOrEqual(61)
})

test('002 R5.2: cosine >= 0.85 AND same who AND time/chat constraints: merged; 0.85 itself too', async () => {
  const pairs: readonly (readonly [number, Partial<Memory> & { after?: number }, number])[] = [
    [0.85, {}, 1],
    [0.99, { after: 30 * MINUTE_MS }, 1],
    [0.849, {}, 0],
    [0.99, { who: 'Noor' }, 0],
    [0.99, { after: 31 * MINUTE_MS }, 0],
    [0.99, { after: 8 * DAY_MS, conversationId: 'chat-b' }, 0],
  ]
  for (const [cosine, changes, merged] of pairs) {
    const rigged = { ...rig(), vectors: vectorsWith(cosine) }
    await rigged.memories.insert('kim', [episode('a', VENUE), episode('b', 'The hall has good light.', changes)])
    expect((await consolidate(rigged, { userId: 'kim' })).merged, `${cosine} ${JSON.stringify(changes)}`).toBe(merged)
  }
})

test('002 R5.3: 0.65 <= similarity < 0.85: both are rewritten for better distinction, once', async () => {
  for (const [cosine, separated] of [
    [0.65, 1],
    [0.84, 1],
    [0.649, 0],
    [0.85, 0],
  ] as const) {
    const rigged = { ...rig(), vectors: vectorsWith(cosine) }
    const b = episode('b', 'Visited the Old Mill with Noor.', { after: DAY_MS })
    await rigged.memories.insert('kim', [episode('a', VENUE), b])
    const counts = await consolidate(rigged, { userId: 'kim' })
    expect(counts.separated, String(cosine)).toBe(separated)
    expect(await consolidate(rigged, { userId: 'kim' })).toEqual(NOTHING)
  }
})

test('002 R5.4: the two originals are deleted and one merged record is inserted with its lineage', async () => {
  const rigged = rig()
  await rigged.memories.insert('kim', [
    episode('a', VENUE, { accessCount: 2 }),
    episode('b', VENUE_AGAIN, { after: 2 * DAY_MS, conversationId: 'chat-b', accessCount: 3 }),
  ])
  expect(await consolidate(rigged, { userId: 'kim' })).toMatchObject({ merged: 1, deleted: 2 })
  expect([await rigged.memories.get('kim', 'a'), await rigged.memories.get('kim', 'b')]).toEqual([null, null])
  const { items } = await rigged.memories.list('kim', { limit: 10, offset: 0, filter: { memoryType: 'episodic' } })
  expect(items).toHaveLength(1)
  expect(items[0]!.accessCount).toBe(5)
  expect(items[0]!.metadata).toMatchObject({ source_chat_ids: ['chat-a', 'chat-b'], merged_from_ids: ['a', 'b'] })
})

test('002 R5.5: separating updates text, context and thing of both, and the old words stay', async () => {
  const rigged = rig()
  await rigged.memories.insert('kim', [
    episode('a', '周一早上和阿杰在滨江公园跑步，跑了六公里，状态不错。'),
    episode('b', '周四早上和小蔓在滨江公园跑步，跑了九公里，状态不错。', { after: 3 * DAY_MS }),
  ])
  expect(await consolidate(rigged, { userId: 'kim' })).toMatchObject({ separated: 1, merged: 0 })
  const [a, b] = [(await rigged.memories.get('kim', 'a'))!, (await rigged.memories.get('kim', 'b'))!]
  expect(a.text).toMatch(/^【6月\d+日】周一早上和阿杰/)
  expect(b.text).toMatch(/^【6月\d+日】周四早上和小蔓/)
  expect(a.metadata!.context).not.toBe(b.metadata!.context)
  expect(a.metadata!.thing).not.toBe(b.metadata!.thing)
  expect((await rigged.memories.history('kim', 'a')).map(({ event }) => event)).toEqual(['ADD', 'UPDATE'])
})

test('002 R6.1, R6.6: facts of episodes become semantic memories with fact, source_chatid and first_seen', async () => {
  const rigged = rig()
  await rigged.memories.insert('kim', [
    episode('a', 'The ferry was late. I work as a harbour pilot in Tallinn.'),
    episode('b', '这周很忙。我每天早上都练一小时小提琴。', { after: DAY_MS, conversationId: 'chat-b' }),
  ])
  expect((await consolidate(rigged, { userId: 'kim' })).promoted).toBe(2)
  const { items } = await rigged.memories.list('kim', { limit: 9, offset: 0, filter: { memoryType: 'semantic' } })
  const pilot = items.find(({ text }) => text.includes('pilot'))!
  expect(pilot.text).toBe('I work as a harbour pilot in Tallinn.')
  expect(pilot.metadata).toMatchObject({
    fact: 'I work as a harbour pilot in Tallinn.',
    source_chatid: 'chat-a',
    first_seen: new Date(START).toISOString(),
    source_ids: ['a'],
  })
  expect(items.map(({ text }) => text)).toContain('我每天早上都练一小时小提琴。')
})

test('002 R6: an episode that says nothing but a fact becomes it, so that what was said once is kept once', async () => {
  const rigged = rig()
  const words = ['I work as a harbour pilot in Tallinn.', '我住在泉州鲤城区。']
  await rigged.memories.insert(
    'kim',
    words.map((text, at) => episode(`e${at}`, text, { after: at * DAY_MS, metadata: { thing: 'said' } })),
  )
  expect((await consolidate(rigged, { userId: 'kim' })).promoted).toBe(2)
  const { items } = await rigged.memories.list('kim', { limit: 9, offset: 0, filter: { includePast: true } })
  expect(items.map(({ text }) => text).toSorted()).toEqual(words.toSorted())
  for (const { id, text, memoryType, sourceTurnIds, metadata } of items) {
    const source = { thing: 'said', fact: text, source_chatid: 'chat-a', source_ids: [id] }
    expect({ memoryType, sourceTurnIds, metadata }).toMatchObject({
      ...{ memoryType: 'semantic', sourceTurnIds: [1] },
      metadata: source,
    })
  }
  expect(await consolidate(rigged, { userId: 'kim' })).toMatchObject({ promoted: 0, processed: 0 })
})

test('002 R6.4: a memory that is used more than 10 times is looked at again for its stable attributes', async () => {
  const rigged = rig()
  await rigged.memories.insert('kim', [episode('a', 'My green toolbox has two drawers.')])
  await consolidate(rigged, { userId: 'kim' })
  for (let use = 0; use < 10; use++) await rigged.memories.touch('kim', ['a'], START + use)
  expect(await consolidate(rigged, { userId: 'kim' })).toEqual(NOTHING)
  await rigged.memories.touch('kim', ['a'], START + 11)
  expect(await consolidate(rigged, { userId: 'kim' })).toMatchObject({ processed: 1 })
  expect(await texts(rigged.memories, 'kim', { memoryType: 'semantic' })).toEqual(['My green toolbox has two drawers.'])
})

test('a fact that is known, or was superseded, is not made again from an old episode', async () => {
  const rigged = rig()
  await rigged.memories.insert('kim', [
    episode('s', 'I work as a harbour pilot in Tallinn.', {
      memoryType: 'semantic',
      validTo: START,
      supersededBy: 'x',
    }),
    episode('a', 'We met at noon. I work as a harbour pilot in Tallinn.'),
  ])
  expect(await consolidate(rigged, { userId: 'kim' })).toMatchObject({ promoted: 0, skipped: 1 })
})

test('a second run with nothing new does nothing, and a new memory alone is looked at', async () => {
  const rigged = rig()
  await rigged.memories.insert('kim', [episode('a', VENUE), episode('b', 'Sold the blue bike to Orla.')])
  await consolidate(rigged, { userId: 'kim' })
  expect(await consolidate(rigged, { userId: 'kim' })).toEqual(NOTHING)
  // Told with a time long past, as an import does: it is new all the same.
  await rigged.memories.insert('kim', [episode('c', 'Bought paint for the fence.', { after: -400 * DAY_MS })])
  expect(await consolidate(rigged, { userId: 'kim' })).toMatchObject({ processed: 1 })
})

test('a run that is stopped in the middle keeps what it did, and the next one goes on', async () => {
  const rigged = rig()
  const many = Array.from({ length: 120 }, (_, n) => episode(`m${n}`, `Alpha${n} met beta${n} near gamma${n}.`))
  await rigged.memories.insert('kim', many)
  const stop = new AbortController()
  const stopped = consolidate(rigged, { userId: 'kim', signal: stop.signal, onProgress: () => stop.abort() })
  await expect(stopped).rejects.toMatchObject({ code: 'aborted' })
  const rest = await consolidate(rigged, { userId: 'kim' })
  expect(rest).toEqual({ ...NOTHING, processed: 70 })
})

test('without a user every user with something new is consolidated, and nothing crosses users', async () => {
  const rigged = rig()
  await rigged.memories.insert('kim', [episode('a', VENUE)])
  await rigged.memories.insert('lee', [episode('b', VENUE_AGAIN)])
  expect(await consolidate(rigged)).toMatchObject({ processed: 2, merged: 0, separated: 0 })
  expect(await texts(rigged.memories, 'kim')).toEqual([VENUE])
})

test('when somebody else writes in between, nothing is lost and nothing is merged from what was', async () => {
  const rigged = rig()
  await rigged.memories.insert('kim', [episode('a', VENUE), episode('b', VENUE_AGAIN)])
  let edits = 0
  const llm = asking(async ({ step }) => {
    if (step === 'merge' && ++edits === 1)
      await rigged.memories.update('kim', 'b', { text: `${VENUE_AGAIN} It costs 900 a night.` }, START + DAY_MS)
    return ''
  })
  expect((await consolidate({ ...rigged, llm }, { userId: 'kim' })).merged).toBe(1)
  expect(edits).toBeGreaterThan(1)
  expect((await texts(rigged.memories)).join()).toContain('900 a night')
})

test('model calls are bounded, and what the model does not answer the rules answer', async () => {
  const rigged = rig()
  const facts = Array.from({ length: 6 }, (_, n) => episode(`f${n}`, `Crate ${n * 17} stands at gate ${n + 40}.`))
  await rigged.memories.insert('kim', [...facts, episode('g', 'I live in Porto near the bridge.')])
  const llm = asking(() => Promise.reject(new Error('the line is dead')))
  const counts = await consolidate({ ...rigged, llm }, { userId: 'kim', maxModelCalls: 6 })
  expect(counts).toMatchObject({ modelCalls: 3, promoted: 1 })
  expect(rigged.lines.filter(({ level }) => level === 'warn')).toHaveLength(3)
})

test('002 R10.4, R10.5: a run logs operation, user_id and what was processed, merged, separated, promoted and deleted', async () => {
  const rigged = rig()
  await rigged.memories.insert('kim', [episode('a', VENUE), episode('b', VENUE_AGAIN)])
  const { promoted } = await consolidate(rigged, { userId: 'kim' })
  const line = rigged.lines.find(({ level }) => level === 'info')
  expect(line?.details).toMatchObject({
    operation: 'consolidate',
    user: 'kim',
    processed: 2,
    merged: 1,
    separated: 0,
    promoted,
    deleted: 2,
  })
})

test('what a memory had superseded is superseded by the one that it was merged into, so that undo finds its way back', async () => {
  const { memories, ...rest } = rig()
  const past = episode('past', 'Visited the Town Hall with Noor.', { validTo: START, supersededBy: 'b' })
  await memories.insert('kim', [past, episode('a', VENUE), episode('b', VENUE_AGAIN)])
  expect((await consolidate({ memories, ...rest }, { userId: 'kim' })).merged).toBe(1)
  const { items } = await memories.list('kim', { limit: 10, offset: 0 })
  const merged = items.find(({ metadata }) => metadata?.merged_from_ids !== undefined)!
  expect(await memories.get('kim', 'past')).toMatchObject({ validTo: START, supersededBy: merged.id })
})
