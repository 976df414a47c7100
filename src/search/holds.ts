/** Is this turn in a posting list? */

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
