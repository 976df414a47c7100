/** The records of an export in import order (`FORMAT.md`): header, conversations with turns and summaries, then the rest. */

import type { Profile, SessionSummary } from '../../domain/contracts/documents.ts'
import type { RestoredMemory } from '../../domain/contracts/memory-store.ts'
import type { Conversation, Summary, Turn } from '../../domain/turn.ts'

/** Version of the format that this program writes, and the newest that it reads. */
export const EXPORT_VERSION = 1

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
}

export type WrittenRecord = {
  readonly [Kind in keyof ExportValues]: { readonly kind: Kind; readonly value: ExportValues[Kind] }
}[keyof ExportValues]

/** As a reader gives it: with the end of each conversation, and at last that of a whole file. */
export type ExportRecord = WrittenRecord | { readonly kind: 'conversation_end' | 'end' }

export interface ReadRecord {
  readonly at: string
  readonly record: ExportRecord
}
