/** Under which number is a term kept? The index stores the number instead of the word, and so holds no text. */

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
