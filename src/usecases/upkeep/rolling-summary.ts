/** At SUMMARIZE_AT_TURNS uncovered turns, the oldest TURNS_PER_SUMMARY of a conversation are summarised. */

import type { ConversationLog, FirstSummaries, NewSummary } from '../../domain/contracts/conversation-log.ts'
import { giveWay } from '../../domain/fair-turns.ts'
import { SUMMARIZE_AT_TURNS, TURNS_PER_SUMMARY } from '../../domain/limits.ts'
import { inPieces } from '../../domain/pieces.ts'
import type { Summary, Turn } from '../../domain/turn.ts'
import { joinNotes } from '../../thinking/summarizer/join-notes.ts'
import { summarizeByRules } from '../../thinking/summarizer/rules.ts'

/** Turns read at once: a long import is summarised in pieces of this size. */
const TURNS_PER_READ = 500
/** Summaries at either end that the text about the whole conversation is made from. */
const OLDEST_SUMMARIES = 3
const NEWEST_SUMMARIES = 9
/** How often a summary that loses turns meanwhile is written anew. */
const RENEWAL_TRIES = 3

/** Writes the summaries that are due, oldest first; those that this call wrote. */
export async function rollSummaries(
  log: ConversationLog,
  userId: string,
  conversationId: string,
  now: number,
): Promise<readonly Summary[]> {
  const written: Summary[] = []
  let refused = -1
  for (;;) {
    const pending = await log.unsummarized(userId, conversationId, TURNS_PER_READ)
    const oldest = pending[0]?.turnId ?? 0
    // A second refusal at the same turn is no race with another process: stop instead of asking for ever.
    if (pending.length < SUMMARIZE_AT_TURNS || oldest === refused) break
    const isGapless = pending.every((turn, at) => at === 0 || turn.turnId === pending[at - 1]!.turnId + 1)
    const starts = isGapless ? [] : (await log.summaries(userId, conversationId)).map((one) => one.startTurn)
    await giveWay(userId)
    const due = await inPieces(dueSummaries(conversationId, pending, now, starts), () => giveWay(userId))
    await giveWay(userId)
    const whole = joinNotes([...(await bothEnds(log, userId, conversationId)), ...due]).summary
    const added = await log.addSummaries(userId, due, whole)
    refused = added.length === 0 ? oldest : -1
    written.push(...added)
    if (added.length === due.length && pending.length < TURNS_PER_READ) break
    await giveWay(userId)
  }
  return written
}

/** Summaries to be stored together with the turns of a new conversation; null when there are none. */
export function firstSummaries(turns: readonly Turn[], summaries: readonly NewSummary[]): FirstSummaries | null {
  if (summaries.length === 0) return null
  const ends = summaries.length > OLDEST_SUMMARIES + NEWEST_SUMMARIES
  const parts = ends ? [...summaries.slice(0, OLDEST_SUMMARIES), ...summaries.slice(-NEWEST_SUMMARIES)] : summaries
  let reach = 0
  let covered = 0
  let gapless = true
  let next = 0
  for (const { turnId } of turns) {
    while (next < summaries.length && summaries[next]!.endTurn < turnId) next += 1
    const summary = summaries[next]
    if (summary === undefined || summary.startTurn > turnId) gapless = false
    else {
      covered += 1
      if (gapless) reach = summary.endTurn
    }
  }
  return { summaries, whole: joinNotes(parts).summary, reach, covered }
}

/** Writes `conversations.summary` anew from the rolling summaries; clears it when there are none. */
export async function refreshConversationSummary(
  log: ConversationLog,
  userId: string,
  conversationId: string,
): Promise<string | null> {
  const parts = await bothEnds(log, userId, conversationId)
  const text = parts.length === 0 ? null : joinNotes(parts).summary
  await log.setConversationSummary(userId, conversationId, text)
  return text
}

/** The oldest and the newest summaries of a conversation, oldest first. */
async function bothEnds(log: ConversationLog, userId: string, conversationId: string): Promise<readonly Summary[]> {
  const newest = await log.summaries(userId, conversationId, { newest: OLDEST_SUMMARIES + NEWEST_SUMMARIES })
  if (newest.length < OLDEST_SUMMARIES + NEWEST_SUMMARIES) return newest
  const oldest = await log.summaries(userId, conversationId, { oldest: OLDEST_SUMMARIES })
  return [
    ...oldest,
    ...newest.slice(-NEWEST_SUMMARIES).filter((one) => !oldest.some((old) => old.summaryId === one.summaryId)),
  ]
}

/** Writes summaries anew after a removal, so that no removed word lives on in them. */
export async function renewSummaries(
  log: ConversationLog,
  userId: string,
  stale: readonly Summary[],
  now: number,
): Promise<readonly Summary[]> {
  const renewed: Summary[] = []
  for (const old of stale) {
    const { conversationId, startTurn, endTurn } = old
    // Refused means that more turns went away meanwhile; the remaining ones are read again.
    for (let tries = 0, written: readonly Summary[] | null = null; written === null && tries < RENEWAL_TRIES; tries++) {
      const turns = await log.turns(userId, conversationId, { from: startTurn, to: endTurn })
      const summary = turns.length === 0 ? null : { ...summaryOf(conversationId, turns, now), startTurn, endTurn }
      written = summary === null ? [] : await log.replaceSummaries(userId, [summary])
      renewed.push(...(written ?? []))
    }
  }
  for (const conversationId of new Set(stale.map((one) => one.conversationId))) {
    await refreshConversationSummary(log, userId, conversationId)
  }
  return renewed
}

/** The summary of these turns, spanning from the first to the last of them. */
export function summaryOf(conversationId: string, turns: readonly Turn[], now: number): NewSummary {
  return {
    conversationId,
    startTurn: turns[0]!.turnId,
    endTurn: turns.at(-1)!.turnId,
    ...summarizeByRules(turns),
    createdAt: now,
    turns: turns.length,
  }
}

/** The summaries of the oldest pending turns; `starts`: the first turns of summaries among them. */
function* dueSummaries(
  conversationId: string,
  pending: readonly Turn[],
  now: number,
  starts: readonly number[] = [],
): Generator<void, readonly NewSummary[]> {
  const due: NewSummary[] = []
  let first = 0
  while (pending.length - first >= SUMMARIZE_AT_TURNS) {
    const turns = upToNextSpan(pending.slice(first, first + TURNS_PER_SUMMARY), starts)
    due.push(summaryOf(conversationId, turns, now))
    first += turns.length
    yield
  }
  return due
}

/** The leading turns that no summary stands between; a span must not run across another one. */
function upToNextSpan(turns: readonly Turn[], starts: readonly number[]): readonly Turn[] {
  const next = starts.find((start) => start > turns[0]!.turnId) ?? Number.POSITIVE_INFINITY
  return turns.filter((turn) => turn.turnId < next)
}
