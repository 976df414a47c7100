import { expect, test } from 'vitest'
import { newValueOf } from './new-value.ts'
import { profileOf } from './profile.ts'

const said = (text: string) => profileOf({ text, who: 'user', occurredAt: 0, key: null, value: null })
const oddsOf = (newer: string, older: string) => newValueOf(said(newer), said(older), 86_400_000)?.odds ?? -Infinity

test.each([
  ["I've raised the compost budget to $90", 'The compost budget is $60'],
  ['Our beehive count has now reached 14 hives', 'We keep 9 hives in the beehive yard'],
  ['How do I cope with the kiln visit being moved from May 3 to May 9?', 'The kiln visit is on May 3.'],
  ['预算提高到 6500 元了', '预算是 5000 元'],
  ['The clinic wants us to keep the scans for only 40 days', 'We keep the scans for 70 days'],
])('"%s" gives a new value after "%s"', (newer, older) => {
  expect(oddsOf(newer, older)).toBeGreaterThan(0)
})

test.each([
  ['I bought a kettle for $40', 'I bought a lamp for $25'],
  ['The choir meets on June 5', 'The dentist sees me on June 2'],
  ['The fee went up by 12%', 'We are 40% through the novel'],
  ['今天买了 3 斤苹果', '昨天跑了 5 公里'],
  ['My garden budget is 300 euros now', 'My wedding budget is 900 euros'],
  ['I cut 700 words from the chapter', 'The chapter should have 900 words'],
  ["I've raised my monthly savings to $300", 'My savings goal is $12,000'],
])('"%s" gives none after "%s"', (newer, older) => {
  expect(oddsOf(newer, older)).toBeLessThan(0)
})

test("a service's notice is no statement of the user", () => {
  expect(said('Your order has been shipped.').isNotice).toBe(true)
  expect(said('【青鸟快递】您的包裹已到').isNotice).toBe(true)
  expect(said('My order has been shipped.').isNotice).toBe(false)
  expect(said('我的包裹到了').isNotice).toBe(false)
})
