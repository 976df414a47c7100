/** Specification 002, requirement 2: what of a conversation becomes a memory, by the rules and by a scripted model. */
import { describe, expect, test } from 'vitest'
import { startEmbeddingServer } from '../support/embedding-server.ts'
import {
  allMemories,
  askedData,
  byPhrase,
  exchangeReply,
  openThinking,
  START,
  THINKERS,
  type Thinker,
  tell,
} from '../support/thinking-memory.ts'

const WORTH = {
  English: 'Our cellar flooded last night and the boiler has to be replaced before winter.',
  Chinese: '昨天晚上我家地下室进水了，锅炉入冬之前必须换掉。',
} as const
const LANGUAGES = ['English', 'Chinese'] as const

const RECORDS = byPhrase({
  cellar: {
    records: [
      {
        text: 'The user’s cellar flooded last night and the boiler has to be replaced before winter.',
        who: 'user',
        context: 'trouble at home',
        thing: 'cellar flooded',
        time: '2026-05-06',
        importance: 0,
      },
    ],
  },
  地下室: {
    records: [
      {
        text: '用户家的地下室昨天晚上进水了，锅炉入冬之前必须换掉。',
        who: '用户',
        context: '家里出了问题',
        thing: '地下室进水',
        time: '2026-05-06',
        importance: 0,
      },
    ],
  },
})

describe.each(THINKERS)('thinking by %s', (by: Thinker) => {
  test.each(LANGUAGES)(
    'R2.1 "WHEN a user sends a message THEN the system SHALL call EpisodicWriteDecider to determine if the content should be stored as episodic memory" (%s)',
    async (language) => {
      const { memory, requests, log } = await openThinking(by, { script: RECORDS })
      await tell(memory, 'chat', WORTH[language], language === 'English' ? 'How annoying!' : '真糟糕！')
      await memory.idle()
      expect((await allMemories(memory)).map(({ memoryType }) => memoryType)).toEqual(['episodic'])
      // One call an exchange, and the log says who decided.
      expect(requests).toHaveLength(by === 'model' ? 1 : 0)
      if (by === 'model') expect(askedData(requests[0]!)).toContain(WORTH[language])
      expect(log.find(({ details }) => details.operation === 'think')?.details).toMatchObject({ answeredBy: by })
    },
  )

  test('R2.2 "WHEN EpisodicWriteDecider returns write_episodic=true THEN the system SHALL generate embedding for each record’s text field using the embedding model"', async () => {
    const embeddings = await startEmbeddingServer()
    const { memory } = await openThinking(by, {
      script: RECORDS,
      embedding: { provider: 'openai', baseUrl: embeddings.url, apiKey: 'k', model: 'bag' },
    })
    await tell(memory, 'chat', WORTH.Chinese, '真糟糕！')
    await memory.idle()
    const [stored] = await allMemories(memory)
    expect(embeddings.requests.flatMap(({ body }) => body.input)).toContain(stored!.text)
    await embeddings.close()
  })

  test.each(LANGUAGES)(
    'R2.3 "WHEN storing an episodic memory THEN the system SHALL populate user_id, ts (current timestamp), chat_id, memory_type="episodic", hit_count=0, and metadata fields (context, thing, time, chatid, who)" (%s)',
    async (language) => {
      const { memory } = await openThinking(by, { script: RECORDS })
      await tell(memory, 'chat', WORTH[language], 'Oh.')
      await memory.idle()
      const [stored] = await allMemories(memory)
      expect(stored).toMatchObject({
        createdAt: START.toISOString(),
        conversationId: 'chat',
        memoryType: 'episodic',
        accessCount: 0,
        lastAccessed: null,
        who: 'user',
        sourceTurnIds: [1],
        metadata: { chatid: 'chat', who: 'user', context: expect.any(String), thing: expect.any(String) },
      })
      // Last night is seen from the day on which it was said.
      expect(String(stored!.metadata?.time).slice(0, 10)).toBe('2026-05-06')
      expect(stored!.metadata?.thing).not.toBe('')
      // It is the user's: nobody else has it.
      expect((await memory.getAll({ userId: 'two' })).total).toBe(0)
    },
  )

  test.each([
    'Good morning! Hope you slept well.',
    'haha nice one',
    'What is the boiling point of ethanol?',
    'Explain the difference between a mutex and a semaphore.',
    'asdf qwer',
    'and then the',
    '早上好呀，今天也请多关照！',
    '哈哈哈太逗了',
    '乙醇的沸点是多少？',
    '解释一下互斥锁和信号量的区别。',
    '嗯嗯',
    '然后那个',
  ])(
    'R2.4 "WHEN the content is pure chitchat, objective knowledge questions, or meaningless fragments THEN the system SHALL NOT store it as episodic memory": %s',
    async (content) => {
      const { memory, requests } = await openThinking(by)
      await tell(memory, 'chat', content, 'All right. 好的。')
      await memory.idle()
      expect(await allMemories(memory)).toEqual([])
      expect(requests).toHaveLength(by === 'model' ? 1 : 0)
      // Asked directly, the answer gives the reason.
      const added = await memory.add(content, { wait: true })
      expect(added.results).toEqual([])
      expect(added.rejected).toEqual([{ text: content, reason: expect.stringMatching(/./) }])
    },
  )

  test.each([
    'Remember this: the spare key lies under the third flower pot.',
    'Please remember that the gate code of the allotment is 4471.',
    '请记住，备用钥匙放在门口第三个花盆下面。',
    '记住：菜园大门的密码是4471。',
    '帮我记录一下，车停在地下二层B区。',
  ])(
    'R2.5 "WHEN the user explicitly requests "remember this" THEN the system SHALL store the information as episodic memory": %s',
    async (content) => {
      // Also when the model sees nothing in it: an order is obeyed.
      const { memory } = await openThinking(by, { script: exchangeReply({}) })
      await tell(memory, 'chat', content, 'Done. 记下了。')
      await memory.idle()
      const stored = await allMemories(memory)
      expect(stored).toHaveLength(1)
      expect(stored[0]).toMatchObject({ importance: 3, source: 'user_stated', sourceTurnIds: [1] })
      const [told] = content.match(/4471|flower pot|花盆|地下二层/) ?? []
      // A list masks what a sentence says of a secret; asked for by its id, the memory shows it.
      expect((await memory.get(stored[0]!.id)).text).toContain(told)
    },
  )
})

test.each(THINKERS)(
  'an answer is understood by the question before it, though that was thought about already (%s)',
  async (by) => {
    const { memory, requests } = await openThinking(by, {
      script: byPhrase({
        Pepper: { records: [{ text: 'The user’s dog is called Pepper.', who: 'user', context: 'the dog' }] },
      }),
    })
    await tell(memory, 'chat', 'Hello there!', 'Good morning. What should I call your dog?')
    await memory.idle()
    await tell(memory, 'chat', 'We call her Pepper.', 'What a fine name.')
    await memory.idle()
    const [stored] = await allMemories(memory)
    expect(stored).toMatchObject({ text: expect.stringContaining('Pepper'), sourceTurnIds: [3] })
    if (by === 'rules') expect(stored!.metadata?.context).toContain('your dog')
    else expect(askedData(requests.at(-1)!)).toContain('What should I call your dog?')
    // The question is no news of its own: each exchange is asked about once.
    expect(requests).toHaveLength(by === 'rules' ? 0 : 2)
  },
)
