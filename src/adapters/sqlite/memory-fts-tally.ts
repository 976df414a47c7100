/**
 * Which places have the largest sums? Adds up weights by place in one flat array and gives back the best, without
 * sorting the rest; many thousands of additions take well under a millisecond.
 */

/** Places that are kept of a tally: hardly any search asks for more. */
const KEPT = 128

// Kept from one search to the next, so that a search leaves no large arrays behind; it is synchronous, and leaves all zeros
// in the sums by place.
let sums = new Float64Array(4096)
let places = new Int32Array(4096)
let sumsInTurn = new Float64Array(4096)

/** Bands that sums are cut into, from 0 to the highest. */
const BANDS = 256
const bands = new Int32Array(BANDS)

/** Places, none of them twice, with the weight that each adds. They must not change as long as the tally is used. */
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
  #best: readonly number[]

  /** Adds up lists of places, each with its weight. */
  constructor(lists: readonly WeighedPlaces[]) {
    this.#lists = lists
    this.size = addUp(lists)
    this.#best = bestOf(this.size, KEPT)
  }

  /** The `count` places with the largest sums, largest first; of equal ones the larger place first. */
  best(count: number): readonly number[] {
    if (count > this.#best.length && this.#best.length < this.size) this.#best = bestOf(addUp(this.#lists), count)
    return this.#best.slice(0, count)
  }
}

/** Adds up the lists in the arrays above, each place in its turn, which begins anew with 0; how many places there are. */
function addUp(lists: readonly WeighedPlaces[]): number {
  const most = lists.reduce((total, list) => total + list.places.length, 0)
  if (most > places.length) {
    places = new Int32Array(2 * most)
    sumsInTurn = new Float64Array(2 * most)
  }
  let size = 0
  for (const list of lists) size = add(list, size)
  for (let at = 0; at < size; at += 1) {
    const place = places[at]!
    sumsInTurn[at] = sums[place]!
    sums[place] = 0
  }
  return size
}

/** The `count` best of what was added up last. */
function bestOf(size: number, count: number): readonly number[] {
  const found = inUpperBands(size, count)
  const heap = found.slice(Math.max(0, found.length - count))
  // From the end on, where the larger places of a list are: so the ones that come later seldom displace another.
  for (let root = (heap.length >> 1) - 1; root >= 0; root -= 1) sink(heap, root)
  if (heap.length > 0) {
    let floor = sumsInTurn[heap[0]!]!
    for (let index = found.length - heap.length - 1; index >= 0; index -= 1) {
      const at = found[index]!
      // One comparison for nearly every place that is not among the best.
      if (sumsInTurn[at]! < floor || !isWorse(heap[0]!, at)) continue
      heap[0] = at
      sink(heap, 0)
      floor = sumsInTurn[heap[0]!]!
    }
  }
  return sorted(heap).map((at) => places[at]!)
}

/** Which of the places in turn may be among the `count` best: sums are cut into bands, and only the upper ones looked at. */
function inUpperBands(size: number, count: number): Int32Array {
  let highest = 0
  for (let at = 0; at < size; at += 1) if (sumsInTurn[at]! > highest) highest = sumsInTurn[at]!
  const scale = (BANDS - 1) / highest
  bands.fill(0)
  for (let at = 0; at < size; at += 1) bands[(sumsInTurn[at]! * scale) | 0]! += 1
  let lowest = BANDS
  let found = 0
  while (lowest > 0 && found < count) {
    lowest -= 1
    found += bands[lowest]!
  }
  const upper = new Int32Array(found)
  let next = 0
  for (let at = 0; at < size; at += 1) if (((sumsInTurn[at]! * scale) | 0) >= lowest) upper[next++] = at
  return upper
}

function isWorse(a: number, b: number): boolean {
  const difference = sumsInTurn[a]! - sumsInTurn[b]!
  return difference < 0 || (difference === 0 && places[a]! < places[b]!)
}

/** The values, best first. Taken from the heap one by one: a sort with a comparison of its own takes several times as long. */
function sorted(heap: Int32Array): number[] {
  const best = new Array<number>(heap.length)
  for (let left = heap.length - 1; left >= 0; left -= 1) {
    best[left] = heap[0]!
    heap[0] = heap[left]!
    sink(heap, 0, left)
  }
  return best
}

/** Puts the value at `root` where it belongs in a heap of `length` values with the worst on top. */
function sink(heap: Int32Array, root: number, length = heap.length): void {
  const value = heap[root]!
  let at = root
  for (let child = 2 * at + 1; child < length; child = 2 * at + 1) {
    if (child + 1 < length && isWorse(heap[child + 1]!, heap[child]!)) child += 1
    if (!isWorse(heap[child]!, value)) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = value
}

/** Adds a list to the sums and its new places to those in turn, of which there are `size`; how many there are then. */
function add({ places: list, shift, weight }: WeighedPlaces, size: number): number {
  let count = size
  for (let at = 0; at < list.length; at += 1) {
    const place = list[at]! >>> shift
    if (place >= sums.length) grow(place)
    const before = sums[place]!
    if (before === 0) places[count++] = place
    sums[place] = before + weight
  }
  return count
}

function grow(place: number): void {
  const grown = new Float64Array(Math.max(place + 1, sums.length * 2))
  grown.set(sums)
  sums = grown
}
