/** Imports an export: each conversation whole or not at all, nothing twice; the user's own text wins over generated text. */
import { check } from '../../domain/checks.ts'
import type { Profile } from '../../domain/contracts/small-stores.ts'
import { MnemeError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { breathe, giveWay } from '../../domain/scheduling.ts'
import type { Core } from '../../usecases/core.ts'
import { restoreMemories } from '../../usecases/memories-edit.ts'
import { restoreProfile, restoreSessionSummaries } from '../../usecases/restore-conversation.ts'
import type { ExportRecord, ReadRecord } from './export-codec.ts'
import {
  emptyReport,
  type Importing,
  type ImportReport,
  importConversation,
  importTogether,
  isEnough,
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

type Batched = Extract<ExportRecord, { readonly kind: 'memory' | 'session_summary' }>

interface Batch<Record> {
  readonly what: string
  readonly most: number
  readonly store: (importing: Importing, batch: readonly Record[]) => Promise<void>
}

/** Characters of memories that are written together: others wait for one transaction. */
const CHARACTERS_TOGETHER = 262_144

const BATCHES: { readonly [Kind in Batched['kind']]: Batch<Extract<Batched, { readonly kind: Kind }>['value']> } = {
  memory: {
    what: 'memories',
    most: 50,
    store: async ({ core, userId, report }, batch) => {
      const { memories } = core.store
      const { added, existing } = await restoreMemories(memories, userId, batch, core.options.maxContentBytes)
      core.done('restore', userId, added)
      await core.thinking.embedSoon(userId)
      report.memoriesAdded += added
      report.memoriesExisting += existing
    },
  },
  session_summary: {
    what: 'session summaries',
    most: 1000,
    store: async ({ core, userId, report }, batch) => {
      const { added, existing } = await restoreSessionSummaries(core.store.sessionSummaries, userId, batch)
      report.sessionSummariesAdded += added
      report.sessionSummariesExisting += existing
    },
  },
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
  const waiting: ReadConversation[] = []
  const held: Record<Batched['kind'], unknown[]> = { memory: [], session_summary: [] }
  const flush = async (kind: Batched['kind'], least = 1): Promise<void> => {
    if (held[kind].length < least) return
    // The conversations of session summaries come first.
    if (kind === 'session_summary') await importTogether(importing, waiting)
    const batch = held[kind].splice(0)
    const { what, store } = BATCHES[kind] as Batch<unknown>
    await orRefused(importing, at, `${batch.length} ${what}`, () => store(importing, batch))
    if (kind === 'memory') characters = 0
    await breathe(signal)
  }
  let characters = 0
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
        } else waiting.push(ended)
        if (isEnough(waiting, turnsTogether)) {
          await importTogether(importing, waiting)
          await giveWay(userId, signal)
        }
        onProgress?.(report.turnsAdded + report.turnsExisting, null)
      } else if (record.kind === 'memory' || record.kind === 'session_summary') {
        held[record.kind].push(record.value)
        if (record.kind === 'memory') characters += record.value.memory.text.length
        await flush(record.kind, characters > CHARACTERS_TOGETHER ? 1 : BATCHES[record.kind].most)
      } else if (record.kind === 'profile') profile = record.value
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
  await flush('session_summary')
  const written = profile
  if (written !== null)
    await orRefused(importing, at, 'the profile', async () => {
      const { added, existing } = await restoreProfile(core.store.profiles, userId, written, core.now())
      report.profileLinesAdded += added
      report.profileLinesExisting += existing
    })
  await flush('memory')
  return report
}
