/** Takes the chat logs of other programs in, file by file, and says of each what was read and what was refused. */
import { breathe } from '../../domain/pieces.ts'
import type { Engine } from '../../engine/engine.ts'
import { findLogFiles } from './find-log-files.ts'
import type { ImportChoices, ImportWork } from './import-records.ts'
import { isRefusal } from './is-refusal.ts'
import type { LogTurn } from './log-record.ts'
import { type LogReport, logReporter, refusedReport } from './log-report.ts'
import { readLogFile } from './read-log.ts'

/** Turns of one conversation stored in one transaction. */
const TURNS_A_CALL = 1000

/** The report of one file, with what became of its turns. */
export interface ImportedLog extends LogReport {
  readonly turnsAdded: number
  readonly turnsExisting: number
}

/** What came of a folder. */
export interface LogImportReport {
  readonly files: readonly ImportedLog[]
  readonly turnsAdded: number
  readonly turnsExisting: number
}

/** Imports every log below `folder`. Rejects with not_found when there is no such folder. */
export async function importLogs(
  engine: Engine,
  userId: string,
  folder: string,
  { signal, onProgress, think = false }: ImportWork & Pick<ImportChoices, 'think'> = {},
): Promise<LogImportReport> {
  const files: ImportedLog[] = []
  let turns = 0
  for await (const { path, name, refused } of findLogFiles(folder)) {
    await breathe(signal)
    const report =
      refused === null
        ? await importLog(engine, userId, path, name, think)
        : { ...refusedReport(name, refused), turnsAdded: 0, turnsExisting: 0 }
    files.push(report)
    turns += report.turns
    onProgress?.(turns)
  }
  const sum = (count: (file: ImportedLog) => number): number => files.reduce((total, file) => total + count(file), 0)
  return {
    files,
    turnsAdded: sum(({ turnsAdded }) => turnsAdded),
    turnsExisting: sum(({ turnsExisting }) => turnsExisting),
  }
}

async function importLog(
  engine: Engine,
  userId: string,
  path: string,
  name: string,
  think: boolean,
): Promise<ImportedLog> {
  const { maxContentBytes } = engine.options
  const log = await readLogFile(path, name, { maxContentBytes })
  if (log.format === null) return { ...refusedReport(name, log.reason), turnsAdded: 0, turnsExisting: 0 }
  const reporter = logReporter(name, log.format)
  const counts = { added: 0, existing: 0 }
  let waiting: { readonly line: number; readonly turn: LogTurn }[] = []
  const flush = async (): Promise<void> => {
    const batch = waiting
    waiting = []
    const first = batch[0]
    if (first === undefined) return
    try {
      await store(
        first.turn,
        batch.map(({ turn }) => turn),
      )
    } catch (error) {
      if (!isRefusal(error)) throw error
      reporter.add({
        kind: 'refused',
        line: first.line,
        reason: `${batch.length} turns from here on: ${error.message}`,
      })
    }
  }
  const store = async (first: LogTurn, batch: readonly LogTurn[]): Promise<void> => {
    const { turnsAdded, turnsExisting } = await engine.conversations.restore({
      userId,
      conversationId: first.conversationId,
      think,
      // A transcript may begin with a line that does not name its project.
      projectRoot: batch.find(({ projectRoot }) => projectRoot !== '')?.projectRoot ?? null,
      turns: batch.map(({ conversationId: _, projectRoot: __, createdAt, ...turn }) => ({
        ...turn,
        createdAt: new Date(createdAt),
      })),
    })
    counts.added += turnsAdded
    counts.existing += turnsExisting
  }
  for await (const item of log.items) {
    if (item.kind !== 'turn') {
      reporter.add(item)
      continue
    }
    const { turn, line } = item
    if (
      waiting.length > 0 &&
      (waiting.length >= TURNS_A_CALL || waiting[0]?.turn.conversationId !== turn.conversationId)
    )
      await flush()
    reporter.add(item)
    waiting.push({ line, turn })
  }
  await flush()
  return { ...reporter.report(), turnsAdded: counts.added, turnsExisting: counts.existing }
}
