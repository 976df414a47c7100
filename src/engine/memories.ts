/** The use cases of long-term memories, bound to a store and the options. */
import type { Page } from '../contracts/conversation-log.ts'
import type { RestoredMemory } from '../contracts/memory-store.ts'
import type { Store } from '../contracts/store.ts'
import { checkBoolean } from '../domain/checks.ts'
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
import { type AddMemoryInput, addMemories, type MessageInput } from '../pipeline/memories-add.ts'
import { type AddAnswer, addInferred, type InferDependencies } from '../pipeline/memories-add-inferred.ts'
import { type MemorySearchAnswer, type SearchMemoriesInput, searchMemories } from '../pipeline/memories-search.ts'
import type { EmbedQuery } from '../pipeline/query-vector.ts'
import { type RestoredMemories, restoreMemories } from '../pipeline/restore-memories.ts'
import type { ResolvedOptions } from './options.ts'
import type { Thinking } from './thinking.ts'

export type { MemoryEdit, RestoredMemory } from '../contracts/memory-store.ts'
export type { ListMemoriesInput, UpdateMemoryInput } from '../pipeline/memories.ts'
export type { AddMemoryInput, MessageInput } from '../pipeline/memories-add.ts'
export type { SearchMemoriesInput } from '../pipeline/memories-search.ts'
export type { Outcome } from '../pipeline/thinking/plan-changes.ts'

/** What can be done with long-term memories. */
export interface MemoryUseCases {
  add(content: string | readonly MessageInput[], input: AddMemoryInput): Promise<AddAnswer>
  search(query: string, input: SearchMemoriesInput): Promise<MemorySearchAnswer>
  get(userId: string, id: string): Promise<Memory>
  list(input: ListMemoriesInput): Promise<Page<Memory>>
  update(userId: string, id: string, patch: UpdateMemoryInput): Promise<Memory>
  remove(userId: string, id: string): Promise<void>
  removeAll(input: { readonly userId: string; readonly filters?: unknown }): Promise<number>
  history(userId: string, id: string): Promise<readonly MemoryEvent[]>
  /** Counts one access of each: they were put into a model's context. */
  touch(userId: string, ids: readonly string[]): Promise<void>
  restore(userId: string, restored: readonly RestoredMemory[]): Promise<RestoredMemories>
}

/** Refuses work once the engine was closed. */
export type Guard = <A extends unknown[], R>(work: (...values: A) => Promise<R>) => (...values: A) => Promise<R>

/** Binds the use cases. */
export function memoryUseCases(
  store: Store,
  options: ResolvedOptions,
  thinking: Thinking,
  embedQuery: EmbedQuery | undefined,
  open: Guard,
): MemoryUseCases {
  const { memories, workingMemory } = store
  const { clock, maxContentBytes, retrievalLimit } = options
  const meaning = embedQuery === undefined ? undefined : { embedQuery, vectors: store.vectors }
  const adding = { memories, clock, newId: memoryId, maxContentBytes }
  const inferring: InferDependencies = {
    ...adding,
    jobs: store.jobs,
    think: thinking.think,
    asksModel: thinking.asksModel,
    maxCharacters: thinking.maxCharacters,
    wake: thinking.worker.wake,
    waitFor: thinking.waitFor,
  }
  const add: MemoryUseCases['add'] = async (content, input) => {
    const isInferred = input.infer === undefined || checkBoolean('infer', input.infer)
    if (isInferred) return addInferred(inferring, content, input)
    const added = await addMemories(adding, content, input)
    return {
      outcomes: added.map((one) => ({ ...one, superseded: [], doubted: [] })),
      rejected: [],
      jobId: null,
    }
  }
  return {
    add: open(async (content, input) => {
      const answer = await add(content, input)
      if (answer.outcomes.some(({ event }) => event !== 'NONE')) await thinking.embedSoon(input.userId)
      return answer
    }),
    search: open((query, input) =>
      searchMemories({ memories, workingMemory, clock, retrievalLimit, meaning }, query, input),
    ),
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
