/**
 * In which directions do vectors differ most from nothing? Principal components without centring, by Jacobi's method for
 * symmetric matrices (Golub, Van Loan, "Matrix Computations", 8.5).
 */

const SWEEPS = 12
const SMALL = 1e-14

/** The `most` directions with the largest second moments, largest first, one row each; their largest entry is positive. */
export function principalDirections(rows: Float32Array, width: number, most: number): Float64Array {
  const { values, vectors } = eigen(secondMoments(rows, width), width)
  const order = Array.from(values.keys()).sort((a, b) => values[b]! - values[a]!)
  const out = new Float64Array(most * width)
  for (const [row, column] of order.slice(0, most).entries()) {
    let largest = 0
    for (let at = 0; at < width; at += 1) {
      const value = vectors[at * width + column]!
      if (Math.abs(value) > Math.abs(largest)) largest = value
    }
    for (let at = 0; at < width; at += 1) out[row * width + at] = vectors[at * width + column]! * Math.sign(largest)
  }
  return out
}

/** The rows seen along the directions. */
export function project(rows: Float32Array, width: number, directions: Float64Array, count: number): Float32Array {
  const out = new Float32Array((rows.length / width) * count)
  for (let row = 0; row < rows.length / width; row += 1)
    for (let to = 0; to < count; to += 1) {
      let sum = 0
      for (let at = 0; at < width; at += 1) sum += rows[row * width + at]! * directions[to * width + at]!
      out[row * count + to] = sum
    }
  return out
}

function secondMoments(rows: Float32Array, width: number): Float64Array {
  const out = new Float64Array(width * width)
  for (let from = 0; from < rows.length; from += width)
    for (let a = 0; a < width; a += 1) {
      const value = rows[from + a]!
      for (let b = a; b < width; b += 1) out[a * width + b]! += value * rows[from + b]!
    }
  for (let a = 0; a < width; a += 1) for (let b = 0; b < a; b += 1) out[a * width + b] = out[b * width + a]!
  return out
}

/** Eigenvalues, and the eigenvectors as columns. Works on the matrix itself. */
function eigen(matrix: Float64Array, width: number): { values: Float64Array; vectors: Float64Array } {
  const vectors = new Float64Array(width * width)
  for (let at = 0; at < width; at += 1) vectors[at * width + at] = 1
  const whole = Math.sqrt(matrix.reduce((sum, value) => sum + value * value, 0))
  for (let sweep = 0; sweep < SWEEPS; sweep += 1)
    for (let p = 0; p < width; p += 1)
      for (let q = p + 1; q < width; q += 1) {
        const off = matrix[p * width + q]!
        if (Math.abs(off) < SMALL * whole) continue
        const slope = (matrix[q * width + q]! - matrix[p * width + p]!) / (2 * off)
        const tangent = (slope < 0 ? -1 : 1) / (Math.abs(slope) + Math.sqrt(1 + slope * slope))
        const cosine = 1 / Math.sqrt(1 + tangent * tangent)
        const sine = tangent * cosine
        for (let at = 0; at < width; at += 1) turn(matrix, at * width + p, at * width + q, cosine, sine)
        for (let at = 0; at < width; at += 1) turn(matrix, p * width + at, q * width + at, cosine, sine)
        for (let at = 0; at < width; at += 1) turn(vectors, at * width + p, at * width + q, cosine, sine)
      }
  return { values: Float64Array.from({ length: width }, (_, at) => matrix[at * width + at]!), vectors }
}

function turn(values: Float64Array, a: number, b: number, cosine: number, sine: number): void {
  const [x, y] = [values[a]!, values[b]!]
  values[a] = cosine * x - sine * y
  values[b] = sine * x + cosine * y
}
