/** The input and the answer of recall. */
import type { TimeZone } from './clock.ts'
import type { Role, SAID_BEFORE } from './turn.ts'

/** `conversation` is 003's formula, `long-term` 000's, `associative` 002's, `hybrid` ours. */
export type Ranking = 'conversation' | 'long-term' | 'hybrid' | 'associative'

export const RANKINGS: readonly Ranking[] = ['conversation', 'long-term', 'hybrid', 'associative']

export type ResultKind = 'turn' | 'summary'

export const RESULT_KINDS: readonly ResultKind[] = ['turn', 'summary']

/** A checked recall over one user's conversations. Times are milliseconds since the epoch, bounds included. */
export interface RecallRequest {
  readonly query: string
  readonly userId: string
  readonly conversationId: string | null
  readonly projectRoot: string | null
  readonly limit: number
  readonly ranking: Ranking
  readonly kinds: readonly ResultKind[]
  readonly now: number
  readonly since: number | null
  readonly until: number | null
  readonly explain: boolean
  /** The zone of the days that the question names. Absent: UTC. */
  readonly timeZone?: TimeZone
}

/** One feature's part in a score: contribution = weight × value, before multipliers. */
export interface FeatureScore {
  readonly feature: string
  /** 0 to 1. */
  readonly value: number
  readonly weight: number
  readonly contribution: number
}

/** Why a result has its place. */
export interface Explanation {
  readonly ranking: Ranking
  /** The arms that found the candidate: full-text, symbol, time, recency, neighbour. */
  readonly arms: readonly string[]
  readonly features: readonly FeatureScore[]
  /** Factors applied to the sum, such as 1.3 for the current topic. */
  readonly multipliers: readonly { readonly name: string; readonly factor: number }[]
  readonly score: number
  /** Terms or symbols of the query that were found in it. */
  readonly matched: readonly string[]
}

/** One recalled turn or summary. */
export interface RecallResult {
  readonly conversationId: string
  /** null for a summary. */
  readonly turnId: number | null
  /** Turns that a summary covers; null for a turn. */
  readonly span: { readonly from: number; readonly to: number } | null
  readonly role: Role | null
  readonly speaker: string | null
  /** The turn as it was stored, or the summary's text. */
  readonly text: string
  /** 0 to 1, comparable within one answer. */
  readonly relevance: number
  readonly createdAt: number
  readonly isSummary: boolean
  readonly externalId: string | null
  readonly explanation: Explanation | null
  /** As of its turn. */
  readonly [SAID_BEFORE]?: string | undefined
}

export interface RecallAnswer {
  readonly results: readonly RecallResult[]
  /** Turns that lay in the scope of the question (user, conversation, project, time), matched or not. */
  readonly totalSearched: number
  readonly latencyMs: number
  /** Warnings to the caller about the answer, as sentences; mostly none. */
  readonly warnings: readonly string[]
}
