/** How the engine's records look to a caller of the library: camelCase, times as ISO 8601 in UTC. */
import { isoTime, isoTimeOrNull } from '../../domain/clock.ts'
import type { Memory, MemoryEvent, WorkingMemory } from '../../domain/memory.ts'
import type { RecallAnswer, RecallResult } from '../../domain/recall.ts'
import type { Conversation, Summary, Turn } from '../../domain/turn.ts'

/** A record of the engine with its times as text. */
export type Rendered<T, Times extends keyof T> = Omit<T, Times> & {
  readonly [Name in Times]: null extends T[Name] ? string | null : string
}

/** The record with these times as text. */
export function rendered<T extends object, Times extends keyof T>(
  record: T,
  ...times: readonly Times[]
): Rendered<T, Times> {
  const texts = times.map((name) => [name, isoTimeOrNull(record[name] as number | null)])
  return { ...record, ...Object.fromEntries(texts) }
}

export type ConversationView = Rendered<Conversation, 'createdAt' | 'lastActive'>
export type TurnView = Rendered<Turn, 'createdAt'>
export type SummaryView = Rendered<Summary, 'createdAt'>
export type WorkingMemoryView = Rendered<WorkingMemory, 'createdAt' | 'updatedAt'>
export type MemoryEventView = Rendered<MemoryEvent, 'createdAt'>
export type MemoryView = Omit<
  Rendered<Memory, 'occurredAt' | 'createdAt' | 'updatedAt' | 'lastAccessed' | 'validFrom' | 'validTo' | 'buriedAt'>,
  'suspect' | 'buriedAt'
> & { readonly buriedAt: string | null; readonly suspect: { readonly reason: string; readonly since: string } | null }

/** One recalled turn or summary. A turn has `content`, a summary has `summary`. */
export interface RecallResultView extends Omit<RecallResult, 'text' | 'createdAt' | 'explanation'> {
  readonly content?: string
  readonly summary?: string
  readonly createdAt: string
  readonly explanation?: NonNullable<RecallResult['explanation']>
}

/** The answer to a recall. */
export interface RecallView {
  readonly results: readonly RecallResultView[]
  readonly totalSearched: number
  readonly latencyMs: number
  /** Notes for the caller about the answer, as sentences; absent when there are none. */
  readonly warnings?: readonly string[]
}

export function renderMemory(memory: Memory): MemoryView {
  const { suspect } = memory
  return {
    ...memory,
    occurredAt: isoTime(memory.occurredAt),
    createdAt: isoTime(memory.createdAt),
    updatedAt: isoTime(memory.updatedAt),
    lastAccessed: isoTimeOrNull(memory.lastAccessed),
    validFrom: isoTime(memory.validFrom),
    validTo: isoTimeOrNull(memory.validTo),
    suspect: suspect === null ? null : rendered(suspect, 'since'),
    buriedAt: isoTimeOrNull(memory.buriedAt ?? null),
  }
}

/** Rounds scores for people, who need no 16 digits. */
function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}

export function renderRecall({ results, totalSearched, latencyMs, warnings }: RecallAnswer): RecallView {
  return {
    results: results.map(({ text, createdAt, explanation, ...result }) => ({
      ...result,
      ...(result.isSummary ? { summary: text } : { content: text }),
      relevance: rounded(result.relevance, 4),
      createdAt: isoTime(createdAt),
      ...(explanation === null ? {} : { explanation }),
    })),
    totalSearched,
    latencyMs: rounded(latencyMs, 2),
    ...(warnings.length === 0 ? {} : { warnings }),
  }
}
