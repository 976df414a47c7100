/** Which texts mean something like the query? The cosines that an index of vectors gave, by the turns' place in the view. */
import { placeIn } from '../domain/ascending.ts'
import type { TurnView } from '../domain/contracts/turn-index.ts'

/** Cosines with the query, the largest first: of turns by TurnColumns.row, or ordinal, and of memories by id. */
export type Similarity = ReadonlyMap<number | string, number>

/** The turns of these, nearest first. */
export function turnsOf(similarity: Similarity): readonly number[] {
  return [...similarity.keys()].filter((key) => typeof key === 'number')
}

/** Similarities by ordinal; turns outside the view are left out. */
export function similarityByOrdinal(similarity: Similarity, view: TurnView): Similarity {
  const found = new Map<number | string, number>()
  for (const [key, score] of similarity) {
    // Rows ascend with the ordinals: turns are numbered as they arrive.
    const at = typeof key === 'string' ? key : placeIn(view.columns.row, key, view.size)
    if (at !== -1) found.set(at, score)
  }
  return found
}
