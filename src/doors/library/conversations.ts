/** `memory.conversations`: the log of all turns, and recall from it; `memory.workingMemory`: their live state. */
import { check, defined, givenAs, type InputOf, orElse, PAGE_FIELDS, type PageInput } from '../../domain/checks.ts'
import { isoTime } from '../../domain/clock.ts'
import type { Work } from '../../domain/contracts/conversation-log.ts'
import type { SessionSummary } from '../../domain/contracts/small-stores.ts'
import { invalid, MnemeError, notFound } from '../../domain/errors.ts'
import type { WorkingMemory } from '../../domain/memory.ts'
import type { Conversation, Turn } from '../../domain/turn.ts'
import type { StoredTurn, StoreInput } from '../../usecases/conversations.ts'
import * as cases from '../../usecases/conversations.ts'
import type { EditTurnInput } from '../../usecases/edit-turn.ts'
import { withQuietCallbacks } from '../../usecases/guarded-adapters.ts'
import { type RecallInput, recallTurns } from '../../usecases/recall.ts'
import { type RestoreCounts, type RestoreInput, SESSION_SUMMARY_BYTES } from '../../usecases/restore-conversation.ts'
import type { CleanupCounts, SpanSummary } from '../../usecases/upkeep/rolling-summary.ts'
import {
  editWorkingMemory,
  getWorkingMemory,
  listWorkingMemory,
  removeWorkingMemory,
  type WorkingMemoryPatch,
} from '../../usecases/working-memory.ts'
import type { ImportReport } from '../import-export/import-conversations.ts'
import type { LogChoices, LogImportReport } from '../import-export/import-logs.ts'
import type { ImportChoices, ImportWork } from '../import-export/import-records.ts'
import type { ExportCounts } from '../import-export/write-export.ts'
import {
  type Binding,
  type ConversationView,
  masked,
  type RecallView,
  type Rendered,
  rendered,
  type SummaryView,
  shownPage,
  shownRecall,
  shownTurn,
  splitReveal,
  type TurnView,
  type UserOptional,
  type WithReveal,
  type WithUser,
  type WorkingMemoryView,
} from './binding.ts'

export interface ListView<T> {
  readonly items: readonly T[]
  /** Items on all pages. */
  readonly total: number
}

export type StoredTurnView = Omit<StoredTurn, 'storedAt' | 'externalId'> & {
  readonly storedAt: string
  readonly externalId?: string
}

/** A summary that was asked for. */
export type SummarizeView = SpanSummary

const EXPORT_FIELDS = {
  /** Default: the user with whom the memory was opened. */
  userId: givenAs<string | undefined>(),
  /** Default: all of the user's data. */
  conversationId: givenAs<string | undefined>(),
  /** true: secrets unmasked, for a complete backup. Default false. */
  withSecrets: orElse(false, check.boolean),
  /** Called at the end with the number of masked secrets; 0 with `withSecrets`. */
  onMasked: givenAs<((count: number) => void) | undefined>(),
  /** Called at the end with the counts of the export; all 0 when the user has nothing. */
  onCounted: givenAs<((counts: ExportCounts) => void) | undefined>(),
}

export interface Conversations {
  /** Creates an empty conversation, with a new id unless one is given. An existing one stays unchanged. */
  create(input?: UserOptional<cases.CreateConversationInput>): Promise<ConversationView>
  /** Stores turns in one transaction; they can be recalled when the promise resolves. */
  store(input: UserOptional<StoreInput>): Promise<readonly StoredTurnView[]>
  /** The turns and summaries that answer the query, best first. */
  recall(query: string, input?: UserOptional<RecallInput> & WithReveal): Promise<RecallView>
  /** Newest activity first. */
  list(input?: WithReveal & cases.ListConversationsInput): Promise<ListView<ConversationView>>
  /** Secrets in its summary are masked. */
  get(conversationId: string, input?: WithUser): Promise<ConversationView>
  /** Hides a conversation and its memories from every model; the user still keeps, lists and finds them. */
  mute(conversationId: string, input?: WithUser): Promise<ConversationView>
  /** Shows a muted conversation to models again. */
  unmute(conversationId: string, input?: WithUser): Promise<ConversationView>
  /** Turns in order. Secrets are masked unless `revealSecrets` is set or a turn is requested by its number. */
  turns(conversationId: string, input?: WithUser & WithReveal & cases.ListTurnsInput): Promise<ListView<TurnView>>
  /** Marks a turn as collected, or unmarks it with `isCollected: false`; deletion by age keeps marked turns. */
  collect(input: UserOptional<cases.CollectInput>): Promise<TurnView>
  /**
   * Replaces the text of a turn and thinks about it anew. Everything that was made of the old text is taken back, without a trace.
   */
  editTurn(input: UserOptional<EditTurnInput>): Promise<TurnView>
  /** Removes one turn for good, with everything derived from it. Numbers of other turns stay. */
  deleteTurn(input: UserOptional<cases.TurnCleanupInput>): Promise<CleanupCounts>
  /** The rolling summaries, oldest span first. */
  summaries(conversationId: string, input?: WithUser & WithReveal): Promise<readonly SummaryView[]>
  /** Summarises the turns fromTurn … toTurn now. The answer masks secrets. */
  summarize(
    conversationId: string,
    input: WithUser & { readonly fromTurn: number; readonly toTurn: number },
  ): Promise<SummarizeView>
  /** When the newest removed turn of a conversation was said; null where none was. Programs that read a chat again go on from there. */
  removedTo(conversationId: string, input?: WithUser): Promise<string | null>
  /** Removes for good: one conversation, what is older than a moment, or everything of the user. */
  delete(input: UserOptional<cases.CleanupInput>, work?: Work): Promise<CleanupCounts>
  /** The text of an export file (JSON), in pieces, of one conversation or all of the user's data. */
  export(input?: InputOf<typeof EXPORT_FIELDS>): AsyncIterable<string>
  /** Imports an export: each conversation whole or not at all, nothing twice. */
  import(source: AsyncIterable<Uint8Array>, input?: WithUser & ImportChoices, work?: ImportWork): Promise<ImportReport>
  /** Imports a folder or file of chats and memories of other programs, nothing twice; the format is detected. */
  importLogs(folder: string, input?: WithUser & LogChoices, work?: ImportWork): Promise<LogImportReport>
  /** As `importLogs`, for one file that comes as a stream; `name` identifies a ZIP file, and appears in the report. */
  importLogStream(
    file: { readonly name: string; readonly source: AsyncIterable<Uint8Array> },
    input?: WithUser & LogChoices,
    work?: ImportWork,
  ): Promise<LogImportReport>
  /** Restores an exported or foreign conversation; existing turns are not stored twice. */
  restore(input: UserOptional<RestoreInput>): Promise<RestoreCounts>
}

/** The live state of conversations, gone 30 minutes after the last turn. */
export interface WorkingMemories {
  /** Rejects with `not_found` when there is none or it has expired. */
  get(input: WithUser & { readonly conversationId: string }): Promise<WorkingMemoryView>
  /** Secrets are masked unless `revealSecrets` is set. */
  list(input?: WithUser & WithReveal): Promise<readonly WorkingMemoryView[]>
  /** Changes the named fields until the next turn updates them. Rejects with `not_found` when there is none. */
  set(input: WithUser & { readonly conversationId: string } & WorkingMemoryPatch): Promise<WorkingMemoryView>
  delete(input: WithUser & { readonly conversationId: string }): Promise<void>
}

const conversationView = (one: Conversation): ConversationView => rendered(one, 'createdAt', 'lastActive')
const turnView = (turn: Turn): TurnView => rendered(turn, 'createdAt')
const liveView = (one: WorkingMemory): WorkingMemoryView => rendered(one, 'createdAt', 'updatedAt')

export function conversations({ core, user, forget }: Binding): Conversations {
  const { store, options, open, openRemoval } = core
  const remove: Conversations['delete'] = async (input, work) => {
    const userId = user(input)
    const counts = await cases.removeConversations(core, { ...input, userId }, work)
    await forget(userId)
    return counts
  }
  const mute = async (conversationId: string, input: WithUser | undefined, isMuted: boolean) =>
    masked(conversationView(await cases.muteConversation(core, user(input), conversationId, isMuted)))
  return {
    create: open(async (input) =>
      conversationView(await cases.createConversation(core, { ...input, userId: user(input) })),
    ),
    store: async (input) => {
      const stored = await core.storeTurns({ ...input, userId: user(input) })
      return stored.map(({ externalId, storedAt, ...turn }) => ({
        ...turn,
        storedAt: isoTime(storedAt),
        ...(externalId === null ? {} : { externalId }),
      }))
    },
    recall: open(async (query, input) => {
      const { asked, show } = splitReveal(input)
      return shownRecall(await recallTurns(core, query, { ...asked, userId: user(input) }), show)
    }),
    list: open(async (input = {}) => {
      const { asked, show } = splitReveal(input)
      const page = await cases.listConversations(core, user(input), asked)
      return shownPage(page, show, (one, hide) => hide(conversationView(one)))
    }),
    get: open(async (conversationId, input) =>
      masked(conversationView(await cases.summarizedConversation(core, user(input), conversationId))),
    ),
    mute: open((conversationId, input) => mute(conversationId, input, true)),
    unmute: open((conversationId, input) => mute(conversationId, input, false)),
    turns: open(async (conversationId, input = {}) => {
      const { asked, show } = splitReveal(input)
      const page = await cases.listTurns(core, user(input), conversationId, asked)
      const isNamed = input.fromTurn !== undefined && input.fromTurn === input.toTurn
      return shownPage(page, show, (item, hide) => (isNamed ? turnView(item) : shownTurn(turnView(item), hide)))
    }),
    collect: open(async (input) => turnView(await cases.collectTurn(core, { ...input, userId: user(input) }))),
    editTurn: open(async (input) => {
      const userId = user(input)
      await cases.readyToTakeBack()
      const { editTurn } = await import('../../usecases/edit-turn.ts')
      const turn = await editTurn(core, { ...input, userId })
      await forget(userId)
      await core.restored(userId, options.thinking)
      return turnView(turn)
    }),
    deleteTurn: openRemoval(async (input) => remove(input)),
    removedTo: open(async (conversationId, input) => {
      const at = await store.log.removedTo(user(input), check.id('conversationId', conversationId))
      return at === null ? null : isoTime(at)
    }),
    summaries: open(async (conversationId, input) => {
      const { show } = splitReveal(input)
      return (await cases.listSummaries(core, user(input), conversationId)).map((one) =>
        show(rendered(one, 'createdAt')),
      )
    }),
    summarize: open(async (conversationId, input) =>
      masked(await cases.summarizeTurns(core, { ...input, conversationId, userId: user(input) })),
    ),
    delete: openRemoval(remove),
    export: (input = {}) => {
      const [asked] = withQuietCallbacks([input])
      const { conversationId, withSecrets, onMasked, onCounted } = check.fields('', asked, EXPORT_FIELDS)
      const scope = { userId: user(input), conversationId }
      return (async function* () {
        const { countRecords, exportRecords, maskRecords, writeExport } = await import(
          '../import-export/write-export.ts'
        )
        const all = exportRecords(core, scope)
        const records = onCounted === undefined ? all : countRecords(all, onCounted)
        let found = 0
        const shown = withSecrets
          ? records
          : maskRecords(records, () => {
              found += 1
            })
        yield* writeExport(shown, () => {
          onMasked?.(found)
          return found
        })
      })()
    },
    import: open(async (source, input, work) => {
      const bytes = checkStream(source)
      const [{ importRecords }, { readExport }] = await Promise.all([
        import('../import-export/import-records.ts'),
        import('../import-export/export-codec.ts'),
      ])
      return importRecords(core, user(input), readExport(bytes), { ...work, think: input?.think })
    }),
    importLogs: open(async (folder, input, work) =>
      (await importingLogs()).importLogs(core, user(input), folder, { ...work, ...logChoices(input) }),
    ),
    importLogStream: open(async ({ name, source }, input, work) => {
      const bytes = checkStream(source)
      const { importLogStream } = await importingLogs()
      return importLogStream(core, user(input), { name, source: bytes }, { ...work, ...logChoices(input) })
    }),
    restore: open(async (input) => {
      const userId = user(input)
      // Late: it brings what thinking needs.
      const { restoreConversations } = await import('../../usecases/restore-conversation.ts')
      const counts = await restoreConversations({ log: store.log, ...options }, userId, [{ ...input, userId }])
      await core.restored(userId, input.think === true)
      return counts
    }),
  }
}

export function workingMemories({ core, user }: Binding): WorkingMemories {
  const { open, openRemoval } = core
  return {
    get: open(async (input) => liveView(await getWorkingMemory(core, user(input), input?.conversationId))),
    list: open(async (input) => {
      const { show } = splitReveal(input)
      const live = await listWorkingMemory(core, user(input))
      return live.map((one) => show(liveView(one)))
    }),
    set: open(async ({ conversationId, userId, ...patch }) =>
      liveView(await editWorkingMemory(core, user({ userId }), conversationId, patch)),
    ),
    delete: openRemoval(async (input) => removeWorkingMemory(core, user(input), input?.conversationId)),
  }
}

/** Late, like the other forms of exchange: few processes bring anything in. */
const importingLogs = () => import('../import-export/import-logs.ts')

function logChoices({ think, dryRun, format }: LogChoices = {}): LogChoices {
  return { think, dryRun, format }
}

/** The stream, whose failure before anybody reads it ends no process: whoever reads it is told. */
function checkStream(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  if (typeof source !== 'object' || source === null || typeof source[Symbol.asyncIterator] !== 'function')
    throw noBytes()
  if ('on' in source && typeof source.on === 'function') source.on('error', () => {})
  return (async function* () {
    for await (const piece of source) {
      if (!(piece instanceof Uint8Array)) throw noBytes()
      yield piece
    }
  })()
}

const noBytes = () =>
  invalid('source', 'must be a stream of bytes', 'Pass createReadStream(file), or any async iterable of bytes.')

const checkWords = (field: string, value: unknown): string =>
  check.text(field, value, { maxBytes: SESSION_SUMMARY_BYTES })
const PATCH_FIELDS = { title: orElse(undefined, checkWords), snippet: orElse(undefined, checkWords) }
/** An edit; what is absent stays. */
type SessionSummaryPatch = InputOf<typeof PATCH_FIELDS>

/** Title and snippet of one conversation; times are ISO 8601. */
export type SessionSummaryView = Rendered<SessionSummary, 'createdAt' | 'updatedAt'>

type OfConversation = WithUser & { readonly conversationId: string }

export interface SessionSummaries {
  /** Newest first; default 100. Secrets are masked unless `revealSecrets` is set. */
  list(input?: WithUser & WithReveal & PageInput): Promise<ListView<SessionSummaryView>>
  /** Rejects with `not_found` when there is none. */
  get(input: OfConversation): Promise<SessionSummaryView>
  /** Changes a session summary; text written by the user is never overwritten by Mneme. */
  update(input: OfConversation & SessionSummaryPatch): Promise<SessionSummaryView>
  /** Creates the user's own summary for a conversation without one. Rejects with `conflict` where one exists. */
  create(input: OfConversation & SessionSummaryPatch): Promise<SessionSummaryView>
  delete(input: OfConversation): Promise<void>
}

const REMEDY = 'List the session summaries to see which conversations have one.'

function summaryView(summary: SessionSummary | null, conversationId: string): SessionSummaryView {
  if (summary === null) throw notFound('session summary', conversationId, REMEDY)
  return rendered(summary, 'createdAt', 'updatedAt')
}

export function sessionSummaries({ core, user }: Binding): SessionSummaries {
  const { store, open, openRemoval, now } = core
  const { sessionSummaries } = store
  const named = (input: OfConversation): [user: string, conversation: string] => [
    user(input),
    check.id('conversationId', input.conversationId),
  ]
  const update: SessionSummaries['update'] = async ({ title, snippet, ...input }) => {
    const changes = defined(check.fields('', { title, snippet }, PATCH_FIELDS))
    if (Object.keys(changes).length === 0) throw invalid('patch', 'changes nothing', 'Name a title or a snippet.')
    return summaryView(await sessionSummaries.update(...named(input), changes, now()), input.conversationId)
  }
  return {
    list: open(async (input) => {
      const { asked, show } = splitReveal(input)
      const { userId: _, ...page } = check.fields('', asked, { userId: givenAs<string>(), ...PAGE_FIELDS })
      const found = await sessionSummaries.list(user(input), page)
      return shownPage(found, show, (one, hide) => hide(summaryView(one, one.conversationId)))
    }),
    get: open(async (input) => summaryView(await sessionSummaries.get(...named(input)), input.conversationId)),
    update: open(update),
    create: open(async (input) => {
      if ((await sessionSummaries.get(...named(input))) === null) return update(input)
      throw new MnemeError('conflict', `Conversation ${JSON.stringify(input.conversationId)} has a session summary.`, {
        remedy: 'Change that one.',
      })
    }),
    delete: openRemoval(async (input) => {
      if (!(await sessionSummaries.remove(...named(input)))) summaryView(null, input.conversationId)
    }),
  }
}
