import { expect, test } from 'vitest'
import { isSmallTalk } from './small-talk.ts'

test.each([
  ['Good morning!', true],
  ['thanks, you rock', true],
  ['ok cool', true],
  ['omg stop 😂😂', true],
  ['你好', true],
  ['哈哈哈，谢谢', true],
  ['ferry to Naxos', false],
  ['spare key of the greenhouse', false],
  ['nice hotel in Naxos', false],
  ['happy new year party', false],
  ['疫苗 honey', false],
  ['豆沙', false],
  ['猫的疫苗本', false],
])('what greets or thanks is small talk, a few words that name a thing are searched for: %s', (message, expected) => {
  expect(isSmallTalk(message)).toBe(expected)
})
