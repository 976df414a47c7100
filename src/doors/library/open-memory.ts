/// <reference lib="esnext.disposable" preserve="true" />
/** `openMemory`: the only entrance to the library, and the only place where use cases are bound. */
import { type MemoryFileOptions, resolveMemoryFile } from '../../notes/dependencies.ts'
import type { Core } from '../../usecases/core.ts'
import { answerOnce, type KeptReply, type RepeatableRequest } from '../../usecases/keys.ts'
import { checkOpening, type OpenCoreOptions, openCore } from '../../usecases/open.ts'
import { environmentOptions, readEnvironment } from '../config/options.ts'
import { type Binding, userChooser } from './binding.ts'
import { type Chats, type Contexts, contexts, type RecallEvidence } from './context.ts'
import {
  type Conversations,
  conversations,
  type SessionSummaries,
  sessionSummaries,
  type WorkingMemories,
  workingMemories,
} from './conversations.ts'
import { type Maintenance, maintenance } from './maintenance.ts'
import { type Memories, memories, type Owners, owners } from './memories.ts'
import { forgetInNotes, type MemoryFiles, memoryFiles, notesOf } from './memory-file.ts'
import { type Keys, keys, type Profiles, profiles, type Settings, settings } from './profile-settings-keys.ts'

export interface OpenOptions extends OpenCoreOptions {
  /** The notes that a person can open, and how they are kept. */
  readonly memoryFile?: MemoryFileOptions | undefined
}

/** An open memory. Long-term memories are its own methods; the rest is grouped. */
export interface OpenMemory extends Memories {
  readonly conversations: Conversations
  readonly workingMemory: WorkingMemories
  readonly context: Contexts
  /** Evidence for a message, best first, within `tokenBudget` or `limit`; empty without any. Does not count as access. */
  readonly recall: RecallEvidence
  readonly profile: Profiles
  readonly settings: Settings
  readonly sessionSummaries: SessionSummaries
  readonly maintenance: Maintenance
  readonly memoryFile: MemoryFiles
  readonly keys: Keys
  readonly owners: Owners
  readonly chat: Chats
  /** Answers a repeatable request once, and repeats that answer later, for doors. Rejects `conflict` while it is in progress. */
  answerOnce(
    request: RepeatableRequest,
    answer: () => Promise<KeptReply>,
  ): Promise<KeptReply & { readonly repeated: boolean }>
  /** Resolves when no background work is left. */
  idle(): Promise<void>
  /** Finishes accepted work and closes the file; later calls reject with `closed`. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** Opens a memory, and creates the database when there is none. Rejects for a wrong option or an unusable file. */
export async function openMemory(options: OpenOptions = {}): Promise<OpenMemory> {
  return (await openWithCore(options)).memory
}

/** As `openMemory`, with what lies below. */
export async function openWithCore(
  options: OpenOptions,
): Promise<{ readonly memory: OpenMemory; readonly core: Core }> {
  const notesSettings = resolveMemoryFile((options as OpenOptions | null)?.memoryFile)
  const core = await openCore(withEnvironment(options))
  const { open, activity, idle } = core
  const notes = notesOf(core, notesSettings)
  const binding: Binding = {
    core,
    user: userChooser(core.options.userId),
    forget: async (userId) => {
      activity.forget(userId)
      await forgetInNotes(notes, userId)
    },
  }
  const files = memoryFiles(binding, notes)
  const { stopAnswers, ...asked } = contexts(binding)
  const close = async (): Promise<void> => {
    await stopAnswers()
    await core.close()
  }
  const memory: OpenMemory = {
    ...memories(binding),
    ...asked,
    conversations: conversations(binding),
    workingMemory: workingMemories(binding),
    profile: profiles(binding),
    settings: settings(binding),
    sessionSummaries: sessionSummaries(binding),
    maintenance: maintenance(binding, files.digest),
    memoryFile: files,
    keys: keys(binding),
    owners: owners(binding),
    answerOnce: open((request, answer) => answerOnce(core, request, answer)),
    idle,
    close,
    [Symbol.asyncDispose]: close,
  }
  return { memory, core }
}

/** Fills in options that the caller omits from the environment. */
function withEnvironment(options: OpenOptions): OpenOptions {
  if (typeof options !== 'object' || options === null) return options
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return { ...environmentOptions(readEnvironment()), ...Object.fromEntries(given) }
}

/** Rejects as `openMemory` would for a wrong option, independent of the database; a local model is loaded and released. */
export async function checkOptions(options: OpenOptions): Promise<void> {
  resolveMemoryFile(options.memoryFile)
  await checkOpening(options)
}
