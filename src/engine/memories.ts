/** The use cases of long-term memories, bound to a store and the options. */

import { checkBoolean, checkId } from '../domain/checks.ts'
import type { Page } from '../domain/contracts/conversation-log.ts'
import type { MemoryOwner } from '../domain/contracts/memory-owners.ts'
import type { RestoredMemory } from '../domain/contracts/memory-store.ts'
import type { Store } from '../domain/contracts/store.ts'
import { memoryId } from '../domain/ids.ts'
import { late } from '../domain/late.ts'
import type { Memory, MemoryEvent } from '../domain/memory.ts'
import { checkPage, type PageInput } from '../domain/page.ts'
import {
  getMemory,
  type ListMemoriesInput,
  listMemories,
  memoryHistory,
  memoryWithEdits,
  touchMemories,
} from '../usecases/memories.ts'
import { type AddMemoryInput, addMemories, type MessageInput } from '../usecases/memories-add.ts'
import type { AddAnswer, InferDependencies } from '../usecases/memories-add-inferred.ts'
import { deleteAllMemories, deleteMemory } from '../usecases/memories-delete.ts'
import { buryMemory, type UpdateMemoryInput, updateMemory } from '../usecases/memories-edit.ts'
import type { MemorySearchAnswer } from '../usecases/memories-search.ts'
import type { SearchMemoriesInput } from '../usecases/memories-search-input.ts'
import { type WriteMemoriesInput, writeMemories } from '../usecases/memories-write.ts'
import type { EmbedQuery } from '../usecases/query-vector.ts'
import { type RestoredMemories, restoreMemories } from '../usecases/restore-memories.ts'
import type { MeaningTable } from '../usecases/similar-memories.ts'
import type { Guard } from './guards.ts'
import type { ResolvedOptions } from './options.ts'
import type { Thinking } from './thinking.ts'

export type { MemoryOwner } from '../domain/contracts/memory-owners.ts'
export type { MemoryEdit, RestoredMemory } from '../domain/contracts/memory-store.ts'
export type { ListMemoriesInput } from '../usecases/memories.ts'
export type { AddMemoryInput, MessageInput } from '../usecases/memories-add.ts'
export type { UpdateMemoryInput } from '../usecases/memories-edit.ts'
export type { SearchMemoriesInput } from '../usecases/memories-search-input.ts'
export type { PlannedMemory, WriteMemoriesInput } from '../usecases/memories-write.ts'
export type { Outcome } from '../usecases/think/plan-changes.ts'

/** What can be done with long-term memories. */
export interface MemoryUseCases {
  add(content: string | readonly MessageInput[], input: AddMemoryInput): Promise<AddAnswer>
  search(query: string, input: SearchMemoriesInput): Promise<MemorySearchAnswer>
  get(userId: string, id: string): Promise<Memory>
  list(input: ListMemoriesInput): Promise<Page<Memory>>
  update(userId: string, id: string, patch: UpdateMemoryInput): Promise<Memory>
  bury(userId: string, id: string, isBuried: boolean): Promise<Memory>
  remove(userId: string, id: string): Promise<void>
  removeAll(input: { readonly userId: string; readonly filters?: unknown }): Promise<number>
  history(userId: string, id: string): Promise<readonly MemoryEvent[]>
  /** One memory with its own edits, as `restore` takes it. */
  withEdits(userId: string, id: string): Promise<RestoredMemory>
  /** Counts one access of each: they were put into a model's context. */
  touch(userId: string, ids: readonly string[]): Promise<void>
  /** See MemoryStore.revision: what was read at one revision holds until there is another, or the end of a memory comes. */
  revision(userId: string): Promise<number>
  /** Writes a plan as a whole or not at all; false when it has to be made anew. */
  write(input: WriteMemoriesInput): Promise<boolean>
  restore(userId: string, restored: readonly RestoredMemory[]): Promise<RestoredMemories>
  /** Users who have a memory of this id: for callers who may speak for every user. */
  ownersOf(id: string): Promise<readonly string[]>
  /** Users who have memories, by name: for callers who may speak for every user. */
  owners(page: PageInput): Promise<Page<MemoryOwner>>
}

// Late: they bring all that thinking and ranking need, and some processes only store.
const adding = late(() => import('../usecases/memories-add-inferred.ts'))
const searching = late(() => import('../usecases/memories-search.ts'))

/** Binds the use cases. */
export function memoryUseCases(
  store: Store,
  options: ResolvedOptions,
  thinking: Thinking,
  embedQuery: EmbedQuery | undefined,
  table: MeaningTable,
  open: Guard,
): MemoryUseCases {
  const { memories, workingMemory } = store
  const { clock, logger, maxContentBytes, retrievalLimit } = options
  const meaning = embedQuery === undefined ? table : { embedQuery, vectors: store.vectors }
  const plainly = { memories, log: store.log, clock, newId: memoryId, maxContentBytes }
  const editing = { memories, profiles: store.profiles, clock, maxContentBytes }
  const inferring: InferDependencies = {
    ...plainly,
    jobs: store.jobs,
    think: thinking.think,
    asksModel: thinking.asksModel,
    maxCharacters: thinking.maxCharacters,
    wake: thinking.worker.wake,
    waitFor: thinking.waitFor,
  }
  /** 002 R10.4: what was done, for whom, to how many memories; a mere look is told more quietly. */
  const done = (operation: string, user: string, count: number, level: 'debug' | 'info' = 'info'): void =>
    logger[level]('a memory operation is done', { operation, user, count })
  const add: MemoryUseCases['add'] = async (content, input) => {
    const isInferred = input.infer === undefined || checkBoolean('infer', input.infer)
    if (isInferred) {
      const { addInferred } = await adding()
      return addInferred(inferring, content, input)
    }
    const added = await addMemories(plainly, content, input)
    return {
      outcomes: added.map((one) => ({ ...one, superseded: [], doubted: [] })),
      rejected: [],
      jobId: null,
    }
  }
  return {
    add: open(async (content, input) => {
      const answer = await add(content, input)
      const written = answer.outcomes.filter(({ event }) => event !== 'NONE').length
      // What a job does, the job tells.
      if (answer.jobId === null) done('add', input.userId, written)
      if (written > 0) await thinking.embedSoon(input.userId)
      return answer
    }),
    search: open(async (query, input) => {
      const { searchMemories } = await searching()
      const answer = await searchMemories(
        { memories, workingMemory, log: store.log, clock, retrievalLimit, meaning },
        query,
        input,
      )
      done('search', input.userId, answer.results.length, 'debug')
      return answer
    }),
    get: open(async (userId, id) => {
      const memory = await getMemory(memories, userId, id)
      done('get', userId, 1, 'debug')
      return memory
    }),
    list: open(async (input) => {
      const page = await listMemories(store, input)
      done('list', input.userId, page.items.length, 'debug')
      return page
    }),
    update: open(async (userId, id, patch) => {
      const updated = await updateMemory(editing, userId, id, patch)
      done('update', userId, 1)
      await thinking.embedSoon(userId)
      return updated
    }),
    bury: open(async (userId, id, isBuried) => {
      const memory = await buryMemory(editing, userId, id, isBuried)
      done(isBuried ? 'bury' : 'unbury', userId, 1)
      return memory
    }),
    remove: open(async (userId, id) => {
      await deleteMemory(editing, userId, id)
      done('delete', userId, 1)
    }),
    removeAll: open(async (input) => {
      // What waits to be thought about would bring back what is deleted here.
      if (input.filters === undefined) await store.jobs.remove(checkId('userId', input.userId))
      const count = await deleteAllMemories(editing, input)
      done('delete_all', input.userId, count)
      return count
    }),
    history: open(async (userId, id) => {
      const events = await memoryHistory(memories, userId, id)
      done('history', userId, 1, 'debug')
      return events
    }),
    withEdits: open((userId, id) => memoryWithEdits(memories, userId, id)),
    touch: open(async (userId, ids) => {
      await touchMemories(memories, clock, userId, ids)
      done('touch', userId, ids.length, 'debug')
    }),
    revision: open((userId) => memories.revision(checkId('userId', userId))),
    write: open(async (input) => {
      const isWritten = await writeMemories(plainly, input)
      const { add = [], remove = [] } = input
      if (isWritten) done('write', input.userId, add.length + remove.length)
      if (isWritten && add.length > 0) await thinking.embedSoon(input.userId)
      return isWritten
    }),
    restore: open(async (userId, restored) => {
      const counts = await restoreMemories(memories, userId, restored, maxContentBytes)
      done('restore', userId, counts.added)
      await thinking.embedSoon(userId)
      return counts
    }),
    ownersOf: open((id) => memories.ownersOf(checkId('id', id))),
    owners: open((page) => memories.owners(checkPage(page))),
  }
}
