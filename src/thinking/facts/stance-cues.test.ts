import { expect, test } from 'vitest'
import { clausesOf } from './clauses.ts'
import { extractFacts } from './extract-facts.ts'
import { cuesOf, denies, happenedOnce, isPastAct } from './stance-cues.ts'

const facts = (text: string) => extractFacts(text).map(({ key, value, standing }) => `${key}=${value} ${standing}`)

test('what is denied is over, and what holds instead holds', () => {
  expect(facts("I don't live in Graz anymore, I live in Linz now.")).toEqual(['home=Graz ended', 'home=Linz holds'])
  expect(facts('我不住在苏州了，现在住在无锡。')).toEqual(['home=苏州 ended', 'home=无锡 holds'])
})

test('a denial may be the value itself', () => {
  expect(facts("I don't eat meat.").every((fact) => !fact.endsWith('ended'))).toBe(true)
})

test('clauses are judged one by one', () => {
  expect(clausesOf('I no longer sail, but I still row.').map(denies)).toEqual([true, false])
})

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

test('what has gone from one value to another is not over', () => {
  expect(cuesOf('The rent has gone from 700 to 750.').ends).toBe(false)
  expect(cuesOf('The old rent is gone.').ends).toBe(true)
})
