/**
 * Which turns and summaries answer this query? Analysis, arms, features, ranking, results: each a file of its own.
 * Reads no clock and no model; the answer depends only on the request, the view and the log.
 */
import type { TurnView } from '../contracts/turn-index.ts'
import type { RecallAnswer, RecallRequest } from '../domain/recall.ts'
import { analyzeQuery } from './query-analysis.ts'
import { rankHybrid } from './rank-hybrid.ts'
import { type RecallLog, turnResults } from './results.ts'
import { scopeOf } from './scope.ts'

/** What a recall reads. */
export interface RecallSources {
  /** The user's index at this moment. */
  readonly view: TurnView
  /** Where the text of the results comes from. */
  readonly log: RecallLog
  /** What the conversation is about now, from working memory (000); null when unknown. */
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
  const ranked = await rankHybrid(request, analysis, scope, view)
  return { results: await turnResults(ranked, request.userId, view, log), totalSearched: scope.total }
}
