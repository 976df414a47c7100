/** The duties of every conversation log with the user's mark on turns. A backend runs it with a function that opens an empty one. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ConversationLog } from '../../src/domain/contracts/conversation-log.ts'
import { newTurn } from './turn-index.ts'

const START = Date.parse('2026-03-02T09:00:00Z')
const SAID = ['炉子用文火还是大火？', 'A low flame, for forty minutes.', '盐什么时候放？', 'At the very end.']

/** Runs the suite. */
export function collectedTurnsContract(
  name: string,
  open: () => Promise<{ readonly log: ConversationLog; readonly close: () => Promise<void> }>,
): void {
  describe(`collected turns: ${name}`, () => {
    let log: ConversationLog
    let close: () => Promise<void>
    beforeEach(async () => {
      ;({ log, close } = await open())
    })
    afterEach(() => close())

    const converse = (userId: string, conversationId: string, at = START): Promise<unknown> =>
      log.append(
        userId,
        [
          {
            conversationId,
            projectRoot: '',
            turns: SAID.map((content, index) => newTurn(content, { createdAt: at + index * 1000 })),
          },
        ],
        at,
      )
    const collect = (conversationId: string, turnId: number, isCollected = true, userId = 'anna') =>
      log.collect(userId, { conversationId, turnId }, isCollected)
    const numbers = async (conversationId: string, isCollected: boolean) => {
      const turns = await log.turns('anna', conversationId, {})
      return turns.filter((turn) => turn.isCollected === isCollected).map(({ turnId }) => turnId)
    }

    test('a turn is not collected until the mark is set, and again when it is taken off', async () => {
      await converse('anna', 'soup')
      expect(await log.turns('anna', 'soup', {})).toMatchObject(Array(4).fill({ isCollected: false }))
      const before = (await log.turns('anna', 'soup', {}))[1]
      expect(await collect('soup', 2)).toEqual({ ...before, isCollected: true })
      expect(await collect('soup', 2)).toEqual({ ...before, isCollected: true })
      expect(await numbers('soup', true)).toEqual([2])
      expect(await numbers('soup', false)).toEqual([1, 3, 4])
      expect(await collect('soup', 2, false)).toEqual(before)
      expect(await numbers('soup', true)).toEqual([])
    })

    test('a turn may be stored with the mark; one that is there already keeps its own', async () => {
      const turn = newTurn(SAID[0]!, { externalId: 'm1', isCollected: true })
      const batch = { conversationId: 'soup', projectRoot: '' }
      await log.append('anna', [{ ...batch, turns: [turn] }], START)
      expect(await numbers('soup', true)).toEqual([1])
      await collect('soup', 1, false)
      await log.append('anna', [{ ...batch, turns: [turn] }], START)
      expect(await numbers('soup', true)).toEqual([])
    })

    test('what is not there, or another user’s, cannot be collected', async () => {
      await converse('anna', 'soup')
      expect(await collect('soup', 5)).toBeNull()
      expect(await collect('stew', 1)).toBeNull()
      expect(await collect('soup', 1, true, 'bo')).toBeNull()
      await converse('bo', 'soup')
      await collect('soup', 1, true, 'bo')
      expect(await numbers('soup', true)).toEqual([])
    })

    test('cleaning up by age leaves them, and their conversation with its numbers; naming the conversation does not', async () => {
      await converse('anna', 'soup')
      await converse('anna', 'stew')
      await collect('soup', 3)
      const older = { kind: 'older', before: START + 3_600_000 } as const
      expect(await log.remove('anna', older)).toMatchObject({ conversations: 1, turns: 7, shortened: ['soup'] })
      expect(await log.turns('anna', 'soup', {})).toMatchObject([{ turnId: 3, content: SAID[2], isCollected: true }])
      expect(await log.conversation('anna', 'soup')).toMatchObject({ turnCount: 1, lastTurnId: 4 })
      expect(await log.conversation('anna', 'stew')).toBeNull()
      expect(await log.remove('anna', older)).toMatchObject({ conversations: 0, turns: 0, shortened: [] })
      await collect('soup', 3, false)
      expect(await log.remove('anna', older)).toMatchObject({ conversations: 1, turns: 1 })
      expect(await log.conversation('anna', 'soup')).toBeNull()
      await converse('anna', 'soup')
      await collect('soup', 1)
      expect(await log.remove('anna', { kind: 'conversation', conversationId: 'soup' })).toMatchObject({ turns: 4 })
    })
  })
}
