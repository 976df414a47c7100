/**
 * The three loops of `kernel.wat`, by WebAssembly SIMD where the runtime has it, and else by plain loops. Both read and
 * write the same bytes of one memory; addresses are bytes in it.
 */
import { type LoopMemory, plainMemory, wasmMemory } from '../../domain/loop-memory.ts'
import { CODE_COUNT, SIGN_BYTES } from '../../language/word-vectors.ts'
import { KERNEL_BASE64 } from './kernel-bytes.ts'

/** Memory that can grow, and the loops over it. */
export interface MeaningKernel extends LoopMemory {
  /** For `count` texts, a multiple of 4: signs that differ from the query's, 255 at most, a byte each; and a histogram. */
  distances(signs: number, count: number, query: number, out: number, histogram: number): void
  /** Places, from `first` on, of the `count` distances, a multiple of 16, that are at most `limit`; how many (u32). */
  collect(distances: number, count: number, limit: number, first: number, out: number): number
  /** Puts the dot product with the query (i16) in the place of each of `count` addresses of codes. */
  dots(addresses: number, count: number, query: number): void
}

/** The quickest kernel that this runtime has, with a memory of its own. */
export function openKernel(): MeaningKernel {
  return wasmKernel() ?? plainKernel()
}

/** undefined where WebAssembly or its SIMD instructions are missing. */
export function wasmKernel(): MeaningKernel | undefined {
  const found = wasmMemory<Pick<MeaningKernel, 'distances' | 'collect' | 'dots'>>(KERNEL_BASE64)
  return found === undefined ? undefined : Object.assign(found.memory, found.exports)
}

/** The kernel for a runtime without WebAssembly or without SIMD. */
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
