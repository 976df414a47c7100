/**
 * Does a segment hold this term at all? A Bloom filter in memory answers "no" or "perhaps"; ten bits and four probes a
 * term give about one wrong "perhaps" in a hundred.
 */

const BITS_A_TERM = 10
const PROBES = 4

/** A filter with every one of these term keys in it. */
export function termFilter(keys: readonly number[]): Uint8Array {
  const bits = new Uint8Array(Math.max(8, Math.ceil((keys.length * BITS_A_TERM) / 8)))
  for (const key of keys)
    for (let probe = 0; probe < PROBES; probe += 1) {
      const bit = bitOf(key, probe, bits.length)
      bits[bit >>> 3]! |= 1 << (bit & 7)
    }
  return bits
}

/** false when the term is surely not there. */
export function mayHold(bits: Uint8Array, key: number): boolean {
  for (let probe = 0; probe < PROBES; probe += 1) {
    const bit = bitOf(key, probe, bits.length)
    if ((bits[bit >>> 3]! & (1 << (bit & 7))) === 0) return false
  }
  return true
}

/** Double hashing over the two halves of the key (Kirsch and Mitzenmacher, 2006). */
function bitOf(key: number, probe: number, bytes: number): number {
  const low = key >>> 0
  const high = (key / 0x100000000) >>> 0
  return ((low + probe * (high | 1)) >>> 0) % (bytes * 8)
}

/**
 * A 53-bit hash of a term: two 32-bit multiplicative lanes over its UTF-16 units, mixed at the end.
 * With a million terms the chance that any two share a number is below 10⁻⁴; the cost would be a wrong match.
 */
export function termKey(term: string): number {
  let low = 0x9e3779b9
  let high = 0x85ebca6b
  for (let index = 0; index < term.length; index += 1) {
    const unit = term.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x27d4eb2f)
    high ^= high >>> 15
  }
  low = Math.imul(low ^ (low >>> 16) ^ (high >>> 13), 0x2c1b3c6d)
  high = Math.imul(high ^ (high >>> 16) ^ (low >>> 13), 0x297a2d39)
  low ^= low >>> 15
  high ^= high >>> 15
  return (high & 0x1fffff) * 0x100000000 + (low >>> 0)
}
