import { expect, test } from 'vitest'
import { type Familiarity, roomForEvidence } from './answers-message.ts'

const STRANGE: Familiarity = {
  terms: 6,
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
  expect(roomForEvidence({ ...STRANGE, known: 0.9, covered: 0.4 })).toBeGreaterThan(0)
  expect(roomForEvidence({ ...STRANGE, known: 0.3, covered: 0.2 })).toBe(0)
})

test('who names a speaker means what was said, whatever the other words are', () => {
  expect(roomForEvidence({ ...STRANGE, known: 0.1, namesSpeaker: true })).toBeGreaterThan(0)
})

test('a known value of an attribute of the asker answers, whatever the words are', () => {
  expect(roomForEvidence({ ...STRANGE, statesAsked: true }, true)).toBe(Number.POSITIVE_INFINITY)
  expect(roomForEvidence({ ...STRANGE, statesAsked: true })).toBe(0)
})

test('a time is not enough; of Chinese it counts', () => {
  expect(roomForEvidence({ ...STRANGE, known: 0.5, namesTime: true })).toBe(0)
  const asked = { ...STRANGE, isHan: true, known: 0.5 }
  expect(roomForEvidence(asked)).toBe(0)
  expect(roomForEvidence({ ...asked, namesTime: true })).toBeGreaterThan(0)
})

test('words that are known here and there are not enough: one text must hold some of them', () => {
  expect(roomForEvidence({ ...STRANGE, known: 1, covered: 0.1, alike: 0.3 })).toBe(0)
  expect(roomForEvidence({ ...STRANGE, known: 1, covered: 0.5, alike: 0.3 })).toBeGreaterThan(0)
})

test('who asks how things were means what was said; strange words stay strange', () => {
  const half = { ...STRANGE, known: 0.45, covered: 0.2 }
  expect(roomForEvidence(half)).toBe(0)
  expect(roomForEvidence(half, true)).toBeGreaterThan(0)
  expect(roomForEvidence(STRANGE, true)).toBe(0)
})

test('a small log is asked for less: few words were said in it', () => {
  expect(roomForEvidence({ ...STRANGE, known: 0.3, covered: 0.3, texts: 5 })).toBeGreaterThan(0)
  expect(roomForEvidence({ ...STRANGE, texts: 5 })).toBe(0)
})

test('what means the same answers without a common word; among many texts it must be closer', () => {
  expect(roomForEvidence({ ...STRANGE, alike: 0.5, texts: 5 })).toBeGreaterThan(0)
  expect(roomForEvidence({ ...STRANGE, alike: 0.5 })).toBe(0)
  expect(roomForEvidence({ ...STRANGE, alike: 0.6 })).toBeGreaterThan(0)
})

test('where nothing is alike, more of the words must be known', () => {
  expect(roomForEvidence({ ...STRANGE, known: 0.9, covered: 0.4, alike: 0.1 })).toBe(0)
  expect(roomForEvidence({ ...STRANGE, known: 0.9, covered: 0.4, alike: 0.4 })).toBeGreaterThan(0)
})

test('a Chinese question in a small log needs few of its pairs, in a long one half', () => {
  expect(roomForEvidence({ ...STRANGE, isHan: true, known: 0.2, covered: 0.2, texts: 30 })).toBeGreaterThan(0)
  expect(roomForEvidence({ ...STRANGE, isHan: true, known: 0.2, covered: 0.2 })).toBe(0)
  expect(roomForEvidence({ ...STRANGE, isHan: true, texts: 3 })).toBe(0)
})

test('where it is not sure that anything answers, little is shown', () => {
  const little = roomForEvidence({ ...STRANGE, known: 0.7, covered: 0.35 })
  expect(little).toBeGreaterThan(0)
  expect(little).toBeLessThan(400)
  expect(roomForEvidence({ ...STRANGE, known: 1, covered: 1 })).toBe(Number.POSITIVE_INFINITY)
})

test('in a long log a short Chinese message is made of known pairs by chance', () => {
  const known = { ...STRANGE, isHan: true, known: 1, covered: 0.3 }
  expect(roomForEvidence({ ...known, terms: 8 })).toBe(Number.POSITIVE_INFINITY)
  expect(roomForEvidence({ ...known, terms: 1 })).toBeLessThan(400)
})
