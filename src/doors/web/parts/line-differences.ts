/** Differences between two texts, line by line, by the longest common subsequence of their lines. */

/** A line that is kept, removed or added. */
export interface LineDifference {
  readonly kind: 'same' | 'gone' | 'new'
  readonly text: string
}

/** Largest table of line pairs; beyond it the whole text counts as removed and added. */
const MOST_CELLS = 4_000_000

/** The lines of both texts in order. */
export function lineDifferences(before: string, after: string): readonly LineDifference[] {
  const [a, b] = [before.split('\n'), after.split('\n')]
  let start = 0
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start += 1
  let end = 0
  while (end < Math.min(a.length, b.length) - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1
  const [gone, come] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  const same = (lines: readonly string[]): LineDifference[] => lines.map((text) => ({ kind: 'same', text }))
  return [...same(a.slice(0, start)), ...middle(gone, come), ...same(a.slice(a.length - end))]
}

function middle(a: readonly string[], b: readonly string[]): readonly LineDifference[] {
  const width = b.length + 1
  if (a.length * b.length > MOST_CELLS)
    return [...a.map((text) => ({ kind: 'gone', text }) as const), ...b.map((text) => ({ kind: 'new', text }) as const)]
  // Lengths of the longest common subsequence from each position to both ends.
  const common = new Uint32Array((a.length + 1) * width)
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        a[i] === b[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!)
  const lines: LineDifference[] = []
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i]! })
      i += 1
      j += 1
    } else if (j === b.length || (i < a.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) {
      lines.push({ kind: 'gone', text: a[i]! })
      i += 1
    } else {
      lines.push({ kind: 'new', text: b[j]! })
      j += 1
    }
  }
  return lines
}
