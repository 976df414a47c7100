import { expect, test } from 'vitest'
import { type Stance, stanceOf } from './stance.ts'
import { tellsOfPast } from './stance-cues.ts'

test.each<[keyof Stance, readonly string[]]>([
  [
    'replaces',
    [
      'We migrated the mail to another provider.',
      'I switched my desk lamp to a warmer one.',
      '邮箱换成另一家了',
      '改用钢笔写字',
    ],
  ],
  ['begins', ['First week at the observatory.', 'The new kettle has arrived.', '今天入职', '快递到货，拆箱']],
  ['ends', ['I cancelled the box scheme.', 'We no longer keep bees.', '不再养蜂', '年卡退了']],
  ['corrects', ['Actually, it is the blue one.', 'I meant the second floor.', '我记错了，是二楼', '更正：周五开会']],
  ['past', ['I used to fence.', 'As a child I collected stamps.', '小时候我集邮', '我以前练击剑']],
  ['adds', ['We also keep ducks.', 'I play the harp as well.', '我也养鸭子', '另外还在学竖琴']],
  ['hedged', ['I think it is on the left.', '好像在左边']],
  ['unreal', ['If I had a boat, I would sail.', 'Where is the ladder?', '要是有条船就好了', '梯子在哪儿？']],
])('%s', (flag, texts) => {
  for (const text of texts) expect([text, stanceOf(text)[flag]]).toEqual([text, true])
})

test('a plain statement has no standing but its own', () => {
  for (const text of ['The ladder leans on the shed.', '梯子靠在棚子上']) {
    const said = Object.values(stanceOf(text))
    expect(said).not.toContain(true)
  }
})

test('a past that only names what has changed is no past', () => {
  expect(stanceOf('I used to fence but now I row.').past).toBe(false)
  expect(stanceOf('以前用毛笔，现在改成钢笔了').past).toBe(false)
})

test('what is told through things is a change, though no word names one', () => {
  for (const text of [
    'Handed the caretaker my keys and my pass.',
    'The cello went to a school in Leith.',
    '工牌和饭卡都给了前台',
  ]) {
    const { begins, ends, change } = stanceOf(text)
    expect([text, change > 0, begins || ends]).toEqual([text, true, true])
  }
})

test('the words alone tell of the past', () => {
  expect(tellsOfPast('Where did I live when I was a student?')).toBe(true)
  expect(tellsOfPast('我现在住哪儿？')).toBe(false)
})

test.each([
  ['The bakery moved to Aalst because we used to run out of room', 'The bakery moved to Aalst'],
  ['面包店搬到城南了，因为以前老是断电。', '面包店搬到城南了'],
])('a reason at the end changes nothing of what is told: %s', (text, told) => {
  expect(stanceOf(text)).toEqual(stanceOf(told))
})
