/**
 * How much does one occurrence list of a term say about a turn? Robertson and Zaragoza's BM25, term by term,
 * with the idf that never turns negative (Lucene's form).
 */

/** How soon further occurrences of a term stop counting. Chat turns are short, so soon. */
export const BM25_K1 = 1.2
/** How much a long turn is held back: 0 not at all, 1 in full proportion. */
export const BM25_B = 0.6

/** Weight of a term that `documentFrequency` of `documents` turns contain: ln(1 + (N − df + ½) / (df + ½)), above 0. */
export function inverseDocumentFrequency(documentFrequency: number, documents: number): number {
  const frequency = Math.min(documentFrequency, documents)
  return Math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))
}

/** No turn gets more than this from a term of this idf. */
export function upperBound(idf: number): number {
  return idf * (BM25_K1 + 1)
}
