import { expect, test } from 'vitest'
import { answersMessage, type Familiarity } from './answers-message.ts'

const STRANGE: Familiarity = {
  known: 0,
  covered: 0,
  alike: null,
  isHan: false,
  namesSpeaker: false,
  namesTime: false,
  statesAsked: false,
  texts: 2000,
}

test('a question made of words that were said is answered, one of strange words is not', () => {
  expect(answersMessage({ ...STRANGE, known: 0.9, covered: 0.4 })).toBe(true)
  expect(answersMessage({ ...STRANGE, known: 0.3, covered: 0.2 })).toBe(false)
})

test('who names a speaker means what was said, whatever the other words are', () => {
  expect(answersMessage({ ...STRANGE, known: 0.1, namesSpeaker: true })).toBe(true)
})

test('a time alone is not enough', () => {
  expect(answersMessage({ ...STRANGE, namesTime: true })).toBe(false)
  expect(answersMessage({ ...STRANGE, known: 0.5, namesTime: true })).toBe(true)
})

test('in a small log a memory that states what is asked for makes up for other words', () => {
  expect(answersMessage({ ...STRANGE, known: 0.4, statesAsked: true })).toBe(false)
  expect(answersMessage({ ...STRANGE, statesAsked: true, texts: 5 })).toBe(true)
})

test('a small log is asked for less: few words were said in it', () => {
  expect(answersMessage({ ...STRANGE, known: 0.3, covered: 0.3, texts: 5 })).toBe(true)
  expect(answersMessage({ ...STRANGE, texts: 5 })).toBe(false)
})

test('what means the same answers without a common word; among many texts it must be closer', () => {
  expect(answersMessage({ ...STRANGE, alike: 0.5, texts: 5 })).toBe(true)
  expect(answersMessage({ ...STRANGE, alike: 0.5 })).toBe(false)
  expect(answersMessage({ ...STRANGE, alike: 0.6 })).toBe(true)
})

test('where nothing is alike, more of the words must be known', () => {
  expect(answersMessage({ ...STRANGE, known: 0.9, alike: 0.1 })).toBe(false)
  expect(answersMessage({ ...STRANGE, known: 0.9, alike: 0.4 })).toBe(true)
})

test('a Chinese question in a small log needs few of its pairs, in a long one half', () => {
  expect(answersMessage({ ...STRANGE, isHan: true, known: 0.2, covered: 0.2, texts: 30 })).toBe(true)
  expect(answersMessage({ ...STRANGE, isHan: true, known: 0.2, covered: 0.2 })).toBe(false)
  expect(answersMessage({ ...STRANGE, isHan: true, texts: 3 })).toBe(false)
})
