/** The result for one log file: amount read, refusals and reasons. Long lists are cut, but their lengths are exact. */
import type { LogFormat, LogItem } from './log-record.ts'

/** Refused lines that a report lists one by one. */
const LISTED_REFUSALS = 100

/** The report of one file. */
export interface LogReport {
  readonly file: string
  /** null when the whole file was refused. */
  readonly format: LogFormat | null
  /** Why the whole file was refused, null when it was read. */
  readonly reason: string | null
  /** Turns found in the file. */
  readonly turns: number
  /** Memories found in the file. */
  readonly memories: number
  /** Lines that are no turn. */
  readonly skipped: number
  /** Reasons of skipped lines, with counts. */
  readonly skippedBy: Readonly<Record<string, number>>
  readonly refused: number
  /** The first refused lines. */
  readonly refusals: readonly { readonly line: number; readonly reason: string }[]
}

/** The report of a file that is not read. */
export function refusedReport(file: string, reason: string): LogReport {
  return { file, format: null, reason, turns: 0, memories: 0, skipped: 0, skippedBy: {}, refused: 0, refusals: [] }
}

/** Counts the items of a file as they are read: `add` each, then take `report()`. */
export function logReporter(file: string, format: LogFormat): { add(item: LogItem): void; report(): LogReport } {
  const counts = { turn: 0, memory: 0, skipped: 0, refused: 0 }
  const skippedBy = new Map<string, number>()
  const refusals: { line: number; reason: string }[] = []
  return {
    add: (item) => {
      counts[item.kind]++
      if (item.kind === 'skipped') skippedBy.set(item.reason, (skippedBy.get(item.reason) ?? 0) + 1)
      if (item.kind === 'refused' && refusals.length < LISTED_REFUSALS) {
        refusals.push({ line: item.line, reason: item.reason })
      }
    },
    report: () => ({
      file,
      format,
      reason: null,
      turns: counts.turn,
      memories: counts.memory,
      skipped: counts.skipped,
      skippedBy: Object.fromEntries(skippedBy),
      refused: counts.refused,
      refusals: [...refusals],
    }),
  }
}
