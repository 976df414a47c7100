/** Which vectors of a chunk may be close enough? By WebAssembly SIMD where there is, else plain loops. */
import { type LoopMemory, plainMemory, wasmMemory } from '../../../../domain/loop-memory.ts'
import { KERNEL_BASE64 } from './kernel-bytes.ts'

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
export interface ScanMemory extends LoopMemory {
  readonly scan: Scan
}

/** The quickest scan that this runtime has. */
export function openScanMemory(): ScanMemory {
  return wasmScanMemory() ?? plainScanMemory()
}

/** undefined where WebAssembly or its SIMD instructions are missing. */
export function wasmScanMemory(): ScanMemory | undefined {
  const found = wasmMemory<{ readonly scan: (...words: number[]) => number }>(KERNEL_BASE64)
  if (found === undefined) return undefined
  const { scan } = found.exports
  return Object.assign(found.memory, {
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

/** The scan memory of a runtime without WebAssembly or without SIMD. */
export function plainScanMemory(): ScanMemory {
  const memory = plainMemory()
  const scan: Scan = (plan, chunk, threshold) => scanPlain(memory.buffer, plan, chunk, threshold)
  return Object.assign(memory, { scan })
}

function scanPlain(buffer: ArrayBuffer, plan: ScanPlan, chunk: ScanChunk, threshold: number): number {
  const { stride, unit } = plan
  const query = new Int16Array(buffer, plan.query, stride)
  const codes = new Int8Array(buffer, chunk.codes, chunk.count * stride)
  const scales = new Float32Array(buffer, chunk.scales, chunk.count)
  const errors = new Float32Array(buffer, chunk.errors, chunk.count)
  const out = new DataView(buffer, plan.out)
  let found = 0
  for (let slot = 0; slot < chunk.count; slot += 1) {
    const start = slot * stride
    let dot = 0
    for (let at = 0; at < stride; at += 1) dot += query[at]! * codes[start + at]!
    const score = Math.fround(dot * unit * scales[slot]!)
    if (!(score + errors[slot]! >= threshold)) continue
    out.setUint32(found * 8, slot, true)
    out.setFloat32(found * 8 + 4, score, true)
    found += 1
  }
  return found
}
