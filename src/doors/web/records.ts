/** Types of REST's answers, derived from the schemas of the operations. */
import type { z } from 'zod'
import type * as keys from '../operations/keys.ts'
import type * as schema from '../operations/schemas.ts'
import type * as upkeep from '../operations/upkeep.ts'

export type Memory = z.output<typeof schema.memory>
export type FoundMemory = z.output<typeof schema.foundMemory>
export type MemoryEvent = z.output<typeof schema.memoryEvent>
export type Explanation = z.output<typeof schema.explanation>
export type Conversation = z.output<typeof schema.conversation>
export type SessionSummary = z.output<typeof schema.sessionSummary>
export type Turn = z.output<typeof schema.turn>
export type Job = z.output<typeof upkeep.job>
export type Sizes = z.output<typeof upkeep.sizes>
export type Counts = z.output<typeof upkeep.memoryOverview>
export type Key = z.output<typeof keys.key>

/** A part of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly total: number
  readonly has_more: boolean
}

export interface Recalled {
  readonly kind: 'memory' | 'turn'
  readonly id?: string | null
  readonly conversation_id: string | null
  readonly turn_id: number | null
  readonly project_root: string | null
  readonly text: string
  readonly score: number
  readonly tokens: number
  readonly created_at: string
  readonly tells?: readonly string[]
  readonly explanation?: Explanation
}

export interface ContextMessage {
  readonly role: string
  readonly content: string
}

export interface BuiltContext {
  readonly layers: readonly {
    readonly level: number
    readonly name: string
    readonly text: string
    readonly tokens: number
  }[]
  readonly tokens: number
  readonly recalled: readonly Recalled[]
  readonly omitted: readonly { readonly what: string; readonly reason: string }[]
  readonly warnings: readonly string[]
}

export type Settings = Readonly<Record<string, { readonly value: number | boolean; readonly source: string }>>
