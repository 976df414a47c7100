/**
 * Bad input through the library gets a code, a field and a remedy, and nothing is written. Odd text is taken as text.
 */
import { expect, test } from 'vitest'
import { MnemeError, type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { freshDatabase } from '../support/folder.ts'

/** Calls as JavaScript callers make them: without types. */
// biome-ignore lint/suspicious/noExplicitAny: this test stands for a caller without types
type Loose = any

const MEGABYTE = 1024 * 1024
const NOW = new Date('2026-03-10T09:00:00Z')

async function withMemory(work: (memory: OpenMemory, loose: Loose) => Promise<void>): Promise<void> {
  await using memory = await openMemory({ path: freshDatabase(), userId: 'one', clock: () => NOW })
  await work(memory, memory)
}

/** Everything that a user of this memory could see, as one text. */
async function visible(memory: OpenMemory): Promise<string> {
  await memory.idle()
  const pieces: string[] = []
  for await (const piece of memory.conversations.export()) pieces.push(piece)
  const { fileBytes: _, ...stats } = { fileBytes: 0, ...(await memory.maintenance.stats()) }
  return JSON.stringify([
    pieces.join(''),
    stats.turns,
    await memory.workingMemory.list(),
    await memory.getAll({ includePast: true }),
  ])
}

/** Asserts that the call is refused as bad input that names `field`, with a remedy. */
async function expectRefused(what: string, field: string | RegExp, call: () => unknown): Promise<void> {
  const outcome = await (async () => call())().then(
    (value) => ({ what, resolved: JSON.stringify(value)?.slice(0, 120) }),
    (error: unknown) =>
      error instanceof MnemeError
        ? { what, code: error.code, field: error.field, remedy: error.remedy !== '' }
        : { what, raw: String(error) },
  )
  expect(outcome).toEqual({
    what,
    code: 'invalid_input',
    field: field instanceof RegExp ? expect.stringMatching(field) : field,
    remedy: true,
  })
}

const BAD_TEXTS: readonly (readonly [string, unknown])[] = [
  ['nothing', undefined],
  ['null', null],
  ['a number', 7],
  ['a list', ['text']],
  ['empty', ''],
  ['white space', ' \n\t '],
  ['ideographic space', '\u3000\u3000'],
  ['NUL', 'before\0after'],
  ['half a surrogate pair', 'broken \ud83d emoji'],
  ['the other half', '\ude00'],
  ['1 MB and a byte', 'x'.repeat(MEGABYTE + 1)],
  ['1 MB and a byte of Chinese', `${'忆'.repeat(MEGABYTE / 3)}忆`],
]

const BAD_TIMES: readonly unknown[] = [
  '2026-02-30',
  '2026-02-30T10:00:00Z',
  '2025-02-29',
  '2026-13-01',
  '2026-04-31T00:00:00+08:00',
  '2026-01-01T24:30:00Z',
  '2026-01-01T10:61:00Z',
  '2026-01-01T10:00:00+99:00',
  'yesterday',
  '昨天',
  '',
  'garbage',
  1_700_000_000_000,
  new Date(Number.NaN),
  {},
  '+275760-09-13',
]

test('storing refuses every field that is not what it should be, and writes nothing', async () => {
  await withMemory(async (memory, loose) => {
    await memory.conversations.store({ conversationId: 'chat', turns: [{ role: 'user', content: 'A sound turn.' }] })
    const before = await visible(memory)
    const store =
      (turn: object, input: object = {}) =>
      () =>
        loose.conversations.store({
          conversationId: 'chat',
          turns: [{ role: 'user', content: 'x', ...turn }],
          ...input,
        })

    for (const [name, content] of BAD_TEXTS)
      await expectRefused(`content ${name}`, 'turns[0].content', store({ content }))
    for (const role of [undefined, null, '', 'robot', 'USER', 1, 'toString'])
      await expectRefused(`role ${role}`, 'turns[0].role', store({ role }))
    for (const createdAt of BAD_TIMES)
      await expectRefused(`createdAt ${createdAt}`, 'turns[0].createdAt', store({ createdAt }))
    for (const speaker of [3, 'a\0b', '\ud800', 'x'.repeat(5000), ['Ann']])
      await expectRefused(`speaker ${speaker}`.slice(0, 40), 'turns[0].speaker', store({ speaker }))
    for (const externalId of [3, '', 'a\0b', '\ud800', 'x'.repeat(1025)])
      await expectRefused(`externalId ${externalId}`.slice(0, 40), 'turns[0].externalId', store({ externalId }))
    const circle: Record<string, unknown> = {}
    circle.self = circle
    for (const metadata of ['text', 4, ['list'], circle, { big: 10n }, { text: 'x'.repeat(300_000) }])
      await expectRefused('metadata', 'turns[0].metadata', store({ metadata }))
    await expectRefused('unknown turn field', /colou?r/, store({ color: 'red' }))

    for (const conversationId of [3, '', 'a\0b', '\udfff', 'x'.repeat(1025)])
      await expectRefused('conversationId', 'conversationId', store({}, { conversationId }))
    for (const projectRoot of [3, '', 'a\0b', 'x'.repeat(1025)])
      await expectRefused('projectRoot', 'projectRoot', store({}, { projectRoot }))
    for (const userId of [3, '', 'a\0b', '\ud800', 'x'.repeat(1025)])
      await expectRefused('userId', 'userId', store({}, { userId }))
    for (const turns of [
      undefined,
      null,
      'text',
      {},
      [],
      [null],
      ['text'],
      Array(10_001).fill({ role: 'user', content: 'x' }),
    ])
      await expectRefused('turns', /^turns|^turn$/, () => loose.conversations.store({ conversationId: 'chat', turns }))
    await expectRefused('unknown option', 'projet', store({}, { projet: '/home' }))
    for (const input of [undefined, null, 'text', 5, []])
      await expectRefused(`input ${input}`, /.*/, () => loose.conversations.store(input))

    // One bad turn among good ones: none is stored, and the bad one is named.
    await expectRefused('second of three', 'turns[1].content', () =>
      loose.conversations.store({
        conversationId: 'fresh',
        turns: [
          { role: 'user', content: 'good' },
          { role: 'user', content: '' },
          { role: 'user', content: 'good too' },
        ],
      }),
    )
    expect(await visible(memory)).toBe(before)
  })
})

test('recall refuses every field that is not what it should be', async () => {
  await withMemory(async (memory, loose) => {
    await memory.conversations.store({ conversationId: 'chat', turns: [{ role: 'user', content: 'A sound turn.' }] })
    for (const query of [undefined, null, 5, '', '  ', 'a\0b', '\ud800', 'x'.repeat(70_000), ['sound']])
      await expectRefused(`query ${query}`.slice(0, 30), 'query', () => loose.conversations.recall(query))
    const recall = (input: object) => () => loose.conversations.recall('sound', input)
    for (const limit of [0, -1, 10_001, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5', null])
      await expectRefused(`limit ${limit}`, 'limit', recall({ limit }))
    for (const name of ['since', 'until', 'now'])
      for (const time of BAD_TIMES) await expectRefused(`${name} ${time}`, name, recall({ [name]: time }))
    await expectRefused('since after until', 'since', recall({ since: '2026-02-02', until: '2026-02-01' }))
    for (const ranking of ['best', '', 1, 'HYBRID', 'constructor'])
      await expectRefused(`ranking ${ranking}`, 'ranking', recall({ ranking }))
    for (const kinds of ['turn', [], ['turns'], [1], {}])
      await expectRefused(`kinds ${kinds}`, /^kinds/, recall({ kinds }))
    for (const explain of ['yes', 1, {}]) await expectRefused(`explain ${explain}`, 'explain', recall({ explain }))
    await expectRefused('unknown option', 'topK', recall({ topK: 3 }))
    for (const name of ['conversationId', 'projectRoot', 'userId'])
      for (const id of [3, '', 'a\0b']) await expectRefused(name, name, recall({ [name]: id }))
    const most = await memory.conversations.recall('sound', { limit: 10_000 })
    expect(most.results).toHaveLength(1)
  })
})

test('reading, summarising and deleting refuse what is not there and what is out of order, and remove nothing', async () => {
  await withMemory(async (memory, loose) => {
    await memory.conversations.store({
      conversationId: 'chat',
      turns: Array.from({ length: 12 }, (_, at) => ({ role: 'user' as const, content: `Sound turn ${at}.` })),
    })
    const before = await visible(memory)
    const { conversations } = loose
    for (const call of [
      () => conversations.get('nowhere'),
      () => conversations.turns('nowhere'),
      () => conversations.summaries('nowhere'),
      () => conversations.summarize('nowhere', { fromTurn: 1, toTurn: 2 }),
      () => conversations.delete({ conversationId: 'nowhere' }),
      () => loose.workingMemory.get({ conversationId: 'nowhere' }),
      () => loose.workingMemory.delete({ conversationId: 'nowhere' }),
      () => loose.get('nothing'),
      () => loose.update('nothing', 'text'),
      () => loose.delete('nothing'),
      () => loose.history('nothing'),
    ])
      await expect(call()).rejects.toMatchObject({
        name: 'MnemeError',
        code: 'not_found',
        remedy: expect.stringMatching(/./),
      })
    await expect(async () => {
      for await (const _ of conversations.export({ conversationId: 'nowhere' }));
    }).rejects.toMatchObject({ code: 'not_found' })

    for (const [fromTurn, toTurn] of [
      [5, 4],
      [0, 4],
      [-1, 4],
      [1, 1.5],
      ['1', 4],
      [1, undefined],
      [undefined, 2],
      [1, Number.NaN],
    ]) {
      await expectRefused(`summarize ${fromTurn}…${toTurn}`, /^(fromTurn|toTurn)$/, () =>
        conversations.summarize('chat', { fromTurn, toTurn }),
      )
      if (fromTurn !== undefined && toTurn !== undefined)
        await expectRefused(`turns ${fromTurn}…${toTurn}`, /^(fromTurn|toTurn)$/, () =>
          conversations.turns('chat', { fromTurn, toTurn }),
        )
    }
    await expectRefused('summarize without a span', /.*/, () => conversations.summarize('chat'))
    for (const limit of [0, 10_001, -5, '3', 2.5]) {
      await expectRefused('list limit', 'limit', () => conversations.list({ limit }))
      await expectRefused('turns limit', 'limit', () => conversations.turns('chat', { limit }))
      await expectRefused('getAll limit', 'limit', () => loose.getAll({ limit }))
    }
    for (const offset of [-1, 1.5, '2', Number.NaN]) {
      await expectRefused('list offset', 'offset', () => conversations.list({ offset }))
      await expectRefused('turns offset', 'offset', () => conversations.turns('chat', { offset }))
    }
    await expectRefused('list unknown option', /sort/, () => conversations.list({ sort: 'name' }))
    await expectRefused('turns unknown option', /from/, () => conversations.turns('chat', { from: 2 }))
    for (const input of [
      {},
      { all: false },
      { all: true, conversationId: 'chat' },
      { conversationId: 'chat', olderThan: '2026-01-01' },
    ])
      await expectRefused(`delete ${JSON.stringify(input)}`, /.*/, () => conversations.delete(input))
    await expectRefused('delete nothing named', /.*/, () => conversations.delete())
    await expectRefused('delete unknown option', /everything/, () =>
      conversations.delete({ all: true, everything: true }),
    )
    for (const all of ['yes', 1]) await expectRefused(`all ${all}`, /all/, () => conversations.delete({ all }))
    for (const olderThan of BAD_TIMES)
      await expectRefused(`olderThan ${olderThan}`, 'olderThan', () => conversations.delete({ olderThan }))
    await expectRefused('export format', 'format', async () => {
      for await (const _ of conversations.export({ format: 'xml' }));
    })
    expect(await visible(memory)).toBe(before)
  })
})

test('memories refuse every field that is not what it should be, and nothing is written', async () => {
  await withMemory(async (memory, loose) => {
    const { results } = await memory.add('Tea without sugar.', { infer: false })
    const id = results[0]!.id
    const before = await visible(memory)
    for (const [name, text] of BAD_TEXTS) {
      if (Array.isArray(text)) continue
      await expectRefused(`add ${name}`, 'text', () => loose.add(text))
      if (name !== 'nothing') await expectRefused(`update ${name}`, /^(text|patch)$/, () => loose.update(id, { text }))
    }
    for (const messages of [
      [],
      [{}],
      ['text'],
      [{ role: 'user', content: '' }],
      [{ role: 'bot', content: 'x' }],
      [null],
    ])
      await expectRefused('messages', /^messages/, () => loose.add(messages))
    const fields: Readonly<Record<string, readonly unknown[]>> = {
      confidence: [-0.1, 1.1, Number.NaN, '1'],
      importance: [-1, 4, 1.5, '2'],
      category: ['thing', '', 1],
      memoryType: ['vague', 2],
      source: ['rumour'],
      key: ['', 'a\0b', 4, 'x'.repeat(1025)],
      who: ['', 'a\0b', 4],
      tags: ['tag', [1], [''], ['a\0b'], Array(300).fill('t')],
      metadata: ['x', [1], 5],
      value: ['x'.repeat(300_000), () => 1, 5n],
      createdAt: BAD_TIMES,
      occurredAt: BAD_TIMES,
      externalId: ['', 4],
      conversationId: ['', 4],
      sourceTurnIds: ['1', [0], [-1], ['1'], [1.5]],
      infer: ['no'],
      wait: [1],
      colour: ['red'],
    }
    for (const [name, values] of Object.entries(fields))
      for (const value of values)
        await expectRefused(`add ${name} ${typeof value}`, new RegExp(`^${name}`), () =>
          loose.add('Coffee at nine.', { [name]: value }),
        )
    for (const patch of [{}, null, 5, ['x'], { colour: 'red' }, { id: 'x' }])
      await expectRefused('patch', /.*/, () => loose.update(id, patch))
    for (const query of [undefined, '', ' ', 5, 'a\0b', '\ud800'])
      await expectRefused('search query', 'query', () => loose.search(query))
    for (const limit of [0, 10_001, '3'])
      await expectRefused('search limit', 'limit', () => loose.search('tea', { limit }))
    for (const asOf of BAD_TIMES) await expectRefused(`asOf ${asOf}`, 'asOf', () => loose.search('tea', { asOf }))
    for (const ranking of ['conversation', 'best'])
      await expectRefused('search ranking', 'ranking', () => loose.search('tea', { ranking }))
    for (const filters of [
      'x',
      [],
      { colour: 'red' },
      { category: 'thing' },
      { confidence: { over: 1 } },
      { AND: {} },
      { __proto__: null, toString: 'x' },
    ])
      await expectRefused(`filters ${JSON.stringify(filters)}`, /^filters/, () => loose.search('tea', { filters }))
    for (const filters of ['x', { colour: 'red' }])
      await expectRefused('deleteAll filters', /^filters/, () => loose.deleteAll({ filters }))
    await expectRefused('deleteAll unknown option', /filter/, () =>
      loose.deleteAll({ filter: { category: 'preference' } }),
    )
    for (const ids of ['x', undefined, [5], ['']]) await expectRefused('touch', /.*/, () => loose.touch(ids))
    expect(await visible(memory)).toBe(before)
  })
})

test('restoring refuses numbers, turns and summaries that cannot be, and recall goes on working', async () => {
  await withMemory(async (memory, loose) => {
    await memory.conversations.store({
      conversationId: 'chat',
      turns: [{ role: 'user', content: 'The well is deep.' }],
    })
    const before = await visible(memory)
    const restore = (input: object) => () =>
      loose.conversations.restore({ conversationId: 'chat', turns: [], ...input })
    const turn = (turnId: unknown) => ({ turns: [{ turnId, role: 'user', content: 'Far away.' }] })
    for (const number of [0, -1, 1.5, '1', Number.MAX_SAFE_INTEGER, 2 ** 32, Number.NaN])
      await expectRefused(`turnId ${number}`, /turnId$/, restore(turn(number)))
    for (const turns of [undefined, null, 'x', [null], ['x'], [{}]])
      await expectRefused('turns', /^(turns|turn|role|content)/, restore({ turns }))
    const summary = { startTurn: 1, endTurn: 1, summary: 'Deep.', keySymbols: [], keyDecisions: [], createdAt: NOW }
    for (const wrong of [
      null,
      'x',
      {},
      { ...summary, startTurn: 0 },
      { ...summary, endTurn: 2 ** 53 },
      { ...summary, startTurn: 3, endTurn: 2 },
      { ...summary, keySymbols: 'x' },
      { ...summary, summary: 5 },
    ])
      await expectRefused('summary', /^summaries/, restore({ summaries: [wrong] }))
    await expectRefused('summaries', 'summaries', restore({ summaries: 'x' }))
    await expectRefused('working memory of nothing', 'conversationId', () => loose.workingMemory.get())
    expect(await visible(memory)).toBe(before)

    await memory.conversations.restore({
      conversationId: 'far',
      turns: [{ turnId: 2_000_000_000, role: 'user', content: 'The comet is far away.' }],
    })
    const [next] = await memory.conversations.store({
      conversationId: 'far',
      turns: [{ role: 'user', content: 'Nearer.' }],
    })
    expect(next?.turnId).toBe(2_000_000_001)
    await memory.maintenance.reindex()
    expect((await memory.conversations.recall('comet')).results[0]).toMatchObject({ turnId: 2_000_000_000 })
  })
})

test('options of openMemory that are wrong or unknown are refused before a file is made', async () => {
  const open = openMemory as Loose
  const path = freshDatabase()
  const bad: Readonly<Record<string, readonly unknown[]>> = {
    path: ['', 5, 'a\0b', null],
    userId: ['', 5, 'x'.repeat(1025)],
    create: ['yes', 1],
    clock: ['now', new Date()],
    logger: ['console', 5, {}],
    embedding: ['openai', 5],
    vectorStore: ['milvus'],
    maxContentBytes: [0, -1, 1.5, '1'],
    retrievalLimit: [0, 10_001],
    evictionThreshold: [0, -1, 'all'],
    archiveWorkingMemory: ['yes', 1],
    timeZone: ['Mars/Olympus', 8],
    durability: ['always', true],
    databse: ['memory.db'],
  }
  for (const [name, values] of Object.entries(bad))
    for (const value of values)
      await expectRefused(`${name} ${value}`.slice(0, 40), name, () => open({ path, [name]: value }))
  await expectRefused('options', /.*/, () => open('memory.db'))
})

test('a call without a user is refused where none was given at opening', async () => {
  await using memory = await openMemory({ path: freshDatabase() })
  const loose: Loose = memory
  const turns = [{ role: 'user', content: 'Whose is this?' }]
  const calls: Readonly<Record<string, () => unknown>> = {
    store: () => loose.conversations.store({ conversationId: 'chat', turns }),
    recall: () => loose.conversations.recall('whose'),
    list: () => loose.conversations.list(),
    get: () => loose.conversations.get('chat'),
    turns: () => loose.conversations.turns('chat'),
    summaries: () => loose.conversations.summaries('chat'),
    summarize: () => loose.conversations.summarize('chat', { fromTurn: 1, toTurn: 2 }),
    delete: () => loose.conversations.delete({ all: true }),
    import: () => loose.conversations.import((async function* () {})()),
    export: async () => {
      for await (const _ of loose.conversations.export());
    },
    add: () => loose.add('x'),
    search: () => loose.search('x'),
    getAll: () => loose.getAll(),
    memory: () => loose.get('x'),
    update: () => loose.update('x', 'y'),
    deleteMemory: () => loose.delete('x'),
    deleteAll: () => loose.deleteAll(),
    history: () => loose.history('x'),
    reset: () => loose.reset(),
    touch: () => loose.touch(['x']),
    working: () => loose.workingMemory.list(),
    evict: () => loose.maintenance.evict(),
    reindex: () => loose.maintenance.reindex(),
  }
  for (const [name, call] of Object.entries(calls)) await expectRefused(name, 'userId', call)
  await memory.conversations.store({
    userId: 'ann',
    conversationId: 'chat',
    turns: [{ role: 'user', content: 'Mine.' }],
  })
  expect((await memory.conversations.list({ userId: 'bob' })).total).toBe(0)
})

test('every call after close is refused as closed, and closing twice is no error', async () => {
  const memory = await openMemory({ path: freshDatabase(), userId: 'one' })
  await memory.conversations.store({ conversationId: 'chat', turns: [{ role: 'user', content: 'Last words.' }] })
  await memory.close()
  await memory.close()
  const calls: readonly (() => Promise<unknown>)[] = [
    () => memory.conversations.store({ turns: [{ role: 'user', content: 'Too late.' }] }),
    () => memory.conversations.recall('last words'),
    () => memory.conversations.list(),
    () => memory.conversations.get('chat'),
    () => memory.conversations.turns('chat'),
    () => memory.conversations.summaries('chat'),
    () => memory.conversations.summarize('chat', { fromTurn: 1, toTurn: 1 }),
    () => memory.conversations.delete({ all: true }),
    async () => {
      for await (const _ of memory.conversations.export());
    },
    () => memory.add('x', { infer: false }),
    () => memory.search('x'),
    () => memory.get('x'),
    () => memory.getAll(),
    () => memory.update('x', 'y'),
    () => memory.delete('x'),
    () => memory.deleteAll(),
    () => memory.history('x'),
    () => memory.reset(),
    () => memory.touch(['x']),
    () => memory.workingMemory.list(),
    () => memory.workingMemory.get({ conversationId: 'chat' }),
    () => memory.maintenance.verify(),
    () => memory.maintenance.stats(),
    () => memory.maintenance.reindex(),
    () => memory.maintenance.expire(),
    () => memory.maintenance.evict({ threshold: 1 }),
    () => memory.idle(),
  ]
  for (const call of calls)
    await expect(call(), String(call)).rejects.toMatchObject({
      name: 'MnemeError',
      code: 'closed',
      remedy: expect.stringMatching(/./),
    })
})

const ODD_QUERIES: readonly string[] = [
  'kettle" OR "lamp',
  'NEAR(kettle lamp, 2)',
  'NEAR(',
  '*',
  'kett*',
  '%',
  '_',
  'kettle AND NOT lamp',
  'terms:kettle',
  '{terms}: kettle',
  '^kettle',
  '-kettle',
  '+',
  '"kettle',
  "kettle'",
  "'; DROP TABLE turns; --",
  "kettle'; DELETE FROM memories WHERE '1'='1",
  '") OR 1=1 --',
  '(((((',
  ')',
  '\\',
  '?',
  ':name @x $y',
  '$kettle',
  '水壶" OR "灯',
  '水壶*',
  'kettle\u0001\u001f\u007f',
  '\u202ekettle',
  '🫖',
  '.*+?^$ {}()|[]\\',
]

test('operators of SQL and of full-text search in a query are text', async () => {
  await withMemory(async (memory) => {
    const turns = [
      'The kettle is on the stove.',
      'The lamp stands beside the bed.',
      '水壶在炉子上。',
      'A name with 100% wool_and_silk.',
    ].map((content) => ({ role: 'user' as const, content }))
    await memory.conversations.store({ conversationId: 'house', turns })
    await memory.add('The kettle needs a new lid.', { infer: false })
    await memory.add('The lamp needs a bulb.', { infer: false })
    for (const query of ODD_QUERIES) {
      for (const ranking of ['hybrid', 'conversation', 'long-term'] as const) {
        const { results } = await memory.conversations.recall(query, { ranking, limit: 20 })
        expect(results.length, query).toBeLessThanOrEqual(4)
      }
      for (const ranking of ['hybrid', 'long-term'] as const) await memory.search(query, { ranking })
    }
    const quoted = await memory.conversations.recall("kettle'; DROP TABLE turns; --")
    expect(quoted.results[0]?.content).toBe('The kettle is on the stove.')
    const near = await memory.conversations.recall('NEAR(lamp, 2)')
    expect(near.results[0]?.content).toBe('The lamp stands beside the bed.')
    for (const query of ['*', '%', '_', 'NEAR(', '(((((']) {
      expect((await memory.search(query)).results, query).toEqual([])
      expect((await memory.conversations.recall(query)).results, query).toEqual([])
    }
    expect((await memory.conversations.turns('house')).total).toBe(4)
    expect((await memory.getAll()).total).toBe(2)
    expect((await memory.maintenance.verify()).every(({ ok }) => ok)).toBe(true)
  })
})

test('SQL in ids, speakers, keys, tags and filters is text', async () => {
  await withMemory(async (memory) => {
    const odd = `x'; DROP TABLE turns; --" %_*\u001f1`
    await memory.conversations.store({
      conversationId: odd,
      projectRoot: odd,
      turns: [{ role: 'user', content: 'In an odd place.', speaker: odd, externalId: odd, metadata: { [odd]: odd } }],
    })
    await memory.conversations.store({
      conversationId: 'plain',
      turns: [{ role: 'user', content: 'In a plain place.' }],
    })
    expect(await memory.conversations.get(odd)).toMatchObject({ conversationId: odd, projectRoot: odd, turnCount: 1 })
    const { results } = await memory.conversations.recall('odd place', { conversationId: odd, projectRoot: odd })
    expect(results).toMatchObject([{ conversationId: odd, speaker: odd, externalId: odd }])
    const added = await memory.add('Odd.', {
      infer: false,
      key: odd,
      tags: [odd],
      who: odd,
      externalId: odd,
      conversationId: odd,
    })
    expect((await memory.getAll({ filters: { key: odd, tag: odd, who: odd } })).items.map(({ id }) => id)).toEqual([
      added.results[0]!.id,
    ])
    expect((await memory.getAll({ filters: { key: '%' } })).total).toBe(0)
    await memory.conversations.delete({ conversationId: odd })
    expect((await memory.conversations.list()).items.map(({ conversationId }) => conversationId)).toEqual(['plain'])
  })
})

test('the same conversation id of several users stays apart, even one that looks like an inner key', async () => {
  await withMemory(async (memory) => {
    const ids = ['chat', 'chat\u001f1', 'chat\u001f2', 'chat\u001f3', 'chat\u001f2\u001f3']
    // One user after the other: ann's third id is what the second user's first one would be called inside.
    for (const userId of ['ann', 'bob', 'cem'])
      for (const conversationId of ids)
        await memory.conversations.store({
          userId,
          conversationId,
          turns: [{ role: 'user', content: `${userId} says good morning in ${JSON.stringify(conversationId)}` }],
        })
    for (const conversationId of ids)
      for (const userId of ['ann', 'bob', 'cem']) {
        const { items } = await memory.conversations.turns(conversationId, { userId })
        expect(items.map(({ content }) => content)).toEqual([
          `${userId} says good morning in ${JSON.stringify(conversationId)}`,
        ])
      }
  })
})

test('text at its largest and oddest is stored as it is and found again', async () => {
  await withMemory(async (memory) => {
    const word = 'x'.repeat(MEGABYTE)
    const contents = [
      word,
      `${'忆'.repeat(MEGABYTE / 3 - 4)}终点站`,
      'line one\r\nline two\rline three\u2028line four\u0085five\ttab',
      '👩‍👩‍👧‍👦 family, flag 🏳️‍🌈, skin 👍🏽, e\u0301 and \u00e9, \u202eright to left\u202c',
      '\ufeffbyte order mark',
      '\u0001\u0002\u001f\u007f control characters',
      '   indented, and spaces behind   ',
      '𠮷野家 outside of the BMP',
      '"quotes" \\backslash\\ \'apostrophes\' `ticks` $x %s ?1 :a @b $c',
    ]
    for (const content of contents)
      await memory.conversations.store({ conversationId: 'odd', turns: [{ role: 'user', content }] })
    const { items } = await memory.conversations.turns('odd')
    expect(
      items.map(({ content }) => content === contents[items.findIndex((one) => one.content === content)]),
    ).not.toContain(false)
    expect(items.map(({ content }) => content.length)).toEqual(contents.map(({ length }) => length))
    for (const [at, content] of contents.entries()) expect(items[at]?.content === content).toBe(true)
    const found = async (query: string) =>
      (await memory.conversations.recall(query, { limit: 3 })).results.map(({ turnId }) => turnId)
    expect(await found('终点站')).toContain(2)
    expect(await found('family rainbow flag')).toContain(4)
    expect(await found('吉野家 𠮷野家')).toContain(8)
    expect(await found('backslash apostrophes')).toContain(9)
    for (const query of ['y'.repeat(60_000), '库存'.repeat(10_000)])
      expect((await memory.conversations.recall(query)).results.length).toBeLessThanOrEqual(5)
    const { results } = await memory.add(contents[2]!, {
      infer: false,
      metadata: { odd: contents[3]! },
      value: contents[5],
    })
    expect(await memory.get(results[0]!.id)).toMatchObject({
      text: contents[2],
      metadata: { odd: contents[3] },
      value: contents[5],
    })
  })
})

test('metadata and values with half a surrogate pair or NUL are refused or come back as they were', async () => {
  await withMemory(async (memory) => {
    for (const odd of ['half \ud83d pair', 'with \0 nul']) {
      const stored = await memory.conversations
        .store({ conversationId: 'chat', turns: [{ role: 'user', content: 'Odd metadata.', metadata: { odd } }] })
        .then(
          ([turn]) => turn?.turnId,
          (error: MnemeError) => error.code,
        )
      if (stored === 'invalid_input') continue
      const { items } = await memory.conversations.turns('chat', { fromTurn: Number(stored), toTurn: Number(stored) })
      expect(items[0]?.metadata).toEqual({ odd })
      const { results } = await memory.add('Odd value.', { infer: false, value: { odd }, metadata: { odd } })
      expect(await memory.get(results[0]!.id)).toMatchObject({ value: { odd }, metadata: { odd } })
    }
  })
})
