/** `memory.conversations`: the log of everything that was said, and recall from it. */
import { checkBoolean, checkOneOf } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'
import type {
  CleanupCounts,
  CleanupInput,
  CollectInput,
  CreateConversationInput,
  Engine,
  ListTurnsInput,
  PageInput,
  RecallInput,
  RestoreCounts,
  RestoreInput,
  StoredTurn,
  StoreInput,
  Work,
} from '../../engine/engine.ts'
import { countRecords, type ExportCounts } from '../exchange/count-records.ts'
import { EXPORT_FORMATS, type ExportFormat } from '../exchange/export-record.ts'
import { exportRecords } from '../exchange/export-records.ts'
import { importLogStream, importLogs, type LogChoices, type LogImportReport } from '../exchange/import-logs.ts'
import { type ImportChoices, type ImportWork, importRecords } from '../exchange/import-records.ts'
import type { ImportReport } from '../exchange/import-report.ts'
import { type MaskedCount, maskRecords } from '../exchange/mask-records.ts'
import { readExport } from '../exchange/read-export.ts'
import { writeExport } from '../exchange/write-export.ts'
import {
  type ConversationView,
  isoTime,
  type RecallView,
  renderConversation,
  renderRecall,
  renderSummary,
  renderTurn,
  type SummaryView,
  type TurnView,
} from './render.ts'
import { masked, shownList, shownTurn, splitReveal, type WithReveal } from './reveal.ts'
import type { ChooseUser, WithUser } from './users.ts'

/** A list by page. */
export interface ListView<T> {
  readonly items: readonly T[]
  /** Items on all pages. */
  readonly total: number
}

/** What became of one stored turn. */
export type StoredTurnView = Omit<StoredTurn, 'storedAt' | 'externalId'> & {
  readonly storedAt: string
  readonly externalId?: string
}

/** A summary that was asked for. */
export interface SummarizeView {
  readonly summaryId: number
  readonly conversationId: string
  readonly turnsSummarized: readonly number[]
  readonly summary: string
  readonly keySymbols: readonly string[]
  readonly keyDecisions: readonly string[]
}

/** The same input with the user left to the default. */
type UserOptional<T extends { readonly userId: string }> = Omit<T, 'userId'> & WithUser

export interface Conversations {
  /** Begins a conversation without turns; without an id it gets a new one. One that is there already stays as it is. */
  create(input?: UserOptional<CreateConversationInput>): Promise<ConversationView>
  /** Stores turns in one transaction; they can be recalled when the promise resolves. */
  store(input: UserOptional<StoreInput>): Promise<readonly StoredTurnView[]>
  /** The turns and summaries that answer the query, best first. */
  recall(query: string, input?: UserOptional<RecallInput> & WithReveal): Promise<RecallView>
  /** Newest activity first. */
  list(
    input?: WithUser & WithReveal & PageInput & { readonly projectRoot?: string },
  ): Promise<ListView<ConversationView>>
  /** Secrets in its summary are masked. */
  get(conversationId: string, input?: WithUser): Promise<ConversationView>
  /** Has no model shown what was said in it, or is remembered from it; everything is kept, listed and found by the user. */
  mute(conversationId: string, input?: WithUser): Promise<ConversationView>
  /** Has it shown again. */
  unmute(conversationId: string, input?: WithUser): Promise<ConversationView>
  /**
   * In order; `fromTurn` and `toTurn` bound the numbers, both included, `isCollected: true` asks for what the user
   * collected. Secrets are masked unless `revealSecrets` is set or one turn is asked for by its number.
   */
  turns(conversationId: string, input?: WithUser & WithReveal & ListTurnsInput): Promise<ListView<TurnView>>
  /**
   * Collects a turn, or with `isCollected: false` takes the mark off; the turn as it is now. The mark is the user's: nothing
   * else sets it, recall does not look at it, and deleting by age leaves the turns that have it.
   */
  collect(input: UserOptional<CollectInput>): Promise<TurnView>
  /** The collected turns of all conversations, the last said first. Secrets are masked unless `revealSecrets` is set. */
  collected(input?: WithUser & WithReveal & PageInput): Promise<ListView<TurnView>>
  /** The rolling summaries, oldest span first. */
  summaries(conversationId: string, input?: WithUser & WithReveal): Promise<readonly SummaryView[]>
  /** Summarises the turns fromTurn … toTurn now. Secrets are masked in the answer. */
  summarize(
    conversationId: string,
    input: WithUser & { readonly fromTurn: number; readonly toTurn: number },
  ): Promise<SummarizeView>
  /** Removes for good: one conversation, what is older than a moment, or everything of the user. */
  delete(input: UserOptional<CleanupInput>, work?: Work): Promise<CleanupCounts>
  /** The text of an export file, in pieces: everything of the user, or one conversation. Format default `jsonl`. */
  export(
    input?: WithUser & {
      readonly conversationId?: string | undefined
      readonly format?: ExportFormat | undefined
      /** true: the settings of the database, too. Default false. */
      readonly withSettings?: boolean | undefined
      /** true: secrets as they are, for a backup that can be restored whole. Default false: they are masked. */
      readonly withSecrets?: boolean | undefined
      /** Told at the end how many secrets were masked; 0 with `withSecrets`. */
      readonly onMasked?: ((count: number) => void) | undefined
      /** Told at the end what the export held: all 0 when there was nothing of the user. */
      readonly onCounted?: ((counts: ExportCounts) => void) | undefined
    },
  ): AsyncIterable<string>
  /** Takes an export in, either format; every conversation whole or not at all, nothing twice. */
  import(source: AsyncIterable<Uint8Array>, input?: WithUser & ImportChoices, work?: ImportWork): Promise<ImportReport>
  /**
   * Takes in the chat logs below a folder, or one of them: transcripts of Claude Code and Codex, chats of ChatGPT, Claude.ai and Gemini
   * (ZIP too) and of Cursor, memories of mem0, Letta, claude-mem, basic-memory and the reference memory server, role-marked text, JSON
   * lines. Nothing twice.
   */
  importLogs(folder: string, input?: WithUser & LogChoices, work?: ImportWork): Promise<LogImportReport>
  /** The same of one file that comes as a stream; `name` tells a ZIP file, and stands in the report. */
  importLogStream(
    file: { readonly name: string; readonly source: AsyncIterable<Uint8Array> },
    input?: WithUser & LogChoices,
    work?: ImportWork,
  ): Promise<LogImportReport>
  /** Puts an exported or foreign conversation back; what is there already is not stored twice. */
  restore(input: UserOptional<RestoreInput>): Promise<RestoreCounts>
}

/** The facade over an engine. */
export function conversations(engine: Engine, user: ChooseUser): Conversations {
  const { conversations: cases } = engine
  return {
    create: async (input) => renderConversation(await cases.create({ ...input, userId: user(input) })),
    store: async (input) => {
      const stored = await cases.store({ ...input, userId: user(input) })
      return stored.map(({ externalId, storedAt, ...turn }) => ({
        ...turn,
        storedAt: isoTime(storedAt),
        ...(externalId === null ? {} : { externalId }),
      }))
    },
    recall: async (query, input) => {
      const { asked, show } = splitReveal(input)
      return show(renderRecall(await cases.recall(query, { ...asked, userId: user(input) })))
    },
    list: async (input = {}) => {
      const { asked, show } = splitReveal(input)
      const { items, total } = await cases.list(user(input), asked)
      return { items: await shownList(items, (one) => show(renderConversation(one))), total }
    },
    get: async (conversationId, input) => masked(renderConversation(await cases.get(user(input), conversationId))),
    mute: async (conversationId, input) =>
      masked(renderConversation(await cases.mute(user(input), conversationId, true))),
    unmute: async (conversationId, input) =>
      masked(renderConversation(await cases.mute(user(input), conversationId, false))),
    turns: async (conversationId, input = {}) => {
      const { asked, show } = splitReveal(input)
      const { items, total } = await cases.turns(user(input), conversationId, asked)
      const isNamed = input.fromTurn !== undefined && input.fromTurn === input.toTurn
      return {
        items: await shownList(items, (item) => (isNamed ? renderTurn(item) : shownTurn(renderTurn(item), show))),
        total,
      }
    },
    collect: async (input) => renderTurn(await cases.collect({ ...input, userId: user(input) })),
    collected: async (input = {}) => {
      const { asked, show } = splitReveal(input)
      const { items, total } = await cases.collected(user(input), asked)
      return { items: await shownList(items, (item) => shownTurn(renderTurn(item), show)), total }
    },
    summaries: async (conversationId, input) => {
      const { show } = splitReveal(input)
      return (await cases.summaries(user(input), conversationId)).map((one) => show(renderSummary(one)))
    },
    summarize: async (conversationId, input) =>
      masked(await cases.summarize(user(input), conversationId, input?.fromTurn, input?.toTurn)),
    delete: async (input, work) => cases.remove({ ...input, userId: user(input) }, work),
    export: ({
      conversationId,
      format = 'jsonl',
      withSettings,
      withSecrets = false,
      onMasked,
      onCounted,
      ...input
    } = {}) => {
      const all = exportRecords(engine, { userId: user(input), conversationId, withSettings })
      const records = onCounted === undefined ? all : countRecords(all, onCounted)
      const count: MaskedCount = { masked: 0 }
      const shown = checkBoolean('withSecrets', withSecrets) ? records : maskRecords(records, count)
      return writeExport(shown, checkOneOf('format', format, EXPORT_FORMATS), () => {
        onMasked?.(count.masked)
        return count.masked
      })
    },
    import: async (source, input, work) =>
      importRecords(engine, user(input), readExport(checkStream(source)), {
        ...work,
        think: input?.think,
        withSettings: input?.withSettings,
      }),
    importLogs: async (folder, input, work) =>
      importLogs(engine, user(input), folder, { ...work, ...logChoices(input) }),
    importLogStream: async ({ name, source }, input, work) =>
      importLogStream(engine, user(input), { name, source: checkStream(source) }, { ...work, ...logChoices(input) }),
    restore: async (input) => cases.restore({ ...input, userId: user(input) }),
  }
}

function logChoices({ think, dryRun, format }: LogChoices = {}): LogChoices {
  return { think, dryRun, format }
}

function checkStream(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (typeof source !== 'object' || source === null || typeof source[Symbol.asyncIterator] !== 'function')
    throw invalid('source', 'must be a stream of bytes', 'Pass createReadStream(file), or any async iterable of bytes.')
  return source
}
