/** Reading, summarising and removing conversations: the use cases besides store and recall, with their checks. */
import { check, type FieldsOf, givenAs, type InputOf, orElse, orNull, PAGE_FIELDS } from '../domain/checks.ts'
import type { ConversationLog, Page, RemovalScope, Work } from '../domain/contracts/conversation-log.ts'
import { invalid, notFound } from '../domain/errors.ts'
import { conversationName } from '../domain/ids.ts'
import { LIMITS, SUMMARIZE_AT_TURNS } from '../domain/limits.ts'
import { atOnce, breathe, giveWay, inPieces, lazy } from '../domain/scheduling.ts'
import { type Conversation, type NewTurn, ROLES, type Summary, type Turn } from '../domain/turn.ts'
import { extractSymbols } from '../language/symbols/symbols.ts'
import type { Opened } from './open-options.ts'
import type { UndoDependencies, UndoInput } from './undo.ts'
import type { CleanupCounts, SpanSummary } from './upkeep/rolling-summary.ts'

/** The fields of one turn. `content` is checked against the bound of the database. */
export const TURN_FIELDS = {
  role: (field: string, value: unknown) => check.oneOf(field, value, ROLES),
  /** 1 byte to 1 MB, not only white space; stored as it is. */
  content: givenAs<string>(),
  /** The speaker, where the role does not say it. */
  speaker: orNull((field, value) => check.text(field, value, { maxBytes: LIMITS.idCharacters })),
  /** The time of its saying; default: now. */
  createdAt: check.optionalTime,
  /** The caller's own id: the same one is stored once in a conversation. */
  externalId: check.optionalId,
  metadata: check.metadata,
  /** The user's mark on it; default false. `collect` changes it later. */
  isCollected: orElse(false, check.boolean),
}
/** One turn as a caller hands it in. */
export type TurnInput = InputOf<typeof TURN_FIELDS, 'role' | 'content'>

const STORE_FIELDS = {
  userId: check.id,
  /** Default: a new conversation. */
  conversationId: check.optionalId,
  projectRoot: check.optionalId,
  turns: givenAs<readonly TurnInput[]>(),
}
/** The turns of one conversation that are to be stored. */
export type StoreInput = InputOf<typeof STORE_FIELDS, 'userId' | 'turns'>

/** The outcome for one turn, in the order of the call. */
export interface StoredTurn {
  readonly turnId: number
  readonly conversationId: string
  readonly symbolsExtracted: readonly string[]
  /** Milliseconds since the epoch. */
  readonly storedAt: number
  readonly externalId: string | null
  /** true when this externalId was stored before; nothing was written. */
  readonly existed: boolean
}

/** Turns, and characters of them, that are checked before others get their turn: some milliseconds of work. */
const TURNS_A_PIECE = 200
const CHARACTERS_A_PIECE = 262_144

/**
 * Stores the turns of one conversation in one transaction, with a job to think about it. `rollSoon` is called, and not
 * waited for, when rolling summaries became due.
 */
export async function storeTurns(
  { store: { log }, options: { clock, maxContentBytes, thinking: think } }: Opened,
  rollSoon: (userId: string, conversationId: string, now: number) => void,
  input: StoreInput,
): Promise<readonly StoredTurn[]> {
  const { userId, projectRoot, ...given } = check.fields('', input, STORE_FIELDS)
  const now = clock().getTime()
  const conversationId = given.conversationId ?? conversationName(now)
  const turns = await inPieces(checkInPieces(given.turns, now, maxContentBytes))
  const batch = { conversationId, projectRoot: projectRoot ?? '', turns, think, isLive: true }
  const appended = await log.append(userId, [batch], now)
  if (appended.some(({ existed, unsummarized }) => !existed && unsummarized >= SUMMARIZE_AT_TURNS))
    rollSoon(userId, conversationId, now)
  return appended.map(({ turnId, symbols, externalId, existed }) => ({
    turnId,
    conversationId,
    symbolsExtracted: symbols,
    storedAt: now,
    externalId,
    existed,
  }))
}

/** Checks every turn; `now` is when those without a time were said. */
export function checkTurns(turns: unknown, now: number, maxContentBytes: number): readonly NewTurn[] {
  return atOnce(checkInPieces(turns, now, maxContentBytes))
}

function* checkInPieces(turns: unknown, now: number, maxContentBytes: number): Generator<void, readonly NewTurn[]> {
  if (!Array.isArray(turns)) throw invalid('turns', 'must be a list', 'Pass a list of turns.')
  if (turns.length === 0) throw invalid('turns', 'is empty', 'Pass at least one turn.')
  if (turns.length > LIMITS.turnsPerCall)
    throw invalid('turns', `has ${turns.length} items; at most ${LIMITS.turnsPerCall} are taken`, 'Make several calls.')
  const checked: NewTurn[] = []
  let [fresh, characters] = [0, 0]
  // A copy, as the caller may change its list meanwhile.
  for (const [index, turn] of [...turns].entries()) {
    checked.push(yield* checkTurn(`turns[${index}]`, turn, now, maxContentBytes))
    fresh += 1
    characters += checked[index]!.content.length
    if (fresh < TURNS_A_PIECE && characters < CHARACTERS_A_PIECE) continue
    yield
    fresh = characters = 0
  }
  return checked
}

function* checkTurn(at: string, turn: unknown, now: number, maxContentBytes: number): Generator<void, NewTurn> {
  const said = check.fields(at, turn, TURN_FIELDS)
  const content = check.content(`${at}.content`, said.content, maxContentBytes)
  return { ...said, content, createdAt: said.createdAt ?? now, symbols: yield* extractSymbols.pieces(content) }
}

const LIST_REMEDY = 'Name a conversation that exists; list them to see their ids.'

const LIST_FIELDS = { userId: givenAs<string>(), ...PAGE_FIELDS, projectRoot: check.optionalId }
/** Which conversations to list; default all. */
export type ListConversationsInput = InputOf<typeof LIST_FIELDS>

/** Conversations in a list whose short ones are summed up for it; of a thousand that would take seconds. */
const MOST_SUMMED_UP = 100

/** Conversations of a user, newest activity first. */
export async function listConversations(
  { store: { log } }: Opened,
  userId: string,
  input: ListConversationsInput,
): Promise<Page<Conversation>> {
  const { projectRoot, limit, offset } = check.fields('', input, LIST_FIELDS)
  const { items, total } = await log.conversations(check.id('userId', userId), {
    ...{ limit, offset },
    ...(projectRoot === null ? {} : { projectRoot }),
  })
  const shown: Conversation[] = []
  for (const one of items)
    shown.push(one.summary === null && items.length > MOST_SUMMED_UP ? one : await withNewest(log, userId, one))
  return { items: shown, total }
}

/** The conversation with a summary of all its turns; one without turns has none. */
async function withNewest(log: ConversationLog, userId: string, one: Conversation): Promise<Conversation> {
  await giveWay(userId)
  const { summaryOfAll } = await import('./upkeep/rolling-summary.ts')
  return { ...one, summary: (await summaryOfAll(log, userId, one)) || one.summary }
}

const CREATE_FIELDS = { userId: check.id, conversationId: check.optionalId, projectRoot: check.optionalId }
/** A conversation that is to begin; everything has a default. */
export type CreateConversationInput = InputOf<typeof CREATE_FIELDS, 'userId'>

/** Begins a conversation without turns. One that is there already stays as it is; a project that is named moves it. */
export async function createConversation(
  { store: { log }, options: { clock } }: Opened,
  input: CreateConversationInput,
): Promise<Conversation> {
  const now = clock().getTime()
  const { userId, projectRoot, ...named } = check.fields('', input, CREATE_FIELDS)
  const conversationId = named.conversationId ?? conversationName(now)
  await log.append(userId, [{ conversationId, projectRoot: projectRoot ?? '', turns: [], createdAt: now }], now)
  return getConversation(log, userId, conversationId)
}

/** One conversation; not_found when the user has none of this id. */
async function getConversation(log: ConversationLog, userId: string, conversationId: string): Promise<Conversation> {
  const id = check.id('conversationId', conversationId)
  const conversation = await log.conversation(check.id('userId', userId), id)
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
  const number = check.ordinal('turnId', turnId)
  const [turn] = await log.turns(userId, conversationId, { from: number, to: number })
  if (turn === undefined)
    throw notFound('turn', `${number}`, 'List the turns of the conversation to see their numbers.')
  return turn
}

/** Hides a conversation from models, or shows it again; not_found when the user has none of this id. */
export async function muteConversation(
  { store: { log } }: Opened,
  userId: string,
  conversationId: string,
  isMuted: boolean,
): Promise<Conversation> {
  const id = check.id('conversationId', conversationId)
  const conversation = await log.mute(check.id('userId', userId), id, isMuted)
  if (conversation === null) throw notFound('conversation', id, LIST_REMEDY)
  return conversation
}

const TURNS_FIELDS = {
  userId: givenAs<string>(),
  ...PAGE_FIELDS,
  /** The first number, included. */
  fromTurn: orElse(1, check.ordinal),
  /** The last number, included. */
  toTurn: orElse(Number.MAX_SAFE_INTEGER, check.ordinal),
}
/** Which turns of a conversation to list; default all. */
export type ListTurnsInput = InputOf<typeof TURNS_FIELDS>

/** Turns of a conversation in order, by page. */
export async function listTurns(
  { store: { log } }: Opened,
  userId: string,
  conversationId: string,
  input: ListTurnsInput,
): Promise<Page<Turn>> {
  const { fromTurn: from, toTurn: to, limit, offset } = check.fields('', input, TURNS_FIELDS)
  if (from > to) throw invalid('fromTurn', `${from} lies after the last turn, ${to}`, 'Swap the two.')
  await getConversation(log, userId, conversationId)
  return log.turnPage(userId, conversationId, { from, to, limit, offset })
}

/** As `getConversation`, with the summaries that an import left to be written and the newest turns. */
export async function summarizedConversation(
  { store: { log }, options: { clock } }: Opened,
  userId: string,
  conversationId: string,
): Promise<Conversation> {
  const found = await getConversation(log, userId, conversationId)
  const isRolled = await rollOverdue(log, userId, [conversationId], clock().getTime())
  return withNewest(log, userId, isRolled ? await getConversation(log, userId, conversationId) : found)
}

/** Summaries of a conversation, oldest span first. */
export async function listSummaries(
  opened: Opened,
  userId: string,
  conversationId: string,
): Promise<readonly Summary[]> {
  await getConversation(opened.store.log, userId, conversationId)
  await rollOverdue(opened.store.log, userId, [conversationId], opened.options.clock().getTime())
  return opened.store.log.summaries(userId, conversationId)
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

const SPAN_FIELDS = { userId: check.id, conversationId: check.id, fromTurn: check.ordinal, toTurn: check.ordinal }
/** A span of turns, both ends included. */
export type SummarizeInput = InputOf<typeof SPAN_FIELDS, keyof typeof SPAN_FIELDS>

/** Summarises the turns of a span. */
export async function summarizeTurns({ store, options }: Opened, input: SummarizeInput): Promise<SpanSummary> {
  const { userId, conversationId, fromTurn, toTurn } = check.fields('', input, SPAN_FIELDS)
  const { summarizeSpan } = await import('./upkeep/rolling-summary.ts')
  return summarizeSpan(store.log, userId, conversationId, fromTurn, toTurn, options.clock().getTime())
}

const CLEANUP_FIELDS = {
  userId: check.id,
  conversationId: orElse(null, check.id),
  /** Only this turn of the conversation. The numbers of the others stay. */
  turnId: orElse(null, check.ordinal),
  /** Removes turns said before this moment. */
  olderThan: orElse(null, check.time),
  all: orElse(false, check.boolean),
  /** true: memories and profile lines that were made of the turns stay. Default false; not with `all`. */
  keepMemories: orElse(false, check.boolean),
}
/** The scope to remove: exactly one of `conversationId`, `olderThan` and `all`. */
export type CleanupInput = InputOf<typeof CLEANUP_FIELDS, 'userId'>
/** One turn that is to be removed. */
export type TurnCleanupInput = Pick<CleanupInput, 'userId' | 'keepMemories'> &
  Omit<UndoInput, 'turnId'> & { turnId: number }

/** Loads what takes back memories, titles and summaries, with other work in between. */
export const readyToTakeBack = lazy(async () => {
  for (const load of [
    () => import('../thinking/topic/topic.ts'),
    () => import('../thinking/session-summary/title-and-snippet.ts'),
    () => import('../thinking/summarizer/summarize-by-rules.ts'),
    () => import('./upkeep/rolling-summary.ts'),
    () => import('./undo.ts'),
    () => import('./think/take-back-turns.ts'),
  ]) {
    await load()
    await breathe()
  }
})

/** Removes turns for good with what was made of them; `keepMemories` leaves memories and profile as they are. */
export async function removeConversations(
  dependencies: UndoDependencies,
  input: CleanupInput,
  work?: Work,
): Promise<CleanupCounts> {
  const { store, options } = dependencies
  const { clock, logger } = options
  const { userId, keepMemories: keeps, ...named } = check.fields('', input, CLEANUP_FIELDS)
  const scope = scopeOf(named)
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
  const removed = scope.kind === 'turn' ? await getTurn(store.log, userId, scope.conversationId, scope.turnId) : null
  await readyToTakeBack()
  const { sourceTurns, takeBack } = await import('./undo.ts')
  const { renewAnalysis } = await import('./think/take-back-turns.ts')
  const { renewSessionSummaries } = await import('./think/summarize-session.ts')
  const sources = await sourceTurns(store, userId, scope)
  const takenBack = keeps ? 0 : (await takeBack(dependencies, userId, sources)).removed
  for (const id of sources.turns.keys()) await renewAnalysis(dependencies, userId, id, sources)
  const counts = await cleanUp(store, userId, scope, clock().getTime(), work)
  // Thinking about the turn may have ended meanwhile, with new memories.
  if (scope.kind === 'turn' && !keeps) await takeBack(dependencies, userId, sources)
  const gone = removed?.content ?? ''
  await renewSessionSummaries(store, userId, [...sources.turns.keys()], clock().getTime(), { gone })
  return { ...counts, memoriesDeleted: counts.memoriesDeleted + takenBack }
}

function scopeOf({
  conversationId,
  turnId,
  olderThan,
  all,
}: Omit<FieldsOf<typeof CLEANUP_FIELDS>, 'userId' | 'keepMemories'>): RemovalScope {
  const named = [conversationId !== null, olderThan !== null, all].filter(Boolean).length
  if (named !== 1)
    throw invalid(
      'conversationId, olderThan, all',
      named === 0 ? 'says not what to remove' : 'name more than one thing to remove',
      'Pass exactly one of the three.',
    )
  if (conversationId !== null)
    return turnId === null ? { kind: 'conversation', conversationId } : { kind: 'turn', conversationId, turnId }
  if (turnId !== null)
    throw invalid('turnId', 'names a turn of no conversation', 'Pass the id of its conversation with it.')
  return olderThan === null ? { kind: 'all' } : { kind: 'older', before: olderThan }
}

const COLLECT_FIELDS = {
  userId: check.id,
  conversationId: check.id,
  turnId: check.ordinal,
  /** false takes the mark off. */
  isCollected: check.boolean,
}
/** The mark on one turn. */
export type CollectInput = InputOf<typeof COLLECT_FIELDS, keyof typeof COLLECT_FIELDS>

/** Sets the mark or takes it off, and returns the turn. Rejects with not_found when the user has no such turn. */
export async function collectTurn({ store: { log } }: Opened, input: CollectInput): Promise<Turn> {
  const { userId, isCollected, ...turn } = check.fields('', input, COLLECT_FIELDS)
  const { conversationId, turnId } = turn
  return (await log.collect(userId, turn, isCollected)) ?? getTurn(log, userId, conversationId, turnId)
}
