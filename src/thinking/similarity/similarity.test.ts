import { expect, test } from 'vitest'
import { half, PAIRS } from '../../../bench/quality/pairs-data.ts'
import {
  COSINE_THRESHOLDS,
  inContrast,
  judgeSimilarity,
  LEXICAL_THRESHOLDS,
  lexicalSimilarity,
  textProfile,
} from './similarity.ts'

test('002 R5.2, R5.3: cosines from 0.85 on may merge, from 0.65 on they are ambiguous', () => {
  expect([0.85, 0.8499, 0.65, 0.6499].map((cosine) => judgeSimilarity(cosine, COSINE_THRESHOLDS))).toEqual([
    'same',
    'ambiguous',
    'ambiguous',
    'different',
  ])
})

test('similarity is symmetric, 1 for the same words in another order, 0 without a common word', () => {
  for (const { a, b } of PAIRS) expect(lexicalSimilarity(a, b)).toBe(lexicalSimilarity(b, a))
  expect(lexicalSimilarity('The kiln cracked on Sunday.', 'On Sunday the kiln cracked!')).toBe(1)
  expect(lexicalSimilarity('窑炉裂了。', 'The kiln cracked.')).toBe(0)
  expect(lexicalSimilarity('', '')).toBe(0)
})

test('no related and no unrelated pair reaches the bound of merging, in either half', () => {
  const wrong = PAIRS.filter(
    ({ kind, a, b }) => kind.endsWith('related') && lexicalSimilarity(a, b) >= LEXICAL_THRESHOLDS.mergeHigh,
  )
  expect(wrong).toEqual([])
})

test('most pairs that tell of one event reach it, in the half that was not chosen on', () => {
  const same = half('report').filter(({ kind }) => kind === 'same')
  const found = same.filter(({ a, b }) => lexicalSimilarity(a, b) >= LEXICAL_THRESHOLDS.mergeHigh)
  expect(found.length / same.length).toBeGreaterThan(0.7)
})

test('another number, name, place or day keeps two texts below the bound of merging, in English and Chinese', () => {
  for (const [a, b] of [
    ['Paid the plumber 300 euros for the bathroom sink.', 'Paid the plumber 450 euros for the bathroom sink.'],
    ['Lent the long ladder and the drill to Kasimir.', 'Lent the long ladder and the drill to Leontine.'],
    [
      'The choir sings the requiem in Graz on Friday evening.',
      'The choir sings the requiem in Linz on Friday evening.',
    ],
    ['The parcel from the mill has arrived.', 'The parcel from the mill has not arrived.'],
    ['磨坊的包裹到了。', '磨坊的包裹没到。'],
    ['水电费这个月交了三百二十元。', '水电费这个月交了四百五十元。'],
    ['合唱团周五晚上在音乐厅演出安魂曲。', '合唱团周日晚上在音乐厅演出安魂曲。'],
  ] as const) {
    const similarity = lexicalSimilarity(a, b)
    expect(similarity, a).toBeLessThan(LEXICAL_THRESHOLDS.mergeHigh)
    expect(similarity, a).toBeGreaterThanOrEqual(LEXICAL_THRESHOLDS.ambiguousLow)
  }
})

test('another verb stands in one place with its particle or auxiliary, and is another statement', () => {
  const contrast = (a: string, b: string) => inContrast(textProfile(a), textProfile(b))
  for (const [a, b] of [
    ['昨天果园由阿木浇过水泵。', '果园由阿木看管水泵。'],
    ['前天大巴由老周清洗过。', '大巴由老周驾驶。'],
    ['The orchard was sprayed by Amund yesterday.', 'The orchard is owned by Amund.'],
  ] as const)
    expect(contrast(a, b), a).toBe(true)
  expect(contrast('大巴昨天由老周清洗过。', '昨天大巴由老周清洗过了。')).toBe(false)
})
