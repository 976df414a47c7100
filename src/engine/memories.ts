/** The use cases of long-term memories, bound to a store and the options. */
import type { Page } from '../contracts/conversation-log.ts'
import type { Store } from '../contracts/store.ts'
import { memoryId } from '../domain/ids.ts'
import type { Memory, MemoryEvent } from '../domain/memory.ts'
import {
  deleteAllMemories,
  deleteMemory,
  getMemory,
  type ListMemoriesInput,
  listMemories,
  memoryHistory,
  touchMemories,
  type UpdateMemoryInput,
  updateMemory,
} from '../pipeline/memories.ts'
import { type AddedMemory, type AddMemoryInput, addMemories, type MessageInput } from '../pipeline/memories-add.ts'
import { type MemorySearchAnswer, type SearchMemoriesInput, searchMemories } from '../pipeline/memories-search.ts'
import { type RestoredMemories, restoreMemories } from '../pipeline/restore-memories.ts'
import type { ResolvedOptions } from './options.ts'

export type { ListMemoriesInput, UpdateMemoryInput } from '../pipeline/memories.ts'
export type { AddMemoryInput, MessageInput } from '../pipeline/memories-add.ts'
export type { SearchMemoriesInput } from '../pipeline/memories-search.ts'

/** What can be done with long-term memories. */
export interface MemoryUseCases {
  add(content: string | readonly MessageInput[], input: AddMemoryInput): Promise<readonly AddedMemory[]>
  search(query: string, input: SearchMemoriesInput): Promise<MemorySearchAnswer>
  get(userId: string, id: string): Promise<Memory>
  list(input: ListMemoriesInput): Promise<Page<Memory>>
  update(userId: string, id: string, patch: UpdateMemoryInput): Promise<Memory>
  remove(userId: string, id: string): Promise<void>
  removeAll(input: { readonly userId: string; readonly filters?: unknown }): Promise<number>
  history(userId: string, id: string): Promise<readonly MemoryEvent[]>
  /** Counts one access of each: they were put into a model's context. */
  touch(userId: string, ids: readonly string[]): Promise<void>
  restore(userId: string, memories: readonly Memory[]): Promise<RestoredMemories>
}

/** Refuses work once the engine was closed. */
export type Guard = <A extends unknown[], R>(work: (...values: A) => Promise<R>) => (...values: A) => Promise<R>

/** Binds the use cases. */
export function memoryUseCases(store: Store, options: ResolvedOptions, open: Guard): MemoryUseCases {
  const { memories, workingMemory } = store
  const { clock, maxContentBytes, retrievalLimit } = options
  return {
    add: open((content, input) => addMemories({ memories, clock, newId: memoryId, maxContentBytes }, content, input)),
    search: open((query, input) => searchMemories({ memories, workingMemory, clock, retrievalLimit }, query, input)),
    get: open((userId, id) => getMemory(memories, userId, id)),
    list: open((input) => listMemories(memories, input)),
    update: open((userId, id, patch) => updateMemory({ memories, clock, maxContentBytes }, userId, id, patch)),
    remove: open((userId, id) => deleteMemory(memories, userId, id)),
    removeAll: open((input) => deleteAllMemories(memories, input)),
    history: open((userId, id) => memoryHistory(memories, userId, id)),
    touch: open((userId, ids) => touchMemories(memories, clock, userId, ids)),
    restore: open((userId, restored) => restoreMemories(memories, userId, restored, maxContentBytes)),
  }
}
