/** The report of `memory_import` as JSON, and whether anything was refused. */
import type { ImportReport, LogImportReport } from '../library/index.ts'
import { snakeNames } from '../operations/names.ts'

/** A report for stdout. */
export interface ReportJson {
  readonly json: Record<string, unknown>
  /** true: the exit code says that the input was not taken whole. */
  readonly refused: boolean
}

/** The report of an export file. */
export function importJson(report: ImportReport): ReportJson {
  return { json: snakeNames(report), refused: report.refused.length > 0 || !report.complete }
}

/** The report of a folder of chat logs, file by file. */
export function logsJson({ files, ...counts }: LogImportReport): ReportJson {
  return {
    json: { ...snakeNames(counts), files: files.map(snakeNames) },
    refused: files.some(({ reason, refused }) => reason !== null || refused > 0),
  }
}
