/**
 * What a store of meanings must be able to do: it keeps the codes of texts (`language/word-codes.ts`), which are made once,
 * so that no process has to make them again. A chunk belongs to one user; when one of its texts goes or changes, the
 * store drops the whole chunk, and its texts are encoded anew.
 */

/** The codes of some turns, in ascending order of their rows. */
interface MeaningChunk {
  /** `TurnColumns.row` of each. */
  readonly rows: Float64Array
  /** The same number of codes for each, one text behind the other; all 0 for a text without meaning. */
  readonly codes: Int8Array
}

export interface TurnMeanings {
  /** All chunks of a user, in ascending order of their rows. */
  chunks(userId: string): Promise<readonly MeaningChunk[]>
  /** Keeps a chunk; one that begins with the same row is left as it is. */
  keep(userId: string, chunk: MeaningChunk): Promise<void>
}
