/** The result of thinking about a message, in one form for model and rules; nothing is stored yet. */
import type { Category, MemorySource } from './memory.ts'
import type { Role, SAID_BEFORE } from './turn.ts'

/** Why a message is kept or refused: its main ground. */
const DECISION_REASONS = [
  'chitchat',
  'knowledge_question',
  'fragment',
  'code_paste',
  'explicit_remember',
  'event',
  'plan',
  'identity',
  'preference',
  'habit',
  'config',
  'problem_solution',
  'decision',
  'style_wish',
  'about_other',
  'hypothetical',
  'state',
  /** The message repeats what was recalled and put into the context. */
  'recalled',
  /** The user forbids to remember it, or orders to forget. */
  'forbidden',
] as const
export type DecisionReason = (typeof DECISION_REASONS)[number]

/** A message to think about. Times are milliseconds since the epoch. */
export interface ThinkMessage {
  readonly role: Role
  readonly content: string
  readonly speaker: string | null
  /** Number of its turn in the conversation; null for a message without a stored turn. */
  readonly turnId: number | null
  readonly createdAt: number
  /** As of a turn. */
  readonly [SAID_BEFORE]?: string | undefined
}

/** Is this message worth keeping (002 R2, 000 should_store, 004 importance)? */
export interface WriteDecision {
  readonly store: boolean
  readonly reason: DecisionReason
  /** The decider's certainty of `store`, 0.5 to 1. */
  readonly certainty: number
  /** The user ordered it to be remembered. */
  readonly explicit: boolean
  /** 0 to 3 (004): 3 an order, 2 configuration, decision or problem with solution, 1 preference, habit, identity. */
  readonly importance: number
  /** The parts of the message that are kept, in the user's own words, in order; empty when `store` is false. */
  readonly parts: readonly KeptPart[]
}

/** A part of a message, one or a few sentences of it. */
export interface KeptPart {
  readonly text: string
  /** A lasting fact of the user's own (002 R6), and so a semantic memory; else an episode. */
  readonly semantic: boolean
  readonly category: Category
  readonly importance: number
  /** true when it is understood by the question before it. */
  readonly asked?: boolean
}

/** One statement of fact as a key and a value. */
export interface Fact {
  readonly category: Category
  /** The subject, in English snake_case whatever the language: `employer`, `home`, `drink`. */
  readonly key: string
  readonly value: string
  /** The person it is about: `user`, or as the text names them ("sister", "护士长"). */
  readonly about: string
  /** It `holds` now, is `planned` for its date, `ended` ("I no longer…"), was `held` but told later, or `corrects` a mistake. */
  readonly standing: 'holds' | 'planned' | 'ended' | 'held' | 'corrects'
  /** A key that has one value at a time, so that a new value takes the place of the old one. */
  readonly single: boolean
  /** The words of the text that say so. */
  readonly text: string
  /** Confidence, 0 to 1; statements of the user have at least 0.9 (000). */
  readonly confidence: number
  readonly source: MemorySource
}

/** The source of a thinking step's answer. */
export type AnsweredBy = 'rules' | 'model'
