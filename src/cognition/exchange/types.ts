/** What a model's answer about an exchange comes to, checked. A part that is null falls back to the rules. */

import type { NewProfileLine } from '../../contracts/profile-store.ts'
import type { Fact } from '../../domain/thought.ts'
import type { ConversationAnalysis } from '../conversation-analysis/types.ts'
import type { SessionSummary } from '../session-summary/types.ts'

/** One episode to remember, in the user's language. */
export interface ExchangeRecord {
  /** At most RECORD_CHARACTERS. */
  readonly text: string
  /** "user", or the person as the text names them. */
  readonly who: string
  /** The setting; '' when not told. */
  readonly context: string
  /** What happened, shortly; '' when not told. */
  readonly thing: string
  /** ISO 8601 date or time of the event; null when not known. */
  readonly time: string | null
  /** 0 to 3 (004). */
  readonly importance: number
}

/** A fact; `single` null: the model did not say, the key decides. */
export type ModelFact = Omit<Fact, 'single'> & { readonly single: boolean | null }

/** Whether there is anything to write, and what. */
export interface ExchangeEpisodes {
  readonly write: boolean
  /** Empty when `write` is false. */
  readonly records: readonly ExchangeRecord[]
}

/** What goes into working memory; the fields of `ConversationAnalysis`, each null when the model gave none of use. */
export interface ExchangeWorkingMemory {
  readonly topic: string | null
  readonly contextVariables: Readonly<Record<string, string>>
  readonly emotion: ConversationAnalysis['emotion'] | null
}

/** The parts of an answer. */
export interface ExchangeAnswer {
  readonly episodic: ExchangeEpisodes | null
  readonly facts: readonly ModelFact[] | null
  readonly profile: readonly NewProfileLine[] | null
  readonly workingMemory: ExchangeWorkingMemory | null
  /** null where none was asked for, too. */
  readonly title: SessionSummary | null
  /** Ids of the memories in doubt that hold: the exchange shows it. */
  readonly holding: readonly string[]
  /** What was refused or repaired, one short line each, without what people wrote. */
  readonly problems: readonly string[]
}

/** Longest text of a record: three or four sentences. */
export const RECORD_CHARACTERS = 1200
