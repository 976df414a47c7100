/** Imports an export: each conversation whole or not at all, nothing twice; the user's own text wins over generated text. */
import { check } from '../../domain/checks.ts'
import type { RestoredMemory } from '../../domain/contracts/memory-store.ts'
import type { Profile, SessionSummary } from '../../domain/contracts/small-stores.ts'
import { MnemeError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { breathe, giveWay } from '../../domain/scheduling.ts'
import type { Core } from '../../usecases/core.ts'
import { restoreMemories } from '../../usecases/memories-edit.ts'
import { restoreProfile, restoreSessionSummaries } from '../../usecases/restore-conversation.ts'
import type { ReadRecord } from './export-codec.ts'
import {
  emptyReport,
  type Importing,
  type ImportReport,
  importConversation,
  importTogether,
  nameOf,
  orRefused,
  type ReadConversation,
  TurnSpool,
} from './import-conversations.ts'

/** Turns of short conversations that share a transaction, because most of its cost does not depend on its size. */
const TURNS_TOGETHER = 300

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

export interface ImportChoices {
  /** true: new turns are thought about in the background. Default false. */
  readonly think?: boolean | undefined
}

/** Characters of conversations, and of memories, that are written together: others wait for one transaction. */
const MOST_CHARACTERS = { conversations: 1024 * 1024, memories: 256 * 1024 }
const MEMORIES_TOGETHER = 50
const SUMMARIES_TOGETHER = 1000

/** Items that are stored together. `shareOf`: the part of a full batch that one is. */
function batchOf<T>(shareOf: (one: T) => number, store: (batch: readonly T[]) => Promise<void>) {
  let [held, share]: [T[], number] = [[], 0]
  const flush = async (): Promise<void> => {
    const batch = held
    ;[held, share] = [[], 0]
    if (batch.length > 0) await store(batch)
  }
  const add = async (one: T): Promise<void> => {
    held.push(one)
    share += shareOf(one)
    if (share >= 1) await flush()
  }
  return { add, flush }
}

/** Imports the records for this user. Rejects only when the memory itself fails; faults of the file are reported. */
export async function importRecords(
  core: Core,
  userId: string,
  records: AsyncIterable<ReadRecord>,
  { signal, onProgress, turnsTogether = TURNS_TOGETHER, think = false }: ImportWork & ImportChoices = {},
): Promise<ImportReport> {
  check.integer('turnsTogether', turnsTogether, 1, LIMITS.turnsPerCall)
  const report = emptyReport()
  const importing: Importing = { core, userId, think, report }
  const conversations = batchOf<ReadConversation>(
    ({ turns }) => turns.turns / turnsTogether + turns.characters / MOST_CHARACTERS.conversations,
    async (batch) => {
      await importTogether(importing, batch)
      await giveWay(userId, signal)
    },
  )
  const summaries = batchOf<SessionSummary>(
    () => 1 / SUMMARIES_TOGETHER,
    async (batch) => {
      await conversations.flush()
      await orRefused(importing, at, `${batch.length} session summaries`, async () => {
        const { added, existing } = await restoreSessionSummaries(core.store.sessionSummaries, userId, batch)
        report.sessionSummariesAdded += added
        report.sessionSummariesExisting += existing
      })
      await breathe(signal)
    },
  )
  const memories = batchOf<RestoredMemory>(
    ({ memory }) => 1 / MEMORIES_TOGETHER + memory.text.length / MOST_CHARACTERS.memories,
    async (batch) => {
      await orRefused(importing, at, `${batch.length} memories`, async () => {
        const { added, existing } = await restoreMemories(
          core.store.memories,
          userId,
          batch,
          core.options.maxContentBytes,
        )
        core.done('restore', userId, added)
        await core.thinking.embedSoon(userId)
        report.memoriesAdded += added
        report.memoriesExisting += existing
      })
      await breathe(signal)
    },
  )
  let profile: Profile | null = null
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
        if (ended.turns.takesSeveral) {
          await importConversation(importing, ended)
          await ended.turns.discard()
        } else await conversations.add(ended)
        onProgress?.(report.turnsAdded + report.turnsExisting, null)
      } else if (record.kind === 'memory') await memories.add(record.value)
      else if (record.kind === 'session_summary') await summaries.add(record.value)
      else if (record.kind === 'profile') profile = record.value
      else if (record.kind === 'end') report.complete = true
    }
  } catch (error) {
    if (!(error instanceof MnemeError) || error.code !== 'import_failed') throw error
    const what = open === null ? 'the rest of the file' : nameOf(open.conversation)
    report.refused.push({ at, what, reason: error.message, remedy: error.remedy })
  } finally {
    await open?.turns.discard()
  }
  await conversations.flush()
  await summaries.flush()
  const written = profile
  if (written !== null)
    await orRefused(importing, at, 'the profile', async () => {
      const { added, existing } = await restoreProfile(core.store.profiles, userId, written, core.now())
      report.profileLinesAdded += added
      report.profileLinesExisting += existing
    })
  await memories.flush()
  return report
}
