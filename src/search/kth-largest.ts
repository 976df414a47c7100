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
