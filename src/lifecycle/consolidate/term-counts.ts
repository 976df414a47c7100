/** In how many of the memories that a run has seen does a term stand? Bounded: beyond its size no new term is counted. */

const MOST_TERMS = 200_000

/** The counts of one run. */
export class TermCounts {
  readonly #counts = new Map<string, number>()
  /** How many memories were counted. */
  memories = 0

  /** Counts the distinct terms of one memory. */
  add(terms: Iterable<string>): void {
    this.memories += 1
    for (const term of terms) {
      const count = this.#counts.get(term)
      if (count !== undefined) this.#counts.set(term, count + 1)
      else if (this.#counts.size < MOST_TERMS) this.#counts.set(term, 1)
    }
  }

  /** 0 for a term that was not seen. */
  count(term: string): number {
    return this.#counts.get(term) ?? 0
  }
}
