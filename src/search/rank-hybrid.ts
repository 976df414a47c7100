/**
 * Which turns answer best, all things considered? The weighted sum of features with a meaning, over the candidates of
 * all arms.
 */
import type { TurnView } from '../contracts/turn-index.ts'
import type { Explanation, RecallRequest } from '../domain/recall.ts'
import { accumulate, type ScoredList, scoredLists } from './accumulate.ts'
import {
  ARM_RECENCY,
  ARM_SIMILARITY,
  ARM_TEXT,
  ARM_TIME,
  addCandidates,
  addNeighbours,
  armNames,
  type Candidates,
  newestTurns,
  sweepCandidates,
} from './candidates.ts'
import { conversationScores } from './conversation-scores.ts'
import { exactWords } from './exact-words.ts'
import { type FeatureSources, hybridFeatures, idleFeatures } from './hybrid-features.ts'
import { HYBRID_FEATURES, HYBRID_WEIGHTS } from './hybrid-weights.ts'
import type { QueryAnalysis } from './query-analysis.ts'
import { queryLists } from './query-lists.ts'
import type { RankedTurn } from './results.ts'
import type { Scope } from './scope.ts'
import { acquireBoard, releaseBoard } from './score-board.ts'
import { selectTop } from './select-top.ts'
import { similarityScores } from './similarity-feature.ts'
import { namedSpeakers } from './speakers.ts'
import { coverageOf, matchedTerms } from './term-coverage.ts'
import { isWithin } from './time-features.ts'

/** Turns that the text arm brings at least; four times the limit when that is more. */
const TEXT_CANDIDATES = 100
/** The best of them bring their neighbours. */
const NEIGHBOUR_SOURCES = 60
/** Turns that the time arm brings beside those. */
const TIME_CANDIDATES = 100

/** The nearest turns by similarity that become candidates though they may share no word with the query. */
const SIMILAR_CANDIDATES = 50

/**
 * Ranks the turns in scope; at most `request.limit`, best first. `cosines` by ordinal, the largest first; without them
 * words decide alone.
 */
export async function rankHybrid(
  request: RecallRequest,
  analysis: QueryAnalysis,
  scope: Scope,
  view: TurnView,
  cosines: ReadonlyMap<number, number> | null = null,
): Promise<readonly RankedTurn[]> {
  const lists = scoredLists(await queryLists(analysis, view), view.live)
  const keep = Math.max(TEXT_CANDIDATES, request.limit * 4)
  const board = acquireBoard(view.size)
  const candidates: Candidates = { ordinals: [], arms: board.arms }
  try {
    accumulate(board, lists, view, keep)
    const { accepts } = scope
    const top = selectTop(board, keep, accepts)
    addCandidates(candidates, top, ARM_TEXT, accepts)
    addNeighbours(candidates, top.subarray(0, NEIGHBOUR_SOURCES), view, accepts)
    addTimeArm(candidates, request, analysis, scope, view, board)
    if (analysis.asksRecent) {
      addCandidates(candidates, newestTurns(view.size, request.limit, accepts), ARM_RECENCY, accepts)
    }
    if (cosines !== null) {
      const nearest = [...cosines.keys()].slice(0, SIMILAR_CANDIDATES)
      addCandidates(candidates, nearest, ARM_SIMILARITY, accepts)
    }
    const sources: FeatureSources = {
      view,
      board,
      best: top.length === 0 ? 1 : board.scores[top[0]!]!,
      coverage: coverageOf(lists),
      conversations: conversationScores(lists, view.columns.conversation, view.conversations.length),
      named: namedSpeakers(analysis.words, view.speakers),
      analysis,
      exact: await exactWords(analysis.whole, candidates.ordinals, view),
      similarity: cosines === null || cosines.size === 0 ? null : similarityScores(cosines),
      now: request.now,
    }
    return rank(candidates, sources, request, lists)
  } finally {
    sweepCandidates(candidates)
    releaseBoard(board)
  }
}

/** Turns of the named times: the best by words, or simply the newest when no word matched. */
function addTimeArm(
  candidates: Candidates,
  request: RecallRequest,
  analysis: QueryAnalysis,
  scope: Scope,
  view: TurnView,
  board: ReturnType<typeof acquireBoard>,
): void {
  if (analysis.dates.length === 0) return
  const { createdAt } = view.columns
  const accepts = (ordinal: number): boolean => isWithin(createdAt[ordinal]!, analysis.dates) && scope.accepts(ordinal)
  const keep = Math.max(TIME_CANDIDATES, request.limit)
  const matched = selectTop(board, keep, accepts)
  const found = matched.length > 0 ? matched : newestTurns(view.size, keep, accepts)
  addCandidates(candidates, found, ARM_TIME, accepts)
}

function rank(
  candidates: Candidates,
  sources: FeatureSources,
  request: RecallRequest,
  lists: readonly ScoredList[],
): readonly RankedTurn[] {
  const idle = idleFeatures(sources)
  const weights = Float64Array.from(HYBRID_FEATURES, (name) => (idle.has(name) ? 0 : HYBRID_WEIGHTS[name]))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const values = new Float64Array(weights.length)
  const { ordinals } = candidates
  const scores = new Float64Array(ordinals.length)
  for (let at = 0; at < scores.length; at++) {
    hybridFeatures(ordinals[at]!, sources, values)
    let score = 0
    for (let i = 0; i < weights.length; i++) score += weights[i]! * values[i]!
    scores[at] = score / total
  }
  return bestPositions(scores, ordinals, request.limit).map((at) => {
    const ordinal = ordinals[at]!
    const score = scores[at]!
    if (!request.explain) return { ordinal, relevance: score, explanation: null }
    hybridFeatures(ordinal, sources, values)
    const matched = matchedTerms(sources.board.masks[ordinal]!, lists)
    return {
      ordinal,
      relevance: score,
      explanation: explain(values, weights, total, candidates.arms[ordinal]!, score, matched),
    }
  })
}

/** Positions of the `limit` best scores, best first; of equal ones the later turn first. */
function bestPositions(scores: Float64Array, ordinals: readonly number[], limit: number): readonly number[] {
  // Sorting bare numbers is many times quicker than comparing positions: find the least score that counts first.
  const least = scores.length <= limit ? 0 : scores.slice().sort()[scores.length - limit]!
  const best: number[] = []
  for (let at = 0; at < scores.length; at++) if (scores[at]! >= least) best.push(at)
  return best.sort((a, b) => scores[b]! - scores[a]! || ordinals[b]! - ordinals[a]!).slice(0, limit)
}

function explain(
  values: Float64Array,
  weights: Float64Array,
  total: number,
  arms: number,
  score: number,
  matched: readonly string[],
): Explanation {
  return {
    ranking: 'hybrid',
    arms: armNames(arms),
    features: HYBRID_FEATURES.flatMap((feature, index) => {
      const weight = weights[index]! / total
      const value = values[index]!
      return weight === 0 ? [] : [{ feature, value, weight, contribution: weight * value }]
    }),
    multipliers: [],
    score,
    matched,
  }
}
