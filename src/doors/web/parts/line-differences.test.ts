import { expect, test } from 'vitest'
import { lineDifferences } from './line-differences.ts'

const told = (before: string, after: string): string =>
  lineDifferences(before, after)
    .map(({ kind, text }) => ({ same: ' ', gone: '-', new: '+' })[kind] + text)
    .join('|')

test('lines that stayed stay in order, between them what went and what came', () => {
  expect(told('a\nb\nc', 'a\nc\nd')).toBe(' a|-b| c|+d')
  expect(told('', '- 我住在杭州。')).toBe('-|+- 我住在杭州。')
  expect(told('x\ny', 'x\ny')).toBe(' x| y')
  expect(told('a\nb\na\nb', 'b\na\nb\na')).toBe('-a| b| a| b|+a')
})
