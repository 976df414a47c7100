/**
 * When does a conversation get its title and snippet (001)? Once its first message was answered; later turns do not
 * change them. The rules write them: a round costs one call of a model, and that is spent on what to remember.
 */
import { sessionSummaryByRules } from '../../cognition/session-summary/rules.ts'
import type { Store } from '../../contracts/store.ts'
import type { ThinkMessage } from '../../domain/thought.ts'

/** Writes the session summary when this round brings the first reply and there is none yet. */
export async function summarizeSession(
  { sessionSummaries }: Pick<Store, 'sessionSummaries'>,
  userId: string,
  conversationId: string,
  round: readonly ThinkMessage[],
  now: number,
): Promise<void> {
  const isAnswered = round.some(({ role }) => role === 'assistant') && round.some(({ role }) => role === 'user')
  if (!isAnswered) return
  if ((await sessionSummaries.get(userId, conversationId)) !== null) return
  const { title, snippet } = sessionSummaryByRules(round)
  if (title === '' && snippet === '') return
  await sessionSummaries.put(userId, { conversationId, title, snippet }, now)
}
