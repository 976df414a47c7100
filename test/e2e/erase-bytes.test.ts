/** Deleting is for good: no byte of a removed text stays in the database, its log or its backups. */
import { copyFileSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { databaseFiles, freshDatabase, wordsInFiles } from '../support/folder.ts'
import { oneOf, seeded, shuffled, wholeNumber } from '../support/random.ts'
import { nextMessage, startWorker } from '../support/worker.ts'

const NOW = new Date('2026-05-20T12:00:00Z')
const DAY = 86_400_000
const LETTERS = 'bcdfghjklmnpqrstvwxz'
const HAN = '鼬鼯鼷齑龃龠龢麴麂鹾鸲鲥鲴鳜骐骓饕饔颥頫鞲鞯雱阌锝'

/** Words that occur nowhere else: English, mixed case, an identifier, Chinese. */
function markers(random: () => number): readonly string[] {
  const word = (length: number) => Array.from({ length }, () => oneOf(random, [...LETTERS])).join('')
  const first = word(9)
  const name = word(8)
  return [
    `q${first}`,
    `${name.charAt(0).toUpperCase()}${name.slice(1)}Handler${word(4)}`,
    Array.from({ length: 5 }, () => oneOf(random, [...HAN])).join(''),
  ]
}

const FILLER =
  'The lighthouse keeper wrote down the wind, the height of the water and every ship that passed before midnight. '
const HAN_FILLER = '守灯塔的人每天记下风向、水位和午夜之前经过的每一条船，从不间断。'

/** A text of some size with the markers strewn in. */
function textWith(random: () => number, words: readonly string[]): string {
  const size = oneOf(random, [40, 120, 400, 1500, 5000, 20_000])
  const filler = random() < 0.5 ? FILLER : HAN_FILLER
  const parts = words.map((word) => filler.repeat(Math.ceil((size * random()) / (filler.length * 3))) + word)
  return `${parts.join(' ')} is what src/${words[1]}.ts does: ${words[1]}() throws. We decided to keep ${words[0]}.`
}

/** Something that was stored and can be deleted, with the words that must then be gone. */
interface Stored {
  readonly words: readonly string[]
  readonly remove: () => Promise<unknown>
}

async function storeConversation(memory: OpenMemory, random: () => number, id: string, at: Date): Promise<string[]> {
  const own: string[] = []
  const turns = Array.from({ length: wholeNumber(random, 1, 14) }, (_, turn) => {
    const words = markers(random)
    const [speaker, external] = [markers(random)[0]!, markers(random)[0]!]
    const meta = markers(random)
    own.push(...words, speaker, external, ...meta)
    return {
      role: turn % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: textWith(random, words),
      speaker,
      externalId: external,
      metadata: { note: meta[0], inner: { [meta[1]!]: meta[2] } },
      createdAt: new Date(at.getTime() + turn * 1000),
    }
  })
  const project = markers(random)[0]!
  own.push(project, id)
  await memory.conversations.store({ conversationId: id, projectRoot: `/home/${project}`, turns })
  return own
}

async function storeMemory(memory: OpenMemory, random: () => number): Promise<Stored> {
  const [text, key, value, tag, meta, who, external, edited] = Array.from({ length: 8 }, () => markers(random))
  const { results } = await memory.add(textWith(random, text!), {
    infer: false,
    key: key![0]!,
    value: { [value![1]!]: value![2] },
    tags: [tag![0]!, tag![2]!],
    metadata: { [meta![0]!]: meta![2] },
    who: who![0]!,
    externalId: external![0]!,
  })
  const id = results[0]!.id
  const words = [
    text!,
    [key![0]!],
    value!.slice(1),
    [tag![0]!, tag![2]!],
    [meta![0]!, meta![2]!],
    [who![0]!],
    [external![0]!],
  ].flat()
  if (random() < 0.5) {
    await memory.update(id, { text: textWith(random, edited!), value: edited![0]!, tags: [edited![2]!] })
    words.push(...edited!)
  }
  return { words, remove: () => memory.delete(id) }
}

/** The check that SQLite itself makes of the file. */
function integrity(path: string): unknown {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    return database.prepare('PRAGMA integrity_check').all()
  } finally {
    database.close()
  }
}

const SOUND = [{ integrity_check: 'ok' }]

/** MNEME_ORDERS=5 deletes in so many random orders; `npm run campaign -- erase` in ever more. */
const ORDERS = Number(process.env.MNEME_ORDERS ?? 1)

for (const seed of [159, 2653, 14, 58_979, 3].slice(0, ORDERS))
  test(`nothing stays of what was deleted one by one, in random order (seed ${seed})`, async () => {
    const path = freshDatabase()
    const random = seeded(seed)
    const memory = await openMemory({ path, userId: 'one', clock: () => NOW })
    const all: Stored[] = []
    for (let index = 0; index < 14; index += 1) {
      const id = `chat-${markers(random)[0]}`
      const words = await storeConversation(memory, random, id, NOW)
      all.push({ words, remove: () => memory.conversations.delete({ conversationId: id }) })
      // Other conversations grow in between, so that rows of several lie on one page.
      if (index % 4 === 3) await memory.idle()
      all.push(await storeMemory(memory, random))
    }
    await memory.idle()
    const order = shuffled(random, all)
    const half = order.slice(0, order.length / 2)
    const kept = order.slice(order.length / 2)
    for (const { remove } of half) await remove()
    await memory.close()

    expect(
      wordsInFiles(
        path,
        half.flatMap(({ words }) => words),
      ),
    ).toEqual([])
    const present = new Set(
      wordsInFiles(
        path,
        kept.map(({ words }) => words[0]!),
      ),
    )
    expect(present.size).toBe(kept.length)
    expect(integrity(path)).toEqual(SOUND)
    await using again = await openMemory({ path, userId: 'one', clock: () => NOW })
    expect((await again.maintenance.verify()).filter(({ ok }) => !ok)).toEqual([])
  })

for (const seed of [7, 8, 9, 10, 11].slice(0, Math.ceil(ORDERS / 2)))
  test(`nothing stays of turns older than a moment, nor in the summaries that spoke of them (seed ${seed})`, async () => {
    const path = freshDatabase()
    const random = seeded(seed)
    const memory = await openMemory({ path, userId: 'one', clock: () => NOW })
    const gone: string[] = []
    const kept: string[] = []
    for (let index = 0; index < 12; index += 1) {
      // Twelve turns of which the older ones cross the border in the middle of a summary.
      const turns = Array.from({ length: 12 }, (_, turn) => {
        const words = markers(random)
        const old = index % 3 === 0 || turn < 3 + (index % 5)
        if (old) gone.push(...words)
        else kept.push(words[0]!)
        const age = old ? 45 * DAY : 5 * DAY
        return {
          role: 'user' as const,
          content: textWith(random, words),
          createdAt: new Date(NOW.getTime() - age + turn),
        }
      })
      await memory.conversations.store({ conversationId: `chat-${index}`, turns })
    }
    await memory.idle()
    await memory.conversations.delete({ olderThan: new Date(NOW.getTime() - 30 * DAY) })
    await memory.close()
    expect(wordsInFiles(path, gone)).toEqual([])
    expect(wordsInFiles(path, kept)).toHaveLength(kept.length)
    expect(integrity(path)).toEqual(SOUND)
  })

for (const hindered of [false, true])
  test(`nothing stays of many short turns that lay among those that are kept${hindered ? ', after a reader stood in the way' : ''}`, async () => {
    const path = freshDatabase()
    const random = seeded(22)
    const memory = await openMemory({ path, userId: 'one', clock: () => NOW })
    const gone: string[] = []
    const kept: string[] = []
    for (let index = 0; index < 60; index += 1) {
      const turns = Array.from({ length: wholeNumber(random, 2, 20) }, () => {
        const words = markers(random)
        const old = random() < 0.6
        if (old) gone.push(...words)
        else kept.push(...words)
        const content = `${words.join(' ')} ${FILLER.slice(0, wholeNumber(random, 0, 100))}`
        const createdAt = new Date(NOW.getTime() - (old ? 45 : 5) * DAY + index)
        return { role: 'user' as const, content, createdAt, externalId: words[0]!, speaker: words[2]! }
      })
      await memory.conversations.store({ conversationId: `chat-${wholeNumber(random, 1, 40)}`, turns })
      if (index % 20 === 19) await memory.idle()
    }
    const reader = new DatabaseSync(path, { readOnly: true })
    if (hindered) reader.exec('BEGIN')
    reader.prepare('SELECT count(*) FROM turns').get()
    await memory.conversations.delete({ olderThan: new Date(NOW.getTime() - 30 * DAY) })
    reader.close()
    await memory.close()
    expect(wordsInFiles(path, gone)).toEqual([])
    expect(wordsInFiles(path, kept)).toHaveLength(kept.length)
    expect(integrity(path)).toEqual(SOUND)
  })

test('nothing stays of anything of the user after deleting all, while another user keeps theirs', async () => {
  const path = freshDatabase()
  const random = seeded(42)
  const memory = await openMemory({ path, userId: 'one', clock: () => NOW })
  const words: string[] = []
  for (let index = 0; index < 12; index += 1) {
    words.push(...(await storeConversation(memory, random, `chat-${index}${markers(random)[0]}`, NOW)))
    words.push(...(await storeMemory(memory, random)).words)
    await memory.conversations.store({
      userId: 'two',
      conversationId: `chat-${index}`,
      turns: [{ role: 'user', content: `Neighbour ${index} keeps the walnut recipe, 核桃糕的方子。` }],
    })
  }
  await memory.idle()
  await memory.conversations.delete({ all: true })
  expect(await memory.workingMemory.list()).toEqual([])
  await memory.close()
  expect(wordsInFiles(path, words)).toEqual([])
  expect(integrity(path)).toEqual(SOUND)
  await using again = await openMemory({ path, userId: 'two', clock: () => NOW })
  expect((await again.conversations.recall('核桃糕 walnut recipe', { limit: 50 })).results).toHaveLength(12)
})

test('deleting all memories leaves no byte of them, with and without a filter, and leaves the turns', async () => {
  const path = freshDatabase()
  const random = seeded(99)
  const memory = await openMemory({ path, userId: 'one', clock: () => NOW })
  const words: string[] = []
  for (let index = 0; index < 30; index += 1) words.push(...(await storeMemory(memory, random)).words)
  await memory.conversations.store({
    conversationId: 'chat',
    turns: [{ role: 'user', content: 'The turn about the copper kettle stays.' }],
  })
  await memory.idle()
  await memory.deleteAll({ filters: { category: 'fact' } })
  expect((await memory.getAll({ includePast: true })).total).toBe(0)
  expect((await memory.workingMemory.list()).map(({ sessionId }) => sessionId)).toEqual(['chat'])
  await memory.close()
  expect(wordsInFiles(path, words)).toEqual([])
  expect(wordsInFiles(path, ['copper kettle'])).toHaveLength(1)
  expect(integrity(path)).toEqual(SOUND)
})

test('an edit keeps the old text in the history only; deleting then leaves neither text', async () => {
  const path = freshDatabase()
  const memory = await openMemory({ path, userId: 'one', clock: () => NOW })
  const { results } = await memory.add('The alarm code is zanzibarium.', {
    infer: false,
    value: 'oldvaluemarker',
    tags: ['oldtagmarker'],
  })
  const id = results[0]!.id
  await memory.update(id, { text: 'The alarm code is quillonette.', value: 'newvalue', tags: [] })
  expect((await memory.history(id)).map(({ event, previousText }) => [event, previousText])).toEqual([
    ['ADD', null],
    ['UPDATE', 'The alarm code is zanzibarium.'],
  ])
  await memory.delete(id)
  await memory.close()
  expect(wordsInFiles(path, ['zanzibarium', 'quillonette', 'oldvaluemarker', 'oldtagmarker', 'newvalue'])).toEqual([])
})

test('working memory that is removed or expires leaves no byte of its conversation id', async () => {
  const path = freshDatabase()
  let now = NOW
  const memory = await openMemory({ path, userId: 'one', clock: () => now })
  const turns = [{ role: 'user' as const, content: 'Hello there.' }]
  for (let index = 0; index < 40; index += 1)
    await memory.conversations.store({ conversationId: `kept-${index}`, turns })
  await memory.conversations.store({ conversationId: 'vexillarium-talk', turns })
  await memory.conversations.delete({ conversationId: 'vexillarium-talk' })
  now = new Date(NOW.getTime() + 31 * 60_000)
  expect(await memory.maintenance.expire()).toMatchObject({ removed: 40 })
  await memory.close()
  expect(wordsInFiles(path, ['vexillarium'])).toEqual([])
})

test('while another process has the file open, a deletion completes and nothing stays once both have closed', async () => {
  const path = freshDatabase()
  const random = seeded(5)
  const memory = await openMemory({ path, userId: 'one', clock: () => NOW })
  const words: string[] = []
  for (let index = 0; index < 12; index += 1)
    words.push(...(await storeConversation(memory, random, `talk-${index}${markers(random)[0]}`, NOW)))
  await memory.idle()
  const other = startWorker('hold-open', path)
  await nextMessage(other)
  await memory.conversations.delete({ all: true })
  await memory.close()
  const whileOpen = wordsInFiles(path, words)
  const ended = new Promise((resolve) => other.once('exit', resolve))
  other.send('close')
  await ended
  expect(whileOpen).toEqual([])
  expect(wordsInFiles(path, words)).toEqual([])
  expect(integrity(path)).toEqual(SOUND)
})

test('a removal that is stopped leaves no derived text behind once it is asked for again', async () => {
  const path = freshDatabase()
  const memory = await openMemory({ path, userId: 'one', clock: () => NOW })
  const words: string[] = []
  const random = seeded(31)
  for (const id of ['a', 'b', 'c']) {
    const turns = Array.from({ length: 12 }, (_, turn) => {
      const own = markers(random)
      const old = turn < 3
      if (old) words.push(...own)
      const content = `We decided to use ${own[1]} because ${own[0]} failed. 我们决定采用${own[2]}。`
      return { role: 'user' as const, content, createdAt: new Date(NOW.getTime() - (old ? 40 : 2) * DAY + turn) }
    })
    await memory.conversations.store({ conversationId: id, turns })
  }
  await memory.idle()
  const olderThan = new Date(NOW.getTime() - 30 * DAY)
  const stop = new AbortController()
  await expect(
    memory.conversations.delete({ olderThan }, { signal: stop.signal, onProgress: () => stop.abort() }),
  ).rejects.toMatchObject({ code: 'aborted' })
  await memory.conversations.delete({ olderThan })
  await memory.close()
  expect(wordsInFiles(path, words)).toEqual([])
})

test('a removal that is stopped at its very end is finished when it is asked for again', async () => {
  const path = freshDatabase()
  const memory = await openMemory({ path, userId: 'one', clock: () => NOW })
  const random = seeded(32)
  const words: string[] = []
  for (let index = 0; index < 6; index += 1)
    words.push(...(await storeConversation(memory, random, `talk-${index}${markers(random)[0]}`, NOW)))
  await memory.idle()
  const stop = new AbortController()
  const outcome = await memory.conversations
    .delete({ all: true }, { signal: stop.signal, onProgress: (done, total) => done === total && stop.abort() })
    .then(
      () => 'done',
      (error: { code?: string }) => error.code,
    )
  expect(outcome).toBe('aborted')
  await memory.conversations.delete({ all: true })
  await memory.close()
  expect(wordsInFiles(path, words)).toEqual([])
})

test('the file shrinks when most of it was deleted, and the report says by how much', async () => {
  const path = freshDatabase()
  const memory = await openMemory({ path, userId: 'one', clock: () => NOW })
  for (let index = 0; index < 20; index += 1)
    await memory.conversations.store({
      conversationId: `chat-${index}`,
      turns: Array.from({ length: 20 }, (_, turn) => ({
        role: 'user' as const,
        content: `${FILLER.repeat(4)} Line ${turn} of ${index}.`,
      })),
    })
  await memory.idle()
  // The reserve for removals on a full disk does not shrink.
  const kept = databaseFiles(path).filter((file) => !file.endsWith('-reserve'))
  const size = () => kept.filter(existsSync).reduce((sum, file) => sum + statSync(file).size, 0)
  const counts = await memory.conversations.delete({ all: true })
  await memory.close()
  expect(counts).toMatchObject({
    conversationsDeleted: 20,
    turnsDeleted: 400,
    summariesDeleted: 60,
    memoriesDeleted: expect.any(Number),
  })
  expect(counts.spaceFreedKb).toBeGreaterThan(100)
  expect(size()).toBeLessThan(460 * 1024)
  expect(readFileSync(path).includes('lighthouse')).toBe(false)
})

test('no word of a memory that went with its old turn stays in the index of words, also while the file is open', async () => {
  for (const seed of [5, 6, 7]) {
    const path = freshDatabase()
    const memory = await openMemory({ path, userId: 'one', clock: () => NOW })
    const random = seeded(seed)
    const gone: string[] = []
    for (let chat = 0; chat < 10; chat += 1) {
      const turns = Array.from({ length: 10 }, (_, turn) => {
        const [word] = markers(random)
        if (turn < 5) gone.push(word!)
        const createdAt = new Date(NOW.getTime() - (turn < 5 ? 45 : 2) * DAY + turn)
        return { role: 'user' as const, content: `I live in ${word} with my dog.`, createdAt }
      })
      await memory.conversations.store({ conversationId: `chat-${chat}`, turns })
    }
    await memory.idle()
    const { memoriesDeleted } = await memory.conversations.delete({ olderThan: new Date(NOW.getTime() - 30 * DAY) })
    expect(memoriesDeleted).toBeGreaterThan(0)
    await memory.idle()
    expect(wordsInFiles(path, gone)).toEqual([])
    await memory.close()
    expect(wordsInFiles(path, gone)).toEqual([])
  }
})

test.each([
  ['one turn', { turnId: 2 }],
  ['old turns', { olderThan: new Date(NOW.getTime() + 1000) }],
])('the working memory of a conversation that is over keeps no word of %s that is removed', async (_, which) => {
  const path = freshDatabase()
  let now = NOW
  const options = { path, userId: 'one', clock: () => now, background: false }
  const conversationId = 'pier'
  const said = ['The tide was high.', 'The function moorBoat in src/pier.ts throws a TideError.', 'Good night.']
  const turns = said.map((content, at) => ({
    role: 'user' as const,
    content,
    createdAt: new Date(NOW.getTime() + at * 900),
  }))
  const before = await openMemory(options)
  await before.conversations.store({ conversationId, turns })
  await before.idle()
  await before.close()
  now = new Date(NOW.getTime() + DAY)
  const memory = await openMemory(options)
  if ('turnId' in which) await memory.conversations.deleteTurn({ conversationId, ...which })
  else await memory.conversations.delete(which)
  await memory.close()
  expect(wordsInFiles(path, ['moorBoat', 'TideError', 'pier.ts'])).toEqual([])
})

test.each<[string, (memory: OpenMemory) => Promise<unknown>]>([
  ['a profile', (memory) => memory.profile.set({ text: 'Plays chess.' })],
  ['a title', (memory) => memory.sessionSummaries.update({ conversationId: 'harbour', title: 'Another' })],
  ['a turn', (memory) => memory.conversations.deleteTurn({ conversationId: 'harbour', turnId: 3 })],
])('what overwrites %s takes the copies from before an upgrade or a repair along', async (_, overwrite) => {
  const path = freshDatabase()
  const old = readFileSync(new URL('../old-files/schema-022.db.br', import.meta.url))
  writeFileSync(path, brotliDecompressSync(old))
  const memory = await openMemory({ path, userId: 'mira' })
  // As `repair` leaves it.
  copyFileSync(path, `${path}.damaged-1`)
  expect(wordsInFiles(path, ['Repairs wooden boats']).length).toBeGreaterThan(2)
  await overwrite(memory)
  await memory.close()
  expect(databaseFiles(path).filter((file) => /\.bak$|damaged/.test(file))).toEqual([])
})

test.each<[string, string, (memory: OpenMemory) => Promise<unknown>]>([
  ['a profile', 'profiles', (memory) => memory.profile.set({ text: 'Plays chess.' })],
  [
    'a title',
    'session_summaries',
    (memory) => memory.sessionSummaries.update({ conversationId: 'pier', title: 'New' }),
  ],
])('what overwrites %s and is undone leaves the copies where they are', async (_, table, overwrite) => {
  const path = freshDatabase()
  const memory = await openMemory({ path, userId: 'mira', background: false })
  await memory.profile.set({ text: 'Repairs wooden boats.' })
  await memory.conversations.store({
    conversationId: 'pier',
    turns: [{ role: 'user', content: 'The pier is closed.' }],
  })
  await memory.sessionSummaries.update({ conversationId: 'pier', title: 'The pier' })
  await memory.idle()
  // From now on a write to the table fails at its commit, as on a disk that is full.
  const other = new DatabaseSync(path)
  other.exec(`CREATE TABLE held (id INTEGER REFERENCES users (user_no) DEFERRABLE INITIALLY DEFERRED);
    CREATE TRIGGER hold AFTER UPDATE ON ${table} BEGIN INSERT INTO held VALUES (-1); END`)
  copyFileSync(path, `${path}.before-023.bak`)
  await expect(overwrite(memory)).rejects.toThrow()
  await memory.idle()
  expect(databaseFiles(path).filter((file) => file.endsWith('.bak'))).toHaveLength(1)
  other.exec('DROP TRIGGER hold')
  await overwrite(memory)
  await memory.idle()
  expect(databaseFiles(path).filter((file) => file.endsWith('.bak'))).toEqual([])
  other.close()
  await memory.close()
})

type Removal = (memory: OpenMemory) => Promise<unknown>
type Known = Parameters<OpenMemory['add']>[1]
const remembered =
  (known: Known): Removal =>
  (memory) =>
    memory.add('I like tea.', { infer: false, ...known })
const rewritten =
  (patch: Parameters<OpenMemory['update']>[1]): Removal =>
  async (memory) =>
    memory.update((await memory.getAll()).items[0]!.id, patch)
const kept =
  (patch: object): Removal =>
  async (memory) => {
    await memory.conversations.store({ conversationId: 'a', turns: [{ role: 'user', content: 'Hello.' }] })
    await memory.workingMemory.set({ conversationId: 'a', ...patch })
  }

test.each<[string, Removal, Removal]>([
  [
    'variables of a conversation',
    kept({ contextVariables: { pet: 'Qzxwordone' } }),
    (memory) => memory.workingMemory.set({ conversationId: 'a', contextVariables: { pet: 1 } }),
  ],
  [
    'the topic of a conversation',
    kept({ currentTopic: 'Qzxwordone' }),
    (memory) => memory.workingMemory.set({ conversationId: 'a', currentTopic: 'tea' }),
  ],
  [
    'working memory that is deleted',
    kept({ contextVariables: { pet: 'Qzxwordone' } }),
    (memory) => memory.workingMemory.delete({ conversationId: 'a' }),
  ],
  ['the value of a memory', remembered({ key: 'drink', value: 'Qzxwordone' }), rewritten({ value: 'tea' })],
  ['the tags of a memory', remembered({ tags: ['Qzxwordone'] }), rewritten({ tags: ['tea'] })],
  ['the metadata of a memory', remembered({ metadata: { note: 'Qzxwordone' } }), rewritten({ metadata: { note: 1 } })],
  [
    'a key that is revoked',
    (memory) => memory.keys.create({ name: 'Qzxwordone', scope: 'read' }),
    async (memory) => memory.keys.revoke((await memory.keys.list())[0]!.id),
  ],
])('no word of %s stays once it is at rest, nor in a copy, while the file is open', async (_, write, overwrite) => {
  const path = freshDatabase()
  await using memory = await openMemory({ path, userId: 'mira' })
  await write(memory)
  await memory.idle()
  expect(wordsInFiles(path, ['Qzxwordone'])).not.toEqual([])
  copyFileSync(path, `${path}.before-023.bak`)
  await overwrite(memory)
  await memory.idle()
  expect(wordsInFiles(path, ['Qzxwordone'])).toEqual([])
  expect(databaseFiles(path).filter((file) => file.endsWith('.bak'))).toEqual([])
})

const ofTurn = { conversationId: 'a', turnId: 1 }
const deletes: Removal = (memory) => memory.conversations.deleteTurn(ofTurn)
const edits: Removal = (memory) => memory.conversations.editTurn({ ...ofTurn, content: 'I live in Porto with my dog.' })
const forgets: Removal = async (memory) => {
  const turns = [{ role: 'user' as const, content: 'Forget my parrot Qzxwordone.' }]
  await memory.conversations.store({ conversationId: 'b', turns })
  await memory.idle()
  expect(JSON.stringify(await memory.sessionSummaries.get({ conversationId: 'a' }))).not.toContain('Qzxwordone')
  await deletes(memory)
}

test.each<[string, 'title' | 'snippet', Removal]>([
  ['a deleted turn', 'title', deletes],
  ['a deleted turn', 'snippet', deletes],
  ['an edited turn', 'title', edits],
  ['an edited turn', 'snippet', edits],
  ['what was to be forgotten', 'title', forgets],
])('the words of %s leave a session summary whose %s a person wrote', async (_, half, remove) => {
  const path = freshDatabase()
  const memory = await openMemory({ path, userId: 'mira' })
  const said = ['I live in Porto with my parrot Qzxwordone. Qzxwordone whistles when the bread is done.', 'Nice bird.']
  await memory.conversations.store({
    conversationId: 'a',
    turns: said.map((content, at) => ({ role: at === 0 ? ('user' as const) : ('assistant' as const), content })),
  })
  await memory.idle()
  await memory.sessionSummaries.update({ conversationId: 'a', [half]: 'Mine' })
  await remove(memory)
  await memory.idle()
  expect(await memory.sessionSummaries.get({ conversationId: 'a' })).toMatchObject({ [half]: 'Mine', edited: true })
  await memory.close()
  if (remove === forgets) return
  expect(wordsInFiles(path, ['Qzxwordone'])).toEqual([])
})
