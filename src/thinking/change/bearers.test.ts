import { expect, test } from 'vitest'
import { relate } from './relate.ts'

const said = (text: string, day: number) => ({
  text,
  who: 'user',
  occurredAt: day * 86_400_000,
  key: null,
  value: null,
})
const relation = (newer: string, older: string) => relate(said(newer, 30), said(older, 1)).relation

test.each([
  ['My other sister lives in Turku.', 'My sister lives in Oulu.'],
  ['The staging database is MariaDB 11.', 'The production database is Postgres 15.'],
  ['My middle name is Otto.', 'My name is Emil.'],
  ['My work phone number is 020 7946 0011.', 'My phone number is 020 7946 0999.'],
  ['测试环境的数据库是 MariaDB 11', '生产环境的数据库是 Postgres 15'],
  ['我的英文名叫 Toby', '我叫田博'],
  ['公司邮箱是 tb@hanlin.cn', '我的邮箱是 tianbo@mail.cn'],
])('"%s" leaves "%s" alone', (newer, older) => {
  expect(['adds', 'none']).toContain(relation(newer, older))
})

test.each([
  ['My work phone number is 020 7946 0011.', 'My work phone number is 020 7946 0777.'],
  ['The staging database is MariaDB 11 now.', 'The staging database is MySQL 8.'],
  ["I'm vegan now.", "I'm vegetarian."],
  ['我现在全素了', '我吃素'],
])('"%s" takes the place of "%s"', (newer, older) => {
  expect(relation(newer, older)).toBe('supersedes')
})

test.each([
  ['My locker code is 4471.', 'My locker code is 4417.'],
  ['The build runs on Node 22.', 'The build runs on Node 20.'],
  ['Our dog is called Bruno.', 'Our dog is called Otto.'],
  ['我的柜子密码是 4471', '我的柜子密码是 4417'],
])('"%s" with another value is no repetition of "%s"', (newer, older) => {
  expect(relation(newer, older)).not.toBe('same')
})

test('a past event told again in other words is the same, a second visit is not', () => {
  expect(relation('Ida and I hiked the Tatras last summer.', 'Last summer I hiked in the Tatras with Ida.')).toBe(
    'same',
  )
  expect(relation('Went to the dentist in Linz today.', 'Went to the dentist in Linz today.')).toBe('adds')
})
