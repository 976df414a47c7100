/** The state of one run of consolidation; and the memories that may say the same as one, by its vector, else by its terms. */
import type { Clock } from '../../../domain/clock.ts'
import type { MemoryStore } from '../../../domain/contracts/memory-store.ts'
import type { LanguageModel } from '../../../domain/contracts/models.ts'
import type { VectorIndex } from '../../../domain/contracts/vector-index.ts'
import { MnemeError, messageOf } from '../../../domain/errors.ts'
import type { Logger } from '../../../domain/logger.ts'
import type { Memory } from '../../../domain/memory.ts'
import { fewAtATime } from '../../../domain/scheduling.ts'
import { isGenericTerm } from '../../../language/terms.ts'
import { matchMemories } from '../../../search/match-memories.ts'
import { isLivingEpisode } from '../../../thinking/merge/merge-by-rules.ts'
import type { AskContext } from '../../../thinking/model-answers/ask-model.ts'
import {
  COSINE_THRESHOLDS,
  judgeSimilarity,
  LEXICAL_THRESHOLDS,
  profileSimilarity,
  type SimilarityThresholds,
  type TextProfile,
  textProfile,
} from '../../../thinking/similarity/similarity.ts'

const CANDIDATES = 6
/** Terms that the full-text index is asked for: few when this run knows which ones are rare, else more. */
const ASKED_TERMS = 5
const ASKED_UNKNOWING = 12
const TERMS_AT_ONCE = 3
const KNOWING_MEMORIES = 500

export interface Similar {
  readonly memory: Memory
  /** A cosine, or a lexical similarity, each with its own thresholds. */
  readonly similarity: number
  readonly verdict: 'same' | 'ambiguous'
}

/** The similar ones, most alike first, and all that were compared: they share something. */
export async function findSimilar(run: Run, memory: Memory, seen: TermCounts) {
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
  const { vectors, memories } = run
  if (vectors === null) return null
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
  for await (const asked of fewAtATime(terms, TERMS_AT_ONCE, run.signal)) {
    const { matches } = await matchMemories(run.memories, run.userId, asked, filter, CANDIDATES + 1)
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
  memories = 0

  add(terms: Iterable<string>): void {
    this.memories += 1
    for (const term of terms) {
      const count = this.#counts.get(term)
      if (count !== undefined) this.#counts.set(term, count + 1)
      else if (this.#counts.size < MOST_TERMS) this.#counts.set(term, 1)
    }
  }

  count(term: string): number {
    return this.#counts.get(term) ?? 0
  }
}

export interface ConsolidateDependencies {
  readonly memories: MemoryStore
  /** Similar memories are looked for by cosine where both have vectors, else by shared terms. */
  readonly vectors: Pick<VectorIndex, 'search' | 'get' | 'remove'> | null
  /** The rules answer where it does not. */
  readonly llm: LanguageModel | null
  readonly clock: Clock
  readonly logger: Logger
}

/** How a run is bounded and watched; everything has a default. */
export interface ConsolidateOptions {
  /** Absent: every user with something new. */
  readonly userId?: string
  /** Model calls of this run at most; beyond it the rules answer. Default 200. */
  readonly maxModelCalls?: number | undefined
  /** Stops between two memories; the work so far is kept, and the next run goes on. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: (counts: ConsolidationCounts) => void
}

/** The counts of a run. */
export interface ConsolidationCounts {
  /** Episodic memories that were looked at. */
  readonly processed: number
  /** Merges: each makes one memory of two. */
  readonly merged: number
  /** Pairs that were told apart. */
  readonly separated: number
  /** Semantic memories that were made of episodes. */
  readonly promoted: number
  /** Memories that are gone: the two originals of each merge. */
  readonly deleted: number
  /** New or changed memories that are no living episodes, and so were passed over. */
  readonly skipped: number
  readonly modelCalls: number
}

/** The consolidation of one user. */
export interface Run extends ConsolidateDependencies {
  readonly userId: string
  readonly signal: AbortSignal | undefined
  readonly maxModelCalls: number
  /** Changed as the run goes on. */
  readonly counts: { -readonly [name in keyof ConsolidationCounts]: number }
}

/** The model's answer; null when it cannot be had. `share` is the part of the allowance that may be spent. */
export async function askModel<T>(
  { llm, logger, userId, signal, counts, maxModelCalls }: Run,
  step: string,
  question: (ask: AskContext) => Promise<T | null>,
  share = 1,
): Promise<T | null> {
  if (llm === null || counts.modelCalls >= Math.ceil(maxModelCalls * share)) return null
  counts.modelCalls += 1
  try {
    return await question({ model: llm, userId, logger, ...(signal === undefined ? {} : { signal }) })
  } catch (error) {
    if (signal?.aborted || (error instanceof MnemeError && error.code === 'aborted')) throw error
    logger.warn('the model failed in consolidation; the rules answer', {
      operation: 'consolidate',
      step,
      userId,
      reason: messageOf(error),
    })
    return null
  }
}
