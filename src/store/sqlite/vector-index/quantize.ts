/** A vector in one byte a dimension, with the bound on the error of a product. */

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
