/**
 * Summarises the turns that a person names (`memory_summarize` of specification 003). Summaries that lie wholly inside
 * are replaced; one that reaches beyond the span is a conflict, because a turn is never in two summaries.
 */
import { joinNotes } from '../cognition/summarizer/join-notes.ts'
import { type RuleSummary, summarizeByRules } from '../cognition/summarizer/rules.ts'
import type { ConversationLog } from '../contracts/conversation-log.ts'
import { invalid, MnemeError, notFound } from '../domain/errors.ts'
import { refreshConversationSummary, withoutRemovedTurns } from './rolling-summary.ts'

/** Turns read and noted at once, so that a span of any length fits into memory. */
const TURNS_PER_NOTE = 200

/** The answer of `memory_summarize`. */
export interface SpanSummary extends RuleSummary {
  readonly summaryId: number
  readonly conversationId: string
  /** Numbers of the turns that exist in the span, ascending. */
  readonly turnsSummarized: readonly number[]
}

/**
 * Summarises the turns `fromTurn` … `toTurn`, both included, at the moment `now` (milliseconds).
 * Throws invalid_input for a wrong or empty span, not_found for an unknown conversation, conflict for a span that cuts
 * an existing summary in two (the remedy names a span that does not).
 */
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
  const notes = await readNotes(log, userId, conversationId, fromTurn, toTurn)
  const [first, last] = [notes.numbers[0], notes.numbers.at(-1)]
  if (first === undefined || last === undefined) {
    throw invalid(
      'fromTurn',
      `conversation ${JSON.stringify(conversationId)} has no turns from ${fromTurn} to ${toTurn}`,
      `Name turns that exist; the newest is ${conversation.lastTurnId}.`,
    )
  }
  const span = await spanAround(log, userId, conversationId, first, last)
  const stored = await log.replaceSummaries(userId, { conversationId, ...span, ...notes.summary, createdAt: now })
  if (stored === null) throw conflict('another process summarised some of these turns meanwhile', 'Try again.')
  const [kept = stored] = await withoutRemovedTurns(log, userId, conversationId, [stored], notes.numbers, now)
  await refreshConversationSummary(log, userId, conversationId)
  return {
    summaryId: kept.summaryId,
    conversationId,
    turnsSummarized: notes.numbers,
    summary: kept.summary,
    keySymbols: kept.keySymbols,
    keyDecisions: kept.keyDecisions,
  }
}

function checkBounds(fromTurn: number, toTurn: number): void {
  for (const [field, value] of [
    ['fromTurn', fromTurn],
    ['toTurn', toTurn],
  ] as const) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw invalid(field, `${value} is not the number of a turn`, 'Give a whole number from 1 on.')
    }
  }
  if (fromTurn > toTurn) {
    throw invalid('fromTurn', `${fromTurn} comes after toTurn ${toTurn}`, 'Give the smaller number first.')
  }
}

interface Notes {
  /** Numbers of the turns that were read, ascending. */
  readonly numbers: readonly number[]
  readonly summary: RuleSummary
}

async function readNotes(
  log: ConversationLog,
  userId: string,
  conversationId: string,
  from: number,
  to: number,
): Promise<Notes> {
  const numbers: number[] = []
  const notes: RuleSummary[] = []
  for (let next = from; next <= to; ) {
    const turns = await log.turns(userId, conversationId, { from: next, to, limit: TURNS_PER_NOTE })
    if (turns.length === 0) break
    notes.push(summarizeByRules(turns))
    for (const turn of turns) numbers.push(turn.turnId)
    next = turns.at(-1)!.turnId + 1
  }
  return { numbers, summary: notes.length === 1 ? notes[0]! : joinNotes(notes) }
}

/**
 * The span to store for the existing turns first … last: wider where a summary inside also spans removed turns, so
 * that it is replaced too. Throws conflict when a summary covers turns on both sides of a bound.
 */
async function spanAround(
  log: ConversationLog,
  userId: string,
  conversationId: string,
  first: number,
  last: number,
): Promise<{ readonly startTurn: number; readonly endTurn: number }> {
  const stored = await log.summaries(userId, conversationId)
  const touched = stored.filter((one) => one.startTurn <= last && one.endTurn >= first)
  const startTurn = Math.min(first, ...touched.slice(0, 1).map((one) => one.startTurn))
  const endTurn = Math.max(last, ...touched.slice(-1).map((one) => one.endTurn))
  const before = startTurn < first ? await log.turns(userId, conversationId, { from: startTurn, to: first - 1, limit: 1 }) : []
  const after = endTurn > last ? await log.turns(userId, conversationId, { from: last + 1, to: endTurn, limit: 1 }) : []
  if (before.length + after.length > 0) {
    throw conflict(
      `a summary already covers turns on both sides of a bound of the span ${first} to ${last}`,
      `Take whole summaries: from turn ${before.length > 0 ? startTurn : first} to turn ${after.length > 0 ? endTurn : last}.`,
    )
  }
  return { startTurn, endTurn }
}

function conflict(reason: string, remedy: string): MnemeError {
  return new MnemeError('conflict', `The span was not summarised: ${reason}.`, { remedy, field: 'fromTurn' })
}
