/**
 * What can be done with the codes of a text? They are the 256 numbers of its meaning, -127 to 127, the largest ±127, of
 * which only the direction counts.
 */

/** Numbers in the codes of a text. */
export const CODE_COUNT = 256
/** Bytes of the signs of the codes of a text. */
export const SIGN_BYTES = CODE_COUNT / 8
const LARGEST = 127

/** The direction of a vector as codes; null for a vector of zeros, which has none. */
export function codesOf(vector: Float32Array | Float64Array): Int8Array | null {
  let largest = 0
  for (let at = 0; at < vector.length; at += 1) largest = Math.max(largest, Math.abs(vector[at]!))
  if (largest === 0) return null
  const codes = new Int8Array(vector.length)
  const scale = LARGEST / largest
  for (let at = 0; at < codes.length; at += 1) codes[at] = Math.round(vector[at]! * scale)
  return codes
}

/** One bit per code, set where it is above zero; the first code is the lowest bit of the first byte. */
export function signBits(codes: Int8Array): Uint8Array {
  const bits = new Uint8Array(codes.length / 8)
  for (let at = 0; at < codes.length; at += 1) if (codes[at]! > 0) bits[at >> 3]! |= 1 << (at & 7)
  return bits
}

/** The Euclidean length of the codes. */
export function lengthOf(codes: Int8Array): number {
  let sum = 0
  for (let at = 0; at < codes.length; at += 1) sum += codes[at]! * codes[at]!
  return Math.sqrt(sum)
}

/** The cosine between two texts, from -1 to 1; 0 where one has no direction. */
export function cosineOf(a: Int8Array, b: Int8Array): number {
  let dot = 0
  for (let at = 0; at < a.length; at += 1) dot += a[at]! * b[at]!
  const lengths = lengthOf(a) * lengthOf(b)
  return lengths === 0 ? 0 : dot / lengths
}
