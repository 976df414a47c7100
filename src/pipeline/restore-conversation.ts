/**
 * Puts a stretch of an exported or foreign conversation back: turns keep their numbers where they have one, and what
 * is there already is not stored twice. One call is one transaction: on a conflict nothing of it is written.
 */
import type { BatchTurn, FirstSummaries } from '../contracts/conversation-log.ts'
import { checkId, checkInteger, checkOptionalId, checkOptionalTime, checkRecord, checkText } from '../domain/checks.ts'
import { invalid } from '../domain/errors.ts'
import { SUMMARIZE_AT_TURNS } from '../domain/limits.ts'
import { firstSummaries, refreshConversationSummary, rollSummaries } from '../lifecycle/rolling-summary.ts'
import { checkTurns, type StoreDependencies, type TurnInput } from './store-turns.ts'

/** A turn with the number it had. */
export interface RestoredTurn extends TurnInput {
  readonly turnId?: number | null | undefined
}

/** A summary as it was exported. */
export interface RestoredSummary {
  readonly startTurn: number
  readonly endTurn: number
  readonly summary: string
  readonly keySymbols: readonly string[]
  readonly keyDecisions: readonly string[]
  readonly createdAt: Date | string
}

export interface RestoreInput {
  readonly userId: string
  readonly conversationId: string
  readonly projectRoot?: string | null | undefined
  readonly createdAt?: Date | string | null | undefined
  readonly turns: readonly RestoredTurn[]
  /** Written after the turns; a span that meets a stored one is left out. */
  readonly summaries?: readonly RestoredSummary[] | undefined
  /** true (default): turns that no summary covers are summarised as if they had been stored one by one. */
  readonly summarize?: boolean | undefined
}

/** What was new. */
export interface RestoreCounts {
  readonly turnsAdded: number
  readonly turnsExisting: number
  readonly summariesAdded: number
}

/** Largest number of a restored turn: the index holds numbers in 32 bits, and later turns need numbers too. */
const LARGEST_TURN_NUMBER = 2_000_000_000

const FIELDS = ['userId', 'conversationId', 'projectRoot', 'createdAt', 'turns', 'summaries', 'summarize']

/** Restores; see above. Rejects with `conflict` when a number is taken by another turn. */
export async function restoreConversation(
  { log, clock, maxContentBytes }: StoreDependencies,
  input: RestoreInput,
): Promise<RestoreCounts> {
  checkRecord('', input, FIELDS)
  const now = clock().getTime()
  const userId = checkId('userId', input.userId)
  const conversationId = checkId('conversationId', input.conversationId)
  const projectRoot = checkOptionalId('projectRoot', input.projectRoot) ?? ''
  const createdAt = checkOptionalTime('createdAt', input.createdAt)
  const turns = checkNumberedTurns(input.turns, now, maxContentBytes)
  const summaries = checkSummaries(input.summaries ?? [], now)
  const summarize = input.summarize !== false
  const first =
    summarize && summaries.length === 0 ? await summarizeFirst(log, userId, conversationId, turns, now) : null
  const batch = {
    conversationId,
    projectRoot,
    turns,
    ...(createdAt === null ? {} : { createdAt }),
    ...(first === null ? {} : { summaries: first }),
  }
  const appended = turns.length === 0 ? [] : await log.append(userId, [batch], now)
  let summariesAdded = 0
  // One by one: a span that meets a stored summary is left out, the next one may still fit.
  for (const summary of summaries)
    summariesAdded += (await log.addSummaries(userId, [{ conversationId, ...summary }])).length
  const due = appended.some(({ unsummarized }) => unsummarized >= SUMMARIZE_AT_TURNS)
  // Left out when another process created the conversation meanwhile: then they are due.
  if (first !== null && !due) summariesAdded += first.summaries.length
  const rolled = due && summarize ? await rollSummaries(log, userId, conversationId, now) : []
  if (summaries.length > 0 && rolled.length === 0) await refreshConversationSummary(log, userId, conversationId)
  const turnsExisting = appended.filter(({ existed }) => existed).length
  return {
    turnsAdded: appended.length - turnsExisting,
    turnsExisting,
    summariesAdded: summariesAdded + rolled.length,
  }
}

/** A conversation that does not exist yet gets its summaries in the same transaction as its turns. */
async function summarizeFirst(
  log: StoreDependencies['log'],
  userId: string,
  conversationId: string,
  turns: readonly BatchTurn[],
  now: number,
): Promise<FirstSummaries | null> {
  const numbered = turns.map(({ symbols, ...turn }, index) => ({
    ...turn,
    conversationId,
    turnId: turn.turnId ?? index + 1,
    symbols: symbols.map(({ symbol }) => symbol),
  }))
  const ascending = numbered.every(({ turnId }, index) => index === 0 || turnId > numbered[index - 1]!.turnId)
  const ids = new Set(turns.map(({ externalId }) => externalId).filter((id) => id !== null))
  const repeats = turns.filter(({ externalId }) => externalId !== null).length > ids.size
  if (!ascending || repeats || (await log.conversation(userId, conversationId)) !== null) return null
  return firstSummaries(conversationId, numbered, now)
}

function checkNumberedTurns(turns: readonly RestoredTurn[], now: number, maxContentBytes: number): BatchTurn[] {
  if (!Array.isArray(turns)) throw invalid('turns', 'must be a list', 'Pass a list of turns.')
  if (turns.length === 0) return []
  const checked = checkTurns(
    turns.map((turn: unknown, index) => {
      const { turnId: _, ...said } = checkRecord(`turns[${index}]`, turn)
      return said
    }),
    now,
    maxContentBytes,
  )
  return checked.map((turn, index) => {
    const turnId = turns[index]!.turnId
    if (turnId === undefined || turnId === null) return turn
    return { ...turn, turnId: checkInteger(`turns[${index}].turnId`, turnId, 1, LARGEST_TURN_NUMBER) }
  })
}

function checkSummaries(summaries: readonly RestoredSummary[], now: number) {
  if (!Array.isArray(summaries)) throw invalid('summaries', 'must be a list', 'Pass a list of summaries.')
  return summaries.map((summary: RestoredSummary, index) => checkSummary(`summaries[${index}]`, summary, now))
}

function checkSummary(field: string, summary: RestoredSummary, now: number) {
  checkRecord(field, summary)
  const { startTurn, endTurn, keySymbols, keyDecisions } = summary
  if (!Array.isArray(keySymbols) || !Array.isArray(keyDecisions))
    throw invalid(field, 'has no keySymbols or keyDecisions', 'Pass two lists of strings.')
  return {
    startTurn: checkInteger(`${field}.startTurn`, startTurn, 1, LARGEST_TURN_NUMBER),
    endTurn: checkInteger(`${field}.endTurn`, endTurn, startTurn, LARGEST_TURN_NUMBER),
    summary: checkText(`${field}.summary`, summary.summary, { maxBytes: 64 * 1024 }),
    keySymbols: keySymbols.map((symbol: unknown) => checkText(`${field}.keySymbols`, symbol, { maxBytes: 4096 })),
    keyDecisions: keyDecisions.map((line: unknown) => checkText(`${field}.keyDecisions`, line, { maxBytes: 4096 })),
    createdAt: checkOptionalTime(`${field}.createdAt`, summary.createdAt) ?? now,
  }
}
