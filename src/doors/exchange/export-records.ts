/** Exports one user record by record, paged so that memory use does not depend on the size. */

import { MnemeError } from '../../domain/errors.ts'
import type { Conversation } from '../../domain/turn.ts'
import { maskSecretsIn } from '../../language/secrets/mask-secrets.ts'
import { listConversations, listTurns, summarizedConversation } from '../../usecases/conversations.ts'
import type { Core } from '../../usecases/core.ts'
import { listMemories, memoryWithEdits } from '../../usecases/memories.ts'
import { settingStates } from '../../usecases/options.ts'
import { listWorkingMemory } from '../../usecases/working-memory.ts'
import type { ExportRecord } from './export-record.ts'

const ITEMS_A_PAGE = 500
/** Turns on a page of unknown size: one turn may have a megabyte. */
const FEWEST_TURNS = 16
/** UTF-16 units of turns on a page, about: what is held at once. */
const CHARACTERS_A_PAGE = 256 * 1024

/** The selection to export. */
export interface ExportScope {
  readonly userId: string
  /** Only this conversation and its session summary, without memories. */
  readonly conversationId?: string | undefined
  /** true: the settings of the database, too. They hold for all of its users. */
  readonly withSettings?: boolean | undefined
}

/** The records in the order of the file. Rejects with not_found for an unknown conversation. */
export async function* exportRecords(core: Core, scope: ExportScope): AsyncGenerator<ExportRecord> {
  const stillOpen = core.open(async () => {})
  await stillOpen()
  for await (const record of recordsOf(core, scope)) {
    yield record
    await stillOpen()
  }
}

async function* recordsOf(core: Core, scope: ExportScope): AsyncGenerator<ExportRecord> {
  const { userId, conversationId, withSettings = false } = scope
  yield { kind: 'header', value: { exportedAt: core.now(), userId } }
  if (conversationId !== undefined) {
    yield* conversationRecords(
      core,
      userId,
      await summarizedConversation(core.store.log, core.options.clock, userId, conversationId),
    )
    const value = await core.store.sessionSummaries.get(userId, conversationId)
    if (value !== null) yield { kind: 'session_summary', value }
    return
  }
  // Ids come first: a conversation changed meanwhile moves to the front of the list and would shift the pages.
  const conversations = await everyId(
    (page) => listConversations(core.store.log, userId, page),
    (one) => one.conversationId,
  )
  for (const id of conversations) {
    const conversation = await present(summarizedConversation(core.store.log, core.options.clock, userId, id))
    if (conversation !== null) yield* conversationRecords(core, userId, conversation)
  }
  const memories = await everyId(
    (page) => listMemories(core.store, { userId, includePast: true, includeBuried: true, ...page }),
    ({ id }) => id,
  )
  for (const id of memories) {
    const value = await present(memoryWithEdits(core.store.memories, userId, id))
    if (value !== null) yield { kind: 'memory', value }
  }
  for (const value of await listWorkingMemory(core.store.workingMemory, core.options.clock, userId))
    yield { kind: 'working_memory', value }
  const summarized = await everyId(
    (page) => core.store.sessionSummaries.list(userId, page),
    (one) => one.conversationId,
  )
  for (const id of summarized) {
    const value = await core.store.sessionSummaries.get(userId, id)
    if (value !== null) yield { kind: 'session_summary', value }
  }
  const profile = await core.store.profiles.get(userId)
  if (profile.text !== '') yield { kind: 'profile', value: profile }
  if (withSettings) yield { kind: 'settings', value: await storedSettings(core) }
}

/** Settings stored in the database, without defaults and the options of the process. */
async function storedSettings(core: Core): Promise<Readonly<Record<string, unknown>>> {
  const states = Object.entries(await settingStates(core.settings))
  return Object.fromEntries(
    states.filter(([, { source }]) => source === 'database').map(([name, { value }]) => [name, value]),
  )
}

type Listed<T> = (page: {
  readonly limit: number
  readonly offset: number
}) => Promise<{ readonly items: readonly T[] }>

/**
 * The ids in a list, last changed first. Read until nothing new appears, since changes and deletions during the reading
 * move items between pages.
 */
async function everyId<T>(list: Listed<T>, idOf: (item: T) => string): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (let known = -1; known < ids.size; ) {
    known = ids.size
    for (let offset = 0; ; offset += ITEMS_A_PAGE) {
      const { items } = await list({ limit: ITEMS_A_PAGE, offset })
      for (const item of items) ids.add(idOf(item))
      if (items.length < ITEMS_A_PAGE) break
    }
    if (ids.size < ITEMS_A_PAGE) break
  }
  return ids
}

/** The value; null when it was deleted since its id was read. */
async function present<T>(reading: Promise<T>): Promise<T | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof MnemeError && error.code === 'not_found') return null
    throw error
  }
}

async function* conversationRecords(
  core: Core,
  userId: string,
  conversation: Conversation,
): AsyncGenerator<ExportRecord> {
  const { conversationId } = conversation
  yield { kind: 'conversation', value: conversation }
  let limit = FEWEST_TURNS
  for (let fromTurn = 1; ; ) {
    const { items } = await listTurns(core.store.log, userId, conversationId, { fromTurn, limit })
    for (const { symbols: _, ...value } of items) yield { kind: 'turn', value }
    const last = items.at(-1)
    if (last === undefined || items.length < limit) break
    fromTurn = last.turnId + 1
    const characters = items.reduce((sum, { content }) => sum + content.length, items.length)
    const fitting = Math.floor((CHARACTERS_A_PAGE * items.length) / characters)
    limit = Math.min(ITEMS_A_PAGE, Math.max(FEWEST_TURNS, fitting))
  }
  for (const value of await core.store.log.summaries(userId, conversationId)) yield { kind: 'summary', value }
}

/** Counts of an export's content. */
export interface ExportCounts {
  readonly conversations: number
  readonly turns: number
  readonly memories: number
  /** Working memories, session summaries, a profile. Rolling summaries belong to their conversations. */
  readonly others: number
}

const COUNTED: Readonly<Partial<Record<ExportRecord['kind'], keyof ExportCounts>>> = {
  conversation: 'conversations',
  turn: 'turns',
  memory: 'memories',
  working_memory: 'others',
  session_summary: 'others',
  profile: 'others',
}

/** Passes records through unchanged, and gives their counts to `onCounted` after the last one. */
export async function* countRecords(
  records: AsyncIterable<ExportRecord>,
  onCounted: (counts: ExportCounts) => void,
): AsyncGenerator<ExportRecord> {
  const counts = { conversations: 0, turns: 0, memories: 0, others: 0 }
  for await (const record of records) {
    const kind = COUNTED[record.kind]
    if (kind !== undefined) counts[kind] += 1
    yield record
  }
  onCounted(counts)
}

/** Masks the secrets in records, but not in ids, and calls `onMasked` for each. */
export async function* maskRecords(
  records: AsyncIterable<ExportRecord>,
  onMasked: () => void,
): AsyncGenerator<ExportRecord> {
  for await (const record of records) yield maskSecretsIn(record, onMasked)
}
