import { expect, test } from 'vitest'
import { randomVector } from '../../../../test/contracts/vector-index.ts'
import { seeded } from '../../../../test/support/random.ts'
import { cosine } from '../../../domain/unit-vectors.ts'
import { quantize, quantizeQuery, strideOf } from './quantized-vectors.ts'

/** Vectors of all kinds: even ones, ones with an outlier, ones with a single component. */
function vectors(dimension: number): readonly Float32Array[] {
  const random = seeded(dimension)
  const even = Array.from({ length: 40 }, () => randomVector(random, dimension))
  const spiky = even.map((vector, at) => {
    const spiked = vector.slice()
    spiked[at % dimension]! += at
    const length = Math.hypot(...spiked)
    return spiked.map((value) => value / length)
  })
  const single = Float32Array.from({ length: dimension }, (_, at) => (at === 3 ? 1 : 0))
  return [...even, ...spiky, single, single.map((value) => -value)]
}

test('the bound holds for every pair: the score of the codes is never further off than error and slack say', () => {
  for (const dimension of [7, 48, 384, 2560]) {
    const all = vectors(dimension)
    const stride = strideOf(dimension)
    const codes = new Int8Array(stride)
    const steps = new Int16Array(stride)
    for (const query of all.slice(0, 20).concat(all.slice(-3))) {
      const { unit, slack } = quantizeQuery(query, steps)
      for (const [at, vector] of all.entries()) {
        const { scale, error } = quantize(vector, codes, 0)
        let dot = 0
        for (let i = 0; i < stride; i += 1) dot += steps[i]! * codes[i]!
        expect(Math.abs(dot)).toBeLessThan(2 ** 31)
        expect(Math.abs(cosine(query, vector) - dot * unit * scale)).toBeLessThanOrEqual(error + slack)
        // Of vectors without outliers, the first forty, little is lost.
        if (at < 40) expect(error + slack).toBeLessThan(0.02)
      }
    }
  }
})

test('codes beyond the dimension stay zero', () => {
  const codes = new Int8Array(strideOf(33) * 2).fill(0)
  quantize(randomVector(seeded(1), 33), codes, strideOf(33))
  expect(strideOf(33)).toBe(64)
  expect([...codes.subarray(0, 64), ...codes.subarray(64 + 33)].every((code) => code === 0)).toBe(true)
})
