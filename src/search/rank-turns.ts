/**
 * Which turns and summaries answer this query? Neither clock nor model is read, so the answer depends on the inputs
 * alone.
 */
import type { TurnView } from '../domain/contracts/text-index.ts'
import type { FeatureScore, RecallAnswer, RecallRequest, RecallResult } from '../domain/recall.ts'
import { ROLES } from '../domain/turn.ts'
import { queryTerms, symbolTerm } from '../language/terms.ts'
import { analyzeQuery, type Question, type Similarity, scopeOf, similarityByOrdinal, turnsOf } from './candidates.ts'
import { conversationAnswer, type Summarize } from './conversation-answer.ts'
import { NO_MEMORIES } from './match-memories.ts'
import type { MeaningScores } from './meaning/meaning-scores.ts'
import { rankConversation } from './rank-conversation.ts'
import { rankedTurns, rankHybrid } from './rank-hybrid.ts'
import {
  associativeFeatures,
  LONG_TERM_WEIGHTS,
  longTermFeatures,
  recencyScore,
  sumOf,
  TOPIC_BOOST,
} from './ranking-formulas.ts'
import { type RankedTurn, type RecallLog, summariesOf, turnResults } from './turn-results.ts'
import {
  accumulate,
  acquireBoard,
  matchedTerms,
  releaseBoard,
  scoredLists,
  selectTop,
  type WeightedList,
} from './word-scores.ts'

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
  const { view } = sources
  const analysis = await analyzeQuery(request.query, request.now, request.timeZone)
  const scope = scopeOf(view, request)
  return { results: await resultsOf({ request, analysis, scope, view }, sources), totalSearched: scope.total() }
}

async function rankTurns(
  question: Question,
  { topic, similarity, meaning }: RecallSources,
): Promise<readonly RankedTurn[]> {
  const { request, analysis, scope, view } = question
  if (request.ranking === 'long-term') return rankLongTerm(question, topic ?? null)
  const alike = similarity === null || similarity === undefined ? null : similarityByOrdinal(similarity, view)
  if (request.ranking === 'associative') return rankAssociative(question, alike)
  return rankedTurns(await rankHybrid(request, analysis, scope, view, alike, NO_MEMORIES, meaning ?? null))
}

interface Judged {
  readonly features: readonly FeatureScore[]
  readonly multipliers: readonly { readonly name: string; readonly factor: number }[]
  readonly relevance: number
  /** Arms beside that of the words. */
  readonly arms?: readonly string[]
}

/** The best turns by words and these others, as a formula judges them; best first, at most `request.limit`. */
function rankByFormula(
  { request, scope, view }: Question,
  weighted: readonly WeightedList[],
  candidates: number,
  others: readonly number[],
  judge: (ordinal: number, words: number) => Judged,
): readonly RankedTurn[] {
  const lists = scoredLists(weighted, view.live)
  const board = acquireBoard(view.size)
  try {
    const keep = Math.max(candidates, request.limit * 4)
    accumulate(board, lists, view, keep)
    const byWords = selectTop(board, keep, scope.accepts)
    const best = byWords.length === 0 ? 1 : board.scores[byWords[0]!]!
    return [...new Set([...byWords, ...others.filter(scope.accepts)])]
      .map((ordinal) => ({ ordinal, ...judge(ordinal, board.scores[ordinal]! / best) }))
      .sort((a, b) => b.relevance - a.relevance || b.ordinal - a.ordinal)
      .slice(0, request.limit)
      .map(({ ordinal, features, multipliers, relevance, arms = [] }) => {
        if (!request.explain) return { ordinal, relevance, explanation: null }
        const matched = matchedTerms(board.masks[ordinal]!, lists)
        const found = [...(board.scores[ordinal]! > 0 ? ['full-text'] : []), ...arms]
        const { ranking } = request
        return {
          ordinal,
          relevance,
          explanation: { ranking, arms: found, features, multipliers, score: relevance, matched },
        }
      })
  } finally {
    releaseBoard(board)
  }
}

/** The confidence of a person's turn, and of one by a model, a tool or the system. */
const [SAID_CONFIDENCE, INFERRED_CONFIDENCE] = [1, 0.7]
/** The largest value for a turn: everything 1 but the frequency, on the topic. Relevance is the share of it. */
const LARGEST_LONG_TERM = (1 - LONG_TERM_WEIGHTS.frequency) * TOPIC_BOOST
const LONG_TERM_CANDIDATES = 300
const USER = ROLES.indexOf('user')
/** Words of the topic are searched too (000), for less than the words of the message. */
const TOPIC_WEIGHT = 0.3

/** By the formula of 000: a turn has boost 1, frequency 0, and the recency of its creation. */
async function rankLongTerm(question: Question, topic: string | null): Promise<readonly RankedTurn[]> {
  const { request, analysis, view } = question
  const own = [...analysis.terms, ...analysis.symbols.map(symbolTerm)]
  const asked = await view.postings([...own, ...(topic === null ? [] : queryTerms(topic))])
  const onTopic = new Set<number>()
  for (const { documents } of asked.slice(own.length)) for (const ordinal of documents) onTopic.add(ordinal)
  const weighted = asked.map((list, index) => ({
    list,
    weight: index < own.length ? 1 : own.includes(list.term) ? 0 : TOPIC_WEIGHT,
  }))
  const { createdAt, role } = view.columns
  return rankByFormula(question, weighted, LONG_TERM_CANDIDATES, [], (ordinal, keyword) => {
    const features = longTermFeatures({
      keyword,
      category: 1,
      recency: recencyScore(createdAt[ordinal]!, request.now),
      frequency: 0,
      confidence: role[ordinal] === USER ? SAID_CONFIDENCE : INFERRED_CONFIDENCE,
    })
    const topic = onTopic.has(ordinal) ? [{ name: 'topic', factor: TOPIC_BOOST }] : []
    return {
      features,
      multipliers: [...topic, { name: 'share_of_largest', factor: 1 / LARGEST_LONG_TERM }],
      relevance: (sumOf(features) * (topic[0]?.factor ?? 1)) / LARGEST_LONG_TERM,
    }
  })
}

const ASSOCIATIVE_CANDIDATES = 100

/** By 002, R3.4: a turn counts as an episode without a count of hits; without vectors only words tell likeness. */
async function rankAssociative(question: Question, similarity: Similarity | null): Promise<readonly RankedTurn[]> {
  const { request, analysis, view } = question
  const asked = await view.postings([...analysis.terms, ...analysis.symbols.map(symbolTerm)])
  const weighted = asked.map((list) => ({ list, weight: 1 }))
  const others = similarity === null ? [] : turnsOf(similarity)
  return rankByFormula(question, weighted, ASSOCIATIVE_CANDIDATES, others, (ordinal, words) => {
    const meant = similarity === null ? words : (similarity.get(ordinal) ?? 0)
    const episode = { memoryType: 'episodic', occurredAt: view.columns.createdAt[ordinal]!, accessCount: 0 } as const
    const features = associativeFeatures(episode, meant, request.now)
    const arms = similarity?.has(ordinal) === true ? ['similarity'] : []
    return { features, multipliers: [], relevance: sumOf(features), arms }
  })
}

async function resultsOf(question: Question, sources: RecallSources): Promise<readonly RecallResult[]> {
  const { request, view } = question
  const { log, summarize = null } = sources
  if (request.ranking === 'conversation')
    return conversationAnswer(await rankConversation(question), question, log, summarize)
  const ranked = await rankTurns(question, sources)
  return request.kinds.includes('turn')
    ? turnResults(ranked, request.userId, view, log)
    : summariesOf(ranked, request.userId, view, log)
}
