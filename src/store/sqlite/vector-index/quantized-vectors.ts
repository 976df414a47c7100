/** Vectors in one byte a dimension: their codes in frames of one size shared by all users, the scan, and its error. */
import { LARGEST_MEMORY, type LoopMemory, wasmMemory } from '../../../domain/wasm-memory.ts'
import { KERNEL_BASE64 } from './kernel/kernel-bytes.ts'

/** Bytes of kernel memory that are used before chunks of other users have to leave. */
const ARENA_BYTES = 1024 * 1024 * 1024
const ALIGNMENT = 64
const GROWTH_FRAMES = 32
/** Bytes of a chunk's codes, about. */
const CHUNK_BYTES = 98_304
const FEWEST_SLOTS = 16
const MOST_SLOTS = 256

/** Frames of one size, each for the codes of one chunk. */
export class Arena {
  readonly stride: number
  readonly slots: number
  readonly #memory = openScanMemory()
  #bytes = new Int8Array()
  #floats = new Float32Array()
  readonly #dots: number
  readonly #out: number
  readonly #frames: number
  readonly #frameBytes: number
  readonly #most: number
  #made = 0
  readonly #free: number[] = []

  constructor(dimension: number, budget = ARENA_BYTES) {
    this.stride = strideOf(dimension)
    this.slots = slotsFor(this.stride)
    const { slots } = this
    this.#dots = align(this.stride * 2)
    this.#out = align(this.#dots + slots * 4)
    this.#frames = align(this.#out + slots * 8)
    this.#frameBytes = align(slots * (this.stride + 8))
    // Frame 0 is for chunks that have none of their own.
    this.#most = 1 + Math.max(1, Math.floor((Math.min(budget, LARGEST_MEMORY) - this.#frames) / this.#frameBytes) - 1)
    this.#make()
  }

  take(): number | undefined {
    const free = this.#free.pop()
    if (free !== undefined) return free
    if (this.#made === this.#most) return undefined
    const frame = this.#made
    try {
      this.#make()
    } catch {
      // The system has no more memory than this.
      return undefined
    }
    return frame
  }

  give(frame: number): void {
    this.#free.push(frame)
  }

  /** Writes a vector into a slot of a frame; one with the scale NaN is never found. */
  put(frame: number, slot: number, vector: Int8Array, scale: number, error: number): void {
    const { codes, scales, errors } = this.#chunk(frame, slot + 1)
    const { buffer } = this.#memory
    // Growing the memory voids its views.
    if (this.#bytes.buffer !== buffer) {
      this.#bytes = new Int8Array(buffer)
      this.#floats = new Float32Array(buffer)
    }
    this.#bytes.set(vector, codes + slot * this.stride)
    this.#floats[scales / 4 + slot] = scale
    this.#floats[errors / 4 + slot] = error
  }

  ask(query: Float32Array): ScanPlan & QuantizedQuery {
    const bounds = quantizeQuery(query, new Int16Array(this.#memory.buffer, 0, this.stride))
    return { ...bounds, query: 0, stride: this.stride, dots: this.#dots, out: this.#out }
  }

  /** Scans a frame and returns the number of slots whose score + error reaches the threshold; `hits` names them. */
  scan(plan: ScanPlan, frame: number, used: number, threshold: number): number {
    return this.#memory.scan(plan, this.#chunk(frame, used), threshold)
  }

  /** The hits of the last scan: slot and score of each, one after the other. */
  hits(): { readonly slots: Uint32Array; readonly scores: Float32Array } {
    const { buffer } = this.#memory
    return {
      slots: new Uint32Array(buffer, this.#out, this.slots * 2),
      scores: new Float32Array(buffer, this.#out, this.slots * 2),
    }
  }

  #chunk(frame: number, count: number): ScanChunk {
    const codes = this.#frames + frame * this.#frameBytes
    const scales = codes + this.slots * this.stride
    return { codes, scales, errors: scales + this.slots * 4, count }
  }

  #make(): void {
    const ahead = Math.min(this.#most, this.#made + GROWTH_FRAMES)
    const end = this.#frames + (this.#made + 1) * this.#frameBytes
    if (end > this.#memory.buffer.byteLength) this.#memory.reserve(this.#frames + ahead * this.#frameBytes)
    this.#made += 1
  }
}

/** Slots of a chunk for vectors of this many bytes: a multiple of four, as the kernel wants it. */
function slotsFor(stride: number): number {
  return Math.max(FEWEST_SLOTS, Math.min(MOST_SLOTS, 4 * Math.floor(CHUNK_BYTES / stride / 4)))
}

function align(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT
}

/** Places in the memory of the scan, in bytes; see kernel.wat. */
export interface ScanPlan {
  /** int16, `stride` of them. */
  readonly query: number
  /** The value of one step of the query's int16. */
  readonly unit: number
  /** Bytes of a vector, a multiple of 32. */
  readonly stride: number
  /** Room for a dot product of every slot, a multiple of four of them. */
  readonly dots: number
  /** Pairs of slot (u32) and score (f32) are written here. */
  readonly out: number
}

/** One chunk of vectors, with room for a multiple of four scales and errors. */
export interface ScanChunk {
  readonly codes: number
  readonly scales: number
  readonly errors: number
  readonly count: number
}

/** Writes every slot whose score + error reaches the threshold; returns how many. */
type Scan = (plan: ScanPlan, chunk: ScanChunk, threshold: number) => number

/** Memory that can grow, and the scan over it. */
interface ScanMemory extends LoopMemory {
  readonly scan: Scan
}

export function openScanMemory(): ScanMemory {
  const { memory, exports } = wasmMemory<{ readonly scan: (...words: number[]) => number }>(KERNEL_BASE64)
  const { scan } = exports
  return Object.assign(memory, {
    scan: (plan: ScanPlan, chunk: ScanChunk, threshold: number) =>
      scan(
        chunk.codes,
        chunk.count,
        plan.stride,
        plan.query,
        chunk.scales,
        chunk.errors,
        plan.dots,
        plan.unit,
        threshold,
        plan.out,
      ),
  })
}

/** Dimensions that the kernel takes at a time; missing ones are zeros. */
const LANES = 32
const LARGEST_CODE = 127
const LARGEST_INT16 = 32_767
const LARGEST_INT32 = 2 ** 31 - 1
/** Room for the rounding of float32 in scores near 1, in the kernel and in the stored scale and error. */
const ROUNDING = 2e-6

export function strideOf(dimension: number): number {
  return Math.ceil(dimension / LANES) * LANES
}

export interface Quantized {
  /** The factor from a code to its component, approximately. */
  readonly scale: number
  /** ‖vector − scale × codes‖, rounded up. */
  readonly error: number
}

/** Writes the codes of a vector of length about 1 into `codes` from `start` on. */
export function quantize(vector: Float32Array, codes: Int8Array, start: number): Quantized {
  let largest = 0
  for (const value of vector) largest = Math.max(largest, Math.abs(value))
  const scale = Math.fround(largest / LARGEST_CODE)
  let squares = 0
  for (let at = 0; at < vector.length; at += 1) {
    const value = vector[at]!
    const code = Math.max(-LARGEST_CODE, Math.min(LARGEST_CODE, Math.round(value / scale)))
    codes[start + at] = code
    squares += (value - code * scale) ** 2
  }
  return { scale, error: Math.sqrt(squares) + ROUNDING }
}

/** A query in int16, and the bound on what that costs. */
export interface QuantizedQuery {
  /** The factor from a step to its component, approximately. */
  readonly unit: number
  /**
   * The bound |q·v − unit × s × Σ steps × c| ≤ e + slack holds for every unit vector v with codes c, scale s and error
   * e. Proof (Cauchy-Schwarz, ‖q‖ = 1, ‖v‖ + e ≤ 2): q·v − q̂·v̂ = q·(v − v̂) + (q − q̂)·v̂ ≤ ‖q‖ e + ‖q − q̂‖ (‖v‖ +
   * e).
   */
  readonly slack: number
}

/** Steps of a unit vector, as large as the sums allow: |Σ steps × codes| ≤ ‖steps‖ × 127 × √dimension. */
export function quantizeQuery(query: Float32Array, steps: Int16Array): QuantizedQuery {
  let largest = 0
  for (const value of query) largest = Math.max(largest, Math.abs(value))
  const longest = LARGEST_INT32 / (LARGEST_CODE * Math.sqrt(query.length))
  // Rounding lengthens the steps by up to half a step a dimension.
  const perUnit = Math.min(LARGEST_INT16 / largest, longest - Math.sqrt(query.length))
  let squares = 0
  steps.fill(0)
  for (let at = 0; at < query.length; at += 1) {
    const step = Math.round(query[at]! * perUnit)
    steps[at] = step
    squares += (query[at]! - step / perUnit) ** 2
  }
  return { unit: 1 / perUnit, slack: 2 * Math.sqrt(squares) + ROUNDING }
}
