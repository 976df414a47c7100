/**
 * Which turns answer by the formula of specification 000, for a conversation log? A turn has boost 1, frequency 0, the
 * recency of its creation, and confidence 1 of a person, 0.7 of a model or tool.
 */
import type { TurnView } from '../domain/contracts/turn-index.ts'
import type { Explanation, RecallRequest } from '../domain/recall.ts'
import { ROLES } from '../domain/turn.ts'
import { queryTerms, symbolTerm } from '../language/tokens.ts'
import { accumulate, scoredLists } from './accumulate.ts'
import {
  LONG_TERM_WEIGHTS,
  type LongTermFactors,
  longTermFeatures,
  longTermRecency,
  scoreLongTerm,
  TOPIC_BOOST,
} from './long-term.ts'
import type { QueryAnalysis } from './query-analysis.ts'
import type { RankedTurn } from './results.ts'
import type { Scope } from './scope.ts'
import { acquireBoard, releaseBoard } from './score-board.ts'
import { selectTop } from './select-top.ts'
import { matchedTerms } from './term-coverage.ts'

/** The confidence of a person's turn. */
const SAID_CONFIDENCE = 1
/** The confidence of a turn by a model, a tool or the system. */
const INFERRED_CONFIDENCE = 0.7

/** The formula's largest value for a turn: everything 1 but the frequency, on the topic. Relevance is the share of it. */
const LARGEST_SCORE = (1 - LONG_TERM_WEIGHTS.frequency) * TOPIC_BOOST
const CANDIDATES = 300
const USER = ROLES.indexOf('user')
/** Words of the topic are searched too (000), for less than the words of the message. */
const TOPIC_WEIGHT = 0.3

/** Turns with a word of the query or the topic, best first, at most `request.limit`. */
export async function rankLongTermTurns(
  request: RecallRequest,
  analysis: QueryAnalysis,
  scope: Scope,
  view: TurnView,
  topic: string | null,
): Promise<readonly RankedTurn[]> {
  const own = [...analysis.terms, ...analysis.symbols.map(symbolTerm)]
  const topicTerms = topic === null ? [] : queryTerms(topic)
  const asked = await view.postings([...own, ...topicTerms])
  const onTopic = new Set<number>()
  for (const { documents } of asked.slice(own.length)) for (const ordinal of documents) onTopic.add(ordinal)
  const lists = scoredLists(
    asked.map((list, index) => ({ list, weight: index < own.length ? 1 : own.includes(list.term) ? 0 : TOPIC_WEIGHT })),
    view.live,
  )
  const board = acquireBoard(view.size)
  try {
    const keep = Math.max(CANDIDATES, request.limit * 4)
    accumulate(board, lists, view, keep)
    const top = selectTop(board, keep, scope.accepts)
    const best = top.length === 0 ? 1 : board.scores[top[0]!]!
    const { createdAt, role } = view.columns
    const scored = Array.from(top, (ordinal) => {
      const factors: LongTermFactors = {
        keyword: board.scores[ordinal]! / best,
        categoryBoost: 1,
        recency: longTermRecency(createdAt[ordinal]!, request.now),
        frequency: 0,
        confidence: role[ordinal] === USER ? SAID_CONFIDENCE : INFERRED_CONFIDENCE,
      }
      const isOnTopic = onTopic.has(ordinal)
      return { ordinal, factors, isOnTopic, score: scoreLongTerm(factors, isOnTopic) }
    })
    scored.sort((a, b) => b.score - a.score || b.ordinal - a.ordinal)
    return scored.slice(0, request.limit).map(({ ordinal, factors, isOnTopic, score }) => ({
      ordinal,
      relevance: score / LARGEST_SCORE,
      explanation: request.explain
        ? explain(factors, isOnTopic, score, matchedTerms(board.masks[ordinal]!, lists))
        : null,
    }))
  } finally {
    releaseBoard(board)
  }
}

function explain(factors: LongTermFactors, isOnTopic: boolean, score: number, matched: readonly string[]): Explanation {
  return {
    ranking: 'long-term',
    arms: ['full-text'],
    features: longTermFeatures(factors),
    multipliers: [
      ...(isOnTopic ? [{ name: 'topic', factor: TOPIC_BOOST }] : []),
      { name: 'share_of_largest', factor: 1 / LARGEST_SCORE },
    ],
    score: score / LARGEST_SCORE,
    matched,
  }
}
