/** The contracts of small stores: profile, titles (001), keys and kept replies of a server, account of model calls. */
import type { Memory } from '../memory.ts'
import type { Conversation } from '../turn.ts'
import type { Page, PageRange } from './conversation-log.ts'

/** One statement of the document. */
export interface ProfileLine {
  /** null when it stands before any heading, or below a heading of the user's own. */
  readonly section: ProfileSection | null
  /** Without the mark of a list. */
  readonly text: string
  /** `user` also for a line of the machine's that the user changed. */
  readonly source: 'user' | 'machine'
  /** Milliseconds since the epoch: when the machine wrote it, or when the user last edited the document. */
  readonly updatedAt: number
  /** The sources of a machine line, each sufficient alone; absent where none is known. */
  readonly tellings?: readonly Telling[]
}

/** A user's profile. */
export interface Profile {
  /** The whole document, '' when there is none; headings and lists in Markdown where the machine wrote it. */
  readonly text: string
  /** The statements in order, without headings and blank lines. */
  readonly lines: readonly ProfileLine[]
  /** null when there is none. */
  readonly updatedAt: number | null
}

/** The source of a line: the memories that together say it, or else the turns that together told it. */
export type Telling =
  | { readonly memoryIds: readonly string[] }
  | {
      readonly conversationId: string
      /** Numbers of the turns; empty for statements added to the conversation without a turn. */
      readonly turnIds: readonly number[]
    }

/** A line that the machine would add. */
export interface NewProfileLine {
  readonly section: ProfileSection
  readonly text: string
  /** The source of the line, with which it goes; absent where nothing is known. */
  readonly telling?: Telling
}

/** Turns that are taken back, with the lines told by them. */
export interface TakenBackTurns {
  /** Turn numbers by conversation. */
  readonly turns: ReadonlyMap<string, ReadonlySet<number>>
  /** Conversations that are taken back as a whole. */
  readonly whole: ReadonlySet<string>
}

export interface ProfileStore {
  /** `muted`: false leaves out the machine's lines that only muted conversations tell. Default true. */
  get(userId: string, of?: { readonly muted?: boolean }): Promise<Profile>
  /** Stores the user's edit unchanged; machine lines that are missing in it count as taken out. */
  setText(userId: string, text: string, at: number): Promise<Profile>
  /** Adds lines not present, taken out or told already, and returns them; beyond PROFILE_LINES the oldest leave. */
  addLines(userId: string, lines: readonly NewProfileLine[], at: number): Promise<readonly NewProfileLine[]>
  /** Removes all untouched machine lines; the user's stay. Their words are wiped at the next idle or close. */
  clear(userId: string, at: number): Promise<void>
  /** Removes untouched machine lines that only these turns told, and returns their number. */
  takeBack(userId: string, taken: TakenBackTurns, at: number): Promise<number>
}

/** The most lines that the machine keeps in one section. */
export const PROFILE_LINES = 40

/** The sections that the machine writes to. */
export const PROFILE_SECTIONS = ['reply_style', 'language', 'background'] as const
export type ProfileSection = (typeof PROFILE_SECTIONS)[number]

/** Title and snippet of one conversation (001). Times are milliseconds since the epoch. */
export interface SessionSummary {
  readonly conversationId: string
  readonly title: string
  readonly snippet: string
  readonly createdAt: number
  readonly updatedAt: number
  /** true: the user changed title or snippet; the machine leaves that alone. */
  readonly edited: boolean
}

/** A session summary beside its conversation. */
export type ActiveSession = SessionSummary & Pick<Conversation, 'projectRoot' | 'lastActive'>

export interface SessionSummaryStore {
  /**
   * Stores the machine's summary, but what the user wrote or removed; false where nothing is left to write. Where nobody
   * knows which half the user wrote, only one that stands in the text that is `gone` is the machine's.
   */
  put(
    userId: string,
    summary: {
      readonly conversationId: string
      readonly title: string
      readonly snippet: string
      readonly gone?: string
    },
    at: number,
  ): Promise<boolean>
  /** null when there is none. */
  get(userId: string, conversationId: string): Promise<SessionSummary | null>
  /** Newest createdAt first. */
  list(userId: string, page: PageRange): Promise<Page<SessionSummary>>
  /** Those of the `most` conversations (of a project) that were active last, muted ones aside; last active first. */
  latest(
    userId: string,
    of: { readonly most: number; readonly projectRoot?: string },
  ): Promise<readonly ActiveSession[]>
  /**
   * The user's edit; it makes one where there is none. null when the user has no such conversation. `isOfUnknown`: the
   * user wrote one half of it or both.
   */
  update(
    userId: string,
    conversationId: string,
    patch: { readonly title?: string; readonly snippet?: string; readonly isOfUnknown?: boolean },
    at: number,
  ): Promise<SessionSummary | null>
  /** Permanent, and the machine writes no other for this conversation; false when there was none. */
  remove(userId: string, conversationId: string): Promise<boolean>
}

/** The scope of a key; each scope includes those before it. */
export type KeyScope = 'read' | 'write' | 'admin'

/** A key, without the key. */
export interface ApiKey {
  readonly id: string
  /** The name that its owner gave it. */
  readonly name: string
  readonly scope: KeyScope
  /** The only user that the key gives access to; null for every user. */
  readonly userId: string | null
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

export interface KeyStore {
  /** `hash`: SHA-256 of the key, in hexadecimal. */
  add(key: ApiKey, hash: string): Promise<void>
  /** true when any key exists. It is asked with every request, so it must be quick. */
  exist(): Promise<boolean>
  /** Oldest first. */
  list(): Promise<readonly ApiKey[]>
  /** null when no key has this hash. */
  find(hash: string): Promise<ApiKey | null>
  /** false when there was none. */
  remove(id: string): Promise<boolean>
}

export interface RequestName {
  readonly userId: string
  /** SHA-256 of the caller's key. */
  readonly key: string
  /** SHA-256 of the request: another request under the same key is a mistake. */
  readonly fingerprint: string
}

/**
 * `running`: in work elsewhere; `unanswered`: wrote and broke off; `other`: the key belongs to another request;
 * `erased`: the answer lost its words.
 */
export type KnownReply =
  | { readonly state: 'new' | 'running' | 'unanswered' | 'other' | 'erased' }
  | { readonly state: 'answered'; readonly status: number; readonly body: string }

export interface ReplyStore {
  /** Forgets requests before `forgetBefore`; one not renewed since `staleBefore` is `new`, or `unanswered`. */
  begin(
    request: RequestName,
    times: { readonly at: number; readonly staleBefore: number; readonly forgetBefore: number },
  ): Promise<KnownReply>
  /** Does the work of a begun request; its transactions note that something was written. */
  doing<T>(request: RequestName, work: () => Promise<T>): Promise<T>
  /** Notes that the request is still in work. */
  renew(request: RequestName, at: number): Promise<void>
  /** Notes the answer; one that `quotes` loses its words if something of the user was removed meanwhile. */
  finish(
    request: RequestName,
    reply: { readonly status: number; readonly body: string; readonly quotes: boolean },
  ): Promise<void>
  /** Forgets that it was begun: it failed, and may be tried again. */
  abandon(request: RequestName): Promise<void>
}

/** Usage of one call of `ask` or `stream`, answered or failed. */
export interface UsageRecord {
  /** The end of the call, in milliseconds since the epoch. */
  readonly at: number
  readonly userId: string
  /** The thinking step that asked ("exchange", "merge", …). */
  readonly step: string
  readonly model: string
  /** Requests sent to the vendor, retries included; 1 or more. */
  readonly calls: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** US dollars; null when the vendor did not say. */
  readonly cost: number | null
}

/** One line of the account: the sum of the records of one user, step and model. */
export interface UsageRow extends Omit<UsageRecord, 'at'> {
  /** '' for users who were removed, counted together. */
  readonly userId: string
  /** The time of the newest record. */
  readonly lastAt: number
}

export interface UsageLedger {
  record(usage: UsageRecord): Promise<void>
  /** Usage of all users in whole UTC days, from the day of `since` on; `tokens`: prompt and completion together. */
  spent(since: number): Promise<{ readonly calls: number; readonly tokens: number }>
  /** A row for each user (or this one), step and model, sorted by these. `cost` is null when no record of the row states one. */
  summary(userId?: string | null): Promise<readonly UsageRow[]>
}

/** The states of an entry: `left` made room or was passed over, `struck` lost its memory, the others a person did. */
export const ENTRY_STATES = ['listed', 'left', 'removed', 'replaced', 'struck'] as const
export type EntryState = (typeof ENTRY_STATES)[number]

export interface LedgerEntry {
  readonly memoryId: string
  /** The id in the comment behind the entry. */
  readonly entryId: string
  /** true when a person wrote the words. */
  readonly byPerson: boolean
  /** State of the entry; null while it is being written and was never seen in the file. */
  readonly state: EntryState | null
  /** The state that an unfinished write gives it; null when none has begun. */
  readonly nextState: EntryState | null
  readonly nextHash: string | null
  /** Hashes of its texts in the file, newest first. */
  readonly hashes: readonly string[]
  /** Hash of the memory's text when the entry was written. */
  readonly memoryHash: string
  /** Milliseconds since the epoch. */
  readonly changedAt: number
}

/** A row with its memory, past ones too; null: it was deleted. */
export type ListedEntry = LedgerEntry & { readonly memory: Memory | null }

/** A file as it was when the ledger agreed with it: whoever writes it leaves another time. */
export interface SeenFile {
  /** Nanoseconds since the epoch. */
  readonly time: string
  /** CRC-32 of its bytes. */
  readonly check: number
}

/** The place and state of a user's file; times are milliseconds since the epoch. */
export interface FileRecord {
  readonly path: string
  readonly digestedAt: number | null
  /** null: it was not seen yet. */
  readonly seenAs: SeenFile | null
}

export interface MemoryFileLedger {
  /** null: the user has none yet. */
  file(userId: string): Promise<FileRecord | null>
  /** The user whose file lies there; null for none. */
  ownerOf(path: string): Promise<string | null>
  users(): Promise<readonly string[]>
  /** Every row that stands in the file, stood there, or is being written, in no order. */
  entries(userId: string): Promise<readonly ListedEntry[]>
  /**
   * Ids of memories that hold at `now`, changed at `since` or later (milliseconds) and have no line, oldest first. `passedOver`: hash
   * of the text when a digest passed it over, while unchanged since; else null.
   */
  newcomers(
    userId: string,
    since: number,
    now: number,
  ): Promise<readonly { readonly id: string; readonly passedOver: string | null }[]>
  /** Rows of entries, in the file or its copies, whose memories were deleted. */
  gone(userId: string): Promise<readonly Pick<LedgerEntry, 'memoryId' | 'entryId' | 'hashes'>[]>
  /** Writes rows, and drops those of these memories; without a path, the file must be known. */
  write(
    userId: string,
    changes: { put?: readonly LedgerEntry[]; drop?: readonly string[]; file?: Partial<FileRecord> },
  ): Promise<void>
}
