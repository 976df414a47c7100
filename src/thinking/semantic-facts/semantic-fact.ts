/** SemanticWriter (002 R6): the lasting facts of an episode. */
import type { Category } from '../../domain/memory.ts'

/** The ground of a semantic fact: rules R6.2, R6.3, R6.4, or an order to remember it. */
export type SemanticGround = 'identity' | 'habit' | 'often_used' | 'ordered'

/** The reasons of a memory without semantic facts (R6.5), or `nothing_lasting`. */
export const SEMANTIC_REFUSALS = [
  'temporary_state',
  'short_term_plan',
  'style_preference',
  'speculation',
  'about_other',
  'nothing_lasting',
] as const
export type SemanticRefusal = (typeof SEMANTIC_REFUSALS)[number]

/** One stable fact, not stored yet. */
export interface SemanticFact {
  /** The text in the user's own words and language. */
  readonly text: string
  readonly category: Category
  /** English snake_case name of the fact when the text is a plain key and value, else null. */
  readonly key: string | null
  readonly value: string | null
  /** 0 to 1. */
  readonly confidence: number
  readonly ground: SemanticGround
  /** 002 R6.6: the conversation in which it was first seen (null when unknown), and when, as ISO 8601. */
  readonly metadata: { readonly fact: string; readonly source_chatid: string | null; readonly first_seen: string }
  /** Ids of the episodes that it was taken from, the earliest first. */
  readonly sourceIds: readonly string[]
}

/** The outcome for an episode: facts, or the reason why there are none. */
export interface SemanticAnswer {
  readonly facts: readonly SemanticFact[]
  /** null when there are facts. */
  readonly refusal: SemanticRefusal | null
}
