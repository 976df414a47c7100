import { expect, test } from 'vitest'
import { peopleOf } from './people.ts'

test.each([
  ['I bake on Sundays.', ['user']],
  ['My cousin bakes on Sundays.', ['cousin']],
  ['My aunt Rosa bakes, and I eat.', ['aunt', 'rosa', 'user']],
  ['Olga drives a tram.', ['olga']],
  ['She drives a tram.', ['pronoun']],
  ['I moved in with my cousin.', ['user']],
  ['Tram drivers are on strike.', ['user']],
  ['我周日烤面包', ['user']],
  ['我表姐周日烤面包', ['cousin']],
  ['老周换了辆车', ['老周']],
  ['我姐夫是开公交的', ['brother_in_law']],
  ['我爸妈住在武汉', ['parents']],
  ['对了我老公换了辆车', ['partner']],
  ['昨天陪我妈去看病', ['user']],
  ['我明天早上约了朋友去海边跑步', ['user']],
  ["I've got a close friend", ['user']],
])('%s is about %j', (text, subjects) => {
  expect([...peopleOf(text).subjects]).toEqual(subjects)
})

test('a Chinese clause without a subject goes on about the person before', () => {
  const { clauses } = peopleOf('我爷爷腿疼，改坐公交了')
  expect(clauses.map(({ subjects }) => [...subjects])).toEqual([['grandfather'], ['grandfather']])
})

test('relations and names are found wherever they stand', () => {
  const { mentioned, names } = peopleOf('Lent the drill to my neighbour, and Ravi has the ladder.')
  expect([...mentioned]).toEqual(['neighbour'])
  expect([...names]).toContain('ravi')
})

test('a friend of somebody is not that somebody', () => {
  const { subjects, names } = peopleOf("Theo's friend Ruben cannot have dairy.")
  expect([...subjects]).toEqual(['ruben'])
  expect([...names]).toEqual(['ruben'])
})

test.each([
  ['我养了一只乌龟，平时住在水池里', ['user', 'pronoun']],
  ['我有个表哥，在青岛当船长', ['user', 'cousin']],
  ['我认识一位裁缝，住在绍兴', ['user', 'pronoun']],
  ['我有个习惯，喜欢早起', ['user']],
  ['我养了一只乌龟，我住在绍兴', ['user']],
])('a clause without a subject tells of whom the one before it brought in: %s', (text, subjects) => {
  expect([...peopleOf(text).subjects]).toEqual(subjects)
})

test.each([
  ["Our baker's wife's brother sails.", ["partner's brother"]],
  ["My nephew's best friend sails.", ["nephew's friend"]],
  ["Theo's sister sails.", ["theo's sister"]],
  ['Her husband sails.', ["pronoun's partner"]],
  ['我外甥的同桌会开船', ["nephew's classmate"]],
])('whom somebody else has is nobody of the user: %s', (text, subjects) => {
  expect([...peopleOf(text).subjects]).toEqual(subjects)
})
