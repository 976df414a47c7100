/** Which turns mean something like the query? The cosines that an index of vectors gave, by the turns' place in the view. */

import { placeIn } from '../domain/ascending.ts'
import type { TurnView } from '../domain/contracts/turn-index.ts'

/** Cosine with the query by TurnColumns.row. */
export type SimilarityByRow = ReadonlyMap<number, number>

/** As the similarity by row, but by ordinal; turns that the view does not hold (yet) are left out. */
export function similarityByOrdinal(similarity: SimilarityByRow, view: TurnView): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (const [row, score] of similarity) {
    // Rows ascend with the ordinals: turns are numbered as they arrive.
    const ordinal = placeIn(view.columns.row, row, view.size)
    if (ordinal >= 0) found.set(ordinal, score)
  }
  return found
}
