/** The dependencies, input and report of consolidation (002 R5, R6, R10.5). */
import type { Clock } from '../../../domain/clock.ts'
import type { MemoryStore } from '../../../domain/contracts/memory-store.ts'
import type { VectorIndex } from '../../../domain/contracts/vector-index.ts'
import { MnemeError } from '../../../domain/errors.ts'
import type { Logger } from '../../../domain/logger.ts'
import type { Memory } from '../../../domain/memory.ts'
import type { ModelMerge } from '../../../thinking/merge/model.ts'
import type { Episode } from '../../../thinking/semantic-facts/rules.ts'
import type { SemanticAnswer } from '../../../thinking/semantic-facts/types.ts'
import type { Separation } from '../../../thinking/separate/rules.ts'

/** Bounds and owner of one question to a model. */
export interface ThinkOptions {
  readonly userId: string
  readonly signal?: AbortSignal
}

/** The steps by a model, each optional; null or a rejection leaves this one to the rules. */
export interface ConsolidationModel {
  /** One call for both: do they tell of one event, and in which words? */
  readonly merge?: (a: Memory, b: Memory, options: ThinkOptions) => Promise<ModelMerge | null>
  readonly separate?: (a: Memory, b: Memory, options: ThinkOptions) => Promise<Separation | null>
  /** `others`: similar episodes, by which a repeated preference shows (R6.3). */
  readonly semanticFacts?: (
    memory: Memory,
    others: readonly Episode[],
    options: ThinkOptions,
  ) => Promise<SemanticAnswer | null>
}

/** The dependencies of a run. */
export interface ConsolidateDependencies {
  readonly memories: MemoryStore
  /** Settles a user's memories before they are compared. */
  readonly prepare?: (userId: string) => Promise<void>
  /** Similar memories are looked for by cosine where both have vectors, else by shared terms. */
  readonly vectors?: Pick<VectorIndex, 'search' | 'get' | 'remove'>
  readonly model?: ConsolidationModel
  readonly clock: Clock
  readonly newId: () => string
  readonly logger: Logger
}

/** How a run is bounded and watched; everything has a default. */
export interface ConsolidateOptions {
  /** Absent: every user with something new. */
  readonly userId?: string
  /** Model calls of this run at most; beyond it the rules answer. Default MOST_MODEL_CALLS. */
  readonly maxModelCalls?: number | undefined
  /** Stops between two memories; the work so far is kept, and the next run goes on. */
  readonly signal?: AbortSignal
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

/** Model calls of one run unless said otherwise. */
const MOST_MODEL_CALLS = 200

/** A run in progress. */
export interface Run {
  readonly dependencies: ConsolidateDependencies
  readonly userId: string
  readonly signal: AbortSignal | undefined
  /** Changed as the run goes on. */
  readonly counts: { -readonly [name in keyof ConsolidationCounts]: number }
  readonly maxModelCalls: number
}

/** Nothing done yet. */
export function noCounts(): Run['counts'] {
  return { processed: 0, merged: 0, separated: 0, promoted: 0, deleted: 0, skipped: 0, modelCalls: 0 }
}

/** A run over one user. */
export function runOf(
  dependencies: ConsolidateDependencies,
  userId: string,
  options: ConsolidateOptions,
  counts: Run['counts'],
): Run {
  const { signal, maxModelCalls = MOST_MODEL_CALLS } = options
  return { dependencies, userId, signal, counts, maxModelCalls }
}

/** The model's answer; null when it cannot be had. `share` is the part of the allowance that may be spent. */
export async function askModel<T>(
  run: Run,
  step: string,
  question: ((options: ThinkOptions) => Promise<T | null>) | undefined,
  share = 1,
): Promise<T | null> {
  if (question === undefined || run.counts.modelCalls >= Math.ceil(run.maxModelCalls * share)) return null
  run.counts.modelCalls += 1
  try {
    return await question({ userId: run.userId, ...(run.signal === undefined ? {} : { signal: run.signal }) })
  } catch (error) {
    if (run.signal?.aborted || (error instanceof MnemeError && error.code === 'aborted')) throw error
    run.dependencies.logger.warn('the model failed in consolidation; the rules answer', {
      operation: 'consolidate',
      step,
      userId: run.userId,
      reason: error instanceof Error ? error.message : String(error),
    })
    return null
  }
}
