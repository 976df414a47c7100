/** The contract of a store of profiles, which the user edits freely; a machine line goes with what tells it. */

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
  /** Texts of machine lines of the section that go when it is added. */
  readonly replaces?: readonly string[]
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
  get(userId: string): Promise<Profile>
  /** Stores the user's edit unchanged; machine lines that are missing in it count as taken out. */
  setText(userId: string, text: string, at: number): Promise<Profile>
  /** Adds lines not present, taken out or told already, and returns them; beyond PROFILE_LINES the oldest leave. */
  addLines(userId: string, lines: readonly NewProfileLine[], at: number): Promise<readonly NewProfileLine[]>
  /** Removes all untouched machine lines; the user's stay. Their words are wiped at the next idle or close. */
  clear(userId: string, at: number): Promise<void>
  /** Removes untouched machine lines that only these turns told, and returns their number. */
  takeBack(userId: string, taken: TakenBackTurns, at: number): Promise<number>
  /** Permanent; false when there was none. */
  remove(userId: string): Promise<boolean>
}

/** The most lines that the machine keeps in one section. */
export const PROFILE_LINES = 12

/** The sections that the machine writes to. */
export const PROFILE_SECTIONS = ['reply_style', 'language', 'background'] as const
export type ProfileSection = (typeof PROFILE_SECTIONS)[number]
