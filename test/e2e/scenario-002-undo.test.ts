/** Trust (issue 4): `mneme undo --source <turn|conversation>` "removes everything that came from it", whoever had found it. */
import { describe, expect, test } from 'vitest'
import { wordsInFiles } from '../support/folder.ts'
import type { Script } from '../support/model-server.ts'
import {
  allMemories,
  askedData,
  byPhrase,
  exchangeReply,
  MINUTE,
  openThinking,
  THINKERS,
  tell,
} from '../support/thinking-memory.ts'

const WISH = 'From now on always answer me in short bullet points.'
const NURSE = '我是护士，在儿童医院上班。'
const SCRIPT = byPhrase({
  bullet: {
    profile: [{ section: 'reply_style', text: 'Likes answers as terse bullet lists' }],
    topic: 'bullet points',
    variables: { style: 'bullet points' },
    emotion: 'happy',
  },
  护士: {
    profile: [{ section: 'background', text: '在儿童医院当护士' }],
    records: [{ text: '用户是护士，在儿童医院上班。', who: 'user' }],
    topic: '护士的工作',
  },
})

const KITCHEN = 'We started renovating the kitchen on Monday; the oven and the cupboards are out.'
const TOLD = {
  oak: 'For the kitchen renovation we chose cupboards of white zebrano.',
  tiles: 'The kitchen renovation goes on: the cupboards are up and the tiles are green.',
}
/** A model that rewrites an episode in words of its own. */
const REWRITES: Script = (request) => {
  if (!request.body.messages?.[0]?.content.includes('"changed"')) return exchangeReply({})
  const data = askedData(request)
  const { memory } = JSON.parse(data.slice(data.indexOf('{')))
  const update = data.includes(TOLD.tiles) ? TOLD.tiles : TOLD.oak
  const words = { context: 'kitchen renovation', thing: `kitchen: ${update}`, update }
  return { content: JSON.stringify({ changed: true, text: `Since Monday: ${memory.text} ${update}`, ...words }) }
}

describe.each(THINKERS)('thinking by %s', (by) => {
  /** An episode of the conversation `first`, to which two others add. */
  async function told() {
    const thinking = await openThinking(by, { script: REWRITES })
    const { memory, pass } = thinking
    const said = { infer: false, memoryType: 'episodic', conversationId: 'first', who: 'user' } as const
    const id = (await memory.add(KITCHEN, said)).results[0]!.id
    for (const [conversationId, content] of Object.entries(TOLD)) {
      pass(MINUTE)
      await memory.conversations.store({ conversationId, turns: [{ role: 'user', content }] })
      await memory.context.build(content, { conversationId })
      await memory.idle()
    }
    const { text } = await memory.get(id)
    expect(text).toMatch(/zebrano[\s\S]*tiles/)
    return { ...thinking, id }
  }

  test.each(['undo', 'delete'] as const)(
    'what a conversation added to an episode of another goes with it (%s), and what others added stays',
    async (way) => {
      const { memory, id, path } = await told()
      const gone = wordsInFiles(path, ['zebrano'])
      expect(gone).not.toEqual([])
      if (way === 'undo') await memory.maintenance.undo({ conversationId: 'oak' })
      else await memory.conversations.delete({ conversationId: 'oak' })
      const { text, metadata } = await memory.get(id)
      expect(text.startsWith(KITCHEN)).toBe(true)
      expect(text).toContain('tiles')
      expect(metadata?.updates).toMatchObject([{ chat_id: 'tiles' }])
      expect(JSON.stringify([text, metadata, await memory.history(id)])).not.toContain('zebrano')
      expect(
        (await memory.search('zebrano cupboards')).results.filter((found) => found.text.includes('zebrano')),
      ).toEqual([])
      await memory.maintenance.undo({ conversationId: 'tiles' })
      const after = await memory.get(id)
      expect(after.text).toBe(KITCHEN)
      expect(after.metadata).not.toHaveProperty('updates')
      expect((await memory.history(id)).map(({ newText }) => newText)).not.toContainEqual(
        expect.stringContaining('tiles'),
      )
      await memory.close()
      if (way === 'delete') expect(wordsInFiles(path, ['zebrano'])).toEqual([])
    },
  )

  test('a turn: its lines leave the profile, in whichever words they were written; those of other turns stay', async () => {
    const { memory } = await openThinking(by, { script: SCRIPT })
    await tell(memory, 'chat', WISH, 'Will do.', NURSE, '辛苦了！')
    await memory.idle()
    expect((await memory.profile.get()).text).toMatch(/bullet[\s\S]*护士/)
    expect(await memory.maintenance.undo({ conversationId: 'chat', turnId: 1 })).toMatchObject({ profileLines: 1 })
    const { text } = await memory.profile.get()
    expect(text).not.toContain('bullet')
    expect(text).toContain('护士')
    const { profileLines } = await memory.maintenance.undo({ conversationId: 'chat', turnId: 3 })
    expect(profileLines).toBeGreaterThan(0)
    expect((await memory.profile.get()).text).not.toMatch(/护士|医院/)
  })

  test('a line that another conversation told as well stays until that one is taken back, too', async () => {
    const { memory } = await openThinking(by, { script: SCRIPT })
    await tell(memory, 'first', WISH, 'Will do.')
    await tell(memory, 'second', WISH, 'You said so.')
    await memory.idle()
    expect(await memory.maintenance.undo({ conversationId: 'first' })).toMatchObject({ profileLines: 0 })
    expect((await memory.profile.get()).text).toContain('bullet')
    expect(await memory.maintenance.undo({ conversationId: 'second' })).toMatchObject({ profileLines: 1 })
    expect((await memory.profile.get()).text).not.toContain('bullet')
  })

  test('a line that the user rewrote is the user’s and stays', async () => {
    const { memory } = await openThinking(by, { script: SCRIPT })
    await tell(memory, 'chat', WISH, 'Will do.')
    await memory.idle()
    await memory.profile.set({ text: '## Reply style\n- Bullet points, but friendly ones.' })
    expect(await memory.maintenance.undo({ conversationId: 'chat' })).toMatchObject({ profileLines: 0 })
    expect((await memory.profile.get()).text).toContain('friendly')
  })

  test('topic, variables and emotion are those of the other turns; the time of the last activity is untouched', async () => {
    const { memory } = await openThinking(by, { script: SCRIPT })
    await tell(memory, 'chat', NURSE, '辛苦了！', `${WISH} I am so happy with src/wards/rounds.ts!`, 'Will do.')
    await memory.idle()
    const before = await memory.workingMemory.get({ conversationId: 'chat' })
    expect(JSON.stringify(before)).toMatch(/bullet|rounds\.ts/)
    await memory.maintenance.undo({ conversationId: 'chat', turnId: 3 })
    const after = await memory.workingMemory.get({ conversationId: 'chat' })
    expect(JSON.stringify(after)).not.toMatch(/bullet|rounds\.ts|happy/)
    expect(after).toMatchObject({ turnCount: before.turnCount, updatedAt: before.updatedAt })
    await memory.maintenance.undo({ conversationId: 'chat' })
    expect(await memory.workingMemory.get({ conversationId: 'chat' })).toMatchObject({
      currentTopic: null,
      contextVariables: {},
      lastEmotion: null,
    })
  })

  test('deleting the conversation takes the lines with it that it told, unless the memories are to be kept', async () => {
    for (const keepMemories of [true, false]) {
      const { memory } = await openThinking(by, { script: SCRIPT })
      await tell(memory, 'chat', WISH, 'Will do.', NURSE, '辛苦了！')
      await memory.idle()
      await memory.conversations.delete({ conversationId: 'chat', keepMemories })
      const { text } = await memory.profile.get()
      expect([text.includes('bullet'), text.includes('护士')]).toEqual([keepMemories, keepMemories])
      expect((await allMemories(memory)).length > 0).toBe(keepMemories)
    }
  })

  test('what was added without a turn goes with its conversation', async () => {
    const { memory } = await openThinking(by, { script: SCRIPT })
    await memory.add(WISH, { conversationId: 'notes', wait: true })
    await memory.add(NURSE, { conversationId: 'other', wait: true })
    expect((await memory.profile.get()).text).toMatch(/bullet[\s\S]*护士/)
    expect(await memory.maintenance.undo({ conversationId: 'notes' })).toMatchObject({ profileLines: 1 })
    const { text } = await memory.profile.get()
    expect(text).not.toContain('bullet')
    expect(text).toContain('护士')
  })
})
