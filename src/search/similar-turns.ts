/** Which turns mean something like the query? The cosines that an index of vectors gave, by the turns' place in the view. */
import type { TurnView } from '../contracts/turn-index.ts'

/** Cosine with the query by TurnColumns.row. */
export type SimilarityByRow = ReadonlyMap<number, number>

/** The same by ordinal; turns that the view does not hold (yet) are left out. */
export function similarityByOrdinal(similarity: SimilarityByRow, view: TurnView): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (const [row, score] of similarity) {
    const ordinal = ordinalOf(row, view)
    if (ordinal >= 0) found.set(ordinal, score)
  }
  return found
}

/** Rows ascend with the ordinals: turns are numbered as they arrive. */
function ordinalOf(row: number, { columns, size }: TurnView): number {
  let low = 0
  let high = size
  while (low < high) {
    const middle = (low + high) >>> 1
    if (columns.row[middle]! < row) low = middle + 1
    else high = middle
  }
  return low < size && columns.row[low] === row ? low : -1
}
