/** Which of the scored texts are the best? A bounded heap: one comparison for nearly every text that is not. */

/** Scores by ordinal; the first `count` of `touched` are the ordinals that have one. */
export interface Scored {
  readonly scores: Float32Array
  readonly touched: Uint32Array
  readonly count: number
}

/** The `k` best texts that `accepts` lets through, best first; of equal ones the later turn first. */
export function selectTop(
  { scores, touched, count }: Scored,
  k: number,
  accepts: (ordinal: number) => boolean,
): Uint32Array {
  const heap = new Uint32Array(Math.min(k, count))
  const room = heap.length
  let size = 0
  let floor = 0
  const worse = (a: number, b: number): boolean => {
    const difference = scores[a]! - scores[b]!
    return difference < 0 || (difference === 0 && a < b)
  }
  const sink = (from: number): void => {
    const value = heap[from]!
    let at = from
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && worse(heap[child + 1]!, heap[child]!)) child++
      if (!worse(heap[child]!, value)) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = value
  }
  const order = (): void => {
    for (let root = (size >> 1) - 1; root >= 0; root--) sink(root)
  }
  const consider = (ordinal: number): void => {
    if (size < room) {
      if (!accepts(ordinal)) return
      heap[size++] = ordinal
      if (size < room) return
      order()
    } else {
      if (!worse(heap[0]!, ordinal) || !accepts(ordinal)) return
      heap[0] = ordinal
      sink(0)
    }
    floor = scores[heap[0]!]!
  }
  // The rarest term was added first. Of one term the ordinals ascend, and of equal scores the last wins: it is read from its end.
  for (let from = 0, to = 1; from < count; from = to++) {
    while (to < count && touched[to]! > touched[to - 1]!) to++
    for (let i = to - 1; i >= from; i--) if (scores[touched[i]!]! >= floor) consider(touched[i]!)
  }
  const found = heap.subarray(0, size)
  if (size < room) order()
  // The worst goes to the end, again and again.
  while (size > 1) {
    const worst = heap[0]!
    heap[0] = heap[--size]!
    heap[size] = worst
    sink(0)
  }
  return found
}

/**
 * The k-th largest of these values, which are put into another order; -Infinity when there are fewer. Quickselect
 * (Hoare 1961): it looks at each value about three times, where sorting compares each with a dozen others.
 */
export function kthLargest(values: Float32Array | Float64Array, k: number): number {
  if (k > values.length) return Number.NEGATIVE_INFINITY
  const wanted = k - 1
  let low = 0
  let high = values.length - 1
  while (low < high) {
    const pivot = values[(low + high) >>> 1]!
    let left = low
    let right = high
    while (left <= right) {
      while (values[left]! > pivot) left++
      while (values[right]! < pivot) right--
      if (left > right) break
      const value = values[left]!
      values[left++] = values[right]!
      values[right--] = value
    }
    if (wanted <= right) high = right
    else if (wanted >= left) low = left
    else break
  }
  return values[wanted]!
}
