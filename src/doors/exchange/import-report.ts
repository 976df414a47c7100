/** The result of an import: added, already present and refused, with reasons. */

/** Something that was not imported. */
interface Refusal {
  /** Where it stands in the file, such as "line 12". */
  readonly at: string
  /** The refused item: the id of a conversation or memory, or the rest of a broken file. */
  readonly what: string
  readonly reason: string
  readonly remedy: string
}

/** The report of one import. */
export interface ImportReport {
  readonly conversations: number
  readonly turnsAdded: number
  readonly turnsExisting: number
  readonly summariesAdded: number
  readonly memoriesAdded: number
  readonly memoriesExisting: number
  readonly workingMemoriesAdded: number
  /** Here already, in this state or a later one. */
  readonly workingMemoriesExisting: number
  /** Left out, because they were idle for more than 30 minutes by now. */
  readonly workingMemoriesExpired: number
  /** Session summaries that are new, or the user's where the machine's was here. */
  readonly sessionSummariesAdded: number
  /** Here already, edited here, or removed here. */
  readonly sessionSummariesExisting: number
  readonly profileLinesAdded: number
  /** Here already, or the profile here is the user's own and stays as it is. */
  readonly profileLinesExisting: number
  readonly settingsAdded: number
  /** Set here already, or not asked for (`withSettings`). */
  readonly settingsSkipped: number
  /** A conversation is imported whole or not at all. */
  readonly refused: readonly Refusal[]
  /** false: the file ended early or broke off; what stood whole before that was imported. */
  readonly complete: boolean
}

/** A report that is being filled. */
export type GrowingReport = { -readonly [Name in keyof Omit<ImportReport, 'refused'>]: ImportReport[Name] } & {
  readonly refused: Refusal[]
}

/** A report of nothing yet. */
export function emptyReport(): GrowingReport {
  return {
    conversations: 0,
    turnsAdded: 0,
    turnsExisting: 0,
    summariesAdded: 0,
    memoriesAdded: 0,
    memoriesExisting: 0,
    workingMemoriesAdded: 0,
    workingMemoriesExisting: 0,
    workingMemoriesExpired: 0,
    sessionSummariesAdded: 0,
    sessionSummariesExisting: 0,
    profileLinesAdded: 0,
    profileLinesExisting: 0,
    settingsAdded: 0,
    settingsSkipped: 0,
    refused: [],
    complete: false,
  }
}
