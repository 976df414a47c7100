/** What is the k-th largest number so far? A heap of the k largest, the least of them on top. */

/** A bounded heap that forgets its least. */
export class LeastHeap {
  readonly #most: number
  readonly #heap: number[] = []

  /** @param most k, at least 1 */
  constructor(most: number) {
    this.#most = most
  }

  /** The k-th largest; -Infinity as long as there are fewer. */
  get least(): number {
    return this.#heap.length < this.#most ? Number.NEGATIVE_INFINITY : this.#heap[0]!
  }

  push(value: number): void {
    const heap = this.#heap
    if (heap.length < this.#most) {
      heap.push(value)
      this.#rise(heap.length - 1)
    } else if (value > heap[0]!) {
      heap[0] = value
      this.#sink()
    }
  }

  #rise(from: number): void {
    const heap = this.#heap
    const value = heap[from]!
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (heap[parent]! <= value) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = value
  }

  #sink(): void {
    const heap = this.#heap
    const value = heap[0]!
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child += 1
      if (heap[child]! >= value) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = value
  }
}
