import { expect, test } from 'vitest'
import { firstTaken, withoutUpdates } from './take-back.ts'

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
const isOf =
  (chat: string, turn: number | null = null) =>
  (origin: { readonly conversationId: string; readonly turnId: number | null }) =>
    origin.conversationId === chat && (turn === null || origin.turnId === turn)

test('the first of the updates that are taken back says from when on', () => {
  expect(firstTaken(EPISODE, () => true)).toBe(Date.parse('2026-05-02T09:00:00Z'))
  expect(firstTaken(EPISODE, isOf('tiles', 5))).toBe(Date.parse('2026-05-03T09:00:00Z'))
  expect(firstTaken(EPISODE, isOf('tiles', 4))).toBeNull()
  expect(firstTaken({ text: 'x', metadata: null }, () => true)).toBeNull()
})

test('the text from before holds again, with what others have added since', () => {
  expect(withoutUpdates(EPISODE, isOf('oak'), 'The kitchen is being renovated.')).toEqual({
    text: `The kitchen is being renovated. 2026-05-03：${TILES}`,
    metadata: {
      context: 'at home（最近提到 2026-05-03）',
      thing: `renovation → ${TILES}`,
      chatid: 'first',
      updates: [EPISODE.metadata.updates[1]],
    },
  })
  expect(withoutUpdates(EPISODE, () => true, 'The kitchen is being renovated.')).toEqual({
    text: 'The kitchen is being renovated.',
    metadata: { context: 'at home', thing: 'renovation', chatid: 'first' },
  })
})

test('where the text from before is not known, the sentences leave that say what was added', () => {
  const left = withoutUpdates(EPISODE, isOf('oak'), null)
  expect(left?.text).toContain('The kitchen is being renovated.')
  expect(left?.text).toContain(TILES)
  expect(left?.text).not.toMatch(/oak/)
  const reworded = { ...EPISODE, text: '厨房在装修。绿色的瓷砖，师傅下周来贴。' }
  expect(withoutUpdates(reworded, isOf('tiles'), null)?.text).toBe('厨房在装修。')
  expect(withoutUpdates({ ...EPISODE, text: OAK }, isOf('oak'), null)).toBeNull()
})

test('what a model wrote into context and thing goes when it holds words of what is taken back', () => {
  const { metadata } = EPISODE
  const written = { ...EPISODE, metadata: { ...metadata, context: 'white oak chosen', thing: 'cupboards of oak' } }
  expect(withoutUpdates(written, isOf('oak'), 'The kitchen is being renovated.')?.metadata).toMatchObject({
    context: '（最近提到 2026-05-03）',
    thing: `The kitchen is being renovated. → ${TILES}`,
  })
})
