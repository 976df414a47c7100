/**
 * The records of an export, in import order. The header comes first, then conversations with turns and summaries,
 * memories, working memories, session summaries, profile and settings (`FORMAT.md`).
 */

import type { MemoryEdit } from '../../domain/contracts/memory-store.ts'
import type { Profile } from '../../domain/contracts/profile-store.ts'
import type { SessionSummary } from '../../domain/contracts/session-summary-store.ts'
import type { Memory, WorkingMemory } from '../../domain/memory.ts'
import type { Conversation, Summary, Turn } from '../../domain/turn.ts'

/** Version of the format that this program writes, and the newest that it reads. */
export const EXPORT_VERSION = 1

export type ExportFormat = 'json' | 'jsonl'

export const EXPORT_FORMATS: readonly ExportFormat[] = ['json', 'jsonl']

/** The user and time of an export; always the first record. */
export interface ExportHeader {
  /** Milliseconds since the epoch. */
  readonly exportedAt: number
  readonly userId: string
}

/** A turn as exported: symbols are found again in its content at import. */
export type ExportedTurn = Omit<Turn, 'symbols'>

/** A record that a writer takes. Turns and summaries follow their conversation. */
export type ExportRecord =
  | { readonly kind: 'header'; readonly header: ExportHeader }
  | { readonly kind: 'conversation'; readonly conversation: Conversation }
  | { readonly kind: 'turn'; readonly turn: ExportedTurn }
  | { readonly kind: 'summary'; readonly summary: Summary }
  | { readonly kind: 'memory'; readonly memory: Memory; readonly edits: readonly MemoryEdit[] }
  | { readonly kind: 'working_memory'; readonly workingMemory: WorkingMemory }
  | { readonly kind: 'session_summary'; readonly sessionSummary: SessionSummary }
  | { readonly kind: 'profile'; readonly profile: Profile }
  /** Those that were set, by name. */
  | { readonly kind: 'settings'; readonly settings: Readonly<Record<string, unknown>> }
  /** Everything of this conversation has been seen; a reader gives it, a writer writes it by itself. */
  | {
      readonly kind: 'conversation_end'
      readonly conversationId: string
      readonly turns: number
      readonly summaries: number
    }
  /** The file is whole; a reader gives it last, a writer writes it by itself. */
  | { readonly kind: 'end' }

/** A record with the place in the file where it stands ("line 12", "byte 3456"), for error messages. */
export interface ReadRecord {
  readonly at: string
  readonly record: ExportRecord
}
