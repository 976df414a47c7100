import { expect, test } from 'vitest'
import { ownersApart } from './overlap.ts'
import { relate } from './relate.ts'
import type { Statement } from './statement-reading.ts'

const DAY = 86_400_000
const heard = (text: string, days = 0): Statement => ({
  text,
  who: 'user',
  occurredAt: Date.UTC(2026, 4, 1) + days * DAY,
  key: null,
  heard: true,
})

test.each([
  ["My nephew's best friend turned eight.", 'My nephew is seven.'],
  ["my uncle's landlord turned 70", 'My uncle is 52.'],
  ["Rosa's brother got divorced.", "I'm engaged to Rosa."],
  ['Their daughter and her husband split up.', 'My husband is called Piotr.'],
  ['阿杰的姐姐离婚了', '我和阿杰结婚了'],
])('what is told of somebody whom a person has changes nothing of that person: "%s" after "%s"', (newer, older) => {
  expect(relate(heard(newer, 30), heard(older)).relation).toBe('none')
})

test.each([
  ['Rosa broke up with me.', "I'm engaged to Rosa."],
  ['We broke up on Sunday.', 'My girlfriend is called Rosa.'],
  ['Nils and Rosa broke up.', 'My cousin Nils is engaged to Rosa.'],
])('the end of a bond is of those who had it: "%s" after "%s"', (newer, older) => {
  expect(relate(heard(newer, 30), heard(older)).relation).toBe('doubts')
})

test.each([
  ['didnt go to the choir on tuesday, had a cold', 'I go to the choir on Tuesdays.'],
  ["We didn't have band practice this Friday.", 'We have band practice on Fridays.'],
])('what is left out on one weekday goes on: "%s" after "%s"', (newer, older) => {
  expect(relate(heard(newer, 30), heard(older)).relation).toBe('none')
})

test('who is only called he or she is no other owner: the words tell of whom both speak', () => {
  const parted = { ...heard('Tore and I split up. He moves back to Bergen.', 30), who: 'someone' }
  expect(ownersApart(parted, heard('His name is Tore and he mends boats.'))).toBe(false)
  expect(ownersApart({ ...parted, who: 'Maja' }, heard('I live in Bergen.'))).toBe(true)
})
