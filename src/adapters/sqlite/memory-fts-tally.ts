/**
 * Which places have the largest sums? Adds up weights by place in one flat array and gives back the best, without
 * sorting the rest; many thousands of additions take well under a millisecond.
 */

/** Kept from one search to the next; a search is synchronous and leaves it all zeros. */
let sums = new Float64Array(4096)

/** Sums of weights by place, a whole number from 0; every weight must be above 0. */
export class Tally {
  /** Number of places with a sum. */
  readonly size: number
  readonly #places: Int32Array
  readonly #sums: Float64Array

  /** Adds up lists of places, each with its weight. */
  constructor(lists: readonly { readonly places: ArrayLike<number>; readonly weight: number }[]) {
    const places = new Int32Array(lists.reduce((total, list) => total + list.places.length, 0))
    let size = 0
    for (const list of lists) size = add(list.places, list.weight, places, size)
    this.size = size
    this.#places = places
    this.#sums = new Float64Array(size)
    for (let at = 0; at < size; at += 1) {
      const place = places[at]!
      this.#sums[at] = sums[place]!
      sums[place] = 0
    }
  }

  /** The `count` places with the largest sums, largest first; of equal ones the larger place first. */
  best(count: number): readonly number[] {
    const heap = new Int32Array(Math.min(count, this.size))
    // From the end on, where the larger places of a list are: so the ones that come later seldom displace another.
    const rest = this.size - heap.length
    for (let at = 0; at < heap.length; at += 1) heap[at] = rest + at
    const places = this.#places
    const sumOf = this.#sums
    const isWorse = (a: number, b: number): boolean => {
      const difference = sumOf[a]! - sumOf[b]!
      return difference < 0 || (difference === 0 && places[a]! < places[b]!)
    }
    for (let root = (heap.length >> 1) - 1; root >= 0; root -= 1) sink(heap, root, isWorse)
    if (heap.length > 0) {
      let floor = sumOf[heap[0]!]!
      for (let at = rest - 1; at >= 0; at -= 1) {
        // One comparison for nearly every place that is not among the best.
        if (sumOf[at]! < floor || !isWorse(heap[0]!, at)) continue
        heap[0] = at
        sink(heap, 0, isWorse)
        floor = sumOf[heap[0]!]!
      }
    }
    return sorted(heap, isWorse).map((at) => places[at]!)
  }
}

/** The values, best first. Taken from the heap one by one: a sort with a comparison of its own takes several times as long. */
function sorted(heap: Int32Array, isWorse: (a: number, b: number) => boolean): number[] {
  const best = new Array<number>(heap.length)
  for (let left = heap.length - 1; left >= 0; left -= 1) {
    best[left] = heap[0]!
    heap[0] = heap[left]!
    sink(heap, 0, isWorse, left)
  }
  return best
}

/** Puts the value at `root` where it belongs in a heap of `length` values with the worst on top. */
function sink(heap: Int32Array, root: number, isWorse: (a: number, b: number) => boolean, length = heap.length): void {
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

/** Adds a list to the sums and its new places to `places`, of which there are `size`; how many there are then. */
function add(list: ArrayLike<number>, weight: number, places: Int32Array, size: number): number {
  let count = size
  for (let at = 0; at < list.length; at += 1) {
    const place = list[at]!
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
