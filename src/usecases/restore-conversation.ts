/** Puts exported conversations, profiles and session summaries back; what is there stays. */
import { check, givenAs, type InputOf, orElse } from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import type { BatchTurn, ConversationBatch, ConversationLog, NewSummary } from '../domain/contracts/conversation-log.ts'
import type {
  NewProfileLine,
  Profile,
  ProfileStore,
  SessionSummary,
  SessionSummaryStore,
} from '../domain/contracts/small-stores.ts'
import { invalid } from '../domain/errors.ts'
import { LIMITS } from '../domain/limits.ts'
import { lazy } from '../domain/scheduling.ts'
import type { Summary } from '../domain/turn.ts'
import { withStatement } from '../language/profile-document.ts'
import { checkTurns, type TurnInput } from './conversations.ts'

// Loaded late: it needs the modules of thinking, and a mere profile needs none of them.
const rolling = lazy(() => import('./upkeep/rolling-summary.ts'))

interface RestoreDependencies {
  readonly log: ConversationLog
  readonly clock: Clock
  readonly maxContentBytes: number
}

interface RestoredTurn extends TurnInput {
  readonly turnId?: number | null | undefined
}

interface RestoredSummary extends Omit<Summary, 'summaryId' | 'conversationId' | 'createdAt'> {
  readonly createdAt: Date | string
}

const FIELDS = {
  userId: givenAs<string>(),
  conversationId: check.id,
  projectRoot: check.optionalId,
  createdAt: check.optionalTime,
  turns: givenAs<readonly RestoredTurn[]>(),
  /** Written after the turns; a span that meets a stored one is left out. */
  summaries: givenAs<readonly RestoredSummary[]>(),
  /** true: new turns are thought about in the background. Default false. */
  think: orElse(undefined, check.boolean),
}
/** A conversation that is to be put back. */
export type RestoreInput = InputOf<typeof FIELDS, 'userId' | 'conversationId' | 'turns'>

/** The counts of new items. */
export interface RestoreCounts {
  readonly turnsAdded: number
  readonly turnsExisting: number
  readonly summariesAdded: number
}

/** Largest number of a restored turn: the index holds numbers in 32 bits, and later turns need numbers too. */
const LARGEST_TURN_NUMBER = 2_000_000_000

/** Restores conversations of one user in one transaction. Rejects `conflict`, with nothing written, when a number is taken by another turn. */
export async function restoreConversations(
  { log, clock, maxContentBytes }: RestoreDependencies,
  userId: string,
  inputs: readonly RestoreInput[],
): Promise<RestoreCounts> {
  const now = clock().getTime()
  const user = check.id('userId', userId)
  const prepared = inputs.map((input) => prepare(input, now, maxContentBytes))
  const batches = prepared.filter(({ batch }) => batch.turns.length > 0).map(({ batch }) => batch)
  const appended = batches.length === 0 ? [] : await log.append(user, batches, now)
  let summariesAdded = 0
  for (const one of prepared) summariesAdded += await finish(log, user, one)
  const turnsExisting = appended.filter(({ existed }) => existed).length
  return { turnsAdded: appended.length - turnsExisting, turnsExisting, summariesAdded }
}

interface Prepared {
  readonly batch: ConversationBatch
  readonly summaries: readonly NewSummary[]
}

function prepare(input: RestoreInput, now: number, maxContentBytes: number): Prepared {
  const { conversationId, projectRoot, createdAt, turns, summaries, think } = check.fields('', input, FIELDS)
  return {
    batch: {
      conversationId,
      projectRoot: projectRoot ?? '',
      turns: checkNumberedTurns(turns, now, maxContentBytes),
      ...(createdAt === null ? {} : { createdAt }),
      ...(think === undefined ? {} : { think }),
    },
    summaries: check.list('summaries', summaries ?? [], (field, one) => ({
      conversationId,
      ...checkSummary(field, one as RestoredSummary, now),
    })),
  }
}

/** Writes the summaries of the export that meet no stored one; how many. */
async function finish(
  log: RestoreDependencies['log'],
  userId: string,
  { batch, summaries }: Prepared,
): Promise<number> {
  let added = 0
  for (let left = summaries; left.length > 0; ) {
    const written = (await log.addSummaries(userId, left)).length
    added += written
    // The first one that was not written meets a stored summary, and is left out.
    left = left.slice(written + 1)
  }
  if (added > 0) await (await rolling()).refreshConversationSummary(log, userId, batch.conversationId)
  return added
}

function checkNumberedTurns(turns: readonly RestoredTurn[], now: number, maxContentBytes: number): BatchTurn[] {
  if (!Array.isArray(turns)) throw invalid('turns', 'must be a list', 'Pass a list of turns.')
  if (turns.length === 0) return []
  const checked = checkTurns(
    turns.map((turn: unknown, index) => {
      const { turnId: _, ...said } = check.record(`turns[${index}]`, turn)
      return said
    }),
    now,
    maxContentBytes,
  )
  return checked.map((turn, index) => {
    const turnId = turns[index]!.turnId
    if (turnId === undefined || turnId === null) return turn
    return { ...turn, turnId: check.integer(`turns[${index}].turnId`, turnId, 1, LARGEST_TURN_NUMBER) }
  })
}

function checkSummary(field: string, summary: RestoredSummary, now: number) {
  check.record(field, summary)
  const { startTurn, endTurn, keySymbols, keyDecisions } = summary
  if (!Array.isArray(keySymbols) || !Array.isArray(keyDecisions))
    throw invalid(field, 'lacks its key symbols or decisions', 'Pass two lists of strings.')
  return {
    startTurn: check.integer(`${field}.startTurn`, startTurn, 1, LARGEST_TURN_NUMBER),
    endTurn: check.integer(`${field}.endTurn`, endTurn, startTurn, LARGEST_TURN_NUMBER),
    summary: check.text(`${field}.summary`, summary.summary, { maxBytes: 64 * 1024 }),
    keySymbols: keySymbols.map((symbol: unknown) => check.text(`${field}.keySymbols`, symbol, { maxBytes: 4096 })),
    keyDecisions: keyDecisions.map((line: unknown) => check.text(`${field}.keyDecisions`, line, { maxBytes: 4096 })),
    createdAt: check.optionalTime(`${field}.createdAt`, summary.createdAt) ?? now,
  }
}

/** Most UTF-8 bytes of a title or a snippet that a user writes. */
export const SESSION_SUMMARY_BYTES = 4096

export async function restoreProfile(
  profiles: ProfileStore,
  userId: string,
  profile: Profile,
  now: number,
): Promise<{ readonly added: number; readonly existing: number }> {
  const user = check.id('userId', userId)
  const text = check.text('profile.text', profile.text, { maxBytes: LIMITS.profileBytes })
  const here = await profiles.get(user)
  const isWritten = (one: Profile): boolean => one.lines.some(({ source }) => source === 'user')
  const all = profile.lines.length
  if (here.text === text || (isWritten(here) && isWritten(profile))) return { added: 0, existing: all }
  const known = new Set(here.lines.map((line) => line.text))
  const at = Math.min(profile.updatedAt ?? now, now)
  // Lines of the machine first: a document that holds them word for word leaves them the machine's.
  const added = await profiles.addLines(user, machineLines(profile), at)
  if (here.lines.length > 0 && !isWritten(profile)) return { added: added.length, existing: all - added.length }
  const told = new Set(profile.lines.map((line) => line.text))
  const kept = machineLines(here).filter((line) => !told.has(line.text))
  await profiles.setText(
    user,
    kept.reduce((document, line) => withStatement(document, line.section, line.text), text),
    at,
  )
  const fresh = profile.lines.filter((line) => !known.has(line.text)).length
  return { added: fresh, existing: all - fresh }
}

function machineLines({ lines }: Profile): readonly NewProfileLine[] {
  return lines.flatMap(({ section, text, source, tellings = [] }) => {
    if (source !== 'machine' || section === null) return []
    return tellings.length === 0 ? [{ section, text }] : tellings.map((telling) => ({ section, text, telling }))
  })
}

/** Puts exported session summaries back, their conversations first; one here already, or that the user has removed, is left out. */
export async function restoreSessionSummaries(
  store: SessionSummaryStore,
  userId: string,
  summaries: readonly SessionSummary[],
): Promise<{ readonly added: number; readonly existing: number }> {
  const user = check.id('userId', userId)
  let added = 0
  for (const { conversationId, createdAt, updatedAt, edited, ...words } of summaries) {
    const id = check.id('conversationId', conversationId)
    const title = check.text('session_summary.title', words.title, { maxBytes: SESSION_SUMMARY_BYTES })
    const snippet = check.text('session_summary.snippet', words.snippet, { maxBytes: SESSION_SUMMARY_BYTES })
    const here = await store.get(user, id)
    if (here !== null && (here.edited || !edited)) continue
    if (here === null && !(await store.put(user, { conversationId: id, title, snippet }, createdAt))) continue
    if (edited) await store.update(user, id, { title, snippet, isOfUnknown: true }, updatedAt)
    else if (updatedAt !== createdAt) await store.put(user, { conversationId: id, title, snippet }, updatedAt)
    added += 1
  }
  return { added, existing: summaries.length - added }
}
