/**
 * Which turns and summaries answer this query? Analysis, arms, features, ranking, results: each a file of its own.
 * Reads no clock and no model; the answer depends only on the request, the view and the log.
 */
import type { TurnView } from '../contracts/turn-index.ts'
import type { RecallAnswer, RecallRequest, RecallResult } from '../domain/recall.ts'
import { conversationAnswer } from './conversation-answer.ts'
import { analyzeQuery, type QueryAnalysis } from './query-analysis.ts'
import { rankConversation } from './rank-conversation.ts'
import { rankHybrid } from './rank-hybrid.ts'
import { rankLongTermTurns } from './rank-long-term-turns.ts'
import { type RankedTurn, type RecallLog, summariesOf, turnResults } from './results.ts'
import { type Scope, scopeOf } from './scope.ts'

/** What a recall reads. */
export interface RecallSources {
  /** The user's index at this moment. */
  readonly view: TurnView
  /** Where the text of the results comes from. */
  readonly log: RecallLog
  /** What the conversation is about now, from working memory (000); null or absent when unknown. */
  readonly topic?: string | null
}

/** Answers a checked request. Rejects with ViewExpired when the index moved on: ask again with a new view. */
export async function recallTurns(
  request: RecallRequest,
  sources: RecallSources,
): Promise<Omit<RecallAnswer, 'latencyMs'>> {
  const { view, log } = sources
  const analysis = await analyzeQuery(request.query, request.now)
  const scope = scopeOf(view, request)
  return { results: await resultsOf(request, analysis, scope, sources, view, log), totalSearched: scope.total }
}

async function resultsOf(
  request: RecallRequest,
  analysis: QueryAnalysis,
  scope: Scope,
  sources: RecallSources,
  view: TurnView,
  log: RecallLog,
): Promise<readonly RecallResult[]> {
  if (request.ranking === 'conversation') {
    const hits = await rankConversation(request, analysis, scope, view)
    return conversationAnswer(hits, request, scope, view, log)
  }
  const ranked: readonly RankedTurn[] =
    request.ranking === 'long-term'
      ? await rankLongTermTurns(request, analysis, scope, view, sources.topic ?? null)
      : await rankHybrid(request, analysis, scope, view)
  return request.kinds.includes('turn')
    ? turnResults(ranked, request.userId, view, log)
    : summariesOf(ranked, request.userId, view, log)
}
