import { expect, test } from 'vitest'
import { seeded, wholeNumber } from '../../test/support/random.ts'
import { editSimilarity, foldedText } from '../language/spelling.ts'
import { knownTexts } from './new-notes.ts'

const LETTERS = [...'abcdeé 我们的服务器端口']

test('no twin is missed: the bounded search finds what comparing with every text finds', () => {
  const random = seeded(7)
  const text = (): string =>
    Array.from({ length: wholeNumber(random, 1, 14) }, () => LETTERS[wholeNumber(random, 0, LETTERS.length - 1)]).join(
      '',
    )
  const texts = Array.from({ length: 400 }, text)
  const known = knownTexts()
  for (const one of texts) known.add(one)
  for (const threshold of [0.5, 0.8, 0.9, 1]) {
    for (let round = 0; round < 100; round += 1) {
      const asked = text()
      const best = Math.max(...texts.map((one) => editSimilarity(foldedText(asked), foldedText(one))))
      const twin = known.twinOf(asked, threshold)
      if (best < 1 && best <= threshold + 1e-9) expect(twin).toBeNull()
      else expect(twin?.similarity).toBeCloseTo(best)
    }
  }
})

test('case, width and white space make no other text', () => {
  const known = knownTexts()
  known.add('端口是　８０８０')
  expect(known.twinOf('端口是 8080', 1)).toEqual({ text: '端口是　８０８０', similarity: 1 })
})

test('what is exactly as alike as the threshold is no repeat; a letter more alike, it is one (004)', () => {
  const known = knownTexts()
  known.add('我喜欢在湖边慢跑步。')
  expect(known.twinOf('你喜欢在海边慢跑步。', 0.8)).toBeNull()
  expect(known.twinOf('你喜欢在湖边慢跑步。', 0.8)?.similarity).toBeCloseTo(0.9)
})

test('算法优化: what is the very same is known at once, and much longer or shorter texts are not compared', () => {
  const known = knownTexts()
  for (let length = 1; length <= 100; length += 1) known.add('茶'.repeat(length))
  known.twinOf('茶'.repeat(40), 0.8)
  expect(known.compared).toBe(0)
  known.twinOf(`${'茶'.repeat(39)}水`, 0.8)
  expect(known.compared).toBe(19)
})

test('texts of one length that share few pairs of letters are not compared', () => {
  const random = seeded(11)
  const text = (): string =>
    Array.from({ length: 60 }, () => String.fromCharCode(wholeNumber(random, 97, 122))).join('')
  const known = knownTexts()
  for (let at = 0; at < 200; at += 1) known.add(text())
  known.twinOf(text(), 0.8)
  expect(known.compared).toBeLessThan(20)
})
