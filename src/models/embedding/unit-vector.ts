/** A model's answer as a unit vector of the expected length; anything else is no embedding. */

/** Throws RangeError saying what is wrong. */
export function unitVector(values: ArrayLike<number>, dimension: number | null): Float32Array {
  if (values.length === 0) throw new RangeError('it is empty')
  if (dimension !== null && values.length !== dimension)
    throw new RangeError(`it has ${values.length} dimensions, where ${dimension} are expected`)
  const vector = Float32Array.from(values)
  let squares = 0
  for (const value of vector) squares += value * value
  if (!Number.isFinite(squares)) throw new RangeError('it holds NaN or a number beyond float32')
  const length = Math.sqrt(squares)
  if (length === 0) throw new RangeError('it is zero and points nowhere')
  return vector.map((value) => value / length)
}
