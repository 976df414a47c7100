/**
 * What answers this message? Ranks the user's turns and memories as one list and fetches the text of the best; how much
 * of it is shown is decided by whoever asks. Calls no language model.
 */
import { tellsOfPast } from '../cognition/facts/stance.ts'
import type { Store } from '../contracts/store.ts'
import { ViewExpired } from '../contracts/turn-index.ts'
import type { RecallRequest } from '../domain/recall.ts'
import type { EmbedQuery } from '../pipeline/query-vector.ts'
import { type MeaningSource, similarTurns } from '../pipeline/recall-turns.ts'
import { answersMessage } from '../search/answers-message.ts'
import type { EvidencePiece } from '../search/evidence/evidence.ts'
import { memoryDocuments, NO_MEMORIES } from '../search/memory-documents.ts'
import { analyzeQuery, type QueryAnalysis } from '../search/query-analysis.ts'
import { type HybridRanking, type RankedPiece, rankHybrid } from '../search/rank-hybrid.ts'
import { placeOf } from '../search/results.ts'
import { scopeOf } from '../search/scope.ts'
import { similarityByOrdinal } from '../search/similar-turns.ts'

/** What finding evidence needs. */
export interface EvidenceDependencies {
  readonly store: Pick<Store, 'index' | 'memories' | 'log' | 'vectors'>
  /** The model of meaning, where there is one. */
  readonly embedQuery?: EmbedQuery | undefined
  /** The table of word vectors, where there is no such model. */
  readonly meanings?: MeaningSource | null | undefined
}

/** A checked question. Times are milliseconds since the epoch. */
export interface EvidenceRequest {
  readonly query: string
  readonly userId: string
  readonly projectRoot: string | null
  readonly kinds: readonly ('turn' | 'memory')[]
  readonly now: number
  readonly asOf: number | null
  readonly since: number | null
  readonly until: number | null
  readonly explain: boolean
  /** About how many tokens, or texts, will be shown: more is not fetched. */
  readonly tokens: number
  readonly limit: number
  /** Turns that are not evidence: those that the model sees anyway. */
  readonly besides: ReadonlySet<string>
}

/** What was found, best first. */
export interface FoundEvidence {
  readonly pieces: readonly EvidencePiece[]
  /** What each term of the question is worth. */
  readonly gains: ReadonlyMap<string, number>
  readonly warnings: readonly string[]
}

/** Pieces that are ranked. */
const RANKED = 300
/** Memories that are candidates. */
const MEMORY_CANDIDATES = 60
/** Tokens of a turn of so many index terms, about. */
const TOKENS_A_TERM = 1.3
const TOKENS_A_LINE = 8
/** A longer turn is shown as an excerpt. */
const LONGEST_EXCERPT_TERMS = 100
/** More is fetched than fits, since some of it was shown already. */
const FETCHED_BESIDES = 1.5

/** Name of a turn among those that are no evidence. */
export function turnName(conversationId: string, turnId: number): string {
  return `${turnId} ${conversationId}`
}

/** Finds evidence. Where nothing answers, there is none. */
export async function findEvidence(
  dependencies: EvidenceDependencies,
  request: EvidenceRequest,
): Promise<FoundEvidence> {
  if (request.query.trim() === '') return { pieces: [], gains: new Map(), warnings: [] }
  const { store, embedQuery, meanings } = dependencies
  const recall = recallRequest(request)
  const analysis = await analyzeQuery(request.query, request.now)
  const { similarity, warnings } = await similarTurns(store, recall, embedQuery)
  for (let attempt = 1; ; attempt += 1) {
    const view = await store.index.view(request.userId)
    try {
      const scope = scopeOf(view, recall)
      const accepts = (ordinal: number): boolean => {
        if (!scope.accepts(ordinal)) return false
        if (request.besides.size === 0) return true
        const { conversationId } = placeOf(ordinal, view)
        return !request.besides.has(turnName(conversationId, view.columns.number[ordinal]!))
      }
      const memories = request.kinds.includes('memory')
        ? await candidateMemories(store, request, analysis)
        : NO_MEMORIES
      const cosines = similarity === null ? null : similarityByOrdinal(similarity, view)
      const meaning = (await meanings?.scores(request.userId, view, request.query)) ?? null
      const ranking = await rankHybrid(recall, analysis, { ...scope, accepts }, view, cosines, memories, meaning)
      if (!answersMessage(ranking.familiarity)) return { pieces: [], gains: ranking.gains, warnings }
      const wanted = enough(ranking, request, view.columns.length)
      const rows = wanted.flatMap(({ ordinal }) => (ordinal < 0 ? [] : [placeOf(ordinal, view)]))
      const turns = new Map((await store.log.turnsByRow(request.userId, rows)).map((turn) => [turn.row, turn] as const))
      const { row } = view.columns
      return {
        pieces: wanted.map(({ ordinal, memories: told, score, explanation }) => ({
          turn: ordinal < 0 ? null : (turns.get(row[ordinal]!) ?? null),
          memories: told.map(({ memory }) => memory),
          score,
          explanation,
        })),
        gains: ranking.gains,
        warnings,
      }
    } catch (error) {
      if (!(error instanceof ViewExpired) || attempt === 5) throw error
    }
  }
}

function recallRequest({ query, userId, projectRoot, now, since, until, explain }: EvidenceRequest): RecallRequest {
  return {
    query,
    userId,
    conversationId: null,
    projectRoot,
    limit: RANKED,
    ranking: 'hybrid',
    kinds: ['turn'],
    now,
    since,
    until,
    explain,
  }
}

/** As many of the best as will be shown, and some more. */
function enough(
  { pieces }: HybridRanking,
  { tokens, limit, kinds }: EvidenceRequest,
  lengths: Uint16Array,
): readonly RankedPiece[] {
  const shown = kinds.includes('turn') ? pieces : pieces.filter(({ memories }) => memories.length > 0)
  let left = tokens * FETCHED_BESIDES
  let count = 0
  while (count < shown.length && left > 0 && count < limit * FETCHED_BESIDES + 5) {
    const { ordinal } = shown[count]!
    const terms = ordinal < 0 ? LONGEST_EXCERPT_TERMS : lengths[ordinal]!
    left -= Math.min(terms, LONGEST_EXCERPT_TERMS) * TOKENS_A_TERM + TOKENS_A_LINE
    count += 1
  }
  return shown.slice(0, count)
}

async function candidateMemories(
  { memories }: Pick<Store, 'memories'>,
  { userId, query, asOf, since, until }: EvidenceRequest,
  { terms }: QueryAnalysis,
) {
  const filter = asOf !== null ? { asOf } : tellsOfPast(query) ? { includePast: true } : {}
  const { matches } = await memories.match(
    userId,
    terms.map((term) => ({ term, prefix: false })),
    filter,
    MEMORY_CANDIDATES,
  )
  const from = since ?? Number.NEGATIVE_INFINITY
  const to = until ?? Number.POSITIVE_INFINITY
  const found = matches.map(({ memory }) => memory).filter(({ occurredAt }) => occurredAt >= from && occurredAt <= to)
  return memoryDocuments(found, found.length)
}
