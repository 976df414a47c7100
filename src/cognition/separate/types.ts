/** EpisodicSeparator (002 R5.3, R5.5): two similar records of different events, reworded so that they cannot be mixed up. */
import type { RewrittenWords } from '../answers/rewritten.ts'

/** Both records, in the order asked; every fact of a record is still in its `text`. */
export interface Separation {
  readonly first: RewrittenWords
  readonly second: RewrittenWords
}
