/**
 * Which turns answer best, all things considered? The weighted sum of features with a meaning (hybrid-weights.ts).
 */
import { TURN_IS_QUESTION, type TurnView } from '../contracts/turn-index.ts'
import type { RecallRequest } from '../domain/recall.ts'
import { ROLES } from '../domain/turn.ts'
import { ARM_NEIGHBOUR, ARM_TEXT, addCandidates, type Candidates, neighboursOf } from './candidates.ts'
import { HYBRID_FEATURES, HYBRID_WEIGHTS } from './hybrid-weights.ts'
import type { QueryAnalysis } from './query-analysis.ts'
import type { RankedTurn } from './results.ts'
import type { Scope } from './scope.ts'
import { acquireBoard, addLists, releaseBoard, selectTop } from './score-board.ts'
import { namedSpeakers } from './speakers.ts'

/** Turns taken from the text arm, at least. */
const TEXT_CANDIDATES = 300
const NEIGHBOUR_SOURCES = 100

export async function rankHybrid(
  request: RecallRequest,
  analysis: QueryAnalysis,
  scope: Scope,
  view: TurnView,
): Promise<readonly RankedTurn[]> {
  const lists = await view.postings(analysis.terms)
  const keep = Math.max(TEXT_CANDIDATES, request.limit * 2)
  const { columns } = view
  const board = acquireBoard(view.size)
  addLists(board, lists.map((list) => ({ list, weight: 1 })), columns, view.live, view.averageLength, keep)
  const top = selectTop(board, keep, scope.accepts)
  const candidates: Candidates = new Map()
  addCandidates(candidates, top, ARM_TEXT, scope.accepts)
  addCandidates(candidates, neighboursOf(top.subarray(0, NEIGHBOUR_SOURCES), columns), ARM_NEIGHBOUR, scope.accepts)
  const best = top.length > 0 ? board.scores[top[0]!]! : 1
  const own = (ordinal: number): number => (ordinal < 0 ? 0 : board.scores[ordinal]! / best)
  const perConversation = new Map<number, number>()
  for (const ordinal of top) {
    const c = columns.conversation[ordinal]!
    perConversation.set(c, (perConversation.get(c) ?? 0) + own(ordinal) ** 2)
  }
  const bestConversation = Math.max(1e-9, ...perConversation.values())
  const named = namedSpeakers(analysis.words, view.speakers)
  const total = HYBRID_FEATURES.reduce((sum, name) => sum + HYBRID_WEIGHTS[name], 0)
  const ranked: RankedTurn[] = []
  const user = ROLES.indexOf('user')
  for (const ordinal of candidates.keys()) {
    const previous = columns.previous[ordinal]!
    const next = columns.next[ordinal]!
    const before = previous < 0 ? -1 : columns.previous[previous]!
    const after = next < 0 ? -1 : columns.next[next]!
    const w = HYBRID_WEIGHTS
    const score =
      w.words * own(ordinal) +
      w.previous * own(previous) +
      w.answered * (previous >= 0 && (columns.flags[previous]! & TURN_IS_QUESTION) !== 0 ? own(previous) : 0) +
      w.next * own(next) +
      w.around * Math.max(own(before), own(after)) +
      w.conversation * ((perConversation.get(columns.conversation[ordinal]!) ?? 0) / bestConversation) +
      w.speaker * (named?.[columns.speaker[ordinal]!] ?? 0) +
      w.role * (columns.role[ordinal] === user ? 1 : 0) +
      w.length * Math.min(1, columns.length[ordinal]! / 40)
    ranked.push({ ordinal, relevance: score / total, explanation: null })
  }
  releaseBoard(board)
  ranked.sort((a, b) => b.relevance - a.relevance || b.ordinal - a.ordinal)
  return ranked.slice(0, request.limit)
}
