/** The long-term memories of an open memory: knowledge about a user beyond the log's words. */
import { check, PAGE_FIELDS, type PageInput } from '../../domain/checks.ts'
import type { MemoryOwner } from '../../domain/contracts/memory-store.ts'
import type { Memory } from '../../domain/memory.ts'
import type { Explanation } from '../../domain/recall.ts'
import { lazy } from '../../domain/scheduling.ts'
import { maskSecretsIn } from '../../language/secrets/mask-secrets.ts'
import {
  type AddMemoryInput,
  addMemories,
  getMemory,
  type ListMemoriesInput,
  listMemories,
  type MessageInput,
  memoryHistory,
  touchMemories,
} from '../../usecases/memories.ts'
import type { AddAnswer } from '../../usecases/memories-add-inferred.ts'
import * as edits from '../../usecases/memories-edit.ts'
import type { SearchMemoriesInput } from '../../usecases/memories-search.ts'
import type { Outcome } from '../../usecases/think/draft.ts'
import {
  type Binding,
  type MemoryEventView,
  type MemoryView,
  masked,
  type Rendered,
  rendered,
  renderMemory,
  type Secrets,
  type Show,
  shownList,
  shownPage,
  splitReveal,
  type UserOptional,
  type WithReveal,
  type WithUser,
} from './binding.ts'
import type { ListView } from './conversations.ts'

/** The result for one memory. `memory` is its text. */
export interface AddedView {
  /** Id of the memory, or of the job while it is PENDING. */
  readonly id: string
  readonly memory: string
  /** SUPERSEDE is new in place of others, PENDING waits for a model, UPDATE strengthened a known text, NONE wrote nothing. */
  readonly event: 'ADD' | 'UPDATE' | 'SUPERSEDE' | 'NONE' | 'PENDING'
  /** Ids of the replaced memories; absent when there are none. */
  readonly superseded?: readonly string[]
  /** Ids of the memories it put in doubt; absent when there are none. */
  readonly doubted?: readonly string[]
}

export interface AddView {
  readonly results: readonly AddedView[]
  /** Texts that were not kept, with reasons. */
  readonly rejected: readonly { readonly text: string; readonly reason: string }[]
  /** Id of the pending job; absent when thinking is done or needs no job. */
  readonly jobId?: string
}

export interface FoundView extends MemoryView {
  /** Larger is better; comparable within one answer. */
  readonly score: number
  readonly explanation?: Explanation
}

export interface SearchView {
  readonly results: readonly FoundView[]
  readonly warnings: readonly string[]
}

export interface LookedView<T> {
  readonly results: readonly { readonly look: T; readonly score: number; readonly explanation: Explanation | null }[]
  readonly warnings: readonly string[]
}

export interface Memories {
  /** Thinks about a text or messages and keeps lasting facts; with `infer: false` stores each unchanged. With a model it is PENDING. */
  add(content: string | readonly MessageInput[], input?: UserOptional<AddMemoryInput>): Promise<AddView>
  /** Searches memories. Secrets are masked unless `revealSecrets` is set. */
  search(query: string, input?: UserOptional<SearchMemoriesInput> & WithReveal): Promise<SearchView>
  /** As `search`, for doors, with each memory in the form of `look`. */
  searchAs<T>(
    look: FoundLook<T>,
    query: string,
    input?: UserOptional<SearchMemoriesInput> & WithReveal,
  ): Promise<LookedView<T>>
  /** One memory by its id, with secrets unmasked. */
  get(id: string, input?: WithUser): Promise<MemoryView>
  /** Memories, last changed first. Secrets are masked unless `revealSecrets` is set. */
  getAll(input?: UserOptional<ListMemoriesInput> & WithReveal): Promise<ListView<MemoryView>>
  /**
   * Changes the patch's fields; a string changes the text, and all that was derived from it follows. Turns that told it
   * keep their words, and are marked as corrected wherever a model is shown them.
   */
  update(id: string, patch: string | edits.UpdateMemoryInput, input?: WithUser): Promise<MemoryView>
  /** Hides a memory, and the turns and titles that tell it, from every model without deleting it; listed only with `includeBuried`. */
  bury(id: string, input?: WithUser): Promise<MemoryView>
  /** Shows a buried memory to models again. */
  unbury(id: string, input?: WithUser): Promise<MemoryView>
  /** Removes a memory for good, and its text from Mneme's profile lines; conversations stay (see `conversations.delete`). */
  delete(id: string, input?: WithUser): Promise<void>
  /** Removes these for good, and passes over those that are not there. */
  deleteMany(ids: readonly string[], input?: WithUser): Promise<{ readonly deleted: number }>
  /** Removes all memories of the user and every profile line written by Mneme; with a filter only what matches. */
  deleteAll(input?: WithUser & { readonly filters?: unknown }): Promise<{ readonly deleted: number }>
  /** Events of a memory, oldest first. */
  history(id: string, input?: WithUser): Promise<readonly MemoryEventView[]>
  /** Removes all memories of the user for good, as `deleteAll` without a filter. */
  reset(input?: WithUser): Promise<{ readonly deleted: number }>
  /** Counts one access of each memory; call it for memories put into a model's context. */
  touch(ids: readonly string[], input?: WithUser): Promise<void>
  /** A number that grows with every change of the user's memories by any process, but not with accesses. */
  revision(input?: WithUser): Promise<number>
  /** Adds and removes memories in one transaction. Resolves false, writing nothing, when the revision is no longer `expectedRevision`. */
  write(input: UserOptional<edits.WriteMemoriesInput>): Promise<boolean>
}

function addedView({ memory, event, superseded, doubted }: Outcome): AddedView {
  return {
    id: memory.id,
    memory: memory.text,
    event,
    ...(superseded.length === 0 ? {} : { superseded }),
    ...(doubted.length === 0 ? {} : { doubted }),
  }
}

/** A user with memories: their number, the oldest one's storing time, and the last change. */
export type MemoryOwnerView = Rendered<MemoryOwner, 'createdAt' | 'updatedAt'>

/** `memory.owners`: queries across users. They give names and numbers, never contents. */
export interface Owners {
  /** The users with a memory of this id: one, none, or several after repeated imports. */
  of(id: string): Promise<readonly string[]>
  /** Users who have memories, by name. */
  list(page?: PageInput): Promise<ListView<MemoryOwnerView>>
}

// Loaded late, because thinking and ranking are large, and some processes only store.
const adding = lazy(() => import('../../usecases/memories-add-inferred.ts'))
const searching = lazy(() => import('../../usecases/memories-search.ts'))

export function memories({ core, user, forget }: Binding): Memories {
  const { store, thinking, open, openRemoval, done } = core
  const { memories } = store
  const { embedSoon } = thinking
  const added = async (content: string | readonly MessageInput[], input: AddMemoryInput): Promise<AddAnswer> => {
    if (input.infer === undefined || check.boolean('infer', input.infer))
      return (await adding()).addInferred(core, content, input)
    const stored = await addMemories(core, content, input)
    const outcomes = stored.map((one) => ({ ...one, superseded: [], doubted: [] }))
    return { outcomes, rejected: [], jobId: null }
  }
  const searchAs: Memories['searchAs'] = open(async (look, query, input) => {
    const { asked, show } = splitReveal(input)
    const userId = user(input)
    const { searchMemories } = await searching()
    const { results, warnings } = await searchMemories(core, query, { ...asked, userId })
    done('search', userId, results.length, 'debug')
    return {
      results: await shownList(results, show, ({ memory, score, explanation }, _, secrets) => ({
        look: look(memory, show, secrets),
        score: Number(score.toFixed(4)),
        explanation,
      })),
      warnings,
    }
  }) as Memories['searchAs']
  const removeAll = async (userId: string, filters?: unknown): Promise<{ readonly deleted: number }> => {
    // Queued turns would bring back memories that are deleted here.
    if (filters === undefined) await store.jobs.remove(userId)
    const deleted = await edits.deleteAllMemories(core, filters === undefined ? { userId } : { userId, filters })
    done('delete_all', userId, deleted)
    await forget(userId)
    return { deleted }
  }
  const bury = async (id: string, input: WithUser | undefined, isBuried: boolean): Promise<MemoryView> => {
    const userId = user(input)
    const memory = await edits.buryMemory(core, userId, id, isBuried)
    done(isBuried ? 'bury' : 'unbury', userId, 1)
    return renderMemory(memory)
  }
  return {
    add: open(async (content, input) => {
      const userId = user(input)
      const { outcomes, rejected, jobId, isPending = false } = await added(content, { ...input, userId })
      const written = outcomes.filter(({ event }) => event !== 'NONE').length
      // An addition with a job is reported by the job.
      if (jobId === null) done('add', userId, written)
      if (written > 0) await embedSoon(userId)
      const answer = { rejected, ...(jobId === null ? {} : { jobId }) }
      if (!isPending || jobId === null) return { results: outcomes.map(addedView), ...answer }
      const texts = typeof content === 'string' ? [content] : content.map((message) => message.content)
      return { results: texts.map((memory) => ({ id: jobId, memory, event: 'PENDING' })), ...answer }
    }),
    search: async (query, input) => {
      const { results, warnings } = await searchAs(foundView, query, input)
      return {
        results: results.map(({ look, score, explanation }) =>
          Object.assign(look, { score }, explanation === null ? undefined : { explanation }),
        ),
        warnings,
      }
    },
    searchAs,
    get: open(async (id, input) => {
      const userId = user(input)
      const memory = await getMemory(memories, userId, id)
      done('get', userId, 1, 'debug')
      return renderMemory(memory)
    }),
    getAll: open(async (input) => {
      const { asked, show } = splitReveal(input)
      const userId = user(input)
      const page = await listMemories(core, { ...asked, userId })
      done('list', userId, page.items.length, 'debug')
      return shownPage(page, show, (memory, hide) => hide(renderMemory(memory)))
    }),
    update: open(async (id, patch, input) => {
      const userId = user(input)
      const updated = await edits.updateMemory(core, userId, id, typeof patch === 'string' ? { text: patch } : patch)
      done('update', userId, 1)
      await embedSoon(userId)
      return renderMemory(updated)
    }),
    bury: open((id, input) => bury(id, input, true)),
    unbury: open((id, input) => bury(id, input, false)),
    delete: openRemoval(async (id, input) => {
      const userId = user(input)
      await edits.deleteMemory(core, userId, id)
      done('delete', userId, 1)
      await forget(userId)
    }),
    deleteMany: openRemoval(async (ids, input) => {
      const userId = user(input)
      const deleted = await edits.deleteMemories(core, userId, ids)
      done('delete', userId, deleted)
      await forget(userId)
      return { deleted }
    }),
    deleteAll: openRemoval(async (input) => {
      const userId = user(input)
      check.record('', input ?? {}, ['userId', 'filters'])
      return removeAll(userId, input?.filters)
    }),
    history: open(async (id, input) => {
      const userId = user(input)
      const events = await memoryHistory(memories, userId, id)
      done('history', userId, 1, 'debug')
      return events.map((event) => rendered(event, 'createdAt'))
    }),
    reset: openRemoval(async (input) => {
      const userId = user(input)
      check.record('', input ?? {}, ['userId'])
      return removeAll(userId)
    }),
    touch: open(async (ids, input) => {
      const userId = user(input)
      await touchMemories(core, userId, ids)
      done('touch', userId, ids.length, 'debug')
    }),
    revision: open(async (input) => memories.revision(user(input))),
    write: open(async (input) => {
      const userId = user(input)
      const isWritten = await edits.writeMemories(core, { ...input, userId })
      const { add = [], remove = [] } = input
      if (isWritten) done('write', userId, add.length + remove.length)
      if (isWritten && add.length > 0) await embedSoon(userId)
      await forget(userId)
      return isWritten
    }),
  }
}

export function owners({ core: { store, open } }: Binding): Owners {
  return {
    of: open((id) => store.memories.ownersOf(check.id('id', id))),
    list: open(async (page = {}) => {
      const { items, total } = await store.memories.owners(check.fields('', page, PAGE_FIELDS))
      return { items: items.map((owner) => rendered(owner, 'createdAt', 'updatedAt')), total }
    }),
  }
}

/** A function from a memory, shown through `show`, to a caller's own view, which is shared and must not be changed. */
export type FoundLook<T> = (memory: Memory, show: Show, secrets: Secrets) => T

/** A look with cached results for masked views; `make` must be pure, and its result must not be changed. */
export function foundLook<T>(make: (view: MemoryView) => T): FoundLook<T> {
  // Results by the store's record, dropped with it.
  const kept = new WeakMap<Memory, { readonly look: T; readonly own: Secrets }>()
  return (memory, show, secrets) => {
    if (show !== masked) return make(show(renderMemory(memory)))
    let known = kept.get(memory)
    if (known === undefined) {
      const own: Secrets = new Map()
      known = { look: make(maskSecretsIn(renderMemory(memory), (secret, mask) => void own.set(secret, mask))), own }
      kept.set(memory, known)
    }
    for (const [secret, mask] of known.own) secrets.set(secret, mask)
    return known.look
  }
}

const sharedView = foundLook((view) => view)

/** The view of a memory through `show`, sharing nothing with the store or other callers. */
export function foundView(memory: Memory, show: Show, secrets: Secrets): MemoryView {
  return ownCopy(sharedView(memory, show, secrets))
}

function ownCopy(view: MemoryView): MemoryView {
  const { value, tags, sourceTurnIds, suspect, metadata } = view
  return {
    ...view,
    value: typeof value === 'object' && value !== null ? structuredClone(value) : value,
    tags: [...tags],
    sourceTurnIds: [...sourceTurnIds],
    suspect: suspect === null ? null : { ...suspect },
    metadata: metadata === null ? null : structuredClone(metadata),
  }
}
