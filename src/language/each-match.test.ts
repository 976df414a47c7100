import { expect, test } from 'vitest'
import { atOnce } from '../domain/scheduling.ts'
import { eachMatch } from './each-match.ts'

/** Words of all lengths, so that some lie across each place where a text may be divided. */
const TEXT = Array.from({ length: 4000 }, (_, at) => `${'ab1'.repeat((at * 37) % 90)} x${'-'.repeat(at % 5)}`).join(' ')
const LONG = `${TEXT} ${'c'.repeat(300_000)} ${TEXT}`

test.each([/\w+/g, /(?<=x-)-+(?! a)/dg, /(?<!\w)(ab1)+(?=\sx)/dg, /nothing/g])(
  'the matches of %s in a long text are those of matchAll',
  (pattern) => {
    const found: unknown[] = []
    atOnce(eachMatch(LONG, pattern, ({ 0: match, index, indices }) => found.push([match, index, indices?.at(-1)])))
    expect(found).toEqual(
      [...LONG.matchAll(pattern)].map(({ 0: match, index, indices }) => [match, index, indices?.at(-1)]),
    )
  },
)

test('others run between the matches of a text, and where it has none', () => {
  expect([...eachMatch(LONG, /\w+/g, () => undefined)].length).toBeGreaterThan(8000 / 256)
  expect([...eachMatch(LONG, /nothing/g, () => undefined)].length).toBeGreaterThan(LONG.length / 100_000)
  expect([...eachMatch('some short text', /\w+/g, () => undefined)]).toEqual([])
})
