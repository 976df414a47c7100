/** Memories and their histories in mem0's form, in snake_case, with Mneme's own fields added. */
import { createHash } from 'node:crypto'
import type { Memories, MemoryEventView, MemoryView } from '../library/index.ts'
import { lastDay } from './fields.ts'
import { MARKS, type Scope } from './scope.ts'

/** One memory. */
export interface MemoryRecord {
  readonly id: string
  readonly memory: string
  /** MD5 of the text, as mem0 has it. */
  readonly hash: string
  readonly user_id: string
  readonly agent_id: string | null
  readonly app_id: string | null
  readonly run_id: string | null
  readonly metadata: Readonly<Record<string, unknown>>
  /** Category and tags. */
  readonly categories: readonly string[]
  readonly created_at: string
  readonly updated_at: string
  /** The last valid day; null without an expiry. */
  readonly expiration_date: string | null
  readonly superseded_by: string | null
  readonly suspect: { readonly reason: string; readonly since: string } | null
  readonly score?: number
  readonly score_details?: unknown
}

/** The result for one added memory; `event` appears twice, for older and newer callers. */
export interface AddedRecord {
  readonly id: string
  readonly memory: string
  readonly event: string
  readonly data: { readonly memory: string }
  readonly metadata: { readonly event: string }
  readonly superseded?: readonly string[]
  readonly doubted?: readonly string[]
}

/** One line of a memory's history, under the names of mem0's library and platform. */
export interface HistoryRecord {
  readonly id: string
  readonly memory_id: string
  readonly user_id: string
  readonly previous_value: string | null
  readonly new_value: string | null
  readonly action: string
  readonly old_memory: string | null
  readonly new_memory: string | null
  readonly event: string
  readonly created_at: string
  readonly updated_at: string
  readonly is_deleted: boolean
}

/** A memory of this user. */
export function memoryRecord(memory: MemoryView, userId: string): MemoryRecord {
  const { agent_id: agent, app_id: app, run_id: run, ...metadata } = memory.metadata ?? {}
  return {
    id: memory.id,
    memory: memory.text,
    hash: createHash('md5').update(memory.text).digest('hex'),
    user_id: userId,
    agent_id: textOrNull(agent),
    app_id: textOrNull(app),
    run_id: memory.conversationId ?? textOrNull(run),
    metadata,
    categories: [memory.category, ...memory.tags],
    created_at: memory.createdAt,
    updated_at: memory.updatedAt,
    expiration_date: memory.validTo === null ? null : lastDay(memory.validTo),
    superseded_by: memory.supersededBy,
    suspect: memory.suspect,
  }
}

type Added = Awaited<ReturnType<Memories['add']>>['results'][number]

/** The record of an addition; mem0's callers see a replacement as ADD, with the replaced ids beside it. */
export function addedRecord({ event: what, ...added }: Added): AddedRecord {
  const event = what === 'SUPERSEDE' ? 'ADD' : what
  return { ...added, event, data: { memory: added.memory }, metadata: { event } }
}

/** A line of a memory's history; `index` counts from 0 within it. */
export function historyRecord(line: MemoryEventView, userId: string, index: number): HistoryRecord {
  return {
    id: `${line.memoryId}:${index + 1}`,
    memory_id: line.memoryId,
    user_id: userId,
    previous_value: line.previousText,
    new_value: line.newText,
    action: line.event,
    old_memory: line.previousText,
    new_memory: line.newText,
    event: line.event,
    created_at: line.createdAt,
    updated_at: line.createdAt,
    is_deleted: line.event === 'DELETE',
  }
}

/** The marks that a scope leaves on a memory. */
export function marksOf(scope: Scope): Readonly<Record<string, string>> {
  return Object.fromEntries(MARKS.flatMap((name) => (scope[name] === undefined ? [] : [[name, scope[name]]])))
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
