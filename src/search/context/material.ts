/** Everything that a context can be made of, fetched for one message: plain data, nothing chosen yet. */
import type { WorkingMemory } from '../../domain/memory.ts'
import type { EvidencePiece } from '../evidence/evidence.ts'

/** Title and snippet of another conversation, newest first. */
export interface EarlierSession {
  readonly conversationId: string
  readonly title: string
  readonly snippet: string
  /** When its last turn was said. */
  readonly saidAt: number
}

/** A rolling summary of turns of this conversation that the window no longer holds. */
export interface EarlierSpan {
  readonly startTurn: number
  readonly endTurn: number
  readonly text: string
}

/** A turn of this conversation, in order. */
export interface WindowTurn {
  readonly turnId: number
  readonly role: 'user' | 'assistant'
  readonly content: string
}

/** The material of one context. */
export interface ContextMaterial {
  /** The message that is to be answered. */
  readonly message: string
  /** The moment that it is answered at, in milliseconds since the epoch. */
  readonly now: number
  /** The project that is asked in; null: all. */
  readonly projectRoot: string | null
  /** The caller's own instructions; null for ours alone. */
  readonly system: string | null
  /** null when there is none or it is switched off. */
  readonly profile: string | null
  /**
   * Lines of the profile that the machine wrote, newest first; a small budget shows only some. Field `isHow`: says how
   * to answer. `saidAt`: when it was last said, null where that is unknown.
   */
  readonly machineLines: readonly { readonly text: string; readonly isHow: boolean; readonly saidAt: number | null }[]
  readonly workingMemory: WorkingMemory | null
  /** Turns and memories that answer the message, best first. */
  readonly pieces: readonly EvidencePiece[]
  /** The worth of each term of the message. */
  readonly gains: ReadonlyMap<string, number>
  /** 001, memory.rag_top_n: memories at the most. */
  readonly mostMemories: number
  /** Tokens of evidence at the most; Infinity: as many as the budget leaves. */
  readonly evidenceTokens: number
  readonly sessions: readonly EarlierSession[]
  readonly spans: readonly EarlierSpan[]
  /** Earlier turns of this conversation, oldest first, without the message itself. */
  readonly window: readonly WindowTurn[]
  /** Number of turns before those of `window`. */
  readonly turnsBefore: number
  /** 001: context_limit. */
  readonly contextLimit: number
  /** Most tokens of everything together. */
  readonly tokenBudget: number
}
