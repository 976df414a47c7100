/** How alike are two unit vectors? */

/** Cosine of two unit vectors: the sum of products in double precision, cut to -1 … 1. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += a[at]! * b[at]!
  return Math.max(-1, Math.min(1, sum))
}
