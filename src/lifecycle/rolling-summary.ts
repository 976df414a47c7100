/**
 * Which turns of a conversation are summarised now? Every SUMMARIZE_AT_TURNS turns that no summary covers, the oldest
 * TURNS_PER_SUMMARY of them are. Every existing turn is in the window (verbatim) or in exactly one summary's span.
 */
import { joinNotes } from '../cognition/summarizer/join-notes.ts'
import { summarizeByRules } from '../cognition/summarizer/rules.ts'
import type { ConversationLog, NewSummary } from '../contracts/conversation-log.ts'
import { SUMMARIZE_AT_TURNS, TURNS_PER_SUMMARY } from '../domain/limits.ts'
import type { Summary, Turn } from '../domain/turn.ts'

/** Turns read at once: a long import is summarised in pieces of this size. */
const TURNS_PER_READ = 500
/** Summaries at either end that the text about the whole conversation is made from. */
const OLDEST_SUMMARIES = 8
const NEWEST_SUMMARIES = 24

/**
 * Writes the rolling summaries that are due, oldest first, and returns those that this call wrote. Doing it twice, or
 * in two processes at once, writes nothing twice.
 */
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
    const pieces = await summarizeOldest(log, userId, conversationId, pending, now)
    refused = pieces.length === 0 ? oldest : -1
    written.push(...pieces)
  }
  if (written.length > 0) await refreshConversationSummary(log, userId, conversationId)
  return written
}

/** Writes `conversations.summary` anew from the rolling summaries; clears it when there are none. */
export async function refreshConversationSummary(
  log: ConversationLog,
  userId: string,
  conversationId: string,
): Promise<string | null> {
  const oldest = await log.summaries(userId, conversationId, { oldest: OLDEST_SUMMARIES })
  const newest = await log.summaries(userId, conversationId, { newest: NEWEST_SUMMARIES })
  const seen = new Set(oldest.map((one) => one.summaryId))
  const parts = [...oldest, ...newest.filter((one) => !seen.has(one.summaryId))]
  const text = parts.length === 0 ? null : joinNotes(parts).summary
  await log.setConversationSummary(userId, conversationId, text)
  return text
}

/**
 * Writes summaries anew from the turns that remain in their spans, after others were removed (`RemovalCounts.stale`),
 * so that no word of a removed turn lives on in them. Returns the summaries written.
 */
export async function renewSummaries(
  log: ConversationLog,
  userId: string,
  stale: readonly Summary[],
  now: number,
): Promise<readonly Summary[]> {
  const renewed: Summary[] = []
  for (const old of stale) {
    const turns = await log.turns(userId, old.conversationId, { from: old.startTurn, to: old.endTurn })
    if (turns.length === 0) continue
    const summary = await log.replaceSummaries(userId, {
      ...summaryOf(old.conversationId, turns, now),
      startTurn: old.startTurn,
      endTurn: old.endTurn,
    })
    if (summary !== null) renewed.push(summary)
  }
  for (const conversationId of new Set(stale.map((one) => one.conversationId))) {
    await refreshConversationSummary(log, userId, conversationId)
  }
  return renewed
}

/** The summary of these turns, spanning from the first to the last of them. */
function summaryOf(conversationId: string, turns: readonly Turn[], now: number): NewSummary {
  return {
    conversationId,
    startTurn: turns[0]!.turnId,
    endTurn: turns.at(-1)!.turnId,
    ...summarizeByRules(turns),
    createdAt: now,
  }
}

async function summarizeOldest(
  log: ConversationLog,
  userId: string,
  conversationId: string,
  pending: readonly Turn[],
  now: number,
): Promise<readonly Summary[]> {
  const written: Summary[] = []
  const summarized: number[] = []
  const starts = hasHole(pending) ? (await log.summaries(userId, conversationId)).map((one) => one.startTurn) : []
  let first = 0
  while (pending.length - first >= SUMMARIZE_AT_TURNS) {
    const turns = upToNextSpan(pending.slice(first, first + TURNS_PER_SUMMARY), starts)
    const summary = await log.addSummary(userId, summaryOf(conversationId, turns, now))
    // Another process was quicker, or turns went away: what is pending now has to be asked again.
    if (summary === null) break
    written.push(summary)
    summarized.push(...turns.map((turn) => turn.turnId))
    first += turns.length
  }
  return withoutRemovedTurns(log, userId, conversationId, written, summarized, now)
}

/**
 * A turn that was removed between reading it and writing its summary would live on in that summary, unseen by the
 * removal. Looking again afterwards finds it; a removal after that finds the summary by itself.
 * `numbers` are the turns that went into the summaries `written`, ascending.
 */
export async function withoutRemovedTurns(
  log: ConversationLog,
  userId: string,
  conversationId: string,
  written: readonly Summary[],
  numbers: readonly number[],
  now: number,
): Promise<readonly Summary[]> {
  const gone = new Set(numbers)
  const to = numbers.at(-1) ?? 0
  for (let from = numbers[0] ?? 1; from <= to; ) {
    const turns = await log.turns(userId, conversationId, { from, to, limit: TURNS_PER_READ })
    for (const turn of turns) gone.delete(turn.turnId)
    from = (turns.at(-1)?.turnId ?? to) + 1
  }
  if (gone.size === 0) return written
  const isStale = (one: Summary): boolean => gone.values().some((n) => n >= one.startTurn && n <= one.endTurn)
  const renewed = await renewSummaries(log, userId, written.filter(isStale), now)
  return [...written.filter((one) => !isStale(one)), ...renewed]
}

function hasHole(turns: readonly Turn[]): boolean {
  return turns.some((turn, at) => at > 0 && turn.turnId !== turns[at - 1]!.turnId + 1)
}

/** The leading turns that no summary stands between; a span must not run across another one. */
function upToNextSpan(turns: readonly Turn[], starts: readonly number[]): readonly Turn[] {
  const next = starts.find((start) => start > turns[0]!.turnId) ?? Number.POSITIVE_INFINITY
  return turns.filter((turn) => turn.turnId < next)
}
