/** Specification 002, requirement 4: an episode that is used in a conversation grows with what the user tells of it. */
import { describe, expect, onTestFinished, test } from 'vitest'
import type { OpenMemory } from '../../src/doors/library/index.ts'
import { startEmbeddingServer } from '../support/embedding-server.ts'
import {
  askedData,
  DAY,
  exchangeReply,
  MINUTE,
  openThinking,
  START,
  THINKERS,
  tell,
} from '../support/thinking-memory.ts'

const STORIES = [
  {
    language: 'English',
    old: 'Our cat Biscuit is ill and stays at the vet over the weekend.',
    fresh: 'The cat Biscuit came back from the vet and eats again.',
    question: 'Do you know what was wrong with our cat Biscuit?',
    word: 'came back',
    asked: 'Does our cat Biscuit stay at the vet for the whole weekend when she is that ill?',
    later: 'In the end she came back on Sunday with a bad tooth pulled.',
  },
  {
    language: 'Chinese',
    old: '我们家厨房周一开始装修，烤箱和橱柜都拆了。',
    fresh: '我们家厨房装修完工了，橱柜用的是白橡木。',
    question: '你还记得我们家厨房装修是什么时候开始的吗？',
    word: '完工',
    asked: '我们家厨房周一开始装修，烤箱和橱柜放哪里好？',
    later: '后来周五就完工了，墙面刷成了浅绿色。',
  },
] as const

const METADATA = { context: 'at home', thing: 'how it began', chatid: 'first', who: 'user' }

/** A model that rewrites the memory: what was known, then what is new. */
const rewriting = (request: Parameters<typeof askedData>[0]) => {
  if (!request.body.messages?.[0]?.content.includes('"changed"')) return exchangeReply({})
  const told = (text: string): boolean => askedData(request).includes(text)
  const story = STORIES.find(({ fresh, later }) => told(fresh) || told(later))
  if (story === undefined)
    return { content: '{"changed": false, "text": "", "context": "", "thing": "", "update": ""}' }
  const { old } = story
  const fresh = told(story.fresh) ? story.fresh : story.later
  return {
    content: JSON.stringify({
      changed: true,
      text: `${old} ${fresh}`,
      context: story.language === 'English' ? 'back from the vet' : '厨房装修之后',
      thing: story.language === 'English' ? 'Biscuit eats again' : '厨房装修完工',
      update: fresh,
    }),
  }
}

async function remember(memory: OpenMemory, text: string): Promise<string> {
  const { results } = await memory.add(text, {
    infer: false,
    memoryType: 'episodic',
    conversationId: 'first',
    who: 'user',
    occurredAt: new Date(START.getTime() - 3 * DAY),
    metadata: { ...METADATA, time: new Date(START.getTime() - 3 * DAY).toISOString() },
  })
  return results[0]!.id
}

/** A chat stores the message, builds the context for it, and answers. */
async function chat(memory: OpenMemory, conversationId: string, message: string) {
  await memory.conversations.store({ conversationId, turns: [{ role: 'user', content: message }] })
  const built = await memory.context.build(message, { conversationId })
  await memory.conversations.store({ conversationId, turns: [{ role: 'assistant', content: 'I see. 好的。' }] })
  await memory.idle()
  return built
}

describe.each(THINKERS)('thinking by %s', (by) => {
  describe.each(STORIES)('in $language', ({ old, fresh, question, word }) => {
    test('R4.1 "WHEN an episodic memory is retrieved and used in conversation THEN the system SHALL call EpisodicReconsolidator with the old memory and current context"', async () => {
      const { memory, requests } = await openThinking(by, { script: rewriting })
      const id = await remember(memory, old)
      const built = await chat(memory, 'second', fresh)
      expect(built.recalled.map((item) => item.id)).toContain(id)
      expect((await memory.get(id)).text).toContain(word)
      if (by === 'rules') return
      const asked = requests.filter(({ body }) => body.messages?.[0]?.content.includes('"changed"')).map(askedData)
      expect(asked).toHaveLength(1)
      expect(asked[0]).toContain(old)
      expect(asked[0]).toContain(fresh)
    })

    test('R4.2 "WHEN reconsolidating a memory THEN the system SHALL preserve metadata.time (original event start time), chat_id, who, and metadata.who unchanged"', async () => {
      const { memory } = await openThinking(by, { script: rewriting })
      const id = await remember(memory, old)
      const before = await memory.get(id)
      await chat(memory, 'second', fresh)
      const after = await memory.get(id)
      expect(after.text).not.toBe(before.text)
      for (const name of ['conversationId', 'who', 'occurredAt', 'createdAt', 'memoryType', 'sourceTurnIds'] as const)
        expect(after[name], name).toEqual(before[name])
      for (const name of ['time', 'who', 'chatid'])
        expect(after.metadata?.[name], name).toEqual(before.metadata?.[name])
    })

    test('R4.3 "WHEN reconsolidating a memory THEN the system SHALL update metadata.context, metadata.thing, and text to reflect the chronological evolution of the event"', async () => {
      const { memory } = await openThinking(by, { script: rewriting })
      const id = await remember(memory, old)
      await chat(memory, 'second', fresh)
      const { text, metadata } = await memory.get(id)
      expect(text.indexOf(old.slice(0, 12))).toBe(0)
      expect(text.indexOf(word)).toBeGreaterThan(old.length - 2)
      expect(metadata?.context).not.toBe(METADATA.context)
      expect(metadata?.thing).not.toBe(METADATA.thing)
      const history = await memory.history(id)
      expect(history.at(-1)).toMatchObject({ event: 'UPDATE', previousText: old, newText: text })
    })

    test('R4.4 "WHEN reconsolidating a memory THEN the system SHALL append to metadata.updates array with time and description of the update"', async () => {
      const { memory, pass } = await openThinking(by, { script: rewriting })
      const id = await remember(memory, old)
      pass(DAY)
      await chat(memory, 'second', fresh)
      const updates = (await memory.get(id)).metadata?.updates
      expect(updates).toEqual([
        {
          time: new Date(START.getTime() + DAY).toISOString(),
          update: expect.stringContaining(word),
          chat_id: 'second',
          turn_id: 1,
        },
      ])
      // A question adds nothing, and neither does the same news again.
      await chat(memory, 'second', question)
      await chat(memory, 'second', fresh)
      expect((await memory.get(id)).metadata?.updates).toEqual(updates)
    })

    test('R4.5 "WHEN reconsolidation produces new text THEN the system SHALL regenerate the embedding vector and update the record in Milvus"', async () => {
      const embeddings = await startEmbeddingServer()
      onTestFinished(() => embeddings.close())
      const { memory } = await openThinking(by, {
        script: rewriting,
        embedding: { provider: 'openai', baseUrl: embeddings.url, apiKey: 'k', model: 'bag' },
      })
      const id = await remember(memory, old)
      await memory.idle()
      await chat(memory, 'second', fresh)
      const { text } = await memory.get(id)
      expect(text).toContain(word)
      expect(embeddings.requests.flatMap(({ body }) => body.input)).toContain(text)
      const { results } = await memory.search(text, { ranking: 'associative', explain: true })
      const similarity = results
        .find((found) => found.id === id)
        ?.explanation?.features.find(({ feature }) => feature === 'similarity')
      expect(similarity?.value).toBeCloseTo(1, 2)
    })
  })

  test.each(STORIES)(
    'two messages about it at once, the first of which tells nothing: the second counts ($language)',
    async ({ old, fresh, question, word }) => {
      const { memory } = await openThinking(by, { script: rewriting })
      const id = await remember(memory, old)
      for (const message of [question, fresh]) {
        await memory.conversations.store({ conversationId: 'second', turns: [{ role: 'user', content: message }] })
        await memory.context.build(message, { conversationId: 'second' })
      }
      await memory.idle()
      const { text, metadata } = await memory.get(id)
      expect(text).toContain(word)
      expect(metadata?.updates).toHaveLength(1)
    },
  )

  test.each(STORIES)(
    'what the turns that follow say of it counts, though they recall nothing; not half an hour later ($language)',
    async ({ old, fresh, asked, later, word }) => {
      for (const message of [fresh, later]) {
        const { memory, pass, requests } = await openThinking(by, { script: rewriting })
        const id = await remember(memory, old)
        const built = await chat(memory, 'second', asked)
        expect(built.recalled.map((item) => item.id)).toContain(id)
        pass(4 * MINUTE)
        await tell(memory, 'second', message, 'I see. 好的。')
        await memory.idle()
        expect((await memory.get(id)).text).toContain(word)
        expect((await memory.get(id)).metadata?.updates).toMatchObject([{ chat_id: 'second', turn_id: 3 }])
        if (by === 'model')
          expect(requests.filter(({ body }) => body.messages?.[0]?.content.includes('"changed"'))).toHaveLength(1)
      }
      const { memory, pass } = await openThinking(by, { script: rewriting })
      const id = await remember(memory, old)
      await chat(memory, 'second', asked)
      pass(31 * MINUTE)
      await tell(memory, 'second', later, 'I see. 好的。')
      await memory.idle()
      expect((await memory.get(id)).text).toBe(old)
    },
  )

  test('a semantic memory that is used stays as it is, and so does an episode of which nothing new is told', async () => {
    const { memory, requests } = await openThinking(by, { script: rewriting })
    const fact = (await memory.add('厨房朝北，只有一扇窗。', { infer: false })).results[0]!.id
    const episode = await remember(memory, STORIES[1].old)
    const before = [await memory.get(fact), await memory.get(episode)].map(({ text }) => text)
    await chat(memory, 'second', '厨房装修的时候烤箱放在哪里了？')
    expect([await memory.get(fact), await memory.get(episode)].map(({ text }) => text)).toEqual(before)
    // A question needs no model: the rules see that it tells nothing.
    expect(requests.filter(({ body }) => body.messages?.[0]?.content.includes('"changed"'))).toHaveLength(0)
  })
})

test('a taste that a turn added to an episode was told once, and is none by the turn’s own memory', async () => {
  const { memory, pass } = await openThinking('rules')
  const id = await remember(memory, 'We walked the harbour of Genoa with Ines and bought anchovies for the kitchen.')
  pass(DAY)
  await chat(memory, 'second', 'The anchovies from the harbour of Genoa are gone, and I enjoyed them with Ines.')
  expect((await memory.get(id)).metadata?.updates).toHaveLength(1)
  await memory.maintenance.consolidate()
  const { items } = await memory.getAll()
  expect(items.filter(({ memoryType }) => memoryType === 'semantic')).toEqual([])
})
