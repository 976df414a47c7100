/**
 * Which form do hits have in the answer (003, REQ-LTM-002)? Summarised turns show as their summary, once, unless their
 * own symbols match; newer ones in full, then the newest turns of those conversations.
 */
import { TURN_HAS_SYMBOLS, type TurnView } from '../domain/contracts/turn-index.ts'
import type { Explanation, RecallRequest, RecallResult } from '../domain/recall.ts'
import type { Summary } from '../domain/turn.ts'
import type { DateRange } from '../language/dates.ts'
import { ARM_RECENCY, armNames } from './candidates.ts'
import {
  CONVERSATION_HALF_LIFE_MS,
  type ConversationFeatures,
  conversationFeatureScores,
  conversationRelevance,
} from './conversation-formula.ts'
import { overviewSummaries, type Summarize } from './overview-summaries.ts'
import type { ConversationHit } from './rank-conversation.ts'
import { type RecallLog, summaryResult, timeOfSpan, turnResults } from './results.ts'
import type { Scope } from './scope.ts'
import { recencyScore } from './time-features.ts'

/** Newest turns of a conversation that are shown with its hits (003: "the most recent 5 turns: full content"). */
const RECENT_TURNS = 5
/** A summary says less than the turn it stands for. */
const SUMMARY_SHARE = 0.95
/** Recent turns that are no hits come behind the last hit. */
const BEHIND_HITS = 0.9
/** The limit from which an answer holds a summary and a recent turn, if there are any. */
const MIXED_FROM_LIMIT = 3

/** One place of the answer before the text is fetched. */
interface Entry {
  readonly hit: ConversationHit
  readonly summary: Summary | null
  readonly relevance: number
}

/** Results of the hits, best first, at most `request.limit`. */
export async function conversationAnswer(
  hits: readonly ConversationHit[],
  request: RecallRequest,
  dates: readonly DateRange[],
  scope: Scope,
  view: TurnView,
  log: RecallLog,
  summarize: Summarize | null,
): Promise<readonly RecallResult[]> {
  if (hits.length === 0) return []
  const wantsOverviews = request.kinds.includes('summary') && request.limit >= MIXED_FROM_LIMIT && summarize !== null
  const overviews = wantsOverviews
    ? await overviewSummaries(hits, request, dates, scope, view, log, summarize)
    : new Map<number, Summary>()
  const entries = await represent(hits, request, overviews, view, log)
  const recent = request.kinds.includes('turn') ? recentTurns(hits, request, scope, view) : []
  const chosen = choose(entries, recent, request.limit, view)
  return toResults(chosen, request, view, log)
}

/** Turns stand for themselves, or for the summary that covers them; best first. */
async function represent(
  hits: readonly ConversationHit[],
  request: RecallRequest,
  overviews: ReadonlyMap<number, Summary>,
  view: TurnView,
  log: RecallLog,
): Promise<readonly Entry[]> {
  const wantsTurns = request.kinds.includes('turn')
  const wantsSummaries = request.kinds.includes('summary')
  const looked = hits.slice(0, Math.max(100, request.limit * 4))
  const covered = looked.filter(({ ordinal }) => isSummarized(ordinal, view))
  const summaries =
    wantsSummaries && covered.length > 0
      ? await log.summariesCovering(
          request.userId,
          covered.map(({ ordinal }) => reference(ordinal, view)),
        )
      : []
  const bySpan = new Map<string, Summary[]>()
  for (const summary of summaries) {
    const list = bySpan.get(summary.conversationId)
    if (list === undefined) bySpan.set(summary.conversationId, [summary])
    else list.push(summary)
  }
  const entries: Entry[] = []
  const shown = new Set<number>()
  for (const hit of looked) {
    const { conversationId, turnId } = reference(hit.ordinal, view)
    const summary = bySpan
      .get(conversationId)
      ?.find(({ startTurn, endTurn }) => startTurn <= turnId && turnId <= endTurn)
    if (wantsTurns && (summary === undefined || hit.features.symbolMatch > 0)) {
      entries.push({ hit, summary: null, relevance: hit.relevance })
    }
    const gist = summary ?? overviews.get(view.columns.conversation[hit.ordinal]!)
    if (gist !== undefined && !shown.has(gist.summaryId)) {
      shown.add(gist.summaryId)
      entries.push({ hit, summary: gist, relevance: hit.relevance * SUMMARY_SHARE })
    }
  }
  return entries.sort((a, b) => b.relevance - a.relevance)
}

/**
 * The newest unsummarised turns of conversations with hits, without hits and without turns of symbols, as matching
 * symbols would make them hits. Where all have symbols, the first after the summaries is shown.
 */
function recentTurns(
  hits: readonly ConversationHit[],
  request: RecallRequest,
  scope: Scope,
  view: TurnView,
): readonly Entry[] {
  const { conversation, flags, createdAt, next, previous } = view.columns
  const isHit = new Set(hits.map(({ ordinal }) => ordinal))
  const seen = new Set<number>()
  const entries: Entry[] = []
  let ofOthers: Entry | null = null
  for (const hit of hits.slice(0, request.limit)) {
    const one = conversation[hit.ordinal]!
    if (seen.has(one)) continue
    seen.add(one)
    let last = hit.ordinal
    for (let after = next[last]!; after >= 0 && after < view.size; after = next[last]!) last = after
    for (let at = last, looked = 0; at >= 0 && looked < RECENT_TURNS; at = previous[at]!, looked++) {
      if (isSummarized(at, view) || isHit.has(at) || !scope.accepts(at)) continue
      const recency = recencyScore(createdAt[at]!, request.now, CONVERSATION_HALF_LIFE_MS)
      const features: ConversationFeatures = { symbolMatch: 0, recency, contextSimilarity: 0 }
      const relevance = conversationRelevance(features)
      const entry: Entry = {
        hit: { ordinal: at, relevance, features, arms: ARM_RECENCY, matched: [] },
        summary: null,
        relevance,
      }
      if ((flags[at]! & TURN_HAS_SYMBOLS) === 0) entries.push(entry)
      else if (hasSummaries(one, view)) ofOthers = entry
    }
  }
  return entries.length > 0 || ofOthers === null ? entries : [ofOthers]
}

function hasSummaries(conversation: number, view: TurnView): boolean {
  return view.conversations[conversation]!.summarizedTo > 0
}

/** The best entries, then recent turns; with room for three, one of each kind that there is. */
function choose(entries: readonly Entry[], recent: readonly Entry[], limit: number, view: TurnView): readonly Entry[] {
  const chosen = entries.slice(0, limit)
  const isFull = ({ hit, summary }: Entry): boolean => summary === null && !isSummarized(hit.ordinal, view)
  if (limit >= MIXED_FROM_LIMIT) {
    const summary = entries.find((entry) => entry.summary !== null)
    if (summary !== undefined && !chosen.includes(summary)) chosen[limit - 1] = summary
    const full = entries.find(isFull)
    if (!chosen.some(isFull) && chosen.length === limit && (full !== undefined || recent.length > 0)) {
      // A recent turn never takes the place of the only summary.
      const last = chosen.findLastIndex((entry) => entry.summary === null)
      const place = last > 0 ? last : limit - 1
      chosen.splice(place, 1)
      if (full !== undefined) chosen.push(full)
    }
  }
  const lowest = chosen.reduce((least, { relevance }) => Math.min(least, relevance), 1)
  const behind = recent
    .slice(0, Math.max(0, limit - chosen.length))
    .map((entry) => ({ ...entry, relevance: Math.min(entry.relevance, lowest * BEHIND_HITS) }))
  return [...chosen.sort((a, b) => b.relevance - a.relevance), ...behind.sort((a, b) => b.relevance - a.relevance)]
}

async function toResults(
  chosen: readonly Entry[],
  request: RecallRequest,
  view: TurnView,
  log: RecallLog,
): Promise<readonly RecallResult[]> {
  const turns = chosen.filter(({ summary }) => summary === null)
  const fetched = await turnResults(
    turns.map(({ hit, relevance }) => ({
      ordinal: hit.ordinal,
      relevance,
      explanation: request.explain ? explain(hit, relevance, 'behind_hits') : null,
    })),
    request.userId,
    view,
    log,
  )
  const summaries = chosen.flatMap(({ hit, summary, relevance }) =>
    summary === null
      ? []
      : [
          summaryResult(
            summary,
            timeOfSpan(hit.ordinal, summary.endTurn, view),
            relevance,
            request.explain ? explain(hit, relevance, 'stands_for_hit') : null,
          ),
        ],
  )
  return [...fetched, ...summaries].sort((a, b) => b.relevance - a.relevance)
}

function explain(hit: ConversationHit, score: number, multiplier: string): Explanation {
  return {
    ranking: 'conversation',
    arms: armNames(hit.arms),
    features: conversationFeatureScores(hit.features),
    multipliers: score === hit.relevance ? [] : [{ name: multiplier, factor: score / hit.relevance }],
    score,
    matched: hit.matched,
  }
}

function isSummarized(ordinal: number, view: TurnView): boolean {
  const { conversation, number } = view.columns
  return number[ordinal]! <= view.conversations[conversation[ordinal]!]!.summarizedTo
}

function reference(ordinal: number, view: TurnView) {
  const { conversation, number } = view.columns
  return { conversationId: view.conversations[conversation[ordinal]!]!.conversationId, turnId: number[ordinal]! }
}
