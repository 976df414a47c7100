/** Memories and their histories in mem0's form, with Mneme's own fields added: snake_case, and as its TypeScript writes it. */
import { createHash } from 'node:crypto'
import type { Memories, MemoryEventView, MemoryView } from '../library/index.ts'

export type MemoryRecord = ReturnType<typeof memoryRecord> & {
  readonly score?: number
  readonly score_details?: unknown
}

/** A memory of this user. `categories` are its category and tags, `expiration_date` is the last valid day or null. */
export function memoryRecord(memory: MemoryView, userId: string) {
  const { agent_id: agent, app_id: app, run_id: run, ...metadata } = memory.metadata ?? {}
  return {
    id: memory.id,
    memory: memory.text,
    /** MD5 of the text, as mem0 has it. */
    hash: createHash('md5').update(memory.text).digest('hex'),
    user_id: userId,
    agent_id: textOrNull(agent),
    app_id: textOrNull(app),
    run_id: memory.conversationId ?? textOrNull(run),
    metadata: metadata as Readonly<Record<string, unknown>>,
    categories: [memory.category, ...memory.tags] as readonly string[],
    created_at: memory.createdAt,
    updated_at: memory.updatedAt,
    expiration_date:
      memory.validTo === null ? null : new Date(Date.parse(memory.validTo) - 1).toISOString().slice(0, 10),
    superseded_by: memory.supersededBy,
    suspect: memory.suspect,
  }
}

/** A memory as mem0's `Memory` shows it: times in camelCase, ids in both spellings. */
export interface MemoryItem extends Omit<MemoryRecord, 'created_at' | 'updated_at'> {
  readonly createdAt: string
  readonly updatedAt: string
  readonly userId: string
  readonly agentId: string | null
  readonly appId: string | null
  readonly runId: string | null
  readonly expirationDate: string | null
}

/** A memory in that form; a partial record gives only its fields. */
export function memoryItem(record: Partial<MemoryRecord>): MemoryItem {
  const { created_at: createdAt, updated_at: updatedAt, ...rest } = record
  const { user_id: userId, agent_id: agentId, app_id: appId, run_id: runId, expiration_date: expirationDate } = rest
  const item = { ...rest, createdAt, updatedAt, userId, agentId, appId, runId, expirationDate }
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)) as unknown as MemoryItem
}

/** The result for one added memory; `event` appears twice, for older and newer callers. */
export type AddedRecord = ReturnType<typeof addedRecord>

/** The record of an addition; mem0's callers see a replacement as ADD, with the replaced ids beside it. */
export function addedRecord({ event: what, ...added }: Awaited<ReturnType<Memories['add']>>['results'][number]) {
  const event: string = what === 'SUPERSEDE' ? 'ADD' : what
  return { ...added, event, data: { memory: added.memory }, metadata: { event } }
}

/** One line of a memory's history, under the names of mem0's library and platform. */
export type HistoryRecord = ReturnType<typeof historyRecord>

/** A line of a memory's history; `index` counts from 0 within it. */
export function historyRecord(line: MemoryEventView, userId: string, index: number) {
  return {
    id: `${line.memoryId}:${index + 1}`,
    memory_id: line.memoryId,
    user_id: userId,
    previous_value: line.previousText,
    new_value: line.newText,
    action: line.event as string,
    old_memory: line.previousText,
    new_memory: line.newText,
    event: line.event as string,
    created_at: line.createdAt,
    updated_at: line.createdAt,
    is_deleted: line.event === 'DELETE',
  }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
