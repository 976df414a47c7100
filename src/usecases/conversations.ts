/** Reading, summarising and removing conversations: the use cases besides store and recall, with their checks. */
import {
  checkBoolean,
  checkId,
  checkInteger,
  checkOptionalId,
  checkPage,
  checkRecord,
  checkTime,
  type PageInput,
} from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import type { ConversationLog, Page, RemovalScope, Work } from '../domain/contracts/conversation-log.ts'
import type { Store } from '../domain/contracts/store.ts'
import { invalid, notFound } from '../domain/errors.ts'
import { conversationName } from '../domain/ids.ts'
import type { Conversation, Summary, Turn } from '../domain/turn.ts'
import type { StoreInput } from './store-turns.ts'
import type { UndoDependencies } from './undo.ts'
import type { CleanupCounts, SpanSummary } from './upkeep/rolling-summary.ts'

const LIST_REMEDY = 'Name a conversation that exists; list them to see their ids.'

/** Conversations of a user, newest activity first. */
export async function listConversations(
  log: ConversationLog,
  userId: string,
  input: PageInput & { readonly projectRoot?: string | undefined },
): Promise<Page<Conversation>> {
  checkRecord('', input, ['userId', 'limit', 'offset', 'projectRoot'])
  const projectRoot = checkOptionalId('projectRoot', input.projectRoot)
  return log.conversations(checkId('userId', userId), {
    ...checkPage(input),
    ...(projectRoot === null ? {} : { projectRoot }),
  })
}

/** A conversation that is to begin; everything has a default. */
export type CreateConversationInput = Omit<StoreInput, 'turns'>

/** Begins a conversation without turns. One that is there already stays as it is; a project that is named moves it. */
export async function createConversation(
  log: ConversationLog,
  clock: Clock,
  input: CreateConversationInput,
): Promise<Conversation> {
  checkRecord('', input, ['userId', 'conversationId', 'projectRoot'])
  const now = clock().getTime()
  const userId = checkId('userId', input.userId)
  const conversationId = checkOptionalId('conversationId', input.conversationId) ?? conversationName(now)
  const projectRoot = checkOptionalId('projectRoot', input.projectRoot) ?? ''
  await log.append(userId, [{ conversationId, projectRoot, turns: [], createdAt: now }], now)
  return getConversation(log, userId, conversationId)
}

/** One conversation; not_found when the user has none of this id. */
async function getConversation(log: ConversationLog, userId: string, conversationId: string): Promise<Conversation> {
  const id = checkId('conversationId', conversationId)
  const conversation = await log.conversation(checkId('userId', userId), id)
  if (conversation === null) throw notFound('conversation', id, LIST_REMEDY)
  return conversation
}

/** One turn; not_found when the user has none of this number. */
export async function getTurn(
  log: ConversationLog,
  userId: string,
  conversationId: string,
  turnId: number,
): Promise<Turn> {
  await getConversation(log, userId, conversationId)
  const number = checkTurnNumber('turnId', turnId)
  const [turn] = await log.turns(userId, conversationId, { from: number, to: number })
  if (turn === undefined)
    throw notFound('turn', `${number}`, 'List the turns of the conversation to see their numbers.')
  return turn
}

/** Hides a conversation from models, or shows it again; not_found when the user has none of this id. */
export async function muteConversation(
  log: ConversationLog,
  userId: string,
  conversationId: string,
  isMuted: boolean,
): Promise<Conversation> {
  const id = checkId('conversationId', conversationId)
  const conversation = await log.mute(checkId('userId', userId), id, isMuted)
  if (conversation === null) throw notFound('conversation', id, LIST_REMEDY)
  return conversation
}

/** Which turns of a conversation to list; default all. */
export interface ListTurnsInput extends PageInput {
  /** Bounds of the numbers, both included. */
  readonly fromTurn?: number | undefined
  readonly toTurn?: number | undefined
  /** true: only those that the user collected; false: only the others. */
  readonly isCollected?: boolean | undefined
}

/** Turns of a conversation in order, by page. */
export async function listTurns(
  log: ConversationLog,
  userId: string,
  conversationId: string,
  input: ListTurnsInput,
): Promise<Page<Turn>> {
  checkRecord('', input, ['userId', 'limit', 'offset', 'fromTurn', 'toTurn', 'isCollected'])
  const { limit, offset } = checkPage(input)
  const from = input.fromTurn === undefined ? 1 : checkTurnNumber('fromTurn', input.fromTurn)
  const to = input.toTurn === undefined ? Number.MAX_SAFE_INTEGER : checkTurnNumber('toTurn', input.toTurn)
  if (from > to) throw invalid('fromTurn', `${from} lies after toTurn ${to}`, 'Swap the two.')
  const marked = input.isCollected === undefined ? {} : { isCollected: checkBoolean('isCollected', input.isCollected) }
  await getConversation(log, userId, conversationId)
  return log.turnPage(userId, conversationId, { from, to, limit, offset, ...marked })
}

/** As `getConversation`, with the summaries that an import left to be written. */
export async function summarizedConversation(
  log: ConversationLog,
  clock: Clock,
  userId: string,
  conversationId: string,
): Promise<Conversation> {
  const found = await getConversation(log, userId, conversationId)
  const isRolled = await rollOverdue(log, userId, [conversationId], clock().getTime())
  return isRolled ? getConversation(log, userId, conversationId) : found
}

/** Summaries of a conversation, oldest span first. */
export async function listSummaries(
  log: ConversationLog,
  clock: Clock,
  userId: string,
  conversationId: string,
): Promise<readonly Summary[]> {
  await summarizedConversation(log, clock, userId, conversationId)
  return log.summaries(userId, conversationId)
}

/** Writes summaries that an import left to be written, of at most `most` turns; whether there were any. */
export async function rollOverdue(
  log: ConversationLog,
  userId: string,
  conversationIds: readonly string[],
  now: number,
  most = Number.MAX_SAFE_INTEGER,
): Promise<boolean> {
  const overdue = await log.overdue(userId, conversationIds, most)
  if (overdue.length === 0) return false
  // Late: it brings what thinking needs.
  const { rollSummaries } = await import('./upkeep/rolling-summary.ts')
  let written = 0
  for (const id of overdue) written += (await rollSummaries(log, userId, id, now)).length
  return written > 0
}

/** Summarises the turns from … to of a conversation, both included. */
export async function summarizeTurns(
  { log }: Pick<Store, 'log'>,
  clock: Clock,
  userId: string,
  conversationId: string,
  fromTurn: number,
  toTurn: number,
): Promise<SpanSummary> {
  const { summarizeSpan } = await import('./upkeep/rolling-summary.ts')
  return summarizeSpan(
    log,
    checkId('userId', userId),
    checkId('conversationId', conversationId),
    checkTurnNumber('fromTurn', fromTurn),
    checkTurnNumber('toTurn', toTurn),
    clock().getTime(),
  )
}

/** The scope to remove: exactly one of `conversationId`, `olderThan` and `all`. */
export interface CleanupInput {
  readonly userId: string
  readonly conversationId?: string | undefined
  /** Only this turn of the conversation. The numbers of the others stay. */
  readonly turnId?: number | undefined
  /** Removes turns said before this moment. */
  readonly olderThan?: Date | string | undefined
  readonly all?: boolean | undefined
  /** true: memories and profile lines that were made of the turns stay. Default false; not with `all`. */
  readonly keepMemories?: boolean | undefined
}

/** Removes turns for good with what was made of them; `keepMemories` leaves memories and profile as they are. */
export async function removeConversations(
  dependencies: UndoDependencies & { readonly store: Store },
  input: CleanupInput,
  work?: Work,
): Promise<CleanupCounts> {
  const { store, clock, logger } = dependencies
  checkRecord('', input, ['userId', 'conversationId', 'turnId', 'olderThan', 'all', 'keepMemories'])
  const userId = checkId('userId', input.userId)
  const scope = checkScope(input)
  const keeps = input.keepMemories === undefined ? false : checkBoolean('keepMemories', input.keepMemories)
  // Loaded late: they need the modules of thinking, and every process loads this file.
  const { cleanUp } = await import('./upkeep/rolling-summary.ts')
  if (scope.kind === 'all') {
    if (keeps) throw invalid('keepMemories', 'cannot be combined with all', 'Leave one of them out.')
    const counts = await cleanUp(store, userId, scope, clock().getTime(), work)
    // A record of the removal (002 R10.4); one with a part of the turns is told by `takeBack`.
    const told = { operation: 'delete_all', user: userId, count: counts.memoriesDeleted }
    logger.info('a memory operation is done', told)
    return counts
  }
  if (scope.kind === 'conversation') await getConversation(store.log, userId, scope.conversationId)
  if (scope.kind === 'turn') await getTurn(store.log, userId, scope.conversationId, scope.turnId)
  const { renewAnalysis, sourceTurns, takeBack } = await import('./undo.ts')
  const { renewSessionSummaries } = await import('./think/summarize-session.ts')
  const sources = await sourceTurns(store, userId, scope)
  const { removed } = keeps ? { removed: 0 } : await takeBack(dependencies, userId, sources)
  if (scope.kind === 'turn') await renewAnalysis(dependencies, userId, scope.conversationId, sources)
  const counts = await cleanUp(store, userId, scope, clock().getTime(), work)
  // Thinking about the turn may have ended meanwhile, with new memories.
  if (scope.kind === 'turn' && !keeps) await takeBack(dependencies, userId, sources)
  await renewSessionSummaries(store, userId, [...sources.turns.keys()], clock().getTime())
  return { ...counts, memoriesDeleted: counts.memoriesDeleted + removed }
}

function checkScope({ conversationId, turnId, olderThan, all }: CleanupInput): RemovalScope {
  if (all !== undefined) checkBoolean('all', all)
  const named = [conversationId !== undefined, olderThan !== undefined, all === true].filter(Boolean).length
  if (named !== 1)
    throw invalid(
      'conversationId, olderThan, all',
      named === 0 ? 'says not what to remove' : 'name more than one thing to remove',
      'Pass exactly one of conversationId, olderThan and all: true.',
    )
  if (conversationId !== undefined) {
    const named = { conversationId: checkId('conversationId', conversationId) }
    return turnId === undefined
      ? { kind: 'conversation', ...named }
      : { kind: 'turn', ...named, turnId: checkTurnNumber('turnId', turnId) }
  }
  if (turnId !== undefined) throw invalid('turnId', 'names a turn of no conversation', 'Pass conversationId with it.')
  return olderThan === undefined ? { kind: 'all' } : { kind: 'older', before: checkTime('olderThan', olderThan) }
}

function checkTurnNumber(field: string, value: unknown): number {
  return checkInteger(field, value, 1, Number.MAX_SAFE_INTEGER)
}

/** The mark on one turn. */
export interface CollectInput {
  readonly userId: string
  readonly conversationId: string
  readonly turnId: number
  /** false takes the mark off. */
  readonly isCollected: boolean
}

/** Sets the mark or takes it off, and returns the turn. Rejects with not_found when the user has no such turn. */
export async function collectTurn(log: ConversationLog, input: CollectInput): Promise<Turn> {
  checkRecord('', input, ['userId', 'conversationId', 'turnId', 'isCollected'])
  const userId = checkId('userId', input.userId)
  const conversationId = checkId('conversationId', input.conversationId)
  const turnId = checkInteger('turnId', input.turnId, 1, Number.MAX_SAFE_INTEGER)
  const turn = await log.collect(userId, { conversationId, turnId }, checkBoolean('isCollected', input.isCollected))
  if (turn !== null) return turn
  return getTurn(log, userId, conversationId, turnId)
}

/** Collected turns of all conversations, the last said first. */
export async function listCollectedTurns(log: ConversationLog, userId: string, input: PageInput): Promise<Page<Turn>> {
  checkRecord('', input, ['userId', 'limit', 'offset'])
  return log.collectedTurns(checkId('userId', userId), checkPage(input))
}
