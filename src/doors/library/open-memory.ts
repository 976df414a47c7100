/// <reference lib="esnext.disposable" preserve="true" />
/** `openMemory`: the library's one way in. */

import type { Engine } from '../../engine/engine.ts'
import { type OpenOptions, openEngine } from '../../engine/open.ts'
import { type Chats, chats } from './chat.ts'
import { type Contexts, contexts } from './context.ts'
import { type Conversations, conversations } from './conversations.ts'
import { type RecallEvidence, recallEvidence } from './evidence.ts'
import { type Keys, keys } from './keys.ts'
import { type Maintenance, maintenance } from './maintenance.ts'
import { type Memories, memories } from './memories.ts'
import { type MemoryFiles, memoryFiles } from './memory-file.ts'
import { type Owners, owners } from './owners.ts'
import { type Profiles, profiles, type Settings, settings } from './profile.ts'
import { type SessionSummaries, sessionSummaries } from './session-summaries.ts'
import { userChooser } from './users.ts'
import { type WorkingMemories, workingMemories } from './working-memory.ts'

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
  answerOnce: Engine['answerOnce']
  /** Resolves when nothing is left to be done in the background. */
  idle(): Promise<void>
  /** Finishes what was accepted and closes the file; later calls reject with `closed`. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Opens a memory, creating the database when there is none. Rejects with MnemeError when an option is wrong or the
 * file cannot be used; a file that is not Mneme's, is damaged or comes from a newer version is left as it is.
 */
export async function openMemory(options: OpenOptions = {}): Promise<OpenMemory> {
  const engine = await openEngine(options)
  const user = userChooser(engine.options.userId)
  return {
    ...memories(engine, user),
    conversations: conversations(engine, user),
    workingMemory: workingMemories(engine, user),
    context: contexts(engine, user),
    recall: recallEvidence(engine, user),
    profile: profiles(engine, user),
    settings: settings(engine),
    sessionSummaries: sessionSummaries(engine, user),
    maintenance: maintenance(engine, user),
    memoryFile: memoryFiles(engine, user),
    keys: keys(engine),
    owners: owners(engine),
    chat: chats(engine, user),
    answerOnce: (request, answer) => engine.answerOnce(request, answer),
    idle: () => engine.idle(),
    close: () => engine.close(),
    [Symbol.asyncDispose]: () => engine.close(),
  }
}
