/**
 * Takes an export in: every conversation whole or not at all, what is there already not twice. A conversation is held
 * until its end was read; a very long one is stored a part at a time once the file has shown that it is whole.
 */
import { checkInteger } from '../../domain/checks.ts'
import { MnemeError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import type { WorkingMemory } from '../../domain/memory.ts'
import { breathe } from '../../domain/pieces.ts'
import type { Conversation, Summary } from '../../domain/turn.ts'
import type { Engine, RestoreInput } from '../../engine/engine.ts'
import type { RestoredMemory } from '../../engine/memories.ts'
import { checkConversation } from './check-conversation.ts'
import type { ExportedTurn, ReadRecord } from './export-record.ts'
import { importDocuments, importSessionSummaries, noDocuments } from './import-documents.ts'
import { emptyReport, type GrowingReport, type ImportReport } from './import-report.ts'
import { isRefusal } from './is-refusal.ts'
import { TurnSpool } from './turn-spool.ts'

/** Turns of one conversation stored in one transaction: about 20 ms. */
const TURNS_A_CALL = 400
/** Turns of short conversations that share a transaction, because most of its cost does not depend on its size. */
const TURNS_TOGETHER = 300
const CHARACTERS_TOGETHER = 1024 * 1024
const MEMORIES_A_CALL = 200
/** More than live at once; a file holds them behind everything else. */
const WORKING_MEMORIES_A_CALL = 5000
const SESSION_SUMMARIES_A_CALL = 1000

/** How an import is watched and stopped. */
export interface ImportWork {
  /**
   * Turns of short conversations that share a transaction, 1 to 10,000, default 300 (about 15 ms). More is quicker and
   * holds the event loop for longer: for a process that does nothing else.
   */
  readonly turnsTogether?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Called with the number of turns stored so far. */
  readonly onProgress?: ((turns: number) => void) | undefined
}

/** What an import may do besides taking in what it reads. */
export interface ImportChoices {
  /** true: the turns that are new are thought about in the background. Default false. */
  readonly think?: boolean | undefined
  /** true: settings that nobody has set here are taken over; they hold for all users of the database. Default false. */
  readonly withSettings?: boolean | undefined
}

/** A conversation that is being read. */
interface OpenConversation {
  readonly at: string
  readonly conversation: Conversation
  readonly turns: TurnSpool
  readonly summaries: Summary[]
}

/** Imports the records for this user. Rejects only when the engine itself fails; what is wrong with the file is reported. */
export async function importRecords(
  engine: Engine,
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
  const memories: RestoredMemory[] = []
  const working: WorkingMemory[] = []
  const documents = noDocuments()
  const waiting: OpenConversation[] = []
  let open: OpenConversation | null = null
  let at = 'the beginning'
  try {
    for await (const read of records) {
      const { record } = read
      at = read.at
      if (signal?.aborted) await breathe(signal)
      if (record.kind === 'conversation')
        open = { at, conversation: record.conversation, turns: new TurnSpool(), summaries: [] }
      else if (record.kind === 'turn') await open?.turns.add(record.turn)
      else if (record.kind === 'summary') open?.summaries.push(record.summary)
      else if (record.kind === 'conversation_end' && open !== null) {
        const ended = open
        open = null
        if (ended.turns.takesSeveral(TURNS_A_CALL)) {
          await importConversation(engine, userId, ended, think, report)
          await ended.turns.discard()
        } else waiting.push(ended)
        if (isEnough(waiting, turnsTogether)) {
          await importTogether(engine, userId, waiting, think, report)
          await breathe(signal)
        }
        onProgress?.(report.turnsAdded + report.turnsExisting)
      } else if (record.kind === 'memory') {
        memories.push({ memory: record.memory, edits: record.edits })
        if (memories.length >= MEMORIES_A_CALL) await importMemories(engine, userId, memories, at, report)
      } else if (record.kind === 'working_memory') {
        working.push(record.workingMemory)
        if (working.length >= WORKING_MEMORIES_A_CALL) await importWorking(engine, userId, working, at, report)
      } else if (record.kind === 'session_summary') {
        documents.sessionSummaries.push(record.sessionSummary)
        if (documents.sessionSummaries.length >= SESSION_SUMMARIES_A_CALL) {
          await importTogether(engine, userId, waiting, think, report)
          await importSessionSummaries(engine, userId, documents.sessionSummaries, at, report)
        }
      } else if (record.kind === 'profile') documents.profile = record.profile
      else if (record.kind === 'settings') documents.settings = record.settings
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
  await importTogether(engine, userId, waiting, think, report)
  await importDocuments(engine, userId, documents, { at, withSettings }, report)
  await importMemories(engine, userId, memories, at, report)
  // Last: a conversation that is stored with recent turns begins a working memory, which its own then replaces.
  await importWorking(engine, userId, working, at, report)
  return report
}

function isEnough(waiting: readonly OpenConversation[], turnsTogether: number): boolean {
  let turns = 0
  let characters = 0
  for (const one of waiting) {
    turns += one.turns.turns
    characters += one.turns.characters
  }
  return turns >= turnsTogether || characters >= CHARACTERS_TOGETHER
}

/** Stores short conversations in one transaction; when that is refused, each by itself, so that the good ones stay. */
async function importTogether(
  engine: Engine,
  userId: string,
  waiting: OpenConversation[],
  think: boolean,
  report: GrowingReport,
): Promise<void> {
  const batch = waiting.splice(0)
  try {
    const inputs = batch.map((one) => ({
      ...conversationInput(userId, one.conversation, think),
      turns: one.turns.held().map(toRestored),
      summaries: one.summaries.map(toRestoredSummary),
    }))
    const counts = await engine.conversations.restoreAll(userId, inputs)
    report.turnsAdded += counts.turnsAdded
    report.turnsExisting += counts.turnsExisting
    report.summariesAdded += counts.summariesAdded
    report.conversations += batch.length
  } catch (error) {
    if (!isRefusal(error)) throw error
    for (const one of batch) await importConversation(engine, userId, one, think, report)
  }
}

function conversationInput(userId: string, { conversationId, projectRoot, createdAt }: Conversation, think: boolean) {
  return {
    userId,
    think,
    conversationId,
    projectRoot: projectRoot === '' ? null : projectRoot,
    createdAt: new Date(createdAt),
  }
}

async function importConversation(
  engine: Engine,
  userId: string,
  { at, conversation, turns, summaries }: OpenConversation,
  think: boolean,
  report: GrowingReport,
): Promise<void> {
  const { conversationId } = conversation
  const common = conversationInput(userId, conversation, think)
  let stored = 0
  try {
    if (turns.takesSeveral(TURNS_A_CALL))
      await checkConversation(engine, userId, conversationId, turns.parts(TURNS_A_CALL))
    for await (const part of turns.parts(TURNS_A_CALL)) {
      const counts = await engine.conversations.restore({ ...common, turns: part.map(toRestored), summarize: false })
      stored += counts.turnsAdded
      report.turnsAdded += counts.turnsAdded
      report.turnsExisting += counts.turnsExisting
    }
    const counts = await engine.conversations.restore({
      ...common,
      turns: [],
      summaries: summaries.map(toRestoredSummary),
    })
    report.summariesAdded += counts.summariesAdded
    report.conversations += 1
  } catch (error) {
    if (!isRefusal(error)) throw error
    report.refused.push({
      at,
      what: `conversation ${JSON.stringify(conversationId)}`,
      // Only a conversation of more than one call can be stored in part, when another process changes it meanwhile.
      reason: stored === 0 ? error.message : `${error.message} ${stored} of its turns had been stored before.`,
      remedy: error.remedy,
    })
  }
}

async function importMemories(
  engine: Engine,
  userId: string,
  memories: RestoredMemory[],
  at: string,
  report: GrowingReport,
): Promise<void> {
  const batch = memories.splice(0)
  if (batch.length === 0) return
  try {
    const { added, existing } = await engine.memories.restore(userId, batch)
    report.memoriesAdded += added
    report.memoriesExisting += existing
  } catch (error) {
    if (!isRefusal(error)) throw error
    report.refused.push({ at, what: `${batch.length} memories`, reason: error.message, remedy: error.remedy })
  }
}

async function importWorking(
  engine: Engine,
  userId: string,
  working: WorkingMemory[],
  at: string,
  report: GrowingReport,
): Promise<void> {
  const batch = working.splice(0)
  if (batch.length === 0) return
  try {
    const { added, existing, expired } = await engine.workingMemory.restore(userId, batch)
    report.workingMemoriesAdded += added
    report.workingMemoriesExisting += existing
    report.workingMemoriesExpired += expired
  } catch (error) {
    if (!isRefusal(error)) throw error
    report.refused.push({ at, what: `${batch.length} working memories`, reason: error.message, remedy: error.remedy })
  }
}

function toRestored({ conversationId: _, createdAt, ...turn }: ExportedTurn): RestoreInput['turns'][number] {
  return { ...turn, createdAt: new Date(createdAt) }
}

function toRestoredSummary(summary: Summary): NonNullable<RestoreInput['summaries']>[number] {
  const { startTurn, endTurn, summary: text, keySymbols, keyDecisions, createdAt } = summary
  return { startTurn, endTurn, summary: text, keySymbols, keyDecisions, createdAt: new Date(createdAt) }
}
