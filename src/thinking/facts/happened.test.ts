import { expect, test } from 'vitest'
import { happenedOnce } from './happened.ts'

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
