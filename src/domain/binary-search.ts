/** Binary search in ascending numbers. */

/** The number of the first `count` values that lie below a bound. */
export function countBelow(values: ArrayLike<number>, bound: number, count = values.length): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (values[middle]! < bound) low = middle + 1
    else high = middle
  }
  return low
}

/** Place of a value among the first `count`; -1 when absent. */
export function placeIn(values: ArrayLike<number>, wanted: number, count = values.length): number {
  const place = countBelow(values, wanted, count)
  return place < count && values[place] === wanted ? place : -1
}

/** true when the value is among them. */
export function isAmong(values: ArrayLike<number>, wanted: number): boolean {
  return placeIn(values, wanted) >= 0
}
