/**
 * How do ranked turns become an answer? Fetches the text of the chosen few and says where each comes from.
 */
import type { ConversationLog } from '../contracts/conversation-log.ts'
import type { TurnView } from '../contracts/turn-index.ts'
import type { Explanation, RecallResult } from '../domain/recall.ts'
import type { Summary, Turn } from '../domain/turn.ts'

/** The reads that recall makes of the log. */
export type RecallLog = Pick<ConversationLog, 'turnsByRow' | 'summariesCovering'>

/** A turn chosen for the answer. */
export interface RankedTurn {
  readonly ordinal: number
  /** 0 to 1. */
  readonly relevance: number
  readonly explanation: Explanation | null
}

/** The chosen turns with their text, in the order given; a turn that has gone meanwhile is left out. */
export async function turnResults(
  ranked: readonly RankedTurn[],
  userId: string,
  view: TurnView,
  log: RecallLog,
): Promise<readonly RecallResult[]> {
  if (ranked.length === 0) return []
  const { row, conversation } = view.columns
  const places = ranked.map(({ ordinal }) => ({
    row: row[ordinal]!,
    conversationId: view.conversations[conversation[ordinal]!]!.conversationId,
  }))
  const byRow = new Map((await log.turnsByRow(userId, places)).map((turn) => [turn.row, turn]))
  return ranked.flatMap(({ relevance, explanation }, index) => {
    const turn = byRow.get(places[index]!.row)
    return turn === undefined ? [] : [turnResult(turn, relevance, explanation)]
  })
}

/** One turn as a result. */
export function turnResult(turn: Turn, relevance: number, explanation: Explanation | null): RecallResult {
  return {
    conversationId: turn.conversationId,
    turnId: turn.turnId,
    span: null,
    role: turn.role,
    speaker: turn.speaker,
    text: turn.content,
    relevance,
    createdAt: turn.createdAt,
    isSummary: false,
    externalId: turn.externalId,
    explanation,
  }
}

/** One rolling summary as a result. */
export function summaryResult(summary: Summary, relevance: number, explanation: Explanation | null): RecallResult {
  return {
    conversationId: summary.conversationId,
    turnId: null,
    span: { from: summary.startTurn, to: summary.endTurn },
    role: null,
    speaker: null,
    text: summary.summary,
    relevance,
    createdAt: summary.createdAt,
    isSummary: true,
    externalId: null,
    explanation,
  }
}

/** The summaries that cover the ranked turns, each once with the relevance of its best turn, best first. */
export async function summariesOf(
  ranked: readonly RankedTurn[],
  userId: string,
  view: TurnView,
  log: RecallLog,
): Promise<readonly RecallResult[]> {
  if (ranked.length === 0) return []
  const { conversation, number } = view.columns
  const turns = ranked.map(({ ordinal }) => ({
    conversationId: view.conversations[conversation[ordinal]!]!.conversationId,
    turnId: number[ordinal]!,
  }))
  const summaries = await log.summariesCovering(userId, turns)
  return summaries
    .map((summary) => {
      const best = turns.findIndex(
        ({ conversationId, turnId }) =>
          conversationId === summary.conversationId && summary.startTurn <= turnId && turnId <= summary.endTurn,
      )
      const { relevance, explanation } = ranked[Math.max(0, best)]!
      return summaryResult(summary, relevance, explanation)
    })
    .sort((a, b) => b.relevance - a.relevance)
}
