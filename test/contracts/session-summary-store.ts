/** The duties of every store of session summaries. A backend runs it with a function that opens an empty one. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ConversationLog } from '../../src/domain/contracts/conversation-log.ts'
import type { SessionSummaryStore } from '../../src/domain/contracts/small-stores.ts'

const START = Date.parse('2026-03-02T09:00:00Z')
const PAGE = { limit: 10, offset: 0 }

/** Runs the suite. */
export function sessionSummaryStoreContract(
  name: string,
  open: () => Promise<{
    readonly summaries: SessionSummaryStore
    readonly log: ConversationLog
    readonly close: () => Promise<void>
  }>,
): void {
  describe(`session summary store: ${name}`, () => {
    let summaries: SessionSummaryStore
    let log: ConversationLog
    let close: () => Promise<void>
    beforeEach(async () => {
      ;({ summaries, log, close } = await open())
    })
    afterEach(() => close())

    const converse = (user: string, conversationId: string): Promise<unknown> =>
      log.append(
        user,
        [
          {
            conversationId,
            projectRoot: '',
            turns: [
              {
                role: 'user',
                content: 'Which tiles suit a small bathroom? 小浴室配什么瓷砖？',
                speaker: null,
                createdAt: START,
                externalId: null,
                metadata: null,
                isCollected: false,
                symbols: [],
              },
            ],
          },
        ],
        START,
      )
    const put = (conversationId: string, title: string, at: number, user = 'anna'): Promise<boolean> =>
      summaries.put(user, { conversationId, title, snippet: `About: ${title}` }, at)

    test('a session summary comes back with its fields and its times', async () => {
      await converse('anna', 'chat')
      expect(await summaries.get('anna', 'chat')).toBeNull()
      expect(await put('chat', '浴室瓷砖', START)).toBe(true)
      expect(await summaries.get('anna', 'chat')).toEqual({
        conversationId: 'chat',
        title: '浴室瓷砖',
        snippet: 'About: 浴室瓷砖',
        createdAt: START,
        updatedAt: START,
        edited: false,
      })
      expect(await put('chat', 'Bathroom tiles', START + 9)).toBe(true)
      expect(await summaries.get('anna', 'chat')).toMatchObject({
        title: 'Bathroom tiles',
        createdAt: START,
        updatedAt: START + 9,
      })
    })

    test('lists are newest first, by page, with the total, of one user', async () => {
      for (let at = 0; at < 5; at += 1) {
        await converse('anna', `chat-${at}`)
        await put(`chat-${at}`, `Title ${at}`, START + at)
      }
      await converse('bert', 'chat-0')
      await put('chat-0', 'Private', START + 99, 'bert')
      const page = await summaries.list('anna', { limit: 2, offset: 1 })
      expect(page.items.map(({ title }) => title)).toEqual(['Title 3', 'Title 2'])
      expect(page.total).toBe(5)
      expect(await summaries.list('carl', PAGE)).toEqual({ items: [], total: 0 })
    })

    test('the latest are those of the conversations that were active last, but muted ones', async () => {
      for (const id of ['a', 'b', 'c', 'd']) await converse('anna', id)
      for (const id of ['a', 'b', 'd']) await put(id, `Title ${id}`, START)
      const titles = async (most: number, projectRoot?: string): Promise<readonly string[]> =>
        (await summaries.latest('anna', { most, ...(projectRoot === undefined ? {} : { projectRoot }) })).map(
          ({ title }) => title,
        )
      expect(await titles(2)).toEqual(['Title d'])
      await log.mute('anna', 'd', true)
      expect(await titles(3)).toEqual(['Title b'])
      expect(await titles(9)).toEqual(['Title b', 'Title a'])
      expect(await titles(9, '/work/tiles')).toEqual([])
      expect(await summaries.latest('bert', { most: 9 })).toEqual([])
    })

    test('what the user edited is not written over, and the other half is the machine’s', async () => {
      await converse('anna', 'chat')
      await put('chat', 'Tiles', START)
      expect(await summaries.update('anna', 'chat', { title: '我的浴室' }, START + 5)).toEqual({
        conversationId: 'chat',
        title: '我的浴室',
        snippet: 'About: Tiles',
        createdAt: START,
        updatedAt: START + 5,
        edited: true,
      })
      expect(await put('chat', 'Walls', START + 10)).toBe(true)
      expect(await summaries.get('anna', 'chat')).toMatchObject({ title: '我的浴室', snippet: 'About: Walls' })
      expect(await summaries.update('anna', 'chat', { snippet: 'White and small.' }, START + 20)).toMatchObject({
        title: '我的浴室',
        snippet: 'White and small.',
      })
      expect(await put('chat', 'Tiles again', START + 30)).toBe(false)
      expect(await summaries.get('anna', 'chat')).toMatchObject({ title: '我的浴室', snippet: 'White and small.' })
    })

    test('where nobody knows which half the user wrote, one that stands in what is gone is the machine’s', async () => {
      await converse('anna', 'chat')
      await put('chat', 'Tiles', START)
      const words = { title: 'Tiles', snippet: 'Blue ones…', isOfUnknown: true }
      expect(await summaries.update('anna', 'chat', words, START + 1)).toMatchObject({ edited: true })
      expect(await put('chat', 'Walls', START + 2)).toBe(false)
      const renewed = { conversationId: 'chat', title: 'Walls', snippet: '', gone: 'I want blue ones with a glaze.' }
      expect(await summaries.put('anna', renewed, START + 3)).toBe(true)
      expect(await summaries.get('anna', 'chat')).toMatchObject({ title: 'Tiles', snippet: '', edited: true })
      // An empty half is the user's wish.
      expect(await summaries.put('anna', { ...renewed, snippet: 'Walls.' }, START + 4)).toBe(false)
    })

    test('what the user removed does not come back', async () => {
      await converse('anna', 'chat')
      await put('chat', 'Tiles', START)
      expect(await summaries.remove('anna', 'chat')).toBe(true)
      expect(await summaries.remove('anna', 'chat')).toBe(false)
      expect(await put('chat', 'Tiles', START + 1)).toBe(false)
      expect(await summaries.get('anna', 'chat')).toBeNull()
      expect((await summaries.list('anna', PAGE)).total).toBe(0)
    })

    test('the user makes one where there is none: before the first answer, or after removing it', async () => {
      await converse('anna', 'chat')
      const made = {
        conversationId: 'chat',
        title: '我的浴室',
        snippet: '',
        createdAt: START + 1,
        updatedAt: START + 1,
      }
      expect(await summaries.update('anna', 'chat', { title: '我的浴室' }, START + 1)).toEqual({
        ...made,
        edited: true,
      })
      expect(await put('chat', 'Tiles', START + 2)).toBe(false)
      await summaries.remove('anna', 'chat')
      expect(await summaries.update('anna', 'chat', { snippet: 'Small.' }, START + 3)).toMatchObject({
        title: '',
        snippet: 'Small.',
        edited: true,
      })
      expect((await summaries.list('anna', PAGE)).total).toBe(1)
      expect(await summaries.update('anna', 'nowhere', { title: 'x' }, START)).toBeNull()
      expect(await summaries.update('bo', 'chat', { title: 'x' }, START)).toBeNull()
    })

    test('there is none of a conversation that does not exist, and none is left of one that was deleted', async () => {
      expect(await put('nowhere', 'Ghost', START)).toBe(false)
      await converse('anna', 'chat')
      await put('chat', 'Tiles', START)
      await log.remove('anna', { kind: 'conversation', conversationId: 'chat' })
      expect(await summaries.get('anna', 'chat')).toBeNull()
      expect(await put('chat', 'Tiles', START)).toBe(false)
      await converse('anna', 'chat')
      expect(await put('chat', 'A new chat of the old name', START)).toBe(true)
    })
  })
}
