/** One run's tally and its allowance of model calls, shared by the steps. */
import { MnemeError } from '../../../domain/errors.ts'
import type { ConsolidateDependencies, ConsolidateOptions, ConsolidationCounts, ThinkOptions } from './types.ts'
import { MOST_MODEL_CALLS } from './types.ts'

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

/**
 * The model's answer; null when there is no such step, the allowance is spent, or the model failed (logged); aborts are
 * passed on. `share` is the part of the allowance that may be spent by then.
 */
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
