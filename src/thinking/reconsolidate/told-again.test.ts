import { expect, test } from 'vitest'
import { updatesOf, withoutUpdates } from './reconsolidate-by-rules.ts'

const OAK = 'We chose cupboards of white oak.'
const TILES = '瓷砖是绿色的，师傅下周来贴。'
const said = (update: string, chat: string, turn: number, day: number) => ({
  time: `2026-05-0${day}T09:00:00.000Z`,
  update,
  chat_id: chat,
  turn_id: turn,
})
const EPISODE = {
  text: `The kitchen is being renovated. 2026-05-02: ${OAK} 2026-05-03：${TILES}`,
  metadata: {
    context: 'at home（最近提到 2026-05-03）',
    thing: 'renovation → 瓷砖是绿色的',
    chatid: 'first',
    updates: [said(OAK, 'oak', 1, 2), said(TILES, 'tiles', 5, 3)],
  },
}
const by = (chat: string) => updatesOf(EPISODE.metadata).filter(({ conversationId }) => conversationId === chat)

test('updates are read as they were recorded; what has another shape tells nothing', () => {
  expect(updatesOf(EPISODE.metadata).map(({ turnId, piece }) => [turnId, piece])).toEqual([
    [1, `2026-05-02: ${OAK}`],
    [5, `2026-05-03：${TILES}`],
  ])
  expect(updatesOf(null)).toEqual([])
  expect(updatesOf({ updates: [7, { update: 3 }] })).toMatchObject([{ at: 0, update: '', turnId: null }])
})

test('an update is taken back by dropping its record and its piece of the text', () => {
  expect(withoutUpdates(EPISODE, by('oak'), 'The kitchen is being renovated.')).toEqual({
    text: `The kitchen is being renovated. 2026-05-03：${TILES}`,
    metadata: {
      context: 'at home（最近提到 2026-05-03）',
      thing: `renovation → ${TILES}`,
      chatid: 'first',
      updates: [EPISODE.metadata.updates[1]],
    },
  })
  expect(withoutUpdates(EPISODE, by('tiles'), null).text).toBe(`The kitchen is being renovated. 2026-05-02: ${OAK}`)
  const merged = { ...EPISODE, text: `${EPISODE.text} The flat is on the third floor.` }
  expect(withoutUpdates(merged, [...by('oak'), ...by('tiles')], null)).toEqual({
    text: 'The kitchen is being renovated. The flat is on the third floor.',
    metadata: { context: 'at home', thing: 'renovation', chatid: 'first' },
  })
})

test('of what an earlier version had a model write anew, the text from before holds, with what others have added since', () => {
  const { metadata } = EPISODE
  const written = {
    text: `Since May the kitchen has cupboards of oak; ${TILES}`,
    metadata: { ...metadata, context: 'white oak chosen', thing: 'cupboards of oak' },
  }
  expect(withoutUpdates(written, by('oak'), 'The kitchen is being renovated.')).toEqual({
    text: `The kitchen is being renovated. 2026-05-03：${TILES}`,
    metadata: {
      context: '（最近提到 2026-05-03）',
      thing: `The kitchen is being renovated. → ${TILES}`,
      chatid: 'first',
      updates: [metadata.updates[1]],
    },
  })
})
