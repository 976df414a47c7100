/**
 * Which turns are associated with the query (specification 002, R3.4, for a conversation log)? A turn counts as an
 * episode without a count of hits; without vectors only words tell likeness.
 */
import type { TurnView } from '../domain/contracts/turn-index.ts'
import type { RecallRequest } from '../domain/recall.ts'
import { symbolTerm } from '../language/tokens.ts'
import { accumulate, scoredLists } from './accumulate.ts'
import { associativeFeatures } from './associative.ts'
import type { QueryAnalysis } from './query-analysis.ts'
import type { RankedTurn } from './results.ts'
import type { Scope } from './scope.ts'
import { acquireBoard, releaseBoard } from './score-board.ts'
import { selectTop } from './select-top.ts'
import { type Similarity, turnsOf } from './similar-turns.ts'
import { matchedTerms } from './term-coverage.ts'

const CANDIDATES = 100

/** Turns alike to the query, best first, at most `request.limit`. `similarity` by ordinal; null without vectors. */
export async function rankAssociativeTurns(
  request: RecallRequest,
  analysis: QueryAnalysis,
  scope: Scope,
  view: TurnView,
  similarity: Similarity | null,
): Promise<readonly RankedTurn[]> {
  const asked = await view.postings([...analysis.terms, ...analysis.symbols.map(symbolTerm)])
  const lists = scoredLists(
    asked.map((list) => ({ list, weight: 1 })),
    view.live,
  )
  const board = acquireBoard(view.size)
  try {
    const keep = Math.max(CANDIDATES, request.limit * 4)
    accumulate(board, lists, view, keep)
    const byWords = selectTop(board, keep, scope.accepts)
    const best = byWords.length === 0 ? 1 : board.scores[byWords[0]!]!
    const alike = similarity === null ? [] : turnsOf(similarity).filter(scope.accepts)
    const scored = [...new Set([...byWords, ...alike])].map((ordinal) => {
      const meant = similarity === null ? board.scores[ordinal]! / best : (similarity.get(ordinal) ?? 0)
      const episode = { memoryType: 'episodic', occurredAt: view.columns.createdAt[ordinal]!, accessCount: 0 } as const
      const features = associativeFeatures(episode, meant, request.now)
      return { ordinal, features, score: features.reduce((sum, { contribution }) => sum + contribution, 0) }
    })
    scored.sort((a, b) => b.score - a.score || b.ordinal - a.ordinal)
    return scored.slice(0, request.limit).map(({ ordinal, features, score }) => ({
      ordinal,
      relevance: score,
      explanation: request.explain
        ? {
            ranking: 'associative',
            arms: [
              ...(board.scores[ordinal]! > 0 ? ['full-text'] : []),
              ...(similarity?.has(ordinal) === true ? ['similarity'] : []),
            ],
            features,
            multipliers: [],
            score,
            matched: matchedTerms(board.masks[ordinal]!, lists),
          }
        : null,
    }))
  } finally {
    releaseBoard(board)
  }
}
