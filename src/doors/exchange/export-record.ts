/** The records of an export in import order (`FORMAT.md`): header, conversations with turns and summaries, then the rest. */

import type { Profile, SessionSummary } from '../../domain/contracts/documents.ts'
import type { RestoredMemory } from '../../domain/contracts/memory-store.ts'
import type { Conversation, Summary, Turn } from '../../domain/turn.ts'

/** Version of the format that this program writes, and the newest that it reads. */
export const EXPORT_VERSION = 1

export const EXPORT_FORMATS = ['json', 'jsonl'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export interface ExportHeader {
  readonly exportedAt: number
  readonly userId: string
}

/** A turn as exported: symbols are found again in its content at import. */
export type ExportedTurn = Omit<Turn, 'symbols'>

interface ExportValues {
  readonly header: ExportHeader
  readonly conversation: Conversation
  readonly turn: ExportedTurn
  readonly summary: Summary
  readonly memory: RestoredMemory
  readonly session_summary: SessionSummary
  readonly profile: Profile
  readonly settings: Readonly<Record<string, unknown>>
}

export type ExportRecord =
  | {
      readonly [Kind in keyof ExportValues]: { readonly kind: Kind; readonly value: ExportValues[Kind] }
    }[keyof ExportValues]
  /** Everything of this conversation has been seen; a reader gives it, a writer writes it by itself. */
  | {
      readonly kind: 'conversation_end'
      readonly conversationId: string
      readonly turns: number
      readonly summaries: number
    }
  /** The file is whole; a reader gives it last, a writer writes it by itself. */
  | { readonly kind: 'end' }

export interface ReadRecord {
  readonly at: string
  readonly record: ExportRecord
}
