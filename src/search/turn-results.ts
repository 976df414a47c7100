/**
 * How do ranked turns become an answer? Fetches the text of the chosen few and says where each comes from.
 */
import type { ConversationLog } from '../domain/contracts/conversation-log.ts'
import type { TurnView } from '../domain/contracts/text-index.ts'
import type { Explanation, RecallResult } from '../domain/recall.ts'
import { fewAtATime } from '../domain/scheduling.ts'
import { SAID_BEFORE, type Summary, type Turn, type TurnReference } from '../domain/turn.ts'

export type RecallLog = Pick<ConversationLog, 'turnsByRow' | 'summariesCovering'>

export interface RankedTurn {
  readonly ordinal: number
  /** 0 to 1. */
  readonly relevance: number
  readonly explanation: Explanation | null
}

/** Turns that are read before others run. */
const TURNS_A_PIECE = 500

/** The chosen turns with their text, in the order given; a turn that has gone meanwhile is left out. */
export async function turnResults(
  ranked: readonly RankedTurn[],
  userId: string,
  view: TurnView,
  log: RecallLog,
): Promise<readonly RecallResult[]> {
  if (ranked.length === 0) return []
  const places = ranked.map(({ ordinal }) => placeOf(ordinal, view))
  const byRow = new Map<number, Turn>()
  for await (const few of fewAtATime(places, TURNS_A_PIECE))
    for (const turn of await log.turnsByRow(userId, few)) byRow.set(turn.row, turn)
  return ranked.flatMap(({ relevance, explanation }, index) => {
    const turn = byRow.get(places[index]!.row)
    return turn === undefined ? [] : [turnResult(turn, relevance, explanation)]
  })
}

export function placeOf(ordinal: number, view: TurnView): { readonly row: number; readonly conversationId: string } {
  const { row, conversation } = view.columns
  return { row: row[ordinal]!, conversationId: view.conversations[conversation[ordinal]!]!.conversationId }
}

/** A turn by its conversation and number. */
export function referenceOf(ordinal: number, view: TurnView): TurnReference {
  return { conversationId: placeOf(ordinal, view).conversationId, turnId: view.columns.number[ordinal]! }
}

/** Says of summaries whether they cover this turn. */
export function coversTurn({ conversationId, turnId }: TurnReference): (summary: Summary) => boolean {
  return (one) => one.conversationId === conversationId && one.startTurn <= turnId && turnId <= one.endTurn
}

/**
 * The time at which a summary's matter was said: that of the last turn of its span, found from a turn in it. The time
 * of writing says nothing to a question about a day.
 */
function timeOfSpan(ordinal: number, endTurn: number, view: TurnView): number {
  const { next, number, createdAt } = view.columns
  let last = ordinal
  for (let at = next[last]!; at >= 0 && at < view.size && number[at]! <= endTurn; at = next[at]!) last = at
  return createdAt[last]!
}

function turnResult(
  { conversationId, turnId, role, speaker, content: text, createdAt, externalId, [SAID_BEFORE]: before }: Turn,
  relevance: number,
  explanation: Explanation | null,
): RecallResult {
  const said = { conversationId, turnId, span: null, role, speaker, text, relevance, createdAt }
  return {
    ...said,
    isSummary: false,
    externalId,
    explanation,
    ...(before === undefined ? {} : { [SAID_BEFORE]: before }),
  }
}

/** One summary as a result, with what was ranked of it; `createdAt` as by `timeOfSpan`. */
export function summaryResult(
  { conversationId, startTurn: from, endTurn: to, summary: text }: Summary,
  { ordinal, relevance, explanation }: RankedTurn,
  view: TurnView,
): RecallResult {
  const createdAt = timeOfSpan(ordinal, to, view)
  const told = {
    conversationId,
    turnId: null,
    span: { from, to },
    role: null,
    speaker: null,
    text,
    relevance,
    createdAt,
  }
  return { ...told, isSummary: true, externalId: null, explanation }
}

/** The summaries that cover the ranked turns, each once with the relevance of its best turn, best first. */
export async function summariesOf(
  ranked: readonly RankedTurn[],
  userId: string,
  view: TurnView,
  log: RecallLog,
): Promise<readonly RecallResult[]> {
  if (ranked.length === 0) return []
  const turns = ranked.map(({ ordinal }) => referenceOf(ordinal, view))
  const summaries = await log.summariesCovering(userId, turns)
  return summaries
    .map((summary) => {
      const best = turns.findIndex((turn) => coversTurn(turn)(summary))
      return summaryResult(summary, ranked[Math.max(0, best)]!, view)
    })
    .sort((a, b) => b.relevance - a.relevance)
}
