import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { kernelSource } from '../../../../../test/support/build-kernel.ts'
import { plainScanMemory, type ScanMemory, wasmScanMemory } from '../arena.ts'
import { KERNEL_BASE64 } from './kernel-bytes.ts'

test('the committed bytes are what kernel.wat builds to', async () => {
  const { dirname } = import.meta
  expect(readFileSync(join(dirname, 'kernel-bytes.ts'), 'utf8')).toBe(await kernelSource(dirname))
  expect(Buffer.from(KERNEL_BASE64, 'base64').length).toBeLessThan(1024)
})

/** Fills memory with the same numbers and scans it. */
function hitsOf(memory: ScanMemory, threshold: number): readonly (readonly [slot: number, score: number])[] {
  const [stride, count] = [96, 37]
  memory.reserve(100_000)
  const query = new Int16Array(memory.buffer, 0, stride)
  const codes = new Int8Array(memory.buffer, 4096, stride * count)
  const scales = new Float32Array(memory.buffer, 16_384, count)
  const errors = new Float32Array(memory.buffer, 20_480, count)
  for (let at = 0; at < stride; at += 1) query[at] = ((at * 7919) % 65_535) - 32_767
  for (let at = 0; at < codes.length; at += 1) codes[at] = ((at * 104_729) % 255) - 127
  for (let at = 0; at < count; at += 1) {
    scales[at] = at === 5 ? Number.NaN : 0.001 + at / 10_000
    errors[at] = at / 1000
  }
  const plan = { query: 0, unit: 1 / 32_767, stride, dots: 22_528, out: 24_576 }
  const found = memory.scan(plan, { codes: 4096, scales: 16_384, errors: 20_480, count }, threshold)
  const slots = new Uint32Array(memory.buffer, plan.out, found * 2)
  const scores = new Float32Array(memory.buffer, plan.out, found * 2)
  return Array.from({ length: found }, (_, at) => [slots[at * 2]!, scores[at * 2 + 1]!])
}

test('WebAssembly and plain loops find the same slots with the same scores', () => {
  const wasm = wasmScanMemory()
  expect(wasm).toBeDefined()
  for (const threshold of [Number.NEGATIVE_INFINITY, -0.2, 0, 0.05, 0.4]) {
    const found = hitsOf(wasm!, threshold)
    const plain = hitsOf(plainScanMemory(), threshold)
    expect(found.map(([slot]) => slot)).toEqual(plain.map(([slot]) => slot))
    for (const [at, [, score]] of found.entries()) expect(score).toBeCloseTo(plain[at]![1], 5)
  }
  const all = hitsOf(wasm!, Number.NEGATIVE_INFINITY)
  expect(all).toHaveLength(36)
  expect(hitsOf(wasm!, 0.05).length).toBeLessThan(all.length)
})

test('without WebAssembly there is no kernel, and none is needed', () => {
  const kept = Reflect.get(globalThis, 'WebAssembly')
  try {
    Reflect.deleteProperty(globalThis, 'WebAssembly')
    expect(wasmScanMemory()).toBeUndefined()
  } finally {
    Reflect.set(globalThis, 'WebAssembly', kept)
  }
})
