/** Exports a user: its records, paged so that memory use does not depend on the size, and their text in pieces. */
import { breathe, everyItem, ifThere } from '../../domain/scheduling.ts'
import type { Conversation } from '../../domain/turn.ts'
import { readLongTexts, streamMasker } from '../../language/secrets/mask-secrets.ts'
import { listTurns, summarizedConversation } from '../../usecases/conversations.ts'
import type { Core } from '../../usecases/core.ts'
import { listMemories, memoryWithEdits } from '../../usecases/memories.ts'
import { CODECS, LISTS, type WrittenRecord } from './export-codec.ts'

const WRITE_CHARACTERS = 64 * 1024

/** The pieces of the file, in order; `masked` is called at the end for the number of masked secrets. */
export async function* writeExport(
  records: AsyncIterable<WrittenRecord>,
  masked: () => number = () => 0,
): AsyncGenerator<string> {
  let piece = ''
  for await (const text of documentOf(records, masked)) {
    piece += text
    if (piece.length < WRITE_CHARACTERS) continue
    yield piece
    piece = ''
    // A quick reader never waits for anything else.
    await breathe()
  }
  yield piece
}

async function* documentOf(records: AsyncIterable<WrittenRecord>, masked: () => number): AsyncGenerator<string> {
  const all = records[Symbol.asyncIterator]()
  let next: WrittenRecord | undefined
  const take = async (): Promise<string> => {
    const text =
      next === undefined ? '' : JSON.stringify((CODECS[next.kind].write as (value: unknown) => object)(next.value))
    next = (await all.next()).value
    return text
  }
  async function* items(kind: WrittenRecord['kind']): AsyncGenerator<string> {
    for (let between = '\n'; next?.kind === kind; between = ',\n') {
      const text = between + (await take())
      if (kind !== 'conversation') {
        yield text
        continue
      }
      yield `${text.slice(0, -1)},"turns":[`
      yield* items('turn')
      yield '],"summaries":['
      yield* items('summary')
      yield ']}'
    }
  }
  await take()
  yield (await take()).slice(0, -1)
  for (const [name, kind] of Object.entries(LISTS)) {
    yield `,\n"${name}":[`
    yield* items(kind)
    yield ']'
  }
  if (next?.kind === 'profile') yield `,\n"profile":${await take()}`
  if (next !== undefined) throw new TypeError(`an export has no ${next.kind} there`)
  const count = masked()
  yield count === 0 ? '}\n' : `,\n"secrets_masked":${count}}\n`
}

const ITEMS_A_PAGE = 500
/** Turns on a page of unknown size: one turn may have a megabyte. */
const FEWEST_TURNS = 16
/** UTF-16 units of turns on a page, about: what is held at once. */
const CHARACTERS_A_PAGE = 256 * 1024

export interface ExportScope {
  readonly userId: string
  /** Only this conversation and its session summary, without memories. */
  readonly conversationId?: string | undefined
}

/** The records in the order of the file. Rejects with not_found for an unknown conversation. */
export async function* exportRecords(core: Core, scope: ExportScope): AsyncGenerator<WrittenRecord> {
  const stillOpen = core.open(async () => {})
  await stillOpen()
  for await (const record of recordsOf(core, scope)) {
    yield record
    await stillOpen()
  }
}

async function* recordsOf(core: Core, scope: ExportScope): AsyncGenerator<WrittenRecord> {
  const { userId, conversationId } = scope
  yield { kind: 'header', value: { exportedAt: core.now(), userId } }
  if (conversationId !== undefined) {
    yield* conversationRecords(core, userId, await summarizedConversation(core, userId, conversationId))
    const value = await core.store.sessionSummaries.get(userId, conversationId)
    if (value !== null) yield { kind: 'session_summary', value }
    return
  }
  // Ids come first: a conversation changed meanwhile moves to the front of the list and would shift the pages.
  const conversations = await everyId(
    (page) => core.store.log.conversations(userId, page),
    (one) => one.conversationId,
  )
  for (const id of conversations) {
    const conversation = await ifThere(summarizedConversation(core, userId, id))
    if (conversation !== null) yield* conversationRecords(core, userId, conversation)
  }
  const memories = await everyId(
    (page) => listMemories(core, { userId, includePast: true, includeBuried: true, ...page }),
    ({ id }) => id,
  )
  // Oldest first: an import stores them in this order, and a list shows what was stored last first.
  for (const id of [...memories].toReversed()) {
    const value = await ifThere(memoryWithEdits(core.store.memories, userId, id))
    if (value !== null) yield { kind: 'memory', value }
  }
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
}

/** The ids of a list, read until nothing new appears, since changes during the reading move items between pages. */
async function everyId<T>(
  list: Parameters<typeof everyItem<T>>[0],
  idOf: (item: T) => string,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  for (let known = -1; known < ids.size; ) {
    known = ids.size
    for await (const item of everyItem(list, ITEMS_A_PAGE)) ids.add(idOf(item))
    if (ids.size < ITEMS_A_PAGE) break
  }
  return ids
}

async function* conversationRecords(
  core: Core,
  userId: string,
  conversation: Conversation,
): AsyncGenerator<WrittenRecord> {
  const { conversationId } = conversation
  yield { kind: 'conversation', value: conversation }
  let limit = FEWEST_TURNS
  for (let fromTurn = 1; ; ) {
    const { items } = await listTurns(core, userId, conversationId, { fromTurn, limit })
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

export interface ExportCounts {
  readonly conversations: number
  readonly turns: number
  readonly memories: number
  /** Session summaries, a profile. Rolling summaries belong to their conversations. */
  readonly others: number
}

const COUNTED: Readonly<Partial<Record<WrittenRecord['kind'], keyof ExportCounts>>> = {
  conversation: 'conversations',
  turn: 'turns',
  memory: 'memories',
  session_summary: 'others',
  profile: 'others',
}

export async function* countRecords(
  records: AsyncIterable<WrittenRecord>,
  onCounted: (counts: ExportCounts) => void,
): AsyncGenerator<WrittenRecord> {
  const counts = { conversations: 0, turns: 0, memories: 0, others: 0 }
  for await (const record of records) {
    const kind = COUNTED[record.kind]
    if (kind !== undefined) counts[kind] += 1
    yield record
  }
  onCounted(counts)
}

export async function* maskRecords(
  records: AsyncIterable<WrittenRecord>,
  onMasked: () => void,
): AsyncGenerator<WrittenRecord> {
  const mask = streamMasker(onMasked)
  for await (const record of records) {
    await readLongTexts(record)
    yield mask(record)
  }
}
