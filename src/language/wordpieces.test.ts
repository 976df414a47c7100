import { expect, test } from 'vitest'
import { splitWordpieces, wordpiecesOf } from './word-vectors.ts'

const PIECES = ['my', 'dog', 'kayak', '##ing', '##s', 'cafe', 'python', 'we', 'use', 'e', 'stra', '##e', '7', '##0']
const vocabulary = wordpiecesOf(PIECES)
const split = (text: string) => splitWordpieces(text, vocabulary).map((piece) => PIECES[piece])

test('words are taken in lower case, and the longest known piece comes first', () => {
  expect(split('My DOG kayaks, my dogs kayaking')).toEqual('my dog kayak ##s my dog ##s kayak ##ing'.split(' '))
  expect(split('70')).toEqual(['7', '##0'])
})

test('accents do not count', () => {
  expect(split('My café')).toEqual(['my', 'cafe'])
})

test('a word with an unknown part is unknown as a whole', () => {
  expect(split('my kayaker')).toEqual(['my'])
  expect(split('my Straße')).toEqual(['my'])
})

test('Chinese is skipped, the English words in it are not', () => {
  expect(split('我们用Python写')).toEqual(['python'])
  expect(split('你好，世界！')).toEqual([])
})

test('punctuation and emoji separate words and are no pieces', () => {
  expect(split('we…use🐍python!?')).toEqual(['we', 'use', 'python'])
})

test('a word of a hundred thousand letters is no word', () => {
  expect(split(`my ${'kayak'.repeat(20_000)} dog`)).toEqual(['my', 'dog'])
})
