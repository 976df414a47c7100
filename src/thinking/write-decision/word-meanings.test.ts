import { expect, test } from 'vitest'
import { cutWords, normalizedText } from './word-meanings.ts'

const words = (text: string): readonly string[] => cutWords(normalizedText(text)).words
const clauses = (text: string): readonly number[] => cutWords(normalizedText(text)).clauses

test('marks within a Latin word belong to it, marks around it do not', () => {
  expect(words("I'm on node.js, C++ and C#. See /etc/hosts.")).toEqual([
    "i'm",
    'on',
    'node.js',
    'c++',
    'and',
    'c#',
    'see',
    'etc/hosts',
  ])
})

test('each Han character and each emoji is a word, whatever its script or width', () => {
  expect(words('我愛吃麵🍜ＡＢ１２')).toEqual(['我', '爱', '吃', '面', '🍜', 'ab12'])
  expect(words('ありが Привет')).toEqual(['あ', 'り', 'が', 'п', 'р', 'и', 'в', 'е', 'т'])
})

test('a mark, a new line and a space between Han characters end a clause; quotes do not', () => {
  expect(clauses('one "two", three\nfour')).toEqual([0, 0, 1, 2])
  expect(clauses('我住 这里 now 好')).toEqual([0, 0, 1, 1, 1, 1])
})

test('nothing comes of nothing', () => {
  expect(cutWords(normalizedText(' \n…!'))).toEqual({ words: [], clauses: [] })
})
