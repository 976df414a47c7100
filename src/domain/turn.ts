/** Conversations, their turns, whose numbers never shift, and rolling summaries. Times are milliseconds. */

/** The speaker of a turn. */
export type Role = 'user' | 'assistant' | 'system' | 'tool'

export const ROLES: readonly Role[] = ['user', 'assistant', 'system', 'tool']

/** Roles by the names that other programs give them, too. */
export const ROLES_BY_NAME: ReadonlyMap<unknown, Role> = new Map([
  ...ROLES.map((role) => [role, role] as const),
  ['human', 'user'],
  ...['ai', 'bot', 'model'].map((name) => [name, 'assistant'] as const),
  ['developer', 'system'],
  ['function', 'tool'],
])

/** Free JSON that a caller attaches; stored and returned as it is. */
export type Metadata = Readonly<Record<string, unknown>>

/** Names one turn of one user. */
export interface TurnReference {
  readonly conversationId: string
  readonly turnId: number
}

/** A turn from a caller, already checked; `symbols` come from language/symbols.ts. */
export interface NewTurn {
  readonly role: Role
  readonly content: string
  readonly speaker: string | null
  readonly createdAt: number
  readonly externalId: string | null
  readonly metadata: Metadata | null
  /** true when the user collected it; see Turn. */
  readonly isCollected: boolean
  readonly symbols: readonly SymbolMention[]
}

/** The key of the words before a turn; a symbol, so that no door lists it and no file holds it. */
export const SAID_BEFORE: unique symbol = Symbol('said before')

/** A stored turn. `isCollected` is the user's mark (001), set by nothing else; cleaning up by age leaves such a turn. */
export interface Turn extends TurnReference, Omit<NewTurn, 'symbols'> {
  /** Names of the symbols mentioned, as written, without repeats. */
  readonly symbols: readonly string[]
  /** The end of the turn before, where it speaks of a secret that this one may tell. */
  readonly [SAID_BEFORE]?: string
}

/** The five kinds of REQ-LTM-006. */
export type SymbolKind = 'function' | 'class' | 'path' | 'variable' | 'error'

export interface SymbolMention {
  /** As written in the turn. */
  readonly symbol: string
  readonly kind: SymbolKind
  /** The relevance of the symbol to the turn, 0 to 1: highest when repeated, early or defined. */
  readonly relevance: number
}

/** One chat of one user. */
export interface Conversation {
  readonly conversationId: string
  /** The project it belongs to, '' when none was named. */
  readonly projectRoot: string
  readonly createdAt: number
  readonly lastActive: number
  /** The whole conversation so far in one short text. The store has that of the rolling summaries, null before the first. */
  readonly summary: string | null
  /** Turns that exist now; deleted ones do not count. */
  readonly turnCount: number
  /** Number of the newest turn; larger than turnCount when older turns were cleaned up. */
  readonly lastTurnId: number
  /** true: no model is shown its content, and nothing is remembered from it; absent otherwise. */
  readonly isMuted?: true
}

/** A rolling summary of the turns startTurn … endTurn, both included. */
export interface Summary {
  readonly summaryId: number
  readonly conversationId: string
  readonly startTurn: number
  readonly endTurn: number
  readonly summary: string
  readonly keySymbols: readonly string[]
  readonly keyDecisions: readonly string[]
  readonly createdAt: number
}
