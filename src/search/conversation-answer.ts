/**
 * Which form do hits have in the answer (003, REQ-LTM-002)? Summarised turns show as their summary, once, unless their
 * own symbols match; newer ones in full, then the newest turns of those conversations.
 */
import { TURN_DELETED, TURN_HAS_SYMBOLS, type TurnView } from '../domain/contracts/text-index.ts'
import { SUMMARIZE_AT_TURNS, WORKING_MEMORY_IDLE_MS } from '../domain/limits.ts'
import type { Explanation, RecallResult } from '../domain/recall.ts'
import type { Summary, Turn } from '../domain/turn.ts'
import { ARM_RECENCY, armNames, isWithin, type Question } from './candidates.ts'
import type { ConversationHit } from './rank-conversation.ts'
import { type ConversationFeatures, conversationFeatures, recencyScore, sumOf } from './ranking-formulas.ts'
import { coversTurn, placeOf, type RecallLog, referenceOf, summaryResult, turnResults } from './turn-results.ts'

export type Summarize = (turns: readonly Turn[]) => string | Promise<string>

/** Conversations summarised for one answer, at most: each takes about a millisecond. */
const MOST_OVERVIEWS = 2
/** The least turns of a summarised conversation: one turn is its own summary. */
const FEWEST_TURNS = 2

/** Summaries by index of their conversation in `view.conversations`; they have no id in the store. */
async function overviewSummaries(
  hits: readonly ConversationHit[],
  { request, analysis: { dates }, scope, view }: Question,
  log: RecallLog,
  summarize: Summarize,
): Promise<ReadonlyMap<number, Summary>> {
  const overviews = new Map<number, Summary>()
  if (dates.length === 0) return overviews
  const { conversation, createdAt } = view.columns
  for (const { ordinal } of hits.slice(0, request.limit)) {
    const index = conversation[ordinal]!
    if (overviews.size === MOST_OVERVIEWS) break
    if (overviews.has(index) || view.conversations[index]!.summarizedTo > 0) continue
    if (!isWithin(createdAt[ordinal]!, dates)) continue
    const all = turnsOf(ordinal, view)
    const last = Math.max(...all.map((one) => createdAt[one]!))
    const goesOn = last > request.now - WORKING_MEMORY_IDLE_MS
    if (goesOn || all.length < FEWEST_TURNS || all.length >= SUMMARIZE_AT_TURNS || !all.every(scope.accepts)) continue
    const turns = await log.turnsByRow(
      request.userId,
      all.map((one) => placeOf(one, view)),
    )
    if (turns.length === 0) continue
    overviews.set(index, {
      summaryId: -1 - index,
      conversationId: view.conversations[index]!.conversationId,
      startTurn: turns[0]!.turnId,
      endTurn: turns.at(-1)!.turnId,
      summary: await summarize(turns),
      keySymbols: [],
      keyDecisions: [],
      createdAt: last,
    })
  }
  return overviews
}

/** The turns of the conversation of one of them, in order; no more than are needed to tell a long one. */
function turnsOf(ordinal: number, view: TurnView): readonly number[] {
  const { previous, next, flags } = view.columns
  let first = ordinal
  for (let step = 0; previous[first]! >= 0 && step < SUMMARIZE_AT_TURNS; step++) first = previous[first]!
  const turns: number[] = []
  for (let at = first; at >= 0 && at < view.size && turns.length < SUMMARIZE_AT_TURNS; at = next[at]!)
    if ((flags[at]! & TURN_DELETED) === 0) turns.push(at)
  return turns
}

/** Newest turns of a conversation that are shown with its hits (003: "the most recent 5 turns: full content"). */
const RECENT_TURNS = 5
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

export async function conversationAnswer(
  hits: readonly ConversationHit[],
  question: Question,
  log: RecallLog,
  summarize: Summarize | null,
): Promise<readonly RecallResult[]> {
  if (hits.length === 0) return []
  const { kinds, limit } = question.request
  const wantsOverviews = kinds.includes('summary') && limit >= MIXED_FROM_LIMIT && summarize !== null
  const overviews = wantsOverviews
    ? await overviewSummaries(hits, question, log, summarize)
    : new Map<number, Summary>()
  const entries = await represent(hits, question, overviews, log)
  const recent = kinds.includes('turn') ? recentTurns(hits, question) : []
  return toResults(choose(entries, recent, limit, question.view), question, log)
}

/** Turns stand for themselves, or for the summary that covers them; best first. */
async function represent(
  hits: readonly ConversationHit[],
  { request, view }: Question,
  overviews: ReadonlyMap<number, Summary>,
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
          covered.map(({ ordinal }) => referenceOf(ordinal, view)),
        )
      : []
  const byConversation = Map.groupBy(summaries, ({ conversationId }) => conversationId)
  const entries: Entry[] = []
  const shown = new Set<number>()
  for (const hit of looked) {
    const turn = referenceOf(hit.ordinal, view)
    const summary = byConversation.get(turn.conversationId)?.find(coversTurn(turn))
    if (wantsTurns && (summary === undefined || hit.features.symbolMatch > 0)) {
      entries.push({ hit, summary: null, relevance: hit.relevance })
    }
    const gist = summary ?? overviews.get(view.columns.conversation[hit.ordinal]!)
    if (gist !== undefined && !shown.has(gist.summaryId)) {
      shown.add(gist.summaryId)
      entries.push({ hit, summary: gist, relevance: hit.relevance })
    }
  }
  // A turn stands before the summary that covers it: the sort keeps their order.
  return entries.sort((a, b) => b.relevance - a.relevance)
}

/**
 * The newest unsummarised turns of conversations with hits, without hits and without turns of symbols, as matching
 * symbols would make them hits. Where all have symbols, the first after the summaries is shown.
 */
function recentTurns(hits: readonly ConversationHit[], { request, scope, view }: Question): readonly Entry[] {
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
      const recency = recencyScore(createdAt[at]!, request.now)
      const features: ConversationFeatures = { symbolMatch: 0, recency, contextSimilarity: 0 }
      const relevance = sumOf(conversationFeatures(features))
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
  { request, view }: Question,
  log: RecallLog,
): Promise<readonly RecallResult[]> {
  const ranked = chosen.map(({ hit, relevance, summary }) => {
    const explanation = request.explain ? explain(hit, relevance) : null
    return { ordinal: hit.ordinal, relevance, explanation, summary }
  })
  const turns = ranked.filter(({ summary }) => summary === null)
  const fetched = await turnResults(turns, request.userId, view, log)
  const summaries = ranked.flatMap(({ summary, ...one }) =>
    summary === null ? [] : [summaryResult(summary, one, view)],
  )
  return [...fetched, ...summaries].sort((a, b) => b.relevance - a.relevance)
}

function explain(hit: ConversationHit, score: number): Explanation {
  return {
    ranking: 'conversation',
    arms: armNames(hit.arms),
    features: conversationFeatures(hit.features),
    multipliers: score === hit.relevance ? [] : [{ name: 'behind_hits', factor: score / hit.relevance }],
    score,
    matched: hit.matched,
  }
}

function isSummarized(ordinal: number, view: TurnView): boolean {
  const { conversation, number } = view.columns
  return number[ordinal]! <= view.conversations[conversation[ordinal]!]!.summarizedTo
}
