/**
 * The three loops of `kernel.wat`, by WebAssembly SIMD where the runtime has it, and else by plain loops. Both read and
 * write the same bytes of one memory; addresses are bytes in it.
 */
import { CODE_COUNT, SIGN_BYTES } from '../../language/word-codes.ts'
import { KERNEL_BASE64 } from './kernel-bytes.ts'

/** Memory that can grow, and the loops over it. Growing makes earlier views of `buffer` void. */
export interface MeaningKernel {
  readonly buffer: ArrayBuffer
  /** Makes the memory at least so many bytes long. Throws RangeError when there is no more. */
  reserve(bytes: number): void
  /** For `count` texts, a multiple of 4: signs that differ from the query's, 255 at most, a byte each; and a histogram. */
  distances(signs: number, count: number, query: number, out: number, histogram: number): void
  /** Places, from `first` on, of the `count` distances, a multiple of 16, that are at most `limit`; how many (u32). */
  collect(distances: number, count: number, limit: number, first: number, out: number): number
  /** Puts the dot product with the query (i16) in the place of each of `count` addresses of codes. */
  dots(addresses: number, count: number, query: number): void
}

const PAGE_BYTES = 65_536
/** The largest memory of WebAssembly with 32-bit addresses. */
const LARGEST_MEMORY = 65_536 * PAGE_BYTES

/** The part of WebAssembly that is used here; its types belong to the browser's library. */
interface WebAssemblySlice {
  Module: new (bytes: Uint8Array) => object
  Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer; grow(pages: number): number }
  Instance: new (
    module: object,
    imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  ) => { readonly exports: Pick<MeaningKernel, 'distances' | 'collect' | 'dots'> }
}

/** The quickest kernel that this runtime has, with a memory of its own. */
export function openKernel(): MeaningKernel {
  return wasmKernel() ?? plainKernel()
}

/** undefined where WebAssembly or its SIMD instructions are missing. */
export function wasmKernel(): MeaningKernel | undefined {
  const wasm = (globalThis as { WebAssembly?: WebAssemblySlice }).WebAssembly
  if (wasm === undefined) return undefined
  let module: object
  try {
    module = new wasm.Module(Buffer.from(KERNEL_BASE64, 'base64'))
  } catch {
    return undefined
  }
  const memory = new wasm.Memory({ initial: 1 })
  const { distances, collect, dots } = new wasm.Instance(module, { kernel: { memory } }).exports
  return {
    get buffer() {
      return memory.buffer
    },
    reserve(bytes) {
      const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES)
      if (missing > 0) memory.grow(missing)
    },
    distances,
    collect,
    dots,
  }
}

/** For a runtime without WebAssembly (node --jitless) or without SIMD. */
export function plainKernel(): MeaningKernel {
  const buffer = new ArrayBuffer(PAGE_BYTES, { maxByteLength: LARGEST_MEMORY })
  return {
    buffer,
    reserve(bytes) {
      if (bytes > buffer.byteLength) buffer.resize(Math.ceil(bytes / PAGE_BYTES) * PAGE_BYTES)
    },
    distances(signs, count, query, out, histogram) {
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
    collect(distances, count, limit, first, out) {
      const bytes = new Uint8Array(buffer, distances, count)
      const places = new Uint32Array(buffer, out, count)
      let found = 0
      for (let at = 0; at < count; at += 1) if (bytes[at]! <= limit) places[found++] = first + at
      return found
    },
    dots(addresses, count, query) {
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
  }
}

/** Bits that are set in 32 (Warren, "Hacker's Delight", 5-1). */
function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
