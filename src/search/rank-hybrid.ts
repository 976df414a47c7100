/** Which turns and memories answer best? A weighted sum of features decides; a memory and its source turn are one piece. */
import type { TurnView } from '../domain/contracts/text-index.ts'
import type { Explanation, RecallRequest } from '../domain/recall.ts'
import { hasHan, isLatin } from '../language/character-class.ts'
import {
  ARM_MEMORY,
  ARM_NEIGHBOUR,
  ARM_RECENCY,
  ARM_SIMILARITY,
  ARM_TEXT,
  ARM_TIME,
  addCandidates,
  addNeighbours,
  armNames,
  type Candidates,
  newestTurns,
  type QueryAnalysis,
  type Question,
  queryLists,
  type Scope,
  type Similarity,
  sweepCandidates,
  turnsOf,
  turnsOfDates,
} from './candidates.ts'
import { countsOf, type Familiarity, shareKnown, writesAsName } from './evidence-gate.ts'
import {
  chatShape,
  conversationScores,
  type FeatureSources,
  hybridFeatures,
  idleFeatures,
  memoryFeatures,
  namedSpeakers,
  nearbyScores,
  PASSAGE_REACH,
  similarityScores,
} from './hybrid-features.ts'
import { type MemoryDocument, type MemoryDocuments, NO_MEMORIES } from './match-memories.ts'
import type { MeaningScores } from './meaning/meaning-scores.ts'
import { BY_WORDS, HYBRID_FEATURES, HYBRID_WEIGHTS, WORDS_ALONE, WORDS_BESIDE_MODEL } from './ranking-formulas.ts'
import type { RankedTurn } from './turn-results.ts'
import {
  accumulate,
  accumulateAt,
  acquireBoard,
  coverageOf,
  kthLargest,
  matchedTerms,
  releaseBoard,
  type ScoreBoard,
  type ScoredList,
  scoredLists,
  selectTop,
  sharesOf,
} from './word-scores.ts'

/** Turns that the text arm brings: four times the limit, but at least and at most so many. */
const LEAST_TEXT_CANDIDATES = 200
const MOST_TEXT_CANDIDATES = 400
/** The best of them bring their neighbours. */
const NEIGHBOUR_SOURCES = 60
/** Turns that the time arm brings beside those. */
const TIME_CANDIDATES = 200
/** The nearest turns by similarity that become candidates though they may share no word with the query. */
const SIMILAR_CANDIDATES = 50

/** Meanings for a ranking; those of memories alone know no turns. */
export type RankedMeaning = Pick<MeaningScores, 'scoresOf'> & Partial<MeaningScores>

/** A turn, a memory, or both where the memory came from the turn. */
export interface RankedPiece {
  /** The ordinal in the view of turns; -1 for a memory whose turn is not there. */
  readonly ordinal: number
  /** The memories made from this turn that share a word with the query, best first. */
  readonly memories: readonly MemoryDocument[]
  /** 0 to 1. */
  readonly score: number
  /** The score divided by the best one among those that share a word of the question with it. 0 to 1. */
  readonly share: number
  /** How the score came about, where it was asked for. */
  readonly explanation: Explanation | null
}

export interface HybridRanking {
  /** Best first, at most `request.limit`. */
  readonly pieces: readonly RankedPiece[]
  /** The worth of each term of the query: its weight times its rarity. */
  readonly gains: ReadonlyMap<string, number>
  /** How much of the query is known here, by the rarity of its terms in the language; see `roomForEvidence`. */
  familiarity(rarityOf: (term: string) => number): Familiarity
}

export type RankingRequest = Pick<RecallRequest, 'query' | 'limit' | 'explain'>

type RankingQuestion = Omit<Question, 'request'> & { readonly request: RankingRequest }

/**
 * Ranks the turns in scope and these memories, best first; without a scope, memories beside the turns that they came
 * from. `cosines` come from a model of meaning, `meaning` from word vectors; without both words decide alone.
 */
export async function rankHybrid(
  request: RankingRequest,
  analysis: QueryAnalysis,
  scope: Scope | null,
  view: TurnView,
  cosines: Similarity | null = null,
  memories: MemoryDocuments = NO_MEMORIES,
  meaning: RankedMeaning | null = null,
): Promise<HybridRanking> {
  const asked = await queryLists(analysis, view)
  const lists = scoredLists(asked, view.live, memories)
  const scored = memories.scored(lists, view)
  const board = acquireBoard(view.size)
  const candidates: Candidates = { ordinals: [], arms: board.arms }
  try {
    if (scope === null) accumulateAt(board, lists, view, passagesOf(scored, view))
    const top =
      scope === null
        ? new Uint32Array()
        : addTurns(candidates, lists, { request, analysis, scope, view }, board, cosines)
    // A memory in words of its turn is shorter and adds nothing: the turn is shown.
    const documents = scored.map((document) => {
      const { source, mask } = document
      const saysMore = source < 0 || (mask & ~board.masks[source]!) !== 0
      return saysMore ? document : { ...document, words: board.scores[source]! }
    })
    const sourceTurns = documents.flatMap(({ source }) => (source < 0 ? [] : [source]))
    if (scope !== null) {
      if (meaning?.nearest !== undefined) addMeant(candidates, meaning.nearest, view, scope.accepts)
      addCandidates(candidates, sourceTurns, ARM_MEMORY, scope.accepts)
    }
    const bestTurn = top.length === 0 ? 0 : board.scores[top[0]!]!
    const all = documents.flatMap(withBefore)
    const sources: FeatureSources = {
      view,
      board,
      best: Math.max(bestTurn, ...all.map(({ words }) => words)) || 1,
      coverage: coverageOf(lists),
      conversations: conversationScores(lists, view.columns.conversation, view.conversations.length),
      named: namedSpeakers(analysis.words, view.speakers),
      analysis,
      meaning: meaning === null ? null : (meaning.score?.(candidates.ordinals, board.meanings) ?? board.meanings),
      memoryMeanings: meaning?.scoresOf(all.map(({ memory }) => memory)) ?? new Map(),
      similarity: cosines === null || cosines.size === 0 ? null : similarityScores(cosines),
    }
    const found = new Map(all.map(({ mask }) => [mask, 1]))
    for (const ordinal of top) {
      const mask = board.masks[ordinal]!
      found.set(mask, Math.max(found.get(mask) ?? 0, countsOf(view.columns.length[ordinal]!)))
    }
    return {
      pieces: rank(candidates, documents, sources, request, lists),
      gains: new Map(lists.map(({ list, gain }) => [list.term, gain])),
      familiarity: (rarityOf) => ({
        ...shareKnown(analysis, asked, lists, found, memories, view.live, rarityOf),
        alike: meaning?.closest ?? null,
        isHan: hasHan(request.query) && !isLatin(request.query),
        namesSpeaker: sources.named !== null,
        namesTold: writesAsName(
          analysis,
          all.map(({ memory }) => memory.text),
        ),
        namesTime: analysis.dates.length > 0 || analysis.asksRecent,
        statesAsked: documents.some(isAskedValue),
        texts: view.live + memories.count,
      }),
    }
  } finally {
    for (const ordinal of candidates.ordinals) board.meanings[ordinal] = 0
    sweepCandidates(candidates)
    releaseBoard(board)
  }
}

export function rankedTurns({ pieces }: HybridRanking): readonly RankedTurn[] {
  return pieces.map(({ ordinal, score, explanation }) => ({ ordinal, relevance: score, explanation }))
}

/** Adds the turns of the arms but meaning and memories; returns the best by words, best first. */
function addTurns(
  candidates: Candidates,
  lists: readonly ScoredList[],
  question: RankingQuestion,
  board: ScoreBoard,
  cosines: Similarity | null,
): Uint32Array {
  const { request, analysis, scope, view } = question
  const many = Math.min(MOST_TEXT_CANDIDATES, Math.max(LEAST_TEXT_CANDIDATES, request.limit * 4))
  const keep = Math.max(many, request.limit)
  accumulate(board, lists, view, keep)
  const { accepts } = scope
  const top = selectTop(board, keep, accepts)
  addCandidates(candidates, top, ARM_TEXT, accepts)
  addNeighbours(candidates, top.subarray(0, NEIGHBOUR_SOURCES), view, accepts)
  if (analysis.dates.length > 0) {
    const ofDates = turnsOfDates(question, board, Math.max(TIME_CANDIDATES, request.limit))
    addCandidates(candidates, ofDates, ARM_TIME, accepts)
  }
  if (analysis.asksRecent)
    addCandidates(candidates, newestTurns(view.size, request.limit, accepts), ARM_RECENCY, accepts)
  if (cosines !== null)
    addCandidates(candidates, turnsOf(cosines).slice(0, SIMILAR_CANDIDATES), ARM_SIMILARITY, accepts)
  return top
}

/** The turns that the features of these memories look at. */
function passagesOf(
  documents: readonly MemoryDocument[],
  { columns: { previous, next }, size }: TurnView,
): Set<number> {
  const turns = new Set<number>()
  for (const { source } of documents.flatMap(withBefore))
    for (const way of [previous, next])
      for (let at = source, step = 0; at >= 0 && at < size && step <= PASSAGE_REACH; at = way[at]!, step++)
        turns.add(at)
  return turns
}

/** Whether it is the value of an asked attribute, and no story around it. */
function isAskedValue({ statesAsked, memory }: MemoryDocument): boolean {
  return statesAsked && memory.key !== null
}

function withBefore(document: MemoryDocument): readonly MemoryDocument[] {
  return [document, ...document.before]
}

/** Adds the nearest by meaning, and their neighbours: an answer seldom means the same as its question. */
function addMeant(
  candidates: Candidates,
  near: readonly number[],
  { columns: { previous, next }, size }: TurnView,
  accepts: (ordinal: number) => boolean,
): void {
  addCandidates(candidates, near, ARM_SIMILARITY, accepts)
  const beside = near.flatMap((ordinal) => [previous[ordinal]!, next[ordinal]!])
  addCandidates(
    candidates,
    beside.filter((ordinal) => ordinal >= 0 && ordinal < size),
    ARM_NEIGHBOUR,
    accepts,
  )
}

function rank(
  { ordinals, arms }: Candidates,
  documents: readonly MemoryDocument[],
  sources: FeatureSources,
  request: RankingRequest,
  lists: readonly ScoredList[],
): readonly RankedPiece[] {
  const idle = idleFeatures(sources)
  const shape = chatShape(sources.view)
  const alone = sources.meaning === null ? WORDS_ALONE[shape] : 1
  const besideModel = sources.similarity === null ? 1 : WORDS_BESIDE_MODEL[shape]
  const weights = Float64Array.from(HYBRID_FEATURES, (name) => {
    if (idle.has(name)) return 0
    return HYBRID_WEIGHTS[name][shape] * (name === 'words' ? alone : 1) * (BY_WORDS.has(name) ? besideModel : 1)
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const values = new Float64Array(weights.length)
  const sum = (): number => {
    let score = 0
    for (let i = 0; i < weights.length; i++) score += weights[i]! * values[i]!
    return score / total
  }
  const pieces = ordinals.map((ordinal): Piece => {
    hybridFeatures(ordinal, sources, values)
    const own = sum()
    return { ordinal, memories: [], own, score: own, nearby: 0 }
  })
  const told = new Set(documents.flatMap(withBefore).map(({ source }) => source))
  const byTurn = new Map(pieces.filter(({ ordinal }) => told.has(ordinal)).map((piece) => [piece.ordinal, piece]))
  for (const document of documents) {
    const [placed] = withBefore(document)
      .map((by) => {
        memoryFeatures(by, sources, values)
        return { document, by, score: sum() }
      })
      .sort((a, b) => b.score - a.score)
    const { score } = placed!
    const piece = byTurn.get(document.source)
    if (piece === undefined) pieces.push({ ordinal: -1, memories: [placed!], own: score, score, nearby: 0 })
    else {
      piece.memories.push(placed!)
      piece.own = Math.max(piece.own, score)
      piece.score = piece.own
    }
  }
  const nearbyAt = HYBRID_FEATURES.indexOf('nearby')
  const { createdAt } = sources.view.columns
  if (weights[nearbyAt]! > 0) {
    const times = pieces.map(({ ordinal, memories: [first] }) =>
      ordinal < 0 ? first!.document.memory.occurredAt : createdAt[ordinal]!,
    )
    const owns = pieces.map(({ own }) => own)
    const nearby = nearbyScores(times, owns)
    pieces.forEach((piece, at) => {
      piece.nearby = nearby[at]!
    })
    // A value that is asked for answers alone in its time, and one that came later for the one before it.
    const most = pieces.map(({ nearby, memories }) =>
      memories.reduce(
        (best, { document, by }) => Math.max(best, isAskedValue(document) ? 1 : (byTurn.get(by.source)?.nearby ?? 0)),
        nearby,
      ),
    )
    pieces.forEach((piece, at) => {
      piece.nearby = most[at]!
      piece.score = piece.own + (weights[nearbyAt]! * piece.nearby) / total
    })
  }
  const explanationOf = ({ ordinal, memories: [best], own, nearby, score }: Piece): Explanation => {
    const isTurns = best === undefined || best.score < own
    if (isTurns) hybridFeatures(ordinal, sources, values)
    else memoryFeatures(best.by, sources, values)
    values[nearbyAt] = nearby
    const matched = matchedTerms(isTurns ? sources.board.masks[ordinal]! : best.by.mask, lists)
    return explain(values, weights, total, ordinal < 0 ? ARM_MEMORY : arms[ordinal]!, score, matched)
  }
  const best = bestPieces(pieces, request.limit)
  const masks = best.map(({ ordinal, memories }) =>
    memories.reduce((mask, { by }) => mask | by.mask, ordinal < 0 ? 0 : sources.board.masks[ordinal]!),
  )
  const shares = sharesOf(best, masks, lists)
  return best.map((piece, at) => {
    const { ordinal, memories, score } = piece
    memories.sort((a, b) => b.score - a.score)
    return {
      ordinal,
      memories: memories.map(({ document }) => document),
      score,
      share: shares[at]!,
      explanation: request.explain ? explanationOf(piece) : null,
    }
  })
}

interface Piece {
  readonly ordinal: number
  /** Each memory; `by` is the one that answers: itself, or an older one that it took the place of. */
  readonly memories: { readonly document: MemoryDocument; readonly by: MemoryDocument; readonly score: number }[]
  /** The score without that of others nearby. */
  own: number
  score: number
  /** See `nearbyScores`. */
  nearby: number
}

/** The `limit` best, best first; of equal ones the later turn first. */
function bestPieces(pieces: readonly Piece[], limit: number): readonly Piece[] {
  const scores = new Float64Array(pieces.length)
  for (let at = 0; at < scores.length; at++) scores[at] = pieces[at]!.score
  const least = kthLargest(scores, limit)
  return pieces
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score || b.ordinal - a.ordinal)
    .slice(0, limit)
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
      const [weight, value] = [weights[index]! / total, values[index]!]
      return weight === 0 ? [] : [{ feature, value, weight, contribution: weight * value }]
    }),
    multipliers: [],
    score,
    matched,
  }
}
