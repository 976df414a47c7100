/**
 * A chunk of one user's vectors, up to a fixed number, as blobs `codes` (a byte a dimension) and `facts` (44 bytes a
 * slot). Slots beyond `used` are zeros, so nothing removed stays.
 */
import { VECTOR_KINDS, type VectorKind } from '../../../domain/contracts/vector-index.ts'
import { termKey } from '../../segments/term-key.ts'
import { quantize } from './quantize.ts'

const FACT_BYTES = 44
/** Approximate size of a chunk, which a removal rewrites and a search reads as a whole. */
const CHUNK_BYTES = 98_304
const FEWEST_SLOTS = 16
const MOST_SLOTS = 256

/** Slots of a chunk for vectors of this many bytes: a multiple of four, as the kernel wants it. */
export function slotsFor(stride: number): number {
  return Math.max(FEWEST_SLOTS, Math.min(MOST_SLOTS, 4 * Math.floor(CHUNK_BYTES / stride / 4)))
}

/** Columns over the facts of a chunk, by slot. */
export interface Facts {
  readonly blob: Uint8Array
  /** vectors.vector_no, ascending. */
  readonly vectorNo: Float64Array
  /** Milliseconds since the epoch. */
  readonly time: Float64Array
  /** `filterKey` of the conversation. */
  readonly conversation: Float64Array
  /** `filterKey` of who. */
  readonly who: Float64Array
  readonly scale: Float32Array
  readonly error: Float32Array
  /** Place in VECTOR_KINDS. */
  readonly kind: Uint32Array
}

/** Columns over a blob, or over room for `slots` vectors. */
export function factsOver(stored: Uint8Array): Facts {
  // Typed arrays need an aligned start; a driver may hand out a slice.
  const blob = stored.byteOffset % 8 === 0 ? stored : stored.slice()
  const slots = blob.byteLength / FACT_BYTES
  const { buffer, byteOffset: start } = blob
  return {
    blob,
    vectorNo: new Float64Array(buffer, start, slots),
    time: new Float64Array(buffer, start + slots * 8, slots),
    conversation: new Float64Array(buffer, start + slots * 16, slots),
    who: new Float64Array(buffer, start + slots * 24, slots),
    scale: new Float32Array(buffer, start + slots * 32, slots),
    error: new Float32Array(buffer, start + slots * 36, slots),
    kind: new Uint32Array(buffer, start + slots * 40, slots),
  }
}

/** A chunk in memory that can be changed. */
export interface Chunk {
  used: number
  readonly facts: Facts
  readonly codes: Int8Array
}

/** An empty chunk. */
export function newChunk(slots: number, stride: number): Chunk {
  return { used: 0, facts: factsOver(new Uint8Array(slots * FACT_BYTES)), codes: new Int8Array(slots * stride) }
}

/** The content of a slot. */
export interface SlotFacts {
  readonly vectorNo: number
  readonly time: number
  readonly conversationId: string | null
  readonly who: string | null
  readonly kind: VectorKind
}

/** The number for a name in the facts; 0 for none, which no name has. */
export function filterKey(name: string | null): number {
  return name === null ? 0 : termKey(name) + 1
}

/** Puts a vector behind the last. */
export function pushSlot(chunk: Chunk, slot: SlotFacts, vector: Float32Array): void {
  const at = chunk.used
  const { facts, codes } = chunk
  const { scale, error } = quantize(vector, codes, at * (codes.length / facts.vectorNo.length))
  facts.vectorNo[at] = slot.vectorNo
  facts.time[at] = slot.time
  facts.conversation[at] = filterKey(slot.conversationId)
  facts.who[at] = filterKey(slot.who)
  facts.scale[at] = scale
  facts.error[at] = error
  facts.kind[at] = VECTOR_KINDS.indexOf(slot.kind)
  chunk.used = at + 1
}

/** Appends the slots `keep` accepts of one chunk to another. */
export function copySlots(from: Chunk, to: Chunk, keep: (vectorNo: number) => boolean): void {
  const stride = from.codes.length / from.facts.vectorNo.length
  for (let slot = 0; slot < from.used; slot += 1) {
    if (!keep(from.facts.vectorNo[slot]!)) continue
    const at = to.used
    to.codes.set(from.codes.subarray(slot * stride, (slot + 1) * stride), at * stride)
    for (const column of ['vectorNo', 'time', 'conversation', 'who', 'scale', 'error', 'kind'] as const)
      to.facts[column][at] = from.facts[column][slot]!
    to.used = at + 1
  }
}
