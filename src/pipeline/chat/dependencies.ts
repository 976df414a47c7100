/** What a chat needs, and how it goes on when its memory does not work. */
import type { BuiltContext } from '../../context/built-context.ts'
import type { ConversationLog } from '../../contracts/conversation-log.ts'
import type { LanguageModel } from '../../contracts/language-model.ts'
import type { Clock } from '../../domain/clock.ts'
import { MnemeError, reasonOf } from '../../domain/errors.ts'
import type { Logger } from '../../domain/logger.ts'
import type { ContextInput } from '../build-context.ts'
import type { StoredTurn, StoreInput } from '../store-turns.ts'

/** What a chat needs. */
export interface ChatDependencies {
  readonly log: ConversationLog
  /** null: none is configured. */
  readonly llm: LanguageModel | null
  readonly clock: Clock
  readonly logger: Logger
  readonly maxContentBytes: number
  readonly store: (input: StoreInput) => Promise<readonly StoredTurn[]>
  readonly context: (message: string, input: ContextInput) => Promise<BuiltContext>
}

/** What is said where a chat needs a model and has none. */
export const NO_MODEL = 'No model is configured.'
export const NO_MODEL_REMEDY =
  'Open the memory with `llm`, or set MNEME_LLM_BASE_URL, MNEME_LLM_MODEL and MNEME_LLM_API_KEY.'

/** A chat does not wait longer for its memory; a model of meaning that does not answer is given up before. */
const PATIENCE_MS = 10_000

function tooLate(): MnemeError {
  return new MnemeError('aborted', `nothing came within ${PATIENCE_MS} ms`, { remedy: 'Ask again.' })
}

/** What `work` resolves to; when it fails or takes too long, null, and a warning that says what is missing. */
export async function orWithout<T>(
  { logger }: ChatDependencies,
  work: () => Promise<T>,
  missing: string,
  warnings: string[],
): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  try {
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooLate()), PATIENCE_MS)
    })
    return await Promise.race([work(), late])
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    logger.error('A chat goes on without a part of its memory.', { operation: 'chat', missing, reason })
    warnings.push(`${missing} ${reasonOf(error)}`)
    return null
  } finally {
    clearTimeout(timer)
  }
}
