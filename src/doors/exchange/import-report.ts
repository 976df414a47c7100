/** The result of an import: added, already present and refused, with reasons. */
import { MnemeError } from '../../domain/errors.ts'
import type { Core } from '../../usecases/core.ts'

interface Refusal {
  readonly at: string
  /** The refused item: the id of a conversation or memory, or the rest of a broken file. */
  readonly what: string
  readonly reason: string
  readonly remedy: string
}

export interface ImportReport {
  readonly conversations: number
  readonly turnsAdded: number
  readonly turnsExisting: number
  readonly summariesAdded: number
  readonly memoriesAdded: number
  readonly memoriesExisting: number
  readonly workingMemoriesAdded: number
  /** Already present, in this state or a later one. */
  readonly workingMemoriesExisting: number
  /** Skipped, because they were idle for more than 30 minutes. */
  readonly workingMemoriesExpired: number
  /** New session summaries, or the user's own that replaced a generated one. */
  readonly sessionSummariesAdded: number
  /** Already present, edited here, or removed here. */
  readonly sessionSummariesExisting: number
  readonly profileLinesAdded: number
  /** Already present, or skipped because the profile here is the user's own. */
  readonly profileLinesExisting: number
  readonly settingsAdded: number
  /** Already set here, or not requested (`withSettings`). */
  readonly settingsSkipped: number
  /** A conversation is imported whole or not at all. */
  readonly refused: readonly Refusal[]
  /** false: the file ended early; everything complete before that was imported. */
  readonly complete: boolean
}

export type GrowingReport = { -readonly [Name in keyof Omit<ImportReport, 'refused'>]: ImportReport[Name] } & {
  readonly refused: Refusal[]
}

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

export interface Importing {
  readonly core: Core
  readonly userId: string
  /** true: new turns are thought about in the background. */
  readonly think: boolean
  readonly report: GrowingReport
}

/** Whether an error says that the content cannot be taken; a locked or full database is no refusal. */
export function isRefusal(error: unknown): error is MnemeError {
  return error instanceof MnemeError && (error.code === 'invalid_input' || error.code === 'conflict')
}

/** Does one part of an import; where its content is refused, that is reported, and the import continues. */
export async function orRefused(
  { report }: Pick<Importing, 'report'>,
  at: string,
  what: string,
  task: () => Promise<void>,
): Promise<void> {
  try {
    await task()
  } catch (error) {
    if (!isRefusal(error)) throw error
    report.refused.push({ at, what, reason: error.message, remedy: error.remedy })
  }
}
