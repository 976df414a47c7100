/**
 * Items of another program's chat log, in file order: turns, refused lines and skipped lines. Refused lines look like
 * turns but are invalid; skipped lines, such as thinking, are no turns.
 */
import type { Metadata, Role } from '../../domain/turn.ts'

/**
 * Formats of logs: coding assistants, chats, and other memories (`server-memory` to `claude-mem`). `notes` has one
 * memory a line, `mneme-lines` is our JSON lines, and `marked-text` has role marks in text.
 */
export type LogFormat =
  | 'claude-code'
  | 'codex'
  | 'chatgpt'
  | 'claude-ai'
  | 'gemini'
  | 'cursor'
  | 'server-memory'
  | 'mem0'
  | 'letta'
  | 'claude-mem'
  | 'notes'
  | 'mneme-lines'
  | 'marked-text'

/** One turn of a log, to be stored as it is. */
export interface LogTurn {
  readonly conversationId: string
  /** '' when the log names none. */
  readonly projectRoot: string
  readonly role: Role
  readonly content: string
  readonly speaker: string | null
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** The log's own id, or one made from place and content, so that reading a log twice stores it once. */
  readonly externalId: string
  readonly metadata: Metadata | null
}

/** A memory that another program made, to be stored as it is. */
export interface LogMemory {
  readonly text: string
  /** An id that is equal at every reading, so that a file read twice is stored once. */
  readonly externalId: string
  /** Milliseconds since the epoch; null where the file does not say. */
  readonly createdAt: number | null
}

export type LogItem =
  | { readonly kind: 'turn'; readonly line: number; readonly turn: LogTurn }
  | { readonly kind: 'memory'; readonly line: number; readonly memory: LogMemory }
  | { readonly kind: 'refused'; readonly line: number; readonly reason: string }
  | { readonly kind: 'skipped'; readonly line: number; readonly reason: string }

/** Input of a format's reader besides the bytes. */
export interface LogSource {
  /** The file's path within the imported folder, with `/`: part of derived ids. */
  readonly name: string
  /** When a turn without any time was said, in milliseconds: the file's own time. */
  readonly fallbackTime: number
  /** Largest turn in UTF-8 bytes. */
  readonly maxContentBytes: number
  /** Read it as this, whatever it looks like. */
  readonly format?: 'notes' | undefined
}
