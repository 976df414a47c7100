/**
 * When does a conversation get its title and snippet (001)? Once its first message was answered; later turns do not
 * change them. A model gives them along with its thoughts about that round, so that a round costs one call; where it
 * gives none of use, or there is no model, the rules write them.
 */
import { type NamingMessage, namesTopic, sessionSummaryByRules } from '../../cognition/session-summary/rules.ts'
import type { SessionSummary } from '../../cognition/session-summary/types.ts'
import type { Store } from '../../contracts/store.ts'
import type { ThinkMessage } from '../../domain/thought.ts'
import { roundsOf } from '../../search/context/rolling-window.ts'

/** The first exchange is looked for among so many turns. */
const OPENING_TURNS = 32

/** The exchange that names a conversation. */
export type NamingExchange = readonly NamingMessage[]

/**
 * The exchange that the session summary is to be made from, when this round brings a reply and there is none yet; else
 * null. The question may have been thought about before its reply came, so the first exchange is read from the log.
 */
export async function untitledExchange(
  { sessionSummaries, log }: Pick<Store, 'sessionSummaries' | 'log'>,
  userId: string,
  conversationId: string,
  round: readonly ThinkMessage[],
): Promise<NamingExchange | null> {
  if (!round.some(({ role }) => role === 'assistant')) return null
  if ((await sessionSummaries.get(userId, conversationId)) !== null) return null
  const opening = await log.turns(userId, conversationId, { from: 1, to: OPENING_TURNS })
  const answered = roundsOf(opening).filter(isAnswered)
  // A greeting names no conversation; where nothing but small talk was said, the next reply may.
  const exchange = answered.find(namesTopic) ?? (namesTopic(round) ? round : undefined)
  return exchange === undefined || !isAnswered(exchange) ? null : exchange
}

/** Writes the session summary: the model's, or that of the rules. */
export async function titleSession(
  { sessionSummaries }: Pick<Store, 'sessionSummaries'>,
  userId: string,
  conversationId: string,
  exchange: NamingExchange,
  byModel: SessionSummary | undefined,
  now: number,
): Promise<void> {
  const { title, snippet } = byModel ?? sessionSummaryByRules(exchange)
  if (title === '' && snippet === '') return
  await sessionSummaries.put(userId, { conversationId, title, snippet }, now)
}

function isAnswered(round: readonly Pick<ThinkMessage, 'role'>[]): boolean {
  return round.some(({ role }) => role === 'assistant') && round.some(({ role }) => role === 'user')
}

/** Turns from which a session summary is written anew. */
const FIRST_TURNS = 8

/** Writes the session summaries of conversations anew that lost turns: nothing of a removed turn stays in them. */
export async function renewSessionSummaries(
  { log, sessionSummaries }: Pick<Store, 'log' | 'sessionSummaries'>,
  userId: string,
  conversationIds: readonly string[],
  now: number,
): Promise<void> {
  for (const conversationId of conversationIds) {
    const known = await sessionSummaries.get(userId, conversationId)
    if (known === null || known.edited) continue
    const { items } = await log.turnPage(userId, conversationId, {
      from: 1,
      to: Number.MAX_SAFE_INTEGER,
      limit: FIRST_TURNS,
      offset: 0,
    })
    const { title, snippet } = sessionSummaryByRules(items)
    if (title === '' && snippet === '') await sessionSummaries.remove(userId, conversationId)
    else await sessionSummaries.put(userId, { conversationId, title, snippet }, now)
  }
}
