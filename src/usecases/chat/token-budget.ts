/** How large may a context be for this message? A long message must not crowd out memories, nor be refused. */
import { tokenCounter } from '../../language/count-tokens.ts'
import { DEFAULT_TOKEN_BUDGET } from '../build-context.ts'

/** Characters of a message that the usual budget holds with ease. */
const SHORT = 2000

/** Tokens for the context of the message, itself included. */
export async function tokenBudgetFor(message: string): Promise<number> {
  if (message.length <= SHORT) return DEFAULT_TOKEN_BUDGET
  return DEFAULT_TOKEN_BUDGET + (await tokenCounter())(message)
}
