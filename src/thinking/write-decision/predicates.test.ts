import { expect, test } from 'vitest'
import { MEANINGS, MeaningTable } from './meaning.ts'
import { PREDICATES, predicatesOf } from './predicates.ts'
import { cutWords, plain } from './words.ts'

/** The features of a text in which only the words for sisters and cats have a meaning. */
function features(text: string): readonly number[] {
  const { words, clauses } = cutWords(plain(text))
  const known: Record<string, number> = {
    sister: MEANINGS.indexOf('kin'),
    妹: MEANINGS.indexOf('kin'),
    cat: MEANINGS.indexOf('pet'),
  }
  const found: number[] = []
  const meanings = new MeaningTable(words.length)
  for (const [at, word] of words.entries()) if (known[word] !== undefined) meanings.add(at, known[word])
  const clauseMeanings = new MeaningTable((clauses.at(-1) ?? 0) + 1)
  predicatesOf(words, clauses, meanings, clauseMeanings, (feature) => found.push(feature))
  return found
}

test('the same said of oneself and of a sister differs', () => {
  expect(features('I live in Bergen')).not.toEqual(features('My sister lives in Bergen'))
  expect(features('我住在泉州')).not.toEqual(features('我妹住在泉州'))
})

test('the same kind of statement about other things is the same', () => {
  expect(features('I am a nurse')).toEqual(features("I'm an electrician"))
  expect(features('我住在泉州')).toEqual(features('我住在兰州'))
})

test('what is, what was and what may be differ', () => {
  const said = ['I am a cook', 'I was a cook', 'I would cook', 'I will cook', 'I used to cook', 'I want to cook']
  expect(new Set(said.map((text) => features(text).join())).size).toBe(said.length)
})

test('every feature is in range, whatever the text', () => {
  for (const text of ['', '?', 'my', '我', 'the my our i', '的的的', 'I 我 my 妹', "i'm", '们', '123'])
    for (const feature of features(text)) {
      expect(feature).toBeGreaterThanOrEqual(0)
      expect(feature).toBeLessThan(PREDICATES)
    }
})
