/**
 * The contract of a store of meanings: the codes of texts (`language/word-codes.ts`), so that no process makes them
 * again. A chunk belongs to one user, and is dropped whole when one of its texts goes or changes.
 */

/** The codes of some turns, in ascending order of their rows. */
interface MeaningChunk {
  /** `TurnColumns.row` of each. */
  readonly rows: Float64Array
  /** The codes of the texts, equally many each, one text behind the other; all 0 for a text without meaning. */
  readonly codes: Int8Array
}

export interface TurnMeanings {
  /** All chunks of a user, in ascending order of their rows. */
  chunks(userId: string): Promise<readonly MeaningChunk[]>
  /** Keeps a chunk; one that begins with the same row is left as it is. */
  keep(userId: string, chunk: MeaningChunk): Promise<void>
}
