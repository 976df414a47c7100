import { expect, test } from 'vitest'
import { pathsAbove, projectMark } from './memory.ts'

test.each([
  ['/shop/src/cart', ['/shop/src/cart', '/shop/src', '/shop', '/']],
  ['/', ['/']],
  ['shop', ['shop']],
  ['work/shop', ['work/shop', 'work']],
  ['C:\\work\\shop', ['C:\\work\\shop', 'C:\\work', 'C:']],
  ['/店/前台', ['/店/前台', '/店', '/']],
  ['/shop/', ['/shop/', '/shop', '/']],
])('%s lies in', (path, folders) => expect(pathsAbove(path)).toEqual(folders))

test('a mark fits into five bits and is 0 only for what holds everywhere', () => {
  expect(projectMark(null)).toBe(0)
  for (const root of ['', '/', '/shop', '/blog', '店', 'x'.repeat(5000)]) {
    expect(projectMark(root)).toBeGreaterThanOrEqual(1)
    expect(projectMark(root)).toBeLessThanOrEqual(31)
  }
})
