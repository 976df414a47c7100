/** A conversation gets its title and snippet (001) after the first answer, and twice more without a model. */
import type { TakenBackTurns } from '../../domain/contracts/small-stores.ts'
import type { Store } from '../../domain/contracts/store.ts'
import type { ThinkMessage } from '../../domain/thought.ts'
import { withoutTakenBack } from '../../language/forget-orders.ts'
import { readLongTexts } from '../../language/secrets/mask-secrets.ts'
import { roundsOf } from '../../search/context/context-layers.ts'
import {
  type NamingMessage,
  namesTopic,
  sessionSummaryByRules,
} from '../../thinking/session-summary/title-and-snippet.ts'
import { asSummarised, withoutSecretsIn } from '../../thinking/summarizer/prose.ts'
import type { Thoughts } from './draft.ts'

const OPENING_TURNS = 32

/** A title is made anew when so many turns were said: what comes again in them names a conversation best. */
const LOOKED_AT_AGAIN = [8, 16, 32]

/** The turns that name a conversation, and the title it has already. */
export interface Naming {
  readonly turns: readonly NamingMessage[]
  readonly known: string | null
}

/**
 * The turns for a session summary, when this round brings a reply; null when none is due. `since` is the first turn that
 * was thought about since it was last asked.
 */
export async function turnsToName(
  { sessionSummaries, log }: Pick<Store, 'sessionSummaries' | 'log'>,
  userId: string,
  conversationId: string,
  round: readonly ThinkMessage[],
  since: number,
): Promise<Naming | null> {
  if (!isReplied(round)) return null
  const known = await sessionSummaries.get(userId, conversationId)
  const last = round.at(-1)?.turnId ?? 0
  const again = LOOKED_AT_AGAIN.findLast((at) => at >= since && at <= last)
  if (known !== null && (known.edited || again === undefined)) return null
  const said = withoutTakenBack(await log.turns(userId, conversationId, { from: 1, to: again ?? OPENING_TURNS }))
  if (again !== undefined && (known !== null || isAnswered(said)) && namesTopic(said))
    return { turns: said, known: known?.title ?? null }
  if (known !== null) return null
  await readLongTexts([...said, ...round].map(asSummarised))
  const [opening, later] = [
    withoutSecretsIn(said),
    withoutSecretsIn([...said, ...withoutTakenBack(round)]).slice(said.length),
  ]
  // A greeting names no conversation; where nothing but small talk was said, the next reply may.
  const turns = roundsOf(opening).filter(isAnswered).find(namesTopic) ?? (namesTopic(later) ? later : undefined)
  return turns === undefined || !isAnswered(turns) ? null : { turns, known: null }
}

/** Writes the session summary: the model's, or that of the rules, which gives way to a model's name. */
export async function titleSession(
  { sessionSummaries }: Pick<Store, 'sessionSummaries'>,
  userId: string,
  conversationId: string,
  { turns, known }: Naming,
  { title: byModel, answeredBy }: Pick<Thoughts, 'title' | 'answeredBy'>,
  now: number,
): Promise<void> {
  if (known !== null && answeredBy !== 'rules') return
  const summary = byModel ?? sessionSummaryByRules(turns)
  if (summary.title === '' && summary.snippet === '') return
  await sessionSummaries.put(userId, { conversationId, ...summary }, now)
}

/** Whether somebody answers in it. */
export function isReplied(round: readonly Pick<ThinkMessage, 'role'>[]): boolean {
  return round.some(({ role }) => role === 'assistant')
}

function isAnswered(round: readonly Pick<ThinkMessage, 'role'>[]): boolean {
  return isReplied(round) && round.some(({ role }) => role === 'user')
}

/**
 * Writes the session summaries of conversations anew that lost turns, or a turn the words that are `gone`: nothing of one
 * that was removed or taken back stays in what the machine wrote of them.
 */
export async function renewSessionSummaries(
  { log, sessionSummaries }: Pick<Store, 'log' | 'sessionSummaries'>,
  userId: string,
  conversationIds: readonly string[],
  now: number,
  { taken = new Map(), gone = '' }: { readonly taken?: TakenBackTurns['turns']; readonly gone?: string } = {},
): Promise<void> {
  for (const conversationId of conversationIds) {
    const known = await sessionSummaries.get(userId, conversationId)
    if (known === null) continue
    const { items } = await log.turnPage(userId, conversationId, {
      from: 1,
      to: Number.MAX_SAFE_INTEGER,
      limit: OPENING_TURNS,
      offset: 0,
    })
    const takenHere = taken.get(conversationId)
    const summary = sessionSummaryByRules(
      withoutTakenBack(items).filter(({ turnId }) => takenHere?.has(turnId) !== true),
    )
    const lost = items.flatMap(({ turnId, content }) => (takenHere?.has(turnId) === true ? content : []))
    const words = { conversationId, ...summary, gone: [gone, ...lost].join('\n').replaceAll(/\s+/g, ' ') }
    if (!known.edited && summary.title === '' && summary.snippet === '')
      await sessionSummaries.remove(userId, conversationId)
    else await sessionSummaries.put(userId, words, now)
  }
}
