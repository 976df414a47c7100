/**
 * Which turns and summaries answer this query? Analysis, arms, features, ranking and results are a file each; neither
 * clock nor model is read, so the answer depends on the inputs alone.
 */
import type { TurnView } from '../domain/contracts/turn-index.ts'
import type { RecallAnswer, RecallRequest, RecallResult } from '../domain/recall.ts'
import { conversationAnswer } from './conversation-answer.ts'
import type { MeaningScores } from './meaning/meaning-scores.ts'
import { NO_MEMORIES } from './memory-documents.ts'
import type { Summarize } from './overview-summaries.ts'
import { analyzeQuery, type QueryAnalysis } from './query-analysis.ts'
import { rankAssociativeTurns } from './rank-associative-turns.ts'
import { rankConversation } from './rank-conversation.ts'
import { rankedTurns, rankHybrid } from './rank-hybrid.ts'
import { rankLongTermTurns } from './rank-long-term-turns.ts'
import { type RankedTurn, type RecallLog, summariesOf, turnResults } from './results.ts'
import { type Scope, scopeOf } from './scope.ts'
import { type Similarity, similarityByOrdinal } from './similar-turns.ts'

/** The sources of a recall. */
export interface RecallSources {
  /** The user's index at this moment. */
  readonly view: TurnView
  /** The log from which the texts of the results come. */
  readonly log: RecallLog
  /** The present topic of the conversation, from working memory (000); null or absent when unknown. */
  readonly topic?: string | null
  /** The findings of a vector index; absent where there is none. */
  readonly similarity?: Similarity | null
  /** The findings of the table of word vectors; absent where it is not used. */
  readonly meaning?: MeaningScores | null | undefined
  /** The summarizer of short conversations without a summary; absent: they are shown by their turns alone. */
  readonly summarize?: Summarize
}

/** Answers a checked request. Rejects with ViewExpired when the index moved on: ask again with a new view. */
export async function answerFromView(
  request: RecallRequest,
  sources: RecallSources,
): Promise<Omit<RecallAnswer, 'latencyMs' | 'warnings'>> {
  const { view, log } = sources
  const analysis = await analyzeQuery(request.query, request.now)
  const scope = scopeOf(view, request)
  return { results: await resultsOf(request, analysis, scope, sources, view, log), totalSearched: scope.total() }
}

async function rankTurns(
  request: RecallRequest,
  analysis: QueryAnalysis,
  scope: Scope,
  { view, topic, similarity, meaning }: RecallSources,
): Promise<readonly RankedTurn[]> {
  if (request.ranking === 'long-term') return rankLongTermTurns(request, analysis, scope, view, topic ?? null)
  const alike = similarity === null || similarity === undefined ? null : similarityByOrdinal(similarity, view)
  if (request.ranking === 'associative') return rankAssociativeTurns(request, analysis, scope, view, alike)
  return rankedTurns(await rankHybrid(request, analysis, scope, view, alike, NO_MEMORIES, meaning ?? null))
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
    return conversationAnswer(hits, request, analysis.dates, scope, view, log, sources.summarize ?? null)
  }
  const ranked = await rankTurns(request, analysis, scope, sources)
  return request.kinds.includes('turn')
    ? turnResults(ranked, request.userId, view, log)
    : summariesOf(ranked, request.userId, view, log)
}
