import { expect, test } from 'vitest'
import { judgeChange } from './judge-change.ts'
import { overlapOf } from './overlap.ts'
import { relate } from './relate.ts'
import { type Read, readingOf } from './statement-reading.ts'

const said = (text: string, day: number, heard = true) => ({
  text,
  who: 'user',
  occurredAt: day * 86_400_000,
  key: null,
  heard,
})
const verdictOn = (newer: string, older: string) => {
  const [mine, theirs] = [said(newer, 3), said(older, 1)].map(
    (statement): Read => ({ statement, reading: readingOf(statement) }),
  )
  return judgeChange(mine!, theirs!, overlapOf(mine!.reading, theirs!.reading))
}

test.each([
  ['I sold the cello.', 'I play the cello in a trio.', 'The cello case is blue.'],
  ['钢琴课退了', '每周三上钢琴课', '楼下在修水管'],
])('after "%s" it is likelier over with "%s" than with another thing', (newer, meant, other) => {
  expect(verdictOn(newer, meant).odds).toBeGreaterThan(verdictOn(newer, other).odds)
})

test.each([
  ["I've raised the compost budget to $90", 'The compost budget is $60'],
  ['Our beehive count has now reached 14 hives', 'We keep 9 hives in the beehive yard'],
  ['How do I cope with the kiln visit being moved from May 3 to May 9?', 'The kiln visit is on May 3.'],
  ['预算提高到 6500 元了', '预算是 5000 元'],
  ['The shed roof will be 740 after all', 'The shed roof will cost 600'],
  ['拿铁涨到32元了', '拿铁卖28块'],
])('"%s" gives a new value after "%s"', (newer, older) => {
  const { odds, value } = verdictOn(newer, older)
  expect(value).not.toBeNull()
  expect(odds).toBeGreaterThan(0.75)
})

test.each([
  [
    "Otto got his days off early, he's here on the 11th of June now, not the 14th",
    'My son Otto comes home on June 14.',
  ],
  ['The kiln opening is on 9 May rather than the 2nd', 'The kiln opens on 2 May and Ida brings the glazes.'],
  ['姑姑不是5号来了，改成12号', '姑姑5号到大连来'],
])('"%s" names the value of "%s" as the one that is left', (newer, older) => {
  expect(verdictOn(newer, older).odds).toBeGreaterThan(
    verdictOn(newer, older.replace(/14|2 May|5号/, '26 May')).odds + 0.5,
  )
})

test.each([
  ['I bought a kettle for $40', 'I bought a lamp for $25'],
  ['The choir meets on June 5', 'The dentist sees me on June 2'],
  ['The fee went up by 12%', 'We are 40% through the novel'],
  ['今天买了 3 斤苹果', '昨天跑了 5 公里'],
  ['My garden budget is 300 euros now', 'My wedding budget is 900 euros'],
  ['I cut 700 words from the chapter', 'The chapter should have 900 words'],
  ["I've raised my monthly savings to $300", 'My savings goal is $12,000'],
  // what is reached leaves an aim as it is, and an aim what is reached
  [
    "I've gathered 22 seed samples from the two nurseries",
    "I've got until April to gather 15 seed samples from the two nurseries",
  ],
  ["Let's hope we can get the germination rate up to 95%", 'The germination rate has improved to 91%'],
  // each period has its own
  ['I have a $60 book budget for April', "I've increased my January book budget to $50"],
])('"%s" gives none after "%s"', (newer, older) => {
  expect(verdictOn(newer, older).odds).toBeLessThan(0.5)
})

test('two values of one attribute need no further evidence, what shares nothing is left alone', () => {
  expect(relate(said('My locker code is 5521.', 40, false), said('My locker code is 9034.', 1)).relation).toBe(
    'supersedes',
  )
  expect(relate(said('I sold the cello.', 40, false), said('Our office is on the third floor.', 1)).relation).toBe(
    'none',
  )
})

test("a service's notice is no statement of the user", () => {
  const isNotice = (text: string): boolean => readingOf(said(text, 1)).isNotice
  expect(isNotice('Your order has been shipped.')).toBe(true)
  expect(isNotice('【青鸟快递】您的包裹已到')).toBe(true)
  expect(isNotice('My order has been shipped.')).toBe(false)
  expect(isNotice('我的包裹到了')).toBe(false)
})

test('a change that names what it replaces leaves another value alone', () => {
  const older = 'The compost budget is $60'
  const value = (newer: string) => verdictOn(newer, older).value?.newer.value
  expect(value("I've raised the compost budget from $60 to $90")).toBe('90')
  expect(value("I've raised the compost budget from $40 to $90")).toBeUndefined()
})

test.each([
  ['I changed jobs, I work at a bakery now.', 'I work as a nurse in Ghent.'],
  ['We cancelled the gym.', 'Our gym is in Union Street.'],
  ['我现在在杭州上班', '我在苏州上班'],
])('no change is likelier than where all is shared: "%s" after "%s"', (newer, older) => {
  const [mine, theirs] = [newer, older].map((text, day) => ({
    statement: said(text, 9 - day),
    reading: readingOf(said(text, 9 - day)),
  })) as [Read, Read]
  const overlap = overlapOf(mine.reading, theirs.reading)
  const most = judgeChange(mine, theirs, { ...overlap, topics: [], names: [''], propScore: 2 })
  expect(most.odds).toBeGreaterThanOrEqual(judgeChange(mine, theirs, overlap).odds)
})
