/** Specification 002, requirement 6: stable facts of episodes become semantic memories, through the library, by the rules and by a scripted model. */
import { describe, expect, test } from 'vitest'
import { openConsolidating, STABLE, tellOf, WAYS } from '../support/consolidation.ts'
import { allMemories, DAY, START } from '../support/thinking-memory.ts'

describe.each(WAYS)('%s', (way) => {
  test('R6.1 "WHEN consolidation runs THEN the system SHALL call SemanticWriter for each episodic memory to check for extractable facts"; R6.6 "set memory_type="semantic" and populate metadata with fact, source_chatid, and first_seen fields"', async () => {
    const { memory, requests } = await openConsolidating(way)
    for (const [text] of STABLE) await tellOf(memory, text, { chat: 'talk', ago: 3 * 1440 })
    await tellOf(memory, 'A parcel came for the neighbours.')
    await memory.idle()
    const counts = await memory.maintenance.consolidate({ userId: 'one' })
    expect(counts).toMatchObject({ processed: STABLE.length + 1, promoted: STABLE.length })
    const facts = (await allMemories(memory)).filter(({ memoryType }) => memoryType === 'semantic')
    expect(facts.map(({ text }) => text).toSorted()).toEqual(STABLE.map(([text]) => text).toSorted())
    for (const { text, metadata } of facts)
      expect(metadata).toMatchObject({
        fact: text,
        source_chatid: 'talk',
        first_seen: new Date(START.getTime() - 3 * DAY).toISOString(),
      })
    const asked = requests.filter(({ body }) => body.messages?.[0]?.content.includes('"facts"'))
    expect(asked).toHaveLength(way === 'a model over embeddings' ? STABLE.length + 1 : 0)
    // A known fact is not made again.
    await tellOf(memory, STABLE[0]![0], { chat: 'later', ago: 10 })
    await memory.idle()
    await memory.maintenance.consolidate({ userId: 'one' })
    expect((await allMemories(memory)).filter(({ memoryType }) => memoryType === 'semantic')).toHaveLength(
      STABLE.length,
    )
  })

  test.each([
    [
      'R6.2 "WHEN an episodic memory contains stable identity information (major, job, location, research direction) THEN the system SHALL extract it as a semantic fact"',
      'I major in hydrology at the University of Leoben.',
    ],
    [
      'R6.2 "WHEN an episodic memory contains stable identity information (major, job, location, research direction) THEN the system SHALL extract it as a semantic fact"',
      '用户住在莱奥本，在市政府当养蜂顾问。',
    ],
    [
      'R6.3 "WHEN an episodic memory contains long-term interests or habits (repeated preferences, ongoing hobbies) THEN the system SHALL extract it as a semantic fact"',
      'The user collects antique maps and has done so for ten years.',
    ],
    [
      'R6.3 "WHEN an episodic memory contains long-term interests or habits (repeated preferences, ongoing hobbies) THEN the system SHALL extract it as a semantic fact"',
      '用户一直喜欢收集旧地图，每个周末都去旧货市场。',
    ],
  ])('%s: %s', async (_criterion, text) => {
    const { memory } = await openConsolidating(way)
    const id = await tellOf(memory, text)
    await memory.idle()
    expect(await memory.maintenance.consolidate({ userId: 'one' })).toMatchObject({ promoted: 1 })
    const facts = (await allMemories(memory)).filter(({ memoryType }) => memoryType === 'semantic')
    expect(facts).toMatchObject([{ source: 'user_stated', conversationId: 'chat' }])
    expect((await memory.get(id)).validTo).toBeNull()
  })

  test.each(['The user has a tattoo of a compass.', '用户有一个指南针纹身。'])(
    'R6.4 "WHEN an episodic memory has hit_count > 10 and describes stable user attributes THEN the system SHALL extract it as a semantic fact": %s',
    async (text) => {
      for (const [hits, promoted] of [
        [10, 0],
        [11, 1],
      ] as const) {
        const { memory } = await openConsolidating(way)
        const id = await tellOf(memory, text)
        for (let hit = 0; hit < hits; hit += 1) await memory.touch([id])
        await memory.idle()
        expect(await memory.maintenance.consolidate({ userId: 'one' })).toMatchObject({ promoted })
      }
    },
  )
})

test.each([
  'The user is exhausted and a little sad tonight.',
  '用户今天有点累，心情也不好。',
  'The user will fly to Oslo next Tuesday.',
  '用户下周二要飞奥斯陆。',
  'Please keep your answers shorter from now on.',
  '以后回答请用表格，简短一点。',
  'Maybe the user will become a teacher one day.',
  '用户也许以后会去当老师。',
])(
  'R6.5 "WHEN the content is temporary states, short-term plans, conversation style preferences, or uncertain speculations THEN the system SHALL NOT extract it as semantic memory": %s',
  async (text) => {
    for (const way of ['rules over full text', 'a model over embeddings'] as const) {
      const { memory } = await openConsolidating(way)
      const id = await tellOf(memory, text)
      for (let hit = 0; hit < 11; hit += 1) await memory.touch([id])
      await memory.idle()
      expect(await memory.maintenance.consolidate({ userId: 'one' })).toMatchObject({ processed: 1, promoted: 0 })
    }
  },
)
