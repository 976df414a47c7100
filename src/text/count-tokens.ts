/**
 * How many tokens does a model see in this text? Counted by the encoding of the newest widespread models (o200k), which
 * is near enough for the others; Chinese is counted as it is, not guessed from its length.
 */

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number

let counter: Promise<CountTokens> | undefined

/** Loads the encoding on first use (its table is 2 MB); the same function for every later call. */
export function tokenCounter(): Promise<CountTokens> {
  counter ??= import('gpt-tokenizer/encoding/o200k_base').then(
    ({ countTokens }) =>
      (text) =>
        // A text may mention the names of control tokens; here they are words like any other.
        countTokens(text, { disallowedSpecial: new Set() }),
  )
  return counter
}
