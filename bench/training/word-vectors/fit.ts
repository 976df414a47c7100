/**
 * Moves the vectors of pieces so that their sum over a text points where the model puts the text: ridge regression, solved
 * by conjugate gradients (Hestenes, Stiefel 1952).
 */

/** How strongly a vector is held at its place. */
const RIDGE = 0.3
const STEPS = 30

/** A text: its pieces, and by what their sum is divided. */
interface Bag {
  readonly pieces: readonly number[]
  readonly share: number
}

/** Squared distances to the targets, in parts of the targets' squared length. */
export interface FitReport {
  readonly before: number
  readonly after: number
}

/**
 * Moves the vectors where they lie.
 *
 * @param vectors one row a piece
 * @param texts the pieces of each text
 * @param targets one row a text, of length 1
 */
export function fitToTexts(
  vectors: Float32Array,
  texts: readonly (readonly number[])[],
  targets: Float32Array,
  width: number,
): FitReport {
  const bags = texts.map((pieces): Bag => {
    const length = Math.hypot(...sumOf(pieces, vectors, width))
    return { pieces, share: length === 0 ? 0 : 1 / length }
  })
  const squares = bags.reduce((sum, { pieces, share }) => sum + pieces.length * share * share, 0)
  const ridge = (RIDGE * squares) / bags.length

  const missing = difference(targets, forward(bags, vectors, width))
  const before = squaredLength(missing) / squaredLength(targets)
  const rest = backward(bags, missing, width, vectors.length)
  let direction = rest.slice()
  let restSquares = columnProducts(rest, rest, width)
  for (let step = 0; step < STEPS; step += 1) {
    const image = backward(bags, forward(bags, direction, width), width, vectors.length)
    for (let at = 0; at < image.length; at += 1) image[at]! += ridge * direction[at]!
    const along = columnProducts(direction, image, width)
    const stride = restSquares.map((square, column) => square / Math.max(along[column]!, Number.MIN_VALUE))
    for (let at = 0; at < vectors.length; at += 1) {
      vectors[at]! += stride[at % width]! * direction[at]!
      rest[at]! -= stride[at % width]! * image[at]!
    }
    const squaresNow = columnProducts(rest, rest, width)
    const turn = squaresNow.map((square, column) => square / Math.max(restSquares[column]!, Number.MIN_VALUE))
    direction = direction.map((value, at) => rest[at]! + turn[at % width]! * value)
    restSquares = squaresNow
  }
  const after = squaredLength(difference(targets, forward(bags, vectors, width))) / squaredLength(targets)
  return { before, after }
}

/** One row a text: the shares of the sums of its pieces' rows. */
function forward(bags: readonly Bag[], rows: Float32Array, width: number): Float32Array {
  const out = new Float32Array(bags.length * width)
  for (const [at, { pieces, share }] of bags.entries()) {
    const sum = sumOf(pieces, rows, width)
    for (let column = 0; column < width; column += 1) out[at * width + column] = sum[column]! * share
  }
  return out
}

/** One row a piece: what the rows of its texts say, summed. */
function backward(bags: readonly Bag[], rows: Float32Array, width: number, length: number): Float32Array {
  const out = new Float32Array(length)
  for (const [at, { pieces, share }] of bags.entries())
    for (const piece of pieces)
      for (let column = 0; column < width; column += 1)
        out[piece * width + column]! += rows[at * width + column]! * share
  return out
}

function sumOf(pieces: readonly number[], rows: Float32Array, width: number): Float32Array {
  const sum = new Float32Array(width)
  for (const piece of pieces)
    for (let column = 0; column < width; column += 1) sum[column]! += rows[piece * width + column]!
  return sum
}

function difference(a: Float32Array, b: Float32Array): Float32Array {
  return a.map((value, at) => value - b[at]!)
}

function squaredLength(values: Float32Array): number {
  return values.reduce((sum, value) => sum + value * value, 0)
}

function columnProducts(a: Float32Array, b: Float32Array, width: number): Float64Array {
  const sums = new Float64Array(width)
  for (let at = 0; at < a.length; at += 1) sums[at % width]! += a[at]! * b[at]!
  return sums
}
