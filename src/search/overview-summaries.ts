/**
 * A question about a time ("what did we do yesterday") wants the gist, too, but a short conversation has no rolling
 * summary yet. The finished ones are summarised for this answer, and nothing is stored.
 */
import { TURN_DELETED, type TurnView } from '../domain/contracts/turn-index.ts'
import { SUMMARIZE_AT_TURNS, WORKING_MEMORY_IDLE_MS } from '../domain/limits.ts'
import type { RecallRequest } from '../domain/recall.ts'
import type { Summary, Turn } from '../domain/turn.ts'
import type { DateRange } from '../language/dates.ts'
import type { ConversationHit } from './rank-conversation.ts'
import { placeOf, type RecallLog } from './results.ts'
import type { Scope } from './scope.ts'
import { isWithin } from './time-features.ts'

/** Sums up some turns of a conversation in one short text. */
export type Summarize = (turns: readonly Turn[]) => string | Promise<string>

/** Conversations summarised for one answer, at most: each takes about a millisecond. */
const MOST_OVERVIEWS = 2
/** The least turns of a summarised conversation: one turn is its own summary. */
const FEWEST_TURNS = 2

/** Summaries by index of their conversation in `view.conversations`; they have no id in the store. */
export async function overviewSummaries(
  hits: readonly ConversationHit[],
  request: RecallRequest,
  dates: readonly DateRange[],
  scope: Scope,
  view: TurnView,
  log: RecallLog,
  summarize: Summarize,
): Promise<ReadonlyMap<number, Summary>> {
  const overviews = new Map<number, Summary>()
  if (dates.length === 0) return overviews
  const { conversation, createdAt } = view.columns
  for (const { ordinal } of hits.slice(0, request.limit)) {
    const index = conversation[ordinal]!
    if (overviews.size === MOST_OVERVIEWS) break
    if (overviews.has(index) || view.conversations[index]!.summarizedTo > 0) continue
    if (!isWithin(createdAt[ordinal]!, dates)) continue
    const all = turnsOf(ordinal, view)
    const last = Math.max(...all.map((one) => createdAt[one]!))
    const goesOn = last > request.now - WORKING_MEMORY_IDLE_MS
    if (goesOn || all.length < FEWEST_TURNS || all.length >= SUMMARIZE_AT_TURNS || !all.every(scope.accepts)) continue
    const turns = await log.turnsByRow(
      request.userId,
      all.map((one) => placeOf(one, view)),
    )
    if (turns.length === 0) continue
    overviews.set(index, {
      summaryId: -1 - index,
      conversationId: view.conversations[index]!.conversationId,
      startTurn: turns[0]!.turnId,
      endTurn: turns.at(-1)!.turnId,
      summary: await summarize(turns),
      keySymbols: [],
      keyDecisions: [],
      createdAt: last,
    })
  }
  return overviews
}

/** The turns of the conversation of one of them, in order; no more than are needed to tell a long one. */
function turnsOf(ordinal: number, view: TurnView): readonly number[] {
  const { previous, next, flags } = view.columns
  let first = ordinal
  for (let step = 0; previous[first]! >= 0 && step < SUMMARIZE_AT_TURNS; step++) first = previous[first]!
  const turns: number[] = []
  for (let at = first; at >= 0 && at < view.size && turns.length < SUMMARIZE_AT_TURNS; at = next[at]!)
    if ((flags[at]! & TURN_DELETED) === 0) turns.push(at)
  return turns
}
