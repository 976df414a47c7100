/** Summarises the turns that a person names (003, `memory_summarize`); no turn is in two summaries. */

import type { ConversationLog } from '../../domain/contracts/conversation-log.ts'
import { invalid, MnemeError, notFound } from '../../domain/errors.ts'
import type { Turn } from '../../domain/turn.ts'
import { joinNotes } from '../../thinking/summarizer/join-notes.ts'
import { type RuleSummary, summarizeByRules } from '../../thinking/summarizer/rules.ts'
import { refreshConversationSummary, summaryOf } from './rolling-summary.ts'

/** Turns read and noted at once, so that a span of any length fits into memory. */
const TURNS_PER_NOTE = 200

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
  const numbers: number[] = []
  const notes: RuleSummary[] = []
  for (let next = fromTurn; next <= toTurn; next = numbers.at(-1)! + 1) {
    const turns = await log.turns(userId, conversationId, { from: next, to: toTurn, limit: TURNS_PER_NOTE })
    if (turns.length === 0) break
    notes.push(summarizeByRules(turns))
    for (const turn of turns) numbers.push(turn.turnId)
  }
  const [first, last] = [numbers[0], numbers.at(-1)]
  if (first === undefined || last === undefined) {
    throw invalid(
      'fromTurn',
      `conversation ${JSON.stringify(conversationId)} has no turns from ${fromTurn} to ${toTurn}`,
      `Name turns that exist; the newest is ${conversation.lastTurnId}.`,
    )
  }
  const { before, span, after, outer } = await spanAround(log, userId, conversationId, first, last)
  const summary = notes.length === 1 ? notes[0]! : joinNotes(notes)
  const asked = { conversationId, ...span, ...summary, createdAt: now, turns: numbers.length }
  const pieces = [
    ...(before.length === 0 ? [] : [{ ...summaryOf(conversationId, before, now), startTurn: outer.startTurn }]),
    asked,
    ...(after.length === 0 ? [] : [{ ...summaryOf(conversationId, after, now), endTurn: outer.endTurn }]),
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
    throw invalid('fromTurn', `${fromTurn} comes after toTurn ${toTurn}`, 'Give the smaller number first.')
}

/** The span to store, and the rests on either side of summaries that reach beyond it. */
interface Surroundings {
  readonly before: readonly Turn[]
  readonly span: { readonly startTurn: number; readonly endTurn: number }
  readonly after: readonly Turn[]
  /** The stretch that the summaries touched reach over; removed turns at its ends included. */
  readonly outer: { readonly startTurn: number; readonly endTurn: number }
}

/** A summary beyond the span is cut; where only removed turns are outside, the span is widened. */
async function spanAround(
  log: ConversationLog,
  userId: string,
  conversationId: string,
  first: number,
  last: number,
): Promise<Surroundings> {
  const stored = await log.summaries(userId, conversationId)
  const touched = stored.filter((one) => one.startTurn <= last && one.endTurn >= first)
  const startTurn = Math.min(first, ...touched.slice(0, 1).map((one) => one.startTurn))
  const endTurn = Math.max(last, ...touched.slice(-1).map((one) => one.endTurn))
  const between = async (from: number, to: number): Promise<readonly Turn[]> =>
    from > to ? [] : log.turns(userId, conversationId, { from, to })
  const before = await between(startTurn, first - 1)
  const after = await between(last + 1, endTurn)
  return {
    before,
    span: { startTurn: before.length > 0 ? first : startTurn, endTurn: after.length > 0 ? last : endTurn },
    after,
    outer: { startTurn, endTurn },
  }
}
