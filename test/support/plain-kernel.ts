/** The kernel of meanings as plain loops, by which the one in WebAssembly is judged. */
import { LARGEST_MEMORY, type LoopMemory } from '../../src/domain/wasm-memory.ts'
import { CODE_COUNT, SIGN_BYTES } from '../../src/language/word-vectors.ts'
import type { MeaningKernel } from '../../src/search/meaning/meaning-store.ts'

const PAGE_BYTES = 65_536

function plainMemory(): LoopMemory {
  const buffer = new ArrayBuffer(PAGE_BYTES, { maxByteLength: LARGEST_MEMORY })
  return {
    buffer,
    reserve(bytes) {
      if (bytes > buffer.byteLength) buffer.resize(Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES)
    },
  }
}

export function plainKernel(): MeaningKernel {
  const memory = plainMemory()
  const { buffer } = memory
  return Object.assign(memory, {
    distances(signs: number, count: number, query: number, out: number, histogram: number) {
      const words = SIGN_BYTES / 4
      const asked = new Int32Array(buffer, query, words)
      const texts = new Int32Array(buffer, signs, count * words)
      const bytes = new Uint8Array(buffer, out, count)
      const bins = new Uint32Array(buffer, histogram, CODE_COUNT + 1)
      for (let text = 0; text < count; text += 1) {
        let differ = 0
        for (let at = 0; at < words; at += 1) differ += bitCount(texts[text * words + at]! ^ asked[at]!)
        bytes[text] = Math.min(differ, 255)
        bins[differ]! += 1
      }
    },
    collect(distances: number, count: number, limit: number, first: number, out: number) {
      const bytes = new Uint8Array(buffer, distances, count)
      const places = new Uint32Array(buffer, out, count)
      let found = 0
      for (let at = 0; at < count; at += 1) if (bytes[at]! <= limit) places[found++] = first + at
      return found
    },
    dots(addresses: number, count: number, query: number) {
      const asked = new Int16Array(buffer, query, CODE_COUNT)
      const places = new Uint32Array(buffer, addresses, count)
      const products = new Int32Array(buffer, addresses, count)
      for (let text = 0; text < count; text += 1) {
        const codes = new Int8Array(buffer, places[text]!, CODE_COUNT)
        let dot = 0
        for (let at = 0; at < CODE_COUNT; at += 1) dot += asked[at]! * codes[at]!
        products[text] = dot
      }
    },
  } satisfies Pick<MeaningKernel, 'distances' | 'collect' | 'dots'>)
}

/** Bits that are set in 32 (Warren, "Hacker's Delight", 5-1). */
function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
