import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kernelSource } from '../../../../../test/support/build-kernel.ts'
import { openScanMemory } from '../quantized-vectors.ts'
import { KERNEL_BASE64 } from './kernel-bytes.ts'

test('the committed bytes are what kernel.wat builds to', async () => {
  const { dirname } = import.meta
  expect(readFileSync(join(dirname, 'kernel-bytes.ts'), 'utf8')).toBe(await kernelSource(dirname))
  expect(Buffer.from(KERNEL_BASE64, 'base64').length).toBeLessThan(1024)
})

const [STRIDE, COUNT, UNIT] = [96, 37, 1 / 32_767]
const query = Int16Array.from({ length: STRIDE }, (_, at) => ((at * 7919) % 65_535) - 32_767)
const codes = Int8Array.from({ length: STRIDE * COUNT }, (_, at) => ((at * 104_729) % 255) - 127)
const scales = Float32Array.from({ length: COUNT }, (_, at) => (at === 5 ? Number.NaN : 0.001 + at / 10_000))
const errors = Float32Array.from({ length: COUNT }, (_, at) => at / 1000)

type Hits = readonly (readonly [slot: number, score: number])[]

function hitsOfKernel(threshold: number): Hits {
  const memory = openScanMemory()
  memory.reserve(100_000)
  new Int16Array(memory.buffer, 0, STRIDE).set(query)
  new Int8Array(memory.buffer, 4096, codes.length).set(codes)
  new Float32Array(memory.buffer, 16_384, COUNT).set(scales)
  new Float32Array(memory.buffer, 20_480, COUNT).set(errors)
  const plan = { query: 0, unit: UNIT, stride: STRIDE, dots: 22_528, out: 24_576 }
  const found = memory.scan(plan, { codes: 4096, scales: 16_384, errors: 20_480, count: COUNT }, threshold)
  const slots = new Uint32Array(memory.buffer, plan.out, found * 2)
  const scores = new Float32Array(memory.buffer, plan.out, found * 2)
  return Array.from({ length: found }, (_, at) => [slots[at * 2]!, scores[at * 2 + 1]!])
}

function hitsOfLoops(threshold: number): Hits {
  return Array.from({ length: COUNT }, (_, slot): [number, number] => {
    const dot = query.reduce((sum, step, at) => sum + step * codes[slot * STRIDE + at]!, 0)
    return [slot, Math.fround(dot * UNIT * scales[slot]!)]
  }).filter(([slot, score]) => score + errors[slot]! >= threshold)
}

test('the kernel and plain loops find the same slots with the same scores', () => {
  for (const threshold of [Number.NEGATIVE_INFINITY, -0.2, 0, 0.05, 0.4]) {
    const found = hitsOfKernel(threshold)
    const plain = hitsOfLoops(threshold)
    expect(found.map(([slot]) => slot)).toEqual(plain.map(([slot]) => slot))
    for (const [at, [, score]] of found.entries()) expect(score).toBeCloseTo(plain[at]![1], 5)
  }
  const all = hitsOfKernel(Number.NEGATIVE_INFINITY)
  expect(all).toHaveLength(36)
  expect(hitsOfKernel(0.05).length).toBeLessThan(all.length)
})
