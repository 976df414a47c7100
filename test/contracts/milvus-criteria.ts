/**
 * Specification 002, R1.3 and R7, with Milvus on, each named after its criterion and judged by a separate program that
 * has only the SDK. Other criteria: milvus-memory.ts, milvus-bad-days.ts.
 */
import { expect, onTestFinished, test } from 'vitest'
import { openMemory } from '../../src/doors/library/index.ts'
import { openMilvus } from '../../src/store/milvus/milvus-vector-index.ts'
import { startEmbeddingServer } from '../support/embedding-server.ts'
import { freshDatabase } from '../support/folder.ts'
import { rowsSeen } from '../support/milvus-reader.ts'
import type { MilvusServer } from '../support/milvus-server.ts'
import { startModelServer } from '../support/model-server.ts'
import { bagEmbedder, expectEqualSides, fresh, openWith, SHARED } from './milvus-memory.ts'

/** Runs the cases. */
export function milvusCriteria(server: () => MilvusServer): void {
  test('002 R1.3: the given key and base URL lead to OpenRouter’s models of the specification, and the vector is in the collection', async () => {
    const embeddings = await startEmbeddingServer({ dimension: 64 })
    const model = await startModelServer({
      content: JSON.stringify({
        statements: [{ text: 'Ann adopted a greyhound.', kind: 'event', by: 'said', quote: 'adopted a greyhound' }],
      }),
    })
    onTestFinished(async () => {
      await embeddings.close()
      await model.close()
    })
    const ann = fresh('ann')
    const memory = await openWith(server(), SHARED, ann, {
      embedding: { provider: 'openrouter', baseUrl: embeddings.url, apiKey: 'sk-or-embed' },
      llm: { provider: 'openrouter', baseUrl: model.url, apiKey: 'sk-or-think' },
    })
    await memory.add('I adopted a greyhound on Monday.', { conversationId: 'dogs' })
    await expectEqualSides(memory)
    expect(embeddings.requests[0]).toMatchObject({
      authorization: 'Bearer sk-or-embed',
      body: { model: 'qwen/qwen3-embedding-4b' },
    })
    expect(model.requests[0]).toMatchObject({
      headers: { authorization: 'Bearer sk-or-think' },
      body: { model: 'x-ai/grok-4.1-fast:free' },
    })
    const rows = await rowsSeen(server(), SHARED, ann)
    expect(rows.map(({ text }) => text).join()).toContain('greyhound')
  })

  test('002 R7.1: add(text, user_id, chat_id) stores what qualifies, with user and chat, and no small talk', async () => {
    const [ann, ben] = [fresh('ann'), fresh('ben')]
    const memory = await openWith(server(), SHARED, ann)
    await memory.add('Please remember that I moved to Coimbra last week.', { userId: ben, conversationId: 'moving' })
    await memory.add('hi there, thanks!', { userId: ben, conversationId: 'moving' })
    await expectEqualSides(memory)
    const rows = await rowsSeen(server(), SHARED, ben)
    expect(rows.map(({ text }) => text).join()).toContain('Coimbra')
    expect(rows.map(({ text }) => text).join()).not.toContain('thanks')
    for (const row of rows) expect(row).toMatchObject({ user_id: ben, chat_id: 'moving', hit_count: '0' })
    expect(await rowsSeen(server(), SHARED, ann)).toEqual([])
  })

  test('002 R7.2: search(query, user_id, limit) returns the memories of that user by rank, at most so many', async () => {
    const [ann, ben] = [fresh('ann'), fresh('ben')]
    const memory = await openWith(server(), SHARED, ann)
    const texts = ['The violin needs new strings.', 'The violin lesson is on Tuesday.', '他每周三去游泳。']
    for (const text of texts) await memory.add(text, { userId: ben, infer: false })
    await memory.add('The violin of Ann is red.', { infer: false })
    await memory.idle()
    const { results, warnings } = await memory.search('violin strings', {
      userId: ben,
      limit: 2,
      ranking: 'associative',
    })
    expect(warnings).toEqual([])
    expect(results.map(({ text }) => text)).toEqual(texts.slice(0, 2))
    expect(results[0]!.score).toBeGreaterThanOrEqual(results[1]!.score)
  })

  test('002 R7.5: reset(user_id) removes every memory of the user from the collection, and nobody else’s', async () => {
    const [ann, ben] = [fresh('ann'), fresh('ben')]
    const memory = await openWith(server(), SHARED, ann)
    for (const userId of [ann, ben])
      for (const text of ['The gate code is blue.', '猫在屋顶上。']) await memory.add(text, { userId, infer: false })
    await expectEqualSides(memory)
    await memory.reset({ userId: ann })
    await expectEqualSides(memory)
    expect(await rowsSeen(server(), SHARED, ann)).toEqual([])
    expect((await rowsSeen(server(), SHARED, ben)).map(({ text }) => text)).toEqual([
      'The gate code is blue.',
      '猫在屋顶上。',
    ])
  })

  test('002 R7.6: embedding, vector store and model are made by name or given ready, and an unknown name is refused', async () => {
    const ann = fresh('ann')
    const { uri, token } = server()
    const ready = await openMilvus({ provider: 'milvus', uri, token, collection: SHARED, timeoutMs: 10_000 })
    const memory = await openMemory({
      path: freshDatabase(),
      userId: ann,
      embedding: bagEmbedder(),
      vectorStore: ready,
    })
    onTestFinished(() => memory.close())
    await memory.add('Made elsewhere, used here.', { infer: false })
    await expectEqualSides(memory)
    expect(await rowsSeen(server(), SHARED, ann)).toHaveLength(1)
    for (const [name, given] of [
      ['vectorStore', { provider: 'pinecone', uri }],
      ['embedding', { provider: 'word2vec' }],
      ['llm', { provider: 'eliza' }],
    ] as const) {
      const opening = openMemory({ path: freshDatabase(), [name]: given } as never)
      await expect(opening).rejects.toMatchObject({ code: 'invalid_input', field: `${name}.provider` })
    }
  })

  test('002 R7.7: calls can be waited for one by one or all at once, with the same rows in the collection', async () => {
    const ann = fresh('ann')
    const memory = await openWith(server(), SHARED, ann)
    const texts = Array.from({ length: 12 }, (_, at) => `Box ${at} holds cables.`)
    const first = memory.add(texts[0]!, { infer: false })
    expect(first).toBeInstanceOf(Promise)
    await first
    await Promise.all(texts.slice(1).map((text) => memory.add(text, { infer: false })))
    await expectEqualSides(memory)
    expect((await rowsSeen(server(), SHARED, ann)).map(({ text }) => text).toSorted()).toEqual(texts.toSorted())
  })
}
