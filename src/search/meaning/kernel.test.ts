import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kernelSource } from '../../../test/support/build-kernel.ts'
import { plainKernel } from '../../../test/support/plain-kernel.ts'
import { KERNEL_BASE64 } from './kernel-bytes.ts'
import { type MeaningKernel, openKernel } from './meaning-store.ts'

const TEXTS = 64

test('the committed bytes are what kernel.wat builds to', async () => {
  const { dirname } = import.meta
  expect(readFileSync(join(dirname, 'kernel-bytes.ts'), 'utf8')).toBe(await kernelSource(dirname))
  expect(Buffer.from(KERNEL_BASE64, 'base64').length).toBeLessThan(1024)
})

/** Fills a memory with the same bytes and lets all loops run over them. */
function answersOf(kernel: MeaningKernel) {
  kernel.reserve(131_072)
  const bytes = new Uint8Array(kernel.buffer)
  for (let at = 0; at < 65_536; at += 1) bytes[at] = Math.imul(at + 1, 2_654_435_761) >>> 24
  // The second text differs in all signs, the third in none.
  for (let at = 0; at < 32; at += 1) {
    bytes[1024 + 32 + at] = ~bytes[at]!
    bytes[1024 + 64 + at] = bytes[at]!
  }
  bytes.fill(0, 8192, 8192 + 257 * 4)
  kernel.distances(1024, TEXTS, 0, 4096, 8192)
  const distances = [...bytes.subarray(4096, 4096 + TEXTS)]
  const histogram = [...new Uint32Array(kernel.buffer, 8192, 257)]
  const found = kernel.collect(4096, TEXTS, 128, 1000, 12_288)
  const places = [...new Uint32Array(kernel.buffer, 12_288, found)]
  new Int16Array(kernel.buffer, 16_384, 256).set(Array.from({ length: 256 }, (_, at) => (at % 255) - 127))
  new Uint32Array(kernel.buffer, 20_480, TEXTS).set(Array.from({ length: TEXTS }, (_, at) => 32_768 + at * 256))
  kernel.dots(20_480, TEXTS, 16_384)
  return { distances, histogram, places, dots: [...new Int32Array(kernel.buffer, 20_480, TEXTS)] }
}

test('WebAssembly and plain loops give the same answers', () => {
  const answers = answersOf(openKernel())
  expect(answers).toEqual(answersOf(plainKernel()))
  expect(answers.distances.slice(1, 3)).toEqual([255, 0])
  expect(answers.histogram[256]).toBe(1)
  expect(answers.places).toContain(1002)
  expect(answers.places.length).toBeLessThan(TEXTS)
  expect(new Set(answers.dots).size).toBeGreaterThan(TEXTS / 2)
})
