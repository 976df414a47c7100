/** EpisodicSeparator (002 R5.3, R5.5): two similar records of different events, reworded so that they cannot be mixed up. */

/** The words of one record after separation; every fact of the record is still in `text`. */
export interface SeparatedWords {
  readonly text: string
  readonly context: string
  readonly thing: string
}

/** Both records, in the order asked. */
export interface Separation {
  readonly first: SeparatedWords
  readonly second: SeparatedWords
}
