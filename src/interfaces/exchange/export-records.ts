/** Everything of one user, record by record, read by page so that the size of the memory does not matter. */
import type { Engine } from '../../engine/engine.ts'
import type { ExportRecord } from './export-record.ts'

const ITEMS_A_PAGE = 500
/** Turns on a page whose size is not known yet: one turn may have a megabyte. */
const FEWEST_TURNS = 16
/** UTF-16 units of turns on a page, about: what is held at once. */
const CHARACTERS_A_PAGE = 256 * 1024

/** What to export. */
export interface ExportScope {
  readonly userId: string
  /** Only this conversation, without memories. */
  readonly conversationId?: string | undefined
}

/** The records in the order of the file. Rejects with not_found for an unknown conversation. */
export async function* exportRecords(engine: Engine, scope: ExportScope): AsyncGenerator<ExportRecord> {
  const { userId, conversationId } = scope
  yield { kind: 'header', header: { exportedAt: engine.options.clock().getTime(), userId } }
  if (conversationId !== undefined) {
    yield* conversationRecords(engine, userId, conversationId)
    return
  }
  // Ids first: a conversation that is written to meanwhile moves to the front of the list and would shift the pages.
  for (const id of await conversationIds(engine, userId)) yield* conversationRecords(engine, userId, id)
  for (let offset = 0; ; offset += ITEMS_A_PAGE) {
    const { items } = await engine.memories.list({ userId, limit: ITEMS_A_PAGE, offset, includePast: true })
    for (const memory of items) yield { kind: 'memory', memory }
    if (items.length < ITEMS_A_PAGE) break
  }
  for (const workingMemory of await engine.workingMemory.list(userId)) yield { kind: 'working_memory', workingMemory }
}

async function conversationIds(engine: Engine, userId: string): Promise<readonly string[]> {
  const ids = new Set<string>()
  for (let offset = 0; ; offset += ITEMS_A_PAGE) {
    const { items } = await engine.conversations.list(userId, { limit: ITEMS_A_PAGE, offset })
    for (const { conversationId } of items) ids.add(conversationId)
    if (items.length < ITEMS_A_PAGE) return [...ids]
  }
}

async function* conversationRecords(
  engine: Engine,
  userId: string,
  conversationId: string,
): AsyncGenerator<ExportRecord> {
  const { conversations } = engine
  yield { kind: 'conversation', conversation: await conversations.get(userId, conversationId) }
  let limit = FEWEST_TURNS
  for (let fromTurn = 1; ; ) {
    const { items } = await conversations.turns(userId, conversationId, { fromTurn, limit })
    for (const { symbols: _, ...turn } of items) yield { kind: 'turn', turn }
    const last = items.at(-1)
    if (last === undefined || items.length < limit) break
    fromTurn = last.turnId + 1
    const characters = items.reduce((sum, { content }) => sum + content.length, items.length)
    const fitting = Math.floor((CHARACTERS_A_PAGE * items.length) / characters)
    limit = Math.min(ITEMS_A_PAGE, Math.max(FEWEST_TURNS, fitting))
  }
  for (const summary of await conversations.summaries(userId, conversationId)) yield { kind: 'summary', summary }
}
