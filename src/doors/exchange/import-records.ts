/**
 * Imports an export: each conversation whole or not at all, and nothing twice. A conversation is held until its end; a
 * very long one is spooled, and stored in parts once it is known to be whole.
 */
import { checkInteger } from '../../domain/checks.ts'
import type { SessionSummary } from '../../domain/contracts/documents.ts'
import type { RestoredMemory } from '../../domain/contracts/memory-store.ts'
import type { Profile } from '../../domain/contracts/profile-store.ts'
import { MnemeError } from '../../domain/errors.ts'
import { giveWay } from '../../domain/fair-turns.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { WorkingMemory } from '../../domain/memory.ts'
import { breathe } from '../../domain/pieces.ts'
import type { Core } from '../../usecases/core.ts'
import type { ReadRecord } from './export-record.ts'
import {
  importConversation,
  importTogether,
  isEnough,
  type ReadConversation,
  takesSeveral,
} from './import-conversations.ts'
import {
  importMemories,
  importProfile,
  importSessionSummaries,
  importSettings,
  importWorkingMemories,
} from './import-parts.ts'
import { emptyReport, type Importing, type ImportReport } from './import-report.ts'
import { TurnSpool } from './turn-spool.ts'

/** Turns of short conversations that share a transaction, because most of its cost does not depend on its size. */
const TURNS_TOGETHER = 300
const MEMORIES_A_CALL = 200
/** Working memories in one call, more than ever live at once. */
const WORKING_MEMORIES_A_CALL = 5000
const SESSION_SUMMARIES_A_CALL = 1000

/** Control of an import: progress and stopping. */
export interface ImportWork {
  /**
   * Turns of short conversations in one transaction, 1 to 10,000, default 300 (about 15 ms). More is faster, but blocks
   * the event loop for longer.
   */
  readonly turnsTogether?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Called with the number of turns stored so far and the estimated total; null when unknown. */
  readonly onProgress?: ((turns: number, total: number | null) => void) | undefined
}

/** Options of an import besides its input. */
export interface ImportChoices {
  /** true: new turns are thought about in the background. Default false. */
  readonly think?: boolean | undefined
  /** true: imports settings that are unset here; they apply to all users of the database. Default false. */
  readonly withSettings?: boolean | undefined
}

/** Imports the records for this user. Rejects only when the memory itself fails; faults of the file are reported. */
export async function importRecords(
  core: Core,
  userId: string,
  records: AsyncIterable<ReadRecord>,
  {
    signal,
    onProgress,
    turnsTogether = TURNS_TOGETHER,
    think = false,
    withSettings = false,
  }: ImportWork & ImportChoices = {},
): Promise<ImportReport> {
  checkInteger('turnsTogether', turnsTogether, 1, LIMITS.turnsPerCall)
  const report = emptyReport()
  const importing: Importing = { core, userId, think, report }
  const memories: RestoredMemory[] = []
  const working: WorkingMemory[] = []
  const sessionSummaries: SessionSummary[] = []
  const waiting: ReadConversation[] = []
  let profile: Profile | null = null
  let settings: Readonly<Record<string, unknown>> = {}
  let open: ReadConversation | null = null
  let at = 'the beginning'
  try {
    for await (const read of records) {
      const { record } = read
      at = read.at
      if (signal?.aborted) await breathe(signal)
      if (record.kind === 'conversation')
        open = { at, conversation: record.value, turns: new TurnSpool(), summaries: [] }
      else if (record.kind === 'turn') await open?.turns.add(record.value)
      else if (record.kind === 'summary') open?.summaries.push(record.value)
      else if (record.kind === 'conversation_end' && open !== null) {
        const ended = open
        open = null
        if (takesSeveral(ended)) {
          await importConversation(importing, ended)
          await ended.turns.discard()
        } else waiting.push(ended)
        if (isEnough(waiting, turnsTogether)) {
          await importTogether(importing, waiting)
          await giveWay(userId, signal)
        }
        onProgress?.(report.turnsAdded + report.turnsExisting, null)
      } else if (record.kind === 'memory') {
        memories.push(record.value)
        if (memories.length >= MEMORIES_A_CALL) await importMemories(importing, memories, at)
      } else if (record.kind === 'working_memory') {
        working.push(record.value)
        if (working.length >= WORKING_MEMORIES_A_CALL) await importWorkingMemories(importing, working, at)
      } else if (record.kind === 'session_summary') {
        sessionSummaries.push(record.value)
        if (sessionSummaries.length >= SESSION_SUMMARIES_A_CALL) {
          await importTogether(importing, waiting)
          await importSessionSummaries(importing, sessionSummaries, at)
        }
      } else if (record.kind === 'profile') profile = record.value
      else if (record.kind === 'settings') settings = record.value
      else if (record.kind === 'end') report.complete = true
    }
  } catch (error) {
    if (!(error instanceof MnemeError) || error.code !== 'import_failed') throw error
    const what =
      open === null ? 'the rest of the file' : `conversation ${JSON.stringify(open.conversation.conversationId)}`
    report.refused.push({ at, what, reason: error.message, remedy: error.remedy })
  } finally {
    await open?.turns.discard()
  }
  await importTogether(importing, waiting)
  await importSessionSummaries(importing, sessionSummaries, at)
  if (profile !== null) await importProfile(importing, profile, at)
  if (Object.keys(settings).length > 0) await importSettings(importing, settings, { at, isWanted: withSettings })
  await importMemories(importing, memories, at)
  // Last, because storing recent turns starts a working memory, which the imported one then replaces.
  await importWorkingMemories(importing, working, at)
  return report
}
