import { expect, test } from 'vitest'
import { relateAll } from './relate.ts'
import type { Related, Statement } from './statement-reading.ts'

const DAY = 86_400_000

const heard = (text: string, day: number): Statement => ({
  text,
  who: 'user',
  occurredAt: day * DAY,
  key: null,
  heard: true,
})

function related(newer: string, older: string): Related {
  return relateAll(heard(newer, 30), [heard(older, 1)])[0]!
}

const [CHOIR, CHOIR_IN_CHINESE] = [
  'I sing in a choir in Malmö with Signe, and the concerts are in May. My brother drives a tram. We got new curtains.',
  '我六月要带爸妈去泉州，住鲤城区的民宿，车票买好了。我弟弟在学修表。',
]

test.each([
  [
    'The curtains look fine. I have left for good, the choir in Malmö is over. Can you find me a recipe for leeks?',
    CHOIR,
  ],
  ['What a week. I dropped out of the choir, my voice is gone. My brother bought a bicycle.', CHOIR],
  ['下了一天雨。泉州去不成了，爸爸摔了腿。弟弟修好了我的表。', CHOIR_IN_CHINESE],
  [
    'It turns out it is not wheat, the nurse found that it is yeast. She was kind.',
    'The rash comes from wheat, so no pasta. I sleep badly.',
  ],
  ['昨天复诊。大夫说老大对牛奶不过敏，是虾。回来路上堵车。', '老大对牛奶过敏，只喝豆浆。老二什么都吃。'],
])('what a clause of a longer message ends is in doubt, and its message may hold otherwise: %s', (newer, older) => {
  const { relation, reason } = related(newer, older)
  expect(relation).toBe('doubts')
  expect(reason).toMatch(/^it is over \(.+\); the rest of it may still hold$/)
})

test.each([
  [
    'a wish',
    'The curtains look fine. I am thinking of dropping out of the choir, what do you say? My brother would too.',
    CHOIR,
  ],
  ['a joke', 'What a rehearsal. One more like that and I quit the choir, haha. My brother laughed.', CHOIR],
  ['a supposition', '下了一天雨。如果爸爸的腿不好，泉州就去不成了。弟弟修好了我的表。', CHOIR_IN_CHINESE],
  ['a fear', '静修回来很累。泉州怕是去不成了，我担心爸爸的腿。弟弟修好了我的表。', CHOIR_IN_CHINESE],
  ['told behind what stands first', '我刚开完会，从泉州卖出去好几单了。弟弟来帮忙。', CHOIR_IN_CHINESE],
  ['of somebody else', 'Signe was here. Her sister has dropped out of a choir in Lund. We ate leeks.', CHOIR],
  ['no end', 'A colleague told me of her holidays. Malmö was lovely, she says, but the choir sang too loud.', CHOIR],
  [
    'one day of a habit',
    '今天围棋课取消了，老师感冒。我在家摆了两盘。',
    '我每周四去上围棋课，老师姓洪。晚上常去散步。',
  ],
  [
    'done on one day',
    'I sold all the plums on Saturday, forty bags. My aunt counted.',
    'I grow plums in Enskede and sell some at the market. My aunt helps.',
  ],
  [
    'for this time',
    'The plums are over for this year, so I cut the tree. My aunt came.',
    'I grow plums and a few pears in Enskede. My aunt helps.',
  ],
])('what is %s ends nothing: %s', (_, newer, older) => {
  expect(related(newer, older).relation).toBe('none')
})

test('of several statements only the one is in doubt that has most of the words', () => {
  const olders = ['Signe lives in Malmö. She has a boat.', CHOIR, 'My tram stops in Malmö. It is never late.']
  const newer = 'A long day. I dropped out of the choir in Malmö, they sing too late. We ate leeks.'
  const relations = relateAll(
    heard(newer, 30),
    olders.map((text) => heard(text, 1)),
  ).map(({ relation }) => relation)
  expect(relations).toEqual(['none', 'doubts', 'none'])
})

test.each([
  [true, 'I have a wheat intolerance. The rash itches, and I sleep badly.'],
  [false, 'I live in Lund. I sing in a choir in Malmö.'],
])('the newer statement gives the present value only where that is what is over: %s', (sameMatter, older) => {
  const newer = 'A long day. It turns out it is not wheat, it is yeast. And I have dropped out of the choir.'
  expect(related(newer, older)).toMatchObject({ relation: 'doubts', sameMatter })
})
