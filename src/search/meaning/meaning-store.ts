/**
 * Where do the codes of texts lie while they are searched? In frames of one shared WebAssembly memory, as each such
 * memory takes gigabytes of addresses; a text's number is its ordinal, from 0.
 */
import { type LoopMemory, wasmMemory } from '../../domain/wasm-memory.ts'
import { CODE_COUNT, lengthOf, SIGN_BYTES, signBits } from '../../language/word-vectors.ts'
import { KERNEL_BASE64 } from './kernel-bytes.ts'

export interface MeaningKernel extends LoopMemory {
  /** For `count` texts, a multiple of 4: signs that differ from the query's, 255 at most, a byte each; and a histogram. */
  distances(signs: number, count: number, query: number, out: number, histogram: number): void
  /** Places, from `first` on, of the `count` distances, a multiple of 16, that are at most `limit`; how many (u32). */
  collect(distances: number, count: number, limit: number, first: number, out: number): number
  /** Puts the dot product with the query (i16) in the place of each of `count` addresses of codes. */
  dots(addresses: number, count: number, query: number): void
}

/** The kernel with a memory of its own. */
export function openKernel(): MeaningKernel {
  const { memory, exports } = wasmMemory<Pick<MeaningKernel, 'distances' | 'collect' | 'dots'>>(KERNEL_BASE64)
  return Object.assign(memory, exports)
}

/** Texts of a frame, a multiple of 16: few, so that a user with ten turns takes 37 KB. */
export const FRAME_TEXTS = 128
/** Bytes of kernel memory for a text: its codes, their signs, 1 ÷ their length (f32), and a distance while searching. */
export const TEXT_BYTES = CODE_COUNT + SIGN_BYTES + 4 + 1
const SIGNS_IN_FRAME = FRAME_TEXTS * CODE_COUNT
const SHARES_IN_FRAME = SIGNS_IN_FRAME + FRAME_TEXTS * SIGN_BYTES
const DISTANCES_IN_FRAME = SHARES_IN_FRAME + FRAME_TEXTS * 4
const FRAME_BYTES = FRAME_TEXTS * TEXT_BYTES

/** The place where a search works, before the frames. */
export const QUERY_SIGNS = 0
export const QUERY_CODES = 64
export const HISTOGRAM = QUERY_CODES + CODE_COUNT * 2
/** The number of texts for which dot products are computed at a time. */
export const WORK_TEXTS = 1024
export const WORK = HISTOGRAM + (CODE_COUNT + 4) * 4
const FRAMES = WORK + WORK_TEXTS * 4
/** The memory grows by so many frames, 1.2 MB, at a time. */
const GROWTH_FRAMES = 32

/** The memory that stores share. */
export class MeaningArena {
  #kernel: MeaningKernel | undefined
  #made = 0
  readonly #free: number[] = []

  constructor(kernel?: MeaningKernel) {
    this.#kernel = kernel
  }

  /** Opened on first use, which most short-lived processes never come to. */
  get kernel(): MeaningKernel {
    this.#kernel ??= openKernel()
    return this.#kernel
  }

  open(): MeaningStore {
    return new MeaningStore(this)
  }

  /** The address of a frame. Throws RangeError when there is no memory for one more. */
  take(): number {
    const free = this.#free.pop()
    if (free !== undefined) return free
    const address = FRAMES + this.#made * FRAME_BYTES
    if (address + FRAME_BYTES > this.kernel.buffer.byteLength)
      this.kernel.reserve(address + GROWTH_FRAMES * FRAME_BYTES)
    this.#made += 1
    return address
  }

  /** The frame is used again; nothing of its texts stays in it. */
  give(frame: number): void {
    new Uint8Array(this.kernel.buffer, frame, FRAME_BYTES).fill(0)
    this.#free.push(frame)
  }
}

export class MeaningStore {
  readonly arena: MeaningArena
  #frames: number[] = []
  #count = 0

  constructor(arena: MeaningArena) {
    this.arena = arena
  }

  /** Texts in it, those without meaning too. */
  get count(): number {
    return this.#count
  }

  get frames(): readonly number[] {
    return this.#frames
  }

  /** Puts a text behind the others; null where it has no meaning, so that ordinals stay in step. Returns its ordinal. */
  append(codes: Int8Array | null): number {
    const ordinal = this.#count
    if (ordinal % FRAME_TEXTS === 0) this.#frames.push(this.arena.take())
    this.#count += 1
    if (codes !== null) this.#write(ordinal, codes)
    return ordinal
  }

  /** The codes of a text; all 0 for one without meaning. */
  codes(ordinal: number): Int8Array {
    const frame = this.#frames[Math.floor(ordinal / FRAME_TEXTS)]!
    return new Int8Array(this.arena.kernel.buffer, codesAt(frame, ordinal % FRAME_TEXTS), CODE_COUNT)
  }

  clear(): void {
    for (const frame of this.#frames) this.arena.give(frame)
    this.#frames = []
    this.#count = 0
  }

  #write(ordinal: number, codes: Int8Array): void {
    const { buffer } = this.arena.kernel
    const frame = this.#frames[Math.floor(ordinal / FRAME_TEXTS)]!
    const slot = ordinal % FRAME_TEXTS
    const length = lengthOf(codes)
    new Int8Array(buffer, codesAt(frame, slot), CODE_COUNT).set(codes)
    new Uint8Array(buffer, signsAt(frame) + slot * SIGN_BYTES, SIGN_BYTES).set(signBits(codes))
    new Float32Array(buffer, sharesAt(frame), FRAME_TEXTS)[slot] = length === 0 ? 0 : 1 / length
  }
}

export function codesAt(frame: number, slot: number): number {
  return frame + slot * CODE_COUNT
}

export function signsAt(frame: number): number {
  return frame + SIGNS_IN_FRAME
}

/** The address of a frame's f32: 1 ÷ the length of each text's codes, 0 for a text without meaning. */
export function sharesAt(frame: number): number {
  return frame + SHARES_IN_FRAME
}

export function distancesAt(frame: number): number {
  return frame + DISTANCES_IN_FRAME
}
