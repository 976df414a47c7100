import { expect, test } from 'vitest'
import { changingIn } from './profile.ts'

test('the object of a change is named in both languages', () => {
  expect(changingIn('We switched the wiki to BookStack.')[0]).toMatch(/^wiki/)
  expect(changingIn('I sold my tuba last night.')[0]).toMatch(/^tuba/)
  expect(changingIn('词典换成别的了')).toEqual(['词典'])
})

test('a statement of what is names none', () => {
  expect(changingIn('My tuba is in the attic.')).toEqual([])
  expect(changingIn('我家住在江边')).toEqual([])
})
