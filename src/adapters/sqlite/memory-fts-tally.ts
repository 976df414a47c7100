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
    for (let at = 0; at < heap.length; at += 1) heap[at] = at
    if (heap.length > 0 && heap.length < this.size) {
      for (let root = (heap.length >> 1) - 1; root >= 0; root -= 1) this.#sink(heap, root)
      for (let at = heap.length; at < this.size; at += 1) {
        if (!this.#isWorse(heap[0]!, at)) continue
        heap[0] = at
        this.#sink(heap, 0)
      }
    }
    heap.sort((a, b) => (this.#isWorse(a, b) ? 1 : -1))
    return Array.from(heap, (at) => this.#places[at]!)
  }

  /** Of two different indexes the one with the smaller sum, of equal sums the one with the smaller place. */
  #isWorse(a: number, b: number): boolean {
    const difference = this.#sums[a]! - this.#sums[b]!
    return difference < 0 || (difference === 0 && this.#places[a]! < this.#places[b]!)
  }

  /** Puts the value at `root` where it belongs in a heap with the worst on top. */
  #sink(heap: Int32Array, root: number): void {
    const value = heap[root]!
    let at = root
    for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
      if (child + 1 < heap.length && this.#isWorse(heap[child + 1]!, heap[child]!)) child += 1
      if (!this.#isWorse(heap[child]!, value)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = value
  }
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
