/** Is this number in an ascending list, and where? */

/** Binary search in ascending ordinals. */
export function holds(documents: Uint32Array, ordinal: number): boolean {
  let low = 0
  let high = documents.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const value = documents[middle]!
    if (value === ordinal) return true
    if (value < ordinal) low = middle + 1
    else high = middle - 1
  }
  return false
}

/** Place of a value among the first `count` of an ascending list; -1 when absent. */
export function placeIn(values: ArrayLike<number>, wanted: number, count: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! < wanted) low = middle + 1
    else high = middle
  }
  return low < count && values[low] === wanted ? low : -1
}
