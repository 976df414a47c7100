/**
 * Which clause of a sentence belongs into the notes where the rest of it only judges, feels or points: "I'm a big fan of
 * pottery - it is so calming"? The words before it are a sentence of their own; what takes them back is never cut off.
 */

/** A clause begins here that goes on from the one before: after a dash, "which is …", "and it …", "so I …". */
const CLAUSE =
  /\s+[-–—]+\s+(?!but\b|though\b|although\b|except\b|until\b|unless\b|not\b|only\b|if\b|when\b)|,?\s+which\s+(?=\S)|,?\s+(?:and|so|because|['’]?cause)\s+(?=(?:it|that|this|these|they|there|i|we|my|our|you)\b)/gi
const FEWEST_WORDS = 4
/** What follows says that it is over, or was never so. */
const TAKES_BACK =
  /\b(?:no longer|not any ?more|any ?more|used to|stopped|quit|gave up|until|unless|but|except|however)\b/i

/** The sentence as far as each of its clauses, the longest first, without the sentence itself. */
export function headsOf(sentence: string): readonly string[] {
  return [...sentence.matchAll(CLAUSE)]
    .toReversed()
    .filter(({ index }) => !TAKES_BACK.test(sentence.slice(index)))
    .map(({ index }) => sentence.slice(0, index).replace(/[\s,;:–—-]+$/, ''))
    .filter((head) => head.split(/\s+/).length >= FEWEST_WORDS)
    .map((head) => `${head}.`)
}
