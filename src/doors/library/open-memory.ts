/// <reference lib="esnext.disposable" preserve="true" />
/** `openMemory`: the library's one way in, and the one place where use cases are bound. */

import { type MemoryFileOptions, resolveMemoryFile } from '../../notes/options.ts'
import { checkOpening, type OpenCoreOptions, openCore } from '../../usecases/open.ts'
import { answerOnce, type KeptReply, type RepeatableRequest } from '../../usecases/replies.ts'
import { optionsOf, readEnvironment } from '../config/environment.ts'
import { type Chats, type Contexts, contexts, type RecallEvidence } from './context.ts'
import { type Conversations, conversations, type WorkingMemories, workingMemories } from './conversations.ts'
import { type Maintenance, maintenance } from './maintenance.ts'
import { type Memories, memories, type Owners, owners } from './memories.ts'
import { forgetInNotes, type MemoryFiles, memoryFiles, notesOf } from './memory-file.ts'
import { type Keys, keys, type Profiles, profiles, type Settings, settings } from './profile.ts'
import { type SessionSummaries, sessionSummaries } from './session-summaries.ts'
import { type Binding, userChooser } from './users.ts'

/** Options of `openMemory`. */
export interface OpenOptions extends OpenCoreOptions {
  /** The notes that a person can open, and how they are kept. */
  readonly memoryFile?: MemoryFileOptions | undefined
}

/** An open memory. Long-term memories are its own methods; the rest is grouped. */
export interface OpenMemory extends Memories {
  readonly conversations: Conversations
  readonly workingMemory: WorkingMemories
  readonly context: Contexts
  /**
   * The turns and memories that answer a message, best first, within `tokenBudget` or `limit`: what a context would show.
   * Asking counts nothing as used; empty where nothing answers.
   */
  readonly recall: RecallEvidence
  readonly profile: Profiles
  readonly settings: Settings
  readonly sessionSummaries: SessionSummaries
  readonly maintenance: Maintenance
  readonly memoryFile: MemoryFiles
  readonly keys: Keys
  readonly owners: Owners
  readonly chat: Chats
  /** For doors: answers a request that may come again once, and the next time alike; `conflict` while it is worked on. */
  answerOnce(
    request: RepeatableRequest,
    answer: () => Promise<KeptReply>,
  ): Promise<KeptReply & { readonly repeated: boolean }>
  /** Resolves when nothing is left to be done in the background. */
  idle(): Promise<void>
  /** Finishes what was accepted and closes the file; later calls reject with `closed`. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens a memory, and creates the database when there is none. Rejects with MnemeError for a wrong option or an
 * unusable file; foreign, damaged or newer files are left unchanged.
 */
export async function openMemory(options: OpenOptions = {}): Promise<OpenMemory> {
  const notesSettings = resolveMemoryFile((options as OpenOptions | null)?.memoryFile)
  const core = await openCore(withEnvironment(options))
  const { store, open, activity, idle, close } = core
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
  return {
    ...memories(binding),
    ...contexts(binding),
    conversations: conversations(binding),
    workingMemory: workingMemories(binding),
    profile: profiles(binding),
    settings: settings(binding),
    sessionSummaries: sessionSummaries(binding),
    maintenance: maintenance(binding, files.digest),
    memoryFile: files,
    keys: keys(binding),
    owners: owners(binding),
    answerOnce: open((request, answer) =>
      answerOnce({ replies: store.replies, clock: core.options.clock }, request, answer),
    ),
    idle,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** An option that the caller leaves out is what the environment says, where it says anything. */
function withEnvironment(options: OpenOptions): OpenOptions {
  if (typeof options !== 'object' || options === null) return options
  const named = Object.entries(optionsOf(readEnvironment())).filter(
    ([name, value]) => value !== undefined && options[name as keyof OpenOptions] === undefined,
  )
  return { ...options, ...Object.fromEntries(named) }
}

/**
 * Rejects as `openMemory` would because of an option, whatever the database is. Nothing is sent to anybody; a model on this
 * computer is loaded, and let go again.
 */
export async function checkOptions(options: OpenOptions): Promise<void> {
  resolveMemoryFile(options.memoryFile)
  await checkOpening(options)
}
