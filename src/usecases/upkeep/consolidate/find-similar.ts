/**
 * Which memories may be the same as this one, or be mixed up with it? Never all of them: by vectors when the memory has
 * one, else those that the full-text index finds by the memory's most telling terms.
 */

import type { Memory } from '../../../domain/memory.ts'
import { breathe } from '../../../domain/pieces.ts'
import { isGenericTerm } from '../../../language/generic-words.ts'
import { matchMemories } from '../../../search/match-memories.ts'
import { isLivingEpisode } from '../../../thinking/merge/may-merge.ts'
import type { SimilarityThresholds, TextProfile } from '../../../thinking/similarity/rules.ts'
import {
  COSINE_THRESHOLDS,
  judgeSimilarity,
  LEXICAL_THRESHOLDS,
  profileSimilarity,
  textProfile,
} from '../../../thinking/similarity/rules.ts'
import type { Run } from './types.ts'

/** Candidates that are compared. */
const CANDIDATES = 6
/** Terms that the full-text index is asked for: few when this run knows which ones are rare, else more. */
const ASKED_TERMS = 5
const ASKED_UNKNOWING = 12
/** Terms of one question to the index. */
const TERMS_AT_ONCE = 3
const KNOWING_MEMORIES = 500

/** A similar memory, and the meaning of its similarity. */
export interface Similar {
  readonly memory: Memory
  /** A cosine, or a lexical similarity, each with its own thresholds. */
  readonly similarity: number
  readonly verdict: 'same' | 'ambiguous'
}

/** Living episodes around a memory. */
export interface Neighbours {
  /** The similar ones, most alike first. */
  readonly similar: readonly Similar[]
  /** All that were compared: they share something. */
  readonly compared: readonly Memory[]
}

/** Looks for living episodes that are like this one. */
export async function findSimilar(run: Run, memory: Memory, seen: TermCounts): Promise<Neighbours> {
  const found = (await byVectors(run, memory)) ?? (await byTerms(run, memory, seen))
  const compared = found.filter(({ memory: other }) => other.projectRoot === memory.projectRoot)
  return {
    similar: compared
      .flatMap(({ memory: other, similarity, thresholds }): readonly Similar[] => {
        const verdict = judgeSimilarity(similarity, thresholds)
        return verdict === 'different' ? [] : [{ memory: other, similarity, verdict }]
      })
      .toSorted((a, b) => b.similarity - a.similarity || (a.memory.id < b.memory.id ? -1 : 1)),
    compared: compared.map(({ memory: other }) => other),
  }
}

interface Compared {
  readonly memory: Memory
  readonly similarity: number
  readonly thresholds: SimilarityThresholds
}

/** null when the memory has no vector (yet). */
async function byVectors(run: Run, memory: Memory): Promise<readonly Compared[] | null> {
  const { vectors, memories } = run.dependencies
  if (vectors === undefined) return null
  const vector = (await vectors.get(run.userId, [memory.id])).get(memory.id)
  if (vector === undefined) return null
  const matches = await vectors.search(run.userId, vector, CANDIDATES + 1, { kind: 'episodic' })
  const compared: Compared[] = []
  for (const { id, score } of matches) {
    const other = id === memory.id ? null : await memories.get(run.userId, id)
    if (other !== null && isLivingEpisode(other))
      compared.push({ memory: other, similarity: score, thresholds: COSINE_THRESHOLDS })
  }
  return compared
}

async function byTerms(run: Run, memory: Memory, seen: TermCounts): Promise<readonly Compared[]> {
  const profile = textProfile(memory.text)
  const terms = rarestTerms(profile, seen)
  const filter = {
    memoryType: 'episodic',
    ...(memory.projectRoot === null ? {} : { projectRoot: memory.projectRoot }),
  } as const
  const found = new Map<string, Memory>()
  // A few terms at a time: the lists of all of them would hold everybody else up.
  for (let first = 0; first < terms.length; first += TERMS_AT_ONCE) {
    if (first > 0) await breathe(run.signal)
    const asked = terms.slice(first, first + TERMS_AT_ONCE)
    const { matches } = await matchMemories(run.dependencies.memories, run.userId, asked, filter, CANDIDATES + 1)
    for (const { memory: other } of matches) if (other.id !== memory.id) found.set(other.id, other)
  }
  return [...found.values()]
    .map(
      (other): Compared => ({
        memory: other,
        similarity: profileSimilarity(profile, textProfile(other.text)),
        thresholds: LEXICAL_THRESHOLDS,
      }),
    )
    .toSorted((a, b) => b.similarity - a.similarity || (a.memory.id < b.memory.id ? -1 : 1))
    .slice(0, CANDIDATES)
}

/** The rarest terms as far as this run has seen, general words and single characters last. */
function rarestTerms(profile: TextProfile, seen: TermCounts): readonly string[] {
  const terms = [...profile.terms.keys()]
  seen.add(terms)
  const telling = terms.filter((term) => !isGenericTerm(term))
  const rank = new Map(telling.map((term) => [term, seen.count(term)]))
  return (telling.length > 0 ? telling : terms)
    .toSorted((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0) || b.length - a.length)
    .slice(0, seen.memories < KNOWING_MEMORIES ? ASKED_UNKNOWING : ASKED_TERMS)
}

const MOST_TERMS = 200_000

/** The number of memories of a run that hold a term; beyond its size no new term is counted. */
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
