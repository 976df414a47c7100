/** Types of REST's answers, derived from the schemas of the operations. */
import type { z } from 'zod'
import type { SettingName } from '../../domain/settings.ts'
import type * as change from '../operations/change-memories.ts'
import type * as context from '../operations/context-and-profile.ts'
import type * as keys from '../operations/keys.ts'
import type * as file from '../operations/memory-file.ts'
import type * as recall from '../operations/recall.ts'
import type * as schema from '../operations/schemas.ts'
import type * as upkeep from '../operations/upkeep.ts'

export type Memory = z.output<typeof schema.memory>
export type FoundMemory = z.output<typeof schema.foundMemory>
export type MemoryEvent = z.output<typeof schema.memoryEvent>
export type Explanation = z.output<typeof schema.explanation>
export type Conversation = z.output<typeof schema.conversation>
export type SessionSummary = z.output<typeof schema.sessionSummary>
export type Turn = z.output<typeof schema.turn>
export type Job = z.output<typeof upkeep.listJobs.output>['items'][number]
export type Sizes = z.output<typeof upkeep.stats.output>
export type Counts = z.output<typeof upkeep.overview.output>
export type Key = z.output<typeof keys.listKeys.output>['items'][number]
export type Preview = z.output<typeof change.previewUndo.output>

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly total: number
  readonly has_more: boolean
}

export type BuiltContext = z.output<typeof context.buildContext.output>
export type ContextMessage = BuiltContext['messages'][number]
export type Recalled =
  | BuiltContext['recalled'][number]
  | z.output<typeof recall.recallEvidence.output>['results'][number]
export type LogAnswer = Extract<z.output<typeof recall.recall.output>, { readonly total_searched: number }>
/** Why something was found. */
export interface Reasons extends Pick<Explanation, 'matched'> {
  readonly features: readonly Pick<Explanation['features'][number], 'feature' | 'contribution'>[]
}
/** The shown fields of a piece of evidence. */
export interface Piece
  extends Pick<
    BuiltContext['recalled'][number],
    'kind' | 'conversation_id' | 'turn_id' | 'text' | 'tokens' | 'created_at'
  > {
  readonly id?: string | null | undefined
  readonly tells?: readonly string[] | undefined
  readonly explanation?: Reasons | undefined
}
/** The evidence that an answer names in its metadata. */
export interface Named {
  readonly tokens: number
  readonly items: readonly (Omit<Piece, 'text' | 'created_at' | 'explanation'> & {
    readonly why: readonly (readonly [feature: string, contribution: number])[]
  })[]
}
export type Profile = z.output<typeof context.getProfile.output>
export type ProfileLine = z.output<typeof context.listProfileLines.output>['items'][number]
export type MemoryFile = z.output<typeof file.getMemoryFile.output>
export type Backup = z.output<typeof file.listMemoryFileBackups.output>['items'][number]
export type Digested = z.output<typeof file.digest.output>
export type { SettingName }
export type Settings = Readonly<Record<SettingName, { readonly value: number | boolean; readonly source: string }>>
