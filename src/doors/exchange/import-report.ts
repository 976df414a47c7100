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

const nothingYet = {
  conversations: 0,
  turnsAdded: 0,
  turnsExisting: 0,
  summariesAdded: 0,
  memoriesAdded: 0,
  memoriesExisting: 0,
  /** New session summaries, or the user's own that replaced a generated one. */
  sessionSummariesAdded: 0,
  /** Already present, edited here, or removed here. */
  sessionSummariesExisting: 0,
  profileLinesAdded: 0,
  /** Already present, or skipped because the profile here is the user's own. */
  profileLinesExisting: 0,
  settingsAdded: 0,
  /** Already set here, or not requested (`withSettings`). */
  settingsSkipped: 0,
  /** A conversation is imported whole or not at all. */
  refused: [] as Refusal[],
  /** false: the file ended early; everything complete before that was imported. */
  complete: false,
}

export type ImportReport = Readonly<Omit<typeof nothingYet, 'refused'>> & { readonly refused: readonly Refusal[] }

export const emptyReport = () => ({ ...nothingYet, refused: [] as Refusal[] })

export interface Importing {
  readonly core: Core
  readonly userId: string
  /** true: new turns are thought about in the background. */
  readonly think: boolean
  readonly report: typeof nothingYet
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
