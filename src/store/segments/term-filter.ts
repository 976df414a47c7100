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
