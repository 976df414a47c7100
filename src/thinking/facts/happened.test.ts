import { expect, test } from 'vitest'
import { happenedOnce, isPastAct } from './stance-cues.ts'

test.each(['Met Ida at the station yesterday.', 'We fixed the leak.', '昨天去看了牙医', '我们把漏水修好了'])(
  '"%s" is an occasion',
  (text) => {
    expect(happenedOnce(text)).toBe(true)
  },
)

test.each(['We host everything on Hetzner.', 'My manager is Gareth.', '儿子跟王教练学羽毛球', '我每天骑车上班'])(
  '"%s" is how things are',
  (text) => {
    expect(happenedOnce(text)).toBe(false)
  },
)

test.each([
  'The kiln was fired by Oona in May.',
  'Met Ida at the station yesterday.',
  '窑上周烧坏一次',
  '窑昨天检修过',
])('"%s" is over', (text) => {
  expect(isPastAct(text)).toBe(true)
})

test.each(['We have a tenant called Oona.', '我租了间车库', '我们搭了温室', 'The fair is planned for May.'])(
  '"%s" tells what is so since',
  (text) => {
    expect(isPastAct(text)).toBe(false)
  },
)
