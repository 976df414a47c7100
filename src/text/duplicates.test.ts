import { expect, test } from 'vitest'
import { seeded, wholeNumber } from '../../test/support/random.ts'
import { foldedText, knownTexts } from './duplicates.ts'
import { editSimilarity } from './edit-distance.ts'

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
      if (best + 1e-9 < threshold) expect(twin).toBeNull()
      else expect(twin?.similarity).toBeCloseTo(best)
    }
  }
  expect(known.effort.compared).toBeLessThan(known.effort.pairs / 4)
})

test('case, width and white space make no other text', () => {
  const known = knownTexts()
  known.add('端口是　８０８０')
  expect(known.twinOf('端口是 8080', 1)).toEqual({ text: '端口是　８０８０', similarity: 1 })
})

test('texts that came and went are forgotten: what is found is what a new collection finds', () => {
  const random = seeded(13)
  const text = (): string =>
    Array.from({ length: wholeNumber(random, 1, 9) }, () => LETTERS[wholeNumber(random, 0, LETTERS.length - 1)]).join(
      '',
    )
  const known = knownTexts()
  const there: string[] = []
  for (let round = 0; round < 1500; round += 1) {
    if (there.length < 40 || random() < 0.5) {
      // Often the same again, in other letters.
      const one =
        there.length > 0 && random() < 0.3 ? there[wholeNumber(random, 0, there.length - 1)]!.toUpperCase() : text()
      known.add(one)
      there.push(one)
    } else known.remove(there.splice(wholeNumber(random, 0, there.length - 1), 1)[0]!)
    if (round % 10 !== 0) continue
    const fresh = knownTexts()
    for (const one of there.toReversed()) fresh.add(one)
    for (const asked of [text(), there[0]!, `${there[0]}a`]) {
      const twin = known.twinOf(asked, 0.7)
      expect(twin).toEqual(fresh.twinOf(asked, 0.7))
      if (twin !== null) expect(there).toContain(twin.text)
    }
  }
  known.remove('never added')
  for (const one of there) known.remove(one)
  expect(known.twinOf(there[0]!, 0.1)).toBeNull()
})

test('letters beyond those that are counted make no twin missed', () => {
  const known = knownTexts()
  const long = 'a'.repeat(400)
  known.add(`${long} und tea`)
  known.add(`${'b'.repeat(300)} und tea`)
  expect(known.twinOf(`${'a'.repeat(330)} und teas`, 0.8)?.text).toBe(`${long} und tea`)
  expect(known.twinOf(`${'b'.repeat(350)} tea`, 0.8)?.text).toBe(`${'b'.repeat(300)} und tea`)
})
