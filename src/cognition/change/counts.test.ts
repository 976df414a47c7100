import { expect, test } from 'vitest'
import { countedOtherwise, countsIn, numberBeside } from './counts.ts'

function otherwise(newer: string, older: string): boolean {
  return countedOtherwise({ counts: countsIn(newer) }, { counts: countsIn(older) })
}

test('The same thing counted or numbered differently is noticed in both languages', () => {
  expect(otherwise("We're down to one cat.", "We've got two cats, Soot and Ember.")).toBe(true)
  expect(otherwise('Grade 4, it turns out.', "My daughter's piano grade is 5.")).toBe(true)
  expect(otherwise('这学期给我调到七班去了', '我在三班当班主任')).toBe(true)
})

test('Other things, the same number and mere amounts of time are no difference', () => {
  expect(otherwise('I saw two dogs.', "We've got three cats.")).toBe(false)
  expect(otherwise('Our two cats slept all day.', "We've got two cats.")).toBe(false)
  expect(otherwise('I waited three weeks.', 'We stayed two weeks.')).toBe(false)
  expect(otherwise('我有一个问题', '家里有两个孩子')).toBe(false)
})

test('A number that is repeated with another beside it may be put right', () => {
  expect(numberBeside({ text: "It's 8081, 8080 is the admin page." }, { text: 'The API listens on port 8080.' })).toBe(
    true,
  )
  expect(numberBeside({ text: 'Port 8080 is open.' }, { text: 'The API listens on port 8080.' })).toBe(false)
  expect(numberBeside({ text: 'It has 16 cores.' }, { text: 'The API listens on port 8080.' })).toBe(false)
})
