/**
 * A memory with Milvus on good days, by specification 002 (R1, R7, R10.1), each test named after its criterion. A
 * separate program that has only the SDK looks at what came of it.
 */
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import type { Embedder } from '../../src/domain/contracts/models.ts'
import { type OpenMemory, type OpenOptions, openMemory } from '../../src/doors/library/index.ts'
import { hashedVector } from '../support/embedding-server.ts'
import { freshDatabase } from '../support/folder.ts'
import { rowsSeen } from '../support/milvus-reader.ts'
import type { MilvusServer } from '../support/milvus-server.ts'

export const DIMENSION = 64
let names = 0

/** A model of meaning that needs no server: texts that share words lie close. */
export function bagEmbedder(dimension = DIMENSION, model = 'test/bag'): Embedder {
  return {
    model,
    dimension: async () => dimension,
    embed: async (texts) => texts.map((text) => hashedVector(text, dimension)),
    close: async () => {},
  }
}

/** A name of a collection, or of a user, that nobody has used. */
export function fresh(name: string): string {
  names += 1
  return `${name}_${process.pid}_${names}`
}

/** Making and loading a collection takes seconds, so that tests share one where they can, with users of their own. */
export const SHARED = 'shared'

/** Opens a memory over a server; it is closed with the test. */
export async function openWith(
  server: MilvusServer,
  collection: string,
  userId: string,
  { vectorStore, ...options }: Omit<OpenOptions, 'vectorStore'> & { readonly vectorStore?: object } = {},
): Promise<OpenMemory> {
  const memory = await openMemory({
    path: freshDatabase(),
    userId,
    embedding: bagEmbedder(),
    ...options,
    vectorStore: {
      provider: 'milvus',
      uri: server.uri,
      collection,
      token: server.token,
      timeoutMs: 10_000,
      ...vectorStore,
    },
  })
  onTestFinished(() => memory.close())
  return memory
}

/** Two minutes later, applied rows are shown, and the right to apply of an ended process has run out. */
export function twoMinutesPass(path: string): void {
  const database = new DatabaseSync(path)
  database.exec('UPDATE vector_outbox SET applied_at = applied_at - 120000')
  database.exec('UPDATE vector_mirror SET owned_until = owned_until - 120000')
  database.close()
}

/** A search that may lag by some seconds, as Mneme's do, sees every row of the user, too. */
async function untilShown(server: MilvusServer, collection: string, user: string): Promise<void> {
  const { length } = await rowsSeen(server, collection, user)
  const shown = async () => (await rowsSeen(server, collection, user, 'Bounded')).length
  await expect.poll(shown).toBe(length)
}

/** Everything is applied, and both sides are equal. */
export async function expectEqualSides(memory: OpenMemory): Promise<void> {
  await memory.idle()
  const findings = await memory.maintenance.verify()
  expect(findings.filter(({ ok }) => !ok)).toEqual([])
  expect(findings.map(({ check }) => check)).toContain('vector store (milvus)')
  expect(await memory.maintenance.vectorStore()).toMatchObject({ waiting: 0, toFill: 0, failure: null })
}

/** Runs the cases. */
export function milvusMemoryCases(server: () => MilvusServer): void {
  test('002 R1.1: opening connects by the URI and creates the collection memories when there is none', async () => {
    const memory = await openMemory({
      path: freshDatabase(),
      userId: 'ann',
      embedding: bagEmbedder(),
      vectorStore: { provider: 'milvus', uri: server().uri, token: server().token, timeoutMs: 10_000 },
    })
    onTestFinished(() => memory.close())
    const client = await server().client()
    expect((await client.hasCollection({ collection_name: 'memories' })).value).toBe(true)
    expect(await memory.maintenance.vectorStore()).toMatchObject({ provider: 'milvus', failure: null })
  })

  test('002 R1.2: the collection has the fields of the specification, 2560 dimensions where no model says otherwise', async () => {
    const collection = fresh('own')
    const ann = fresh('ann')
    await openWith(server(), collection, ann, { embedding: 'none' })
    const client = await server().client()
    const { schema } = (await client.describeCollection({ collection_name: collection })) as {
      schema: {
        fields: { name: string; data_type: string; autoID: boolean; dim?: string }[]
        enable_dynamic_field: boolean
      }
    }
    const fields = schema.fields.filter(({ name }) => name !== '$meta')
    expect(fields.map(({ name, data_type }) => `${name} ${data_type}`)).toEqual([
      'id Int64',
      'user_id VarChar',
      'memory_type VarChar',
      'ts Int64',
      'chat_id VarChar',
      'who VarChar',
      'text VarChar',
      'vector FloatVector',
      'hit_count Int64',
      'metadata JSON',
    ])
    expect(fields[0]?.autoID).toBe(true)
    expect(fields.find(({ name }) => name === 'vector')?.dim).toBe('2560')
  })

  test('002 R1.4: the dynamic field is on, and a program that filters by our own id finds the memory', async () => {
    const collection = SHARED
    const ann = fresh('ann')
    const memory = await openWith(server(), collection, ann)
    const added = await memory.add('She grows tomatoes on the balcony.', {
      infer: false,
      key: 'balcony',
      tags: ['garden'],
    })
    await memory.idle()
    const client = await server().client()
    const { data } = await client.query({
      collection_name: collection,
      filter: `memory_id == ${JSON.stringify(added.results[0]!.id)}`,
      output_fields: ['text', 'key', 'tags'],
      consistency_level: 'Strong',
    })
    expect(data).toMatchObject([
      { text: 'She grows tomatoes on the balcony.', $meta: { key: 'balcony', tags: ['garden'] } },
    ])
  })

  test('a conversation is added, searched, updated, merged by consolidation and reset, and a separate program sees each step', async () => {
    const collection = SHARED
    const ann = fresh('ann')
    const memory = await openWith(server(), collection, ann)
    const seen = () => rowsSeen(server(), collection, ann)
    await memory.add(
      [
        { role: 'user', content: 'Remember this: the dishwasher flooded the kitchen on Sunday evening.' },
        { role: 'assistant', content: 'Noted. Do you need a plumber?' },
      ],
      { conversationId: 'kitchen' },
    )
    await memory.idle()
    const stored = await seen()
    expect(stored.map(({ text }) => text).join()).toContain('dishwasher')
    expect(stored[0]).toMatchObject({ hit_count: '0', chat_id: 'kitchen', user_id: ann })
    await memory.deleteAll()
    await memory.idle()
    expect(await seen()).toEqual([])

    const same = [
      'The dishwasher flooded the kitchen on Sunday evening.',
      'The dishwasher flooded the whole kitchen on Sunday evening.',
    ]
    const ids: string[] = []
    for (const text of same) {
      const { results } = await memory.add(text, {
        infer: false,
        memoryType: 'episodic',
        conversationId: 'chat',
        who: 'user',
      })
      ids.push(results[0]!.id)
    }
    await memory.idle()
    expect((await seen()).map(({ $meta }) => $meta.memory_id)).toEqual(ids)
    const { results, warnings } = await memory.search('flooded dishwasher', { ranking: 'associative', explain: true })
    expect(warnings).toEqual([])
    expect(results.map(({ id }) => id).sort()).toEqual([...ids].sort())
    expect(results[0]!.explanation?.features.find(({ feature }) => feature === 'similarity')?.value).toBeGreaterThan(
      0.3,
    )

    const said = 'The dishwasher flooded the tidy kitchen on Sunday evening.'
    await memory.update(ids[0]!, { text: said })
    await memory.idle()
    expect((await seen()).map(({ text }) => text).toSorted()).toEqual([said, same[1]].toSorted())
    await memory.context.build('What happened to the dishwasher?', { conversationId: 'other' })
    await memory.idle()
    const used = await seen()
    expect(used).toHaveLength(2)
    expect(used.some(({ hit_count }) => Number(hit_count) > 0)).toBe(true)

    const counts = await memory.maintenance.consolidate()
    expect(counts.merged).toBe(1)
    await expectEqualSides(memory)
    const merged = (await seen()).filter(({ memory_type }) => memory_type === 'episodic')
    expect(merged).toHaveLength(1)
    expect(merged[0]!.metadata.merged_from_ids).toEqual(expect.arrayContaining(ids))

    await memory.reset({ userId: ann })
    await expectEqualSides(memory)
    expect(await seen()).toEqual([])
  })

  test('002 R7.3: update(memory_id, data) puts the new text, vector and facts of a memory there, once', async () => {
    const collection = SHARED
    const ann = fresh('ann')
    const memory = await openWith(server(), collection, ann)
    const { results } = await memory.add('她住在里斯本。', { infer: false })
    const id = results[0]!.id
    await memory.idle()
    const [before] = await rowsSeen(server(), collection, ann)
    await memory.update(id, { text: '她住在波尔图，靠近河边。', importance: 3, metadata: { thing: '搬家' } })
    await expectEqualSides(memory)
    const [after, ...others] = await rowsSeen(server(), collection, ann)
    expect(others).toEqual([])
    expect(after).toMatchObject({
      text: '她住在波尔图，靠近河边。',
      metadata: { thing: '搬家' },
      $meta: { memory_id: id },
    })
    expect(after!.id).not.toBe(before!.id)
  })

  test('002 R7.4: delete(memory_id) removes that memory from the collection, and no other', async () => {
    const ann = fresh('ann')
    const memory = await openWith(server(), SHARED, ann)
    const ids: string[] = []
    for (const text of ['She keeps bees.', '他养了两只山羊。'])
      ids.push((await memory.add(text, { infer: false })).results[0]!.id)
    await expectEqualSides(memory)
    await memory.delete(ids[0]!)
    await expectEqualSides(memory)
    const rows = await rowsSeen(server(), SHARED, ann)
    expect(rows.map(({ $meta }) => $meta.memory_id)).toEqual([ids[1]])
  })

  test('the same questions find the same memories and turns, in the same order, with Milvus and without', async () => {
    const [path, ann] = [freshDatabase(), fresh('ann')]
    const memory = await openWith(server(), SHARED, ann, { path, thinking: false })
    const things = ['ferry', 'piano', 'kitchen', 'garden', 'library', '渡轮', '钢琴', '厨房', '花园', '图书馆']
    const said = (at: number) =>
      `The ${things[at % 10]} and the ${things[(at * 7) % 9]}, ${things[(at * 3) % 7]}: note ${at % 60}.`
    for (let at = 0; at < 80; at += 1)
      await memory.add(said(at), {
        infer: false,
        memoryType: at % 3 === 0 ? 'episodic' : 'semantic',
        conversationId: `${at % 5}`,
      })
    const turns = Array.from({ length: 40 }, (_, at) => ({ role: 'user' as const, content: said(at * 2 + 1) }))
    await memory.conversations.store({ conversationId: 'talk', turns })
    await memory.idle()
    await untilShown(server(), SHARED, ann)
    await untilShown(server(), `${SHARED}_turns`, ann)
    // Milvus shows all of it by now: nothing is compared in the file any more.
    twoMinutesPass(path)
    await memory.idle()
    const answers = async (asked: OpenMemory) => {
      const found: unknown[] = []
      for (const question of ['Where does the ferry leave?', '花园里有什么？', 'note 12 of the piano', 'kitchen 厨房'])
        for (const ranking of ['associative', 'hybrid'] as const) {
          const { results, warnings } = await asked.search(question, { ranking })
          const recalled = await asked.conversations.recall(question)
          found.push([warnings, results.map(({ id }) => id), recalled.results.map(({ turnId }) => turnId)])
        }
      return found
    }
    const withMilvus = await answers(memory)
    await memory.close()
    const alone = await openMemory({ path, userId: ann, embedding: bagEmbedder(), thinking: false })
    onTestFinished(() => alone.close())
    expect(withMilvus).toEqual(await answers(alone))
  })

  test('what was written a moment ago is found, before Milvus was told of it, and what was deleted is not', async () => {
    const memory = await openWith(server(), SHARED, fresh('ann'), { background: false })
    const texts = ['The ferry leaves at seven.', 'The ferry leaves at nine.', 'The library closes at six.']
    const ids: string[] = []
    for (const text of texts) ids.push((await memory.add(text, { infer: false })).results[0]!.id)
    await memory.maintenance.embed()
    const similarTo = async (query: string) => {
      const { results, warnings } = await memory.search(query, { ranking: 'associative', explain: true })
      expect(warnings).toEqual([])
      return results.map(({ text }) => text)
    }
    expect((await memory.maintenance.vectorStore())?.waiting).toBe(3)
    expect((await similarTo('When does the ferry leave?')).slice(0, 2).sort()).toEqual(texts.slice(0, 2).sort())
    await memory.idle()
    expect((await memory.maintenance.vectorStore())?.waiting).toBe(0)
    await memory.delete(ids[0]!)
    expect(await similarTo('When does the ferry leave?')).not.toContain(texts[0])
  })

  test('turns lie in a collection of their own beside the memories, and recall by meaning finds them', async () => {
    const collection = SHARED
    const ann = fresh('ann')
    const memory = await openWith(server(), collection, ann, { thinking: false })
    const turns = ['The cat sleeps on the piano.', 'Rent is due on Friday.', '钢琴上睡着一只猫。'].map((content) => ({
      role: 'user' as const,
      content,
    }))
    await memory.conversations.store({ conversationId: 'home', turns })
    await expectEqualSides(memory)
    expect(await rowsSeen(server(), collection, ann)).toEqual([])
    const rows = await rowsSeen(server(), `${collection}_turns`, ann)
    expect(rows.map(({ text, memory_type }) => `${memory_type}: ${text}`)).toEqual(
      turns.map(({ content }) => `turn: ${content}`),
    )
    const answer = await memory.conversations.recall('Where does the cat sleep?', { explain: true })
    expect(answer.results[0]?.content).toBe('The cat sleeps on the piano.')
    await memory.conversations.delete({ conversationId: 'home' })
    await expectEqualSides(memory)
    expect(await rowsSeen(server(), `${collection}_turns`, ann)).toEqual([])
  })

  test('users with quotes, backslashes, %, newlines and 500 characters have their own memories', async () => {
    const collection = SHARED
    const ann = fresh('ann')
    const path = freshDatabase()
    const memory = await openWith(server(), collection, ann, { path })
    const users = [
      'o"Brien',
      'C:\\temp\\',
      '100%_',
      'two\nlines',
      `${'长'.repeat(499)}名`,
      '" or 1 == 1 or user_id == "',
    ]
    for (const userId of users)
      await memory.add(`The secret of user ${users.indexOf(userId)} is tea.`, { userId, infer: false })
    await expectEqualSides(memory)
    for (const userId of users) await untilShown(server(), collection, userId)
    // Milvus is asked for them by now: nothing is compared in the file any more.
    twoMinutesPass(path)
    await memory.idle()
    for (const userId of users) {
      const { results, warnings } = await memory.search('secret tea', { userId, ranking: 'associative' })
      expect(warnings).toEqual([])
      expect(results.map(({ text }) => text)).toEqual([`The secret of user ${users.indexOf(userId)} is tea.`])
    }
    await memory.reset({ userId: users[5]! })
    await expectEqualSides(memory)
    const { results } = await memory.search('secret tea', { userId: users[0]! })
    expect(results).toHaveLength(1)
  })

  test('a memory longer than a VARCHAR takes is indexed by its beginning and whole in the file', async () => {
    const collection = SHARED
    const ann = fresh('ann')
    const memory = await openWith(server(), collection, ann, { maxContentBytes: 1024 * 1024 })
    const long = `一封长信：${'雨下了一整天。'.repeat(5000)}完。`
    const { results } = await memory.add(long, {
      infer: false,
      value: { notes: 'x'.repeat(100_000) },
      metadata: { log: 'y'.repeat(100_000) },
    })
    await expectEqualSides(memory)
    const [row] = await rowsSeen(server(), collection, ann)
    expect(Buffer.byteLength(row!.text)).toBeLessThanOrEqual(65_535)
    expect(Buffer.byteLength(row!.text)).toBeGreaterThan(65_530)
    expect(long.startsWith(row!.text)).toBe(true)
    expect((await memory.get(results[0]!.id)).text).toBe(long)
  })

  test('reindex: an emptied collection is filled again, and a lost file gets its memories back from it', async () => {
    const collection = fresh('own')
    const ann = fresh('ann')
    const path = freshDatabase()
    const memory = await openWith(server(), collection, ann, { path })
    const texts = ['She plays the cello.', '他每周三去游泳。', 'They moved to Ghent in 2019.']
    for (const text of texts)
      await memory.add(text, { infer: false, metadata: { thing: text }, tags: ['tag'], confidence: 0.7 })
    await memory.conversations.store({
      conversationId: 'c',
      turns: [{ role: 'user', content: 'Hello, is anybody there?' }],
    })
    await memory.idle()
    const before = await memory.getAll()
    await memory.close()

    const client = await server().client()
    const rows = await rowsSeen(server(), collection, ann)
    await client.delete({ collection_name: collection, filter: `id in [${rows.map(({ id }) => id).join()}]` })
    const again = await openWith(server(), collection, ann, { path })
    expect((await again.maintenance.verify()).some(({ ok }) => !ok)).toBe(true)
    expect(await again.maintenance.toVectorStore()).toMatchObject({ missing: 3 })
    await expectEqualSides(again)
    expect(await rowsSeen(server(), collection, ann)).toHaveLength(3)
    await again.close()

    const restored = await openWith(server(), collection, ann)
    // What is restored is sent under rows of its own at once, which may be met as known in the same run.
    expect(await restored.maintenance.fromVectorStore()).toMatchObject({
      restored: 3,
      shortened: 0,
      turns: 1,
    })
    await expectEqualSides(restored)
    const after = await restored.getAll()
    expect(after.items.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      before.items.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    )
    expect(await rowsSeen(server(), collection, ann)).toHaveLength(3)
    expect(await restored.maintenance.fromVectorStore()).toMatchObject({ restored: 0, known: 3 })
  })

  test('a file that had memories before Milvus came is sent whole, and what changed meanwhile by a process without Milvus, too', async () => {
    const collection = SHARED
    const ann = fresh('ann')
    const path = freshDatabase()
    const alone = await openMemory({ path, userId: ann, embedding: bagEmbedder() })
    for (let at = 0; at < 30; at += 1) await alone.add(`Note number ${at} about the garden.`, { infer: false })
    await alone.idle()
    await alone.close()
    const memory = await openWith(server(), collection, ann, { path })
    await expectEqualSides(memory)
    expect(await rowsSeen(server(), collection, ann)).toHaveLength(30)
    await memory.close()
    const without = await openMemory({ path, userId: ann, embedding: bagEmbedder() })
    await without.add('Note number 30 about the garden.', { infer: false })
    const { items } = await without.getAll({ limit: 5 })
    for (const { id } of items) await without.delete(id)
    await without.idle()
    await without.close()
    const again = await openWith(server(), collection, ann, { path })
    await expectEqualSides(again)
    expect(await rowsSeen(server(), collection, ann)).toHaveLength(26)
  })

  test('Milvus is left for good: vectors are found in the file, nothing is noted any more, and what it holds stays; it can be taken up again', async () => {
    const ann = fresh('ann')
    const path = freshDatabase()
    const memory = await openWith(server(), SHARED, ann, { path })
    for (const text of ['The cellar is damp.', '阁楼很干燥。']) await memory.add(text, { infer: false })
    await memory.idle()
    await expect(memory.maintenance.detachVectorStore()).rejects.toMatchObject({ code: 'invalid_input' })
    await memory.close()
    const alone = await openMemory({ path, userId: ann, embedding: bagEmbedder() })
    expect(await alone.maintenance.detachVectorStore()).toMatchObject({ detached: expect.stringContaining(SHARED) })
    expect(await alone.maintenance.detachVectorStore()).toEqual({ detached: null })
    await alone.add('The cellar has a new pump.', { infer: false })
    await alone.idle()
    const { results } = await alone.search('a pump in the cellar', { ranking: 'associative', explain: true })
    expect(results[0]!.text).toBe('The cellar has a new pump.')
    expect(results[0]!.explanation?.features.find(({ feature }) => feature === 'similarity')?.value).toBeGreaterThan(0)
    await alone.close()
    expect(await rowsSeen(server(), SHARED, ann)).toHaveLength(2)
    const again = await openWith(server(), SHARED, ann, { path })
    await expectEqualSides(again)
    expect(await rowsSeen(server(), SHARED, ann)).toHaveLength(3)
  })

  test('another model of the same dimension: the old vectors are never found and go', async () => {
    const collection = SHARED
    const ann = fresh('ann')
    const path = freshDatabase()
    const memory = await openWith(server(), collection, ann, { path })
    await memory.add('The kayak is red.', { infer: false })
    await memory.idle()
    await memory.close()
    const other = await openWith(server(), collection, ann, {
      path,
      embedding: bagEmbedder(DIMENSION, 'test/other-bag'),
    })
    await expectEqualSides(other)
    const rows = await rowsSeen(server(), collection, ann)
    expect(rows).toHaveLength(1)
    expect(rows[0]!.$meta.vector_model ?? 'test/other-bag').toBe('test/other-bag')
  })
}
