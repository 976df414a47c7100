/** Consolidation, bound to a store and to the models that there are; loaded when it is first asked for. */
import { checkId } from '../domain/checks.ts'
import type { LanguageModel } from '../domain/contracts/models.ts'
import type { Store } from '../domain/contracts/store.ts'
import { memoryId } from '../domain/ids.ts'
import type { Logger } from '../domain/logger.ts'
import { decideOld } from './memories/projects.ts'
import type { ResolvedOptions } from './options.ts'
import type { Models, Thinking } from './thinking.ts'
import type {
  ConsolidateOptions,
  ConsolidationCounts,
  ConsolidationModel,
  ThinkOptions,
} from './upkeep/consolidate/types.ts'

/** Consolidates one user, or every user with something new. */
export function consolidation(
  store: Store,
  { clock, logger }: ResolvedOptions,
  { llm, embedder }: Models,
  { embedSoon, embedMissing }: Pick<Thinking, 'embedSoon' | 'embedMissing'>,
): (options?: ConsolidateOptions) => Promise<ConsolidationCounts> {
  return async (options = {}) => {
    if (options.userId !== undefined) checkId('userId', options.userId)
    const { consolidate } = await import('./upkeep/consolidate/consolidate.ts')
    const { warmUp } = await import('./think/warm-up.ts')
    const counts = await consolidate(
      {
        memories: store.memories,
        prepare: async (userId) => {
          await warmUp()
          await decideOld(store, userId)
        },
        clock,
        newId: memoryId,
        logger,
        // Vectors are compared exactly and here, so that the thresholds hold and no outage of a vector store stops it.
        ...(embedder === null ? {} : { vectors: store.mirror?.record ?? store.vectors }),
        ...(llm === null ? {} : { model: await stepsOf(llm, logger) }),
      },
      options,
    )
    const isChanged = counts.merged + counts.separated + counts.promoted > 0
    if (isChanged) await (options.userId === undefined ? embedMissing() : embedSoon(options.userId))
    return counts
  }
}

async function stepsOf(model: LanguageModel, logger: Logger): Promise<ConsolidationModel> {
  const { mergeByModel } = await import('../thinking/merge/model.ts')
  const { separateByModel } = await import('../thinking/separate/model.ts')
  const { semanticFactsByModel } = await import('../thinking/semantic-facts/model.ts')
  const ask = ({ userId, signal }: ThinkOptions) => ({
    model,
    userId,
    logger,
    ...(signal === undefined ? {} : { signal }),
  })
  return {
    merge: (a, b, options) => mergeByModel(a, b, ask(options)),
    separate: (a, b, options) => separateByModel(a, b, ask(options)),
    semanticFacts: (memory, others, options) => semanticFactsByModel(memory, others, ask(options)),
  }
}
