/** The dependencies of a chat, and its way on when the memory fails. */
import type { Clock } from '../../domain/clock.ts'
import type { ConversationLog } from '../../domain/contracts/conversation-log.ts'
import type { LanguageModel } from '../../domain/contracts/language-model.ts'
import { MnemeError, reasonOf } from '../../domain/errors.ts'
import type { Logger } from '../../domain/logger.ts'
import { inTurns } from '../../domain/pieces.ts'
import { tokenCounter } from '../../language/count-tokens.ts'
import type { BuiltContext } from '../../search/context/built-context.ts'
import { type ContextInput, DEFAULT_TOKEN_BUDGET } from '../build-context.ts'
import type { StoredTurn, StoreInput } from '../store-turns.ts'

export interface ChatDependencies {
  readonly log: ConversationLog
  /** null: none is configured. */
  readonly llm: LanguageModel | null
  readonly clock: Clock
  readonly logger: Logger
  readonly maxContentBytes: number
  readonly store: (input: StoreInput) => Promise<readonly StoredTurn[]>
  readonly context: (message: string, input: ContextInput) => Promise<BuiltContext>
  /** Milliseconds that a chat waits for its memory. Default 10,000. */
  readonly patienceMs?: number
}

/** The message of a chat that needs a model and has none. */
export const NO_MODEL = 'No model is configured.'
export const NO_MODEL_REMEDY =
  'Open the memory with `llm`, or set MNEME_LLM_BASE_URL, MNEME_LLM_MODEL and MNEME_LLM_API_KEY.'

/** A chat does not wait longer for its memory; a model of meaning that does not answer is given up before. */
const PATIENCE_MS = 10_000

/**
 * The value of `work`; when it fails or takes too long, null, and a warning that names what is `missing`. Late work
 * goes on, and `late` is its warning where that differs.
 */
export async function orWithout<T>(
  { logger, patienceMs = PATIENCE_MS }: ChatDependencies,
  work: () => Promise<T>,
  missing: string,
  warnings: string[],
  late = missing,
): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new MnemeError('aborted', `nothing came within ${patienceMs} ms`, { remedy: 'Ask again.' })
  try {
    const over = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooLate), patienceMs)
    })
    return await Promise.race([work(), over])
  } catch (error) {
    const said = error === tooLate ? late : missing
    const reason = error instanceof Error ? error.message : String(error)
    logger.error('A chat goes on without a part of its memory.', { operation: 'chat', missing: said, reason })
    warnings.push(`${said} ${reasonOf(error)}`)
    return null
  } finally {
    clearTimeout(timer)
  }
}

/** Characters of a message that the usual budget holds with ease. */
const SHORT = 2000

/** Tokens for the context of the message, itself included. */
export async function tokenBudgetFor(message: string): Promise<number> {
  if (message.length <= SHORT) return DEFAULT_TOKEN_BUDGET
  return DEFAULT_TOKEN_BUDGET + (await tokenCounter())(message)
}

const inTurn = inTurns()

/** Does the work after that of other chats in one conversation; resolves, or rejects, as the work does. */
export function inConversation<T>(
  { log }: Pick<ChatDependencies, 'log'>,
  { userId, conversationId }: { readonly userId: string; readonly conversationId: string },
  work: () => Promise<T>,
): Promise<T> {
  return inTurn(log, JSON.stringify([userId, conversationId]), work)
}
