/**
 * Which places have the largest sums? Adds up weights by place in one flat array and gives back the best, without sorting;
 * many thousands of additions take well under a millisecond.
 */

// Kept from one search to the next, so that a search leaves no large arrays behind; it is synchronous, and leaves all zeros
// in the sums by place.
let sums = new Float64Array(4096)
let places = new Int32Array(4096)
let sumsInTurn = new Float64Array(4096)

/** Bands that sums are cut into, from 0 to the highest. */
const BANDS = 256
const bands = new Int32Array(BANDS)

/** Places in order, up or down, none of them twice, with the weight that each adds. They must not change as long as the tally is used. */
export interface WeighedPlaces {
  readonly places: ArrayLike<number>
  /** Bits of each number below its place. */
  readonly shift: number
  /** Above 0. */
  readonly weight: number
}

/** Sums of weights by place, a whole number from 0. */
export class Tally {
  /** Number of places with a sum. */
  readonly size: number
  readonly #lists: readonly WeighedPlaces[]
  /** How many were asked for last, and these. */
  #count: number
  #best: readonly number[]

  /** Adds up lists of places, each with its weight. `count`: how many of the best will be asked for. */
  constructor(lists: readonly WeighedPlaces[], count: number) {
    this.#lists = lists
    this.size = addUp(lists)
    this.#count = count
    this.#best = bestOf(this.size, count)
  }

  /** The `count` places with the largest sums, of equal ones the larger places; in no order. */
  best(count: number): readonly number[] {
    if (Math.min(count, this.size) !== Math.min(this.#count, this.size)) {
      this.#best = bestOf(addUp(this.#lists), count)
      this.#count = count
    }
    return this.#best
  }
}

/** Adds up the lists in the arrays above, each place in its turn, which begins anew with 0; how many places there are. */
function addUp(lists: readonly WeighedPlaces[]): number {
  makeRoom(lists)
  let size = 0
  for (const list of lists) size = addList(list, sums, places, size)
  collect(sums, places, sumsInTurn, size)
  return size
}

function makeRoom(lists: readonly WeighedPlaces[]): void {
  let [most, highest] = [0, 0]
  for (const { places: list, shift } of lists) {
    most += list.length
    for (const end of [0, list.length - 1]) highest = Math.max(highest, (list[end] ?? 0) >>> shift)
  }
  if (most > places.length) {
    places = new Int32Array(2 * most)
    sumsInTurn = new Float64Array(2 * most)
  }
  if (highest < sums.length) return
  // Between two searches it holds nothing but zeros.
  sums = new Float64Array(Math.max(highest + 1, 2 * sums.length))
}

// The loops below take all that they touch as parameters: the arrays of this module could be others at every turn.

/** Adds a list to the sums and its new places to those in turn, of which there are `size`; how many there are then. */
function addList(
  { places: list, shift, weight }: WeighedPlaces,
  into: Float64Array,
  turns: Int32Array,
  size: number,
): number {
  let count = size
  for (let at = 0; at < list.length; at += 1) {
    const place = list[at]! >>> shift
    const before = into[place]!
    if (before === 0) turns[count++] = place
    into[place] = before + weight
  }
  return count
}

function collect(from: Float64Array, turns: Int32Array, into: Float64Array, size: number): void {
  for (let at = 0; at < size; at += 1) {
    const place = turns[at]!
    into[at] = from[place]!
    from[place] = 0
  }
}

/** The `count` best of what was added up last: sums are cut into bands, and only within the last one that counts compared. */
function bestOf(size: number, count: number): readonly number[] {
  const scale = (BANDS - 1) / highestOf(sumsInTurn, size)
  const found: number[] = []
  const band: number[] = []
  const last = lastBand(sumsInTurn, size, count, scale)
  for (let at = 0; at < size; at += 1) {
    const one = (sumsInTurn[at]! * scale) | 0
    if (one > last) found.push(places[at]!)
    else if (one === last) band.push(at)
  }
  for (const at of bestIn(band, count - found.length)) found.push(places[at]!)
  return found
}

function highestOf(values: Float64Array, size: number): number {
  let highest = 0
  for (let at = 0; at < size; at += 1) if (values[at]! > highest) highest = values[at]!
  return highest
}

/** The band that the `count`th best value is in; 0 where there are fewer. */
function lastBand(values: Float64Array, size: number, count: number, scale: number): number {
  bands.fill(0)
  for (let at = 0; at < size; at += 1) bands[(values[at]! * scale) | 0]! += 1
  let band = BANDS - 1
  for (let found = bands[band]!; band > 0 && found < count; found += bands[band]!) band -= 1
  return band
}

/** The `count` best of these places in turn. */
function bestIn(band: readonly number[], count: number): Iterable<number> {
  if (count >= band.length) return band
  const heap = Int32Array.from(band.slice(band.length - count))
  for (let root = (heap.length >> 1) - 1; root >= 0; root -= 1) sink(heap, root)
  // From the end on, where the larger places of a list are: so the ones that come later seldom displace another.
  for (let index = heap.length === 0 ? -1 : band.length - count - 1; index >= 0; index -= 1) {
    const at = band[index]!
    if (!isWorse(heap[0]!, at)) continue
    heap[0] = at
    sink(heap, 0)
  }
  return heap
}

function isWorse(a: number, b: number): boolean {
  const difference = sumsInTurn[a]! - sumsInTurn[b]!
  return difference < 0 || (difference === 0 && places[a]! < places[b]!)
}

/** Puts the value at `root` where it belongs in a heap with the worst on top. */
function sink(heap: Int32Array, root: number): void {
  const value = heap[root]!
  let at = root
  for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && isWorse(heap[child + 1]!, heap[child]!)) child += 1
    if (!isWorse(heap[child]!, value)) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = value
}
