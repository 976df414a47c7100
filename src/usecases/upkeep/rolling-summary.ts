/** Rolling summaries: written when due, for spans that a person names, and anew after a cleanup. */
import type {
  ConversationLog,
  NewSummary,
  RemovalCounts,
  RemovalScope,
  Work,
} from '../../domain/contracts/conversation-log.ts'
import type { Store } from '../../domain/contracts/store.ts'
import { invalid, MnemeError, notFound } from '../../domain/errors.ts'
import { hashOf } from '../../domain/ids.ts'
import { SUMMARIZE_AT_TURNS, TURNS_PER_SUMMARY } from '../../domain/limits.ts'
import { keptByText } from '../../domain/read-once.ts'
import { breathe, giveWay } from '../../domain/scheduling.ts'
import type { Conversation, Summary, Turn } from '../../domain/turn.ts'
import { withoutTakenBack } from '../../language/forget-orders.ts'
import { joinNotes } from '../../thinking/summarizer/join-notes.ts'
import { type RuleSummary, summarizeByRules } from '../../thinking/summarizer/summarize-by-rules.ts'

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
    const due: NewSummary[] = []
    for (let first = 0; pending.length - first >= SUMMARIZE_AT_TURNS; ) {
      const turns = upToNextSpan(pending.slice(first, first + TURNS_PER_SUMMARY), starts)
      due.push(summaryOf(conversationId, turns, now))
      first += turns.length
      await giveWay(userId)
    }
    const whole = joinNotes([...(await bothEnds(log, userId, conversationId)), ...due]).summary
    const added = await log.addSummaries(userId, due, whole)
    refused = added.length === 0 ? oldest : -1
    written.push(...added)
    if (added.length === due.length && pending.length < TURNS_PER_READ) break
    await giveWay(userId)
  }
  return written
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

/** The whole conversation as it stands: with the newest turns, which no summary covers yet. */
export async function summaryOfAll(log: ConversationLog, userId: string, { conversationId }: Conversation) {
  const newest = await log.unsummarized(userId, conversationId, SUMMARIZE_AT_TURNS)
  return newest.length === 0 ? null : summaryTo({ before: await bothEnds(log, userId, conversationId), newest })
}

/** A list asks for the summaries of all conversations again, of which one has changed. */
const summaryTo = keptByText(
  ({ before, newest }: { readonly before: readonly Summary[]; readonly newest: readonly Turn[] }) =>
    joinNotes([...before, summarizeByRules(withoutTakenBack(newest))]).summary,
  hashOf,
)

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
      const { summary } = await spanSummary(log, userId, conversationId, startTurn, endTurn, now)
      written = summary === null ? [] : await log.replaceSummaries(userId, [{ ...summary, startTurn, endTurn }])
      renewed.push(...(written ?? []))
    }
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
    ...summarizeByRules(withoutTakenBack(turns)),
    createdAt: now,
    turns: turns.length,
  }
}

/** The leading turns that no summary stands between; `starts`: the first turns of summaries among them. */
function upToNextSpan(turns: readonly Turn[], starts: readonly number[]): readonly Turn[] {
  const next = starts.find((start) => start > turns[0]!.turnId) ?? Number.POSITIVE_INFINITY
  return turns.filter((turn) => turn.turnId < next)
}

/** Turns read and noted at once, so that a span of any length fits into memory. */
const TURNS_PER_NOTE = 200

/** The summary of a span of any length, null where it has no turns, and their numbers; with a pause between its notes. */
async function spanSummary(
  log: ConversationLog,
  userId: string,
  conversationId: string,
  from: number,
  to: number,
  now: number,
): Promise<{ readonly summary: NewSummary | null; readonly numbers: readonly number[] }> {
  const numbers: number[] = []
  const notes: RuleSummary[] = []
  for (let next = from; next <= to; next = numbers.at(-1)! + 1) {
    const turns = await log.turns(userId, conversationId, { from: next, to, limit: TURNS_PER_NOTE })
    if (turns.length === 0) break
    notes.push(summarizeByRules(turns))
    for (const turn of turns) numbers.push(turn.turnId)
    await breathe()
  }
  const [startTurn, endTurn] = [numbers[0], numbers.at(-1)]
  if (startTurn === undefined || endTurn === undefined) return { summary: null, numbers }
  const note = notes.length === 1 ? notes[0]! : joinNotes(notes)
  return { summary: { conversationId, startTurn, endTurn, ...note, createdAt: now, turns: numbers.length }, numbers }
}

/** The answer of `memory_summarize`. */
export interface SpanSummary extends RuleSummary {
  readonly summaryId: number
  readonly conversationId: string
  /** Numbers of the turns that exist in the span, ascending. */
  readonly turnsSummarized: readonly number[]
}

/** Throws invalid_input for a wrong or empty span, not_found, or conflict when its turns changed. */
export async function summarizeSpan(
  log: ConversationLog,
  userId: string,
  conversationId: string,
  fromTurn: number,
  toTurn: number,
  now: number,
): Promise<SpanSummary> {
  checkBounds(fromTurn, toTurn)
  const conversation = await log.conversation(userId, conversationId)
  if (conversation === null) {
    throw notFound('conversation', conversationId, 'Name a conversation that exists; list them to see their ids.')
  }
  const { summary, numbers } = await spanSummary(log, userId, conversationId, fromTurn, toTurn, now)
  if (summary === null) {
    throw invalid(
      'fromTurn',
      `conversation ${JSON.stringify(conversationId)} has no turns from ${fromTurn} to ${toTurn}`,
      `Name turns that exist; the newest is ${conversation.lastTurnId}.`,
    )
  }
  const { startTurn: first, endTurn: last } = summary
  const outer = await stretchOf(log, userId, conversationId, first, last)
  const [{ summary: before }, { summary: after }] = [
    await spanSummary(log, userId, conversationId, outer.startTurn, first - 1, now),
    await spanSummary(log, userId, conversationId, last + 1, outer.endTurn, now),
  ]
  // Where only removed turns are outside, the span is widened.
  const asked = {
    ...summary,
    startTurn: before === null ? outer.startTurn : first,
    endTurn: after === null ? outer.endTurn : last,
  }
  const pieces = [
    ...(before === null ? [] : [{ ...before, startTurn: outer.startTurn }]),
    asked,
    ...(after === null ? [] : [{ ...after, endTurn: outer.endTurn }]),
  ]
  const stored = await log.replaceSummaries(userId, pieces)
  const kept = stored?.[pieces.indexOf(asked)]
  if (kept === undefined)
    throw new MnemeError('conflict', 'The span was not summarised: its turns or summaries changed meanwhile.', {
      remedy: 'Try again.',
    })
  await refreshConversationSummary(log, userId, conversationId)
  return {
    summaryId: kept.summaryId,
    conversationId,
    turnsSummarized: numbers,
    summary: kept.summary,
    keySymbols: kept.keySymbols,
    keyDecisions: kept.keyDecisions,
  }
}

function checkBounds(fromTurn: number, toTurn: number): void {
  for (const [field, value] of Object.entries({ fromTurn, toTurn }))
    if (!Number.isSafeInteger(value) || value < 1)
      throw invalid(field, `${value} is not the number of a turn`, 'Give a whole number from 1 on.')
  if (fromTurn > toTurn)
    throw invalid('fromTurn', `${fromTurn} comes after the last turn, ${toTurn}`, 'Give the smaller number first.')
}

/** The stretch that the summaries touched by a span reach over, removed turns at its ends included. */
async function stretchOf(log: ConversationLog, userId: string, conversationId: string, first: number, last: number) {
  const stored = await log.summaries(userId, conversationId)
  const touched = stored.filter((one) => one.startTurn <= last && one.endTurn >= first)
  return {
    startTurn: Math.min(first, ...touched.slice(0, 1).map((one) => one.startTurn)),
    endTurn: Math.max(last, ...touched.slice(-1).map((one) => one.endTurn)),
  }
}

export interface CleanupCounts {
  readonly conversationsDeleted: number
  readonly turnsDeleted: number
  readonly summariesDeleted: number
  readonly memoriesDeleted: number
  /** The shrinkage of the database file, in whole KiB, rounded up. */
  readonly spaceFreedKb: number
}

/** Removes the scope for good; summaries that also cover removed turns are written anew. */
export async function cleanUp(
  { log, memories, workingMemory, jobs }: Pick<Store, 'log' | 'memories' | 'workingMemory' | 'jobs'>,
  userId: string,
  scope: RemovalScope,
  now: number,
  work?: Work,
): Promise<CleanupCounts> {
  let memoriesDeleted = 0
  if (scope.kind === 'all') {
    // First, so that no work that still runs writes anything after it.
    await jobs.remove(userId)
    memoriesDeleted = await memories.removeAll(userId)
    for (const { sessionId } of await workingMemory.list(userId, 0))
      await workingMemory.remove(userId, sessionId, false)
  }
  const removed = await log.remove(userId, scope, work)
  await renewDerived(log, userId, removed, now)
  return {
    conversationsDeleted: removed.conversations,
    turnsDeleted: removed.turns,
    summariesDeleted: removed.summaries,
    memoriesDeleted,
    spaceFreedKb: Math.ceil(removed.bytesFreed / 1024),
  }
}

/** Writes the summaries anew that spoke of turns that are gone. */
export async function renewDerived(
  log: ConversationLog,
  userId: string,
  { stale, shortened }: Pick<RemovalCounts, 'stale' | 'shortened'>,
  now: number,
): Promise<void> {
  await renewSummaries(log, userId, stale, now)
  for (const conversationId of shortened) await refreshConversationSummary(log, userId, conversationId)
}
