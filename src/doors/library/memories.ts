/** The long-term memories of an open memory: what is known about a user beyond the words of the log. */

import { checkRecord } from '../../domain/checks.ts'
import type { Explanation } from '../../domain/recall.ts'
import type { Engine } from '../../engine/engine.ts'
import type {
  AddMemoryInput,
  ListMemoriesInput,
  MessageInput,
  Outcome,
  SearchMemoriesInput,
  UpdateMemoryInput,
  WriteMemoriesInput,
} from '../../engine/memories.ts'
import type { ListView } from './conversations.ts'
import { type FoundLook, foundView } from './found-view.ts'
import { type MemoryEventView, type MemoryView, renderMemory, renderMemoryEvent } from './render.ts'
import { shownList, splitReveal, type WithReveal } from './reveal.ts'
import type { ChooseUser, WithUser } from './users.ts'

type UserOptional<T extends { readonly userId: string }> = Omit<T, 'userId'> & WithUser

/** What became of one memory. `memory` is its text. */
export interface AddedView {
  /** Of the memory; of the job while it is PENDING. */
  readonly id: string
  readonly memory: string
  /**
   * ADD: new. SUPERSEDE: new, and it took the place of others. UPDATE: said before, the old memory was strengthened.
   * NONE: said before, nothing was written. PENDING: a model thinks about it; see `jobId`.
   */
  readonly event: 'ADD' | 'UPDATE' | 'SUPERSEDE' | 'NONE' | 'PENDING'
  /** Ids of the memories whose place it took; absent when there are none. */
  readonly superseded?: readonly string[]
  /** Ids of the memories that it made doubtful; absent when there are none. */
  readonly doubted?: readonly string[]
}

/** The answer to `add`. */
export interface AddView {
  readonly results: readonly AddedView[]
  /** What was not kept, and why. */
  readonly rejected: readonly { readonly text: string; readonly reason: string }[]
  /** The job that thinks about it; absent when that is done or needs no job. */
  readonly jobId?: string
}

/** A memory that answers a search. */
export interface FoundView extends MemoryView {
  /** Larger is better; comparable within one answer. */
  readonly score: number
  readonly explanation?: Explanation
}

/** The answer to `search`, best first. */
export interface SearchView {
  readonly results: readonly FoundView[]
  readonly warnings: readonly string[]
}

/** The answer to `searchAs`, best first. */
export interface LookedView<T> {
  readonly results: readonly { readonly look: T; readonly score: number; readonly explanation: Explanation | null }[]
  readonly warnings: readonly string[]
}

/** What can be done with long-term memories. */
export interface Memories {
  /**
   * Thinks about a text or messages and keeps what is worth it; with `infer: false` each is stored as it is. With a model
   * the answer is PENDING unless `wait` is set, and then, too, once `waitMs` are over.
   */
  add(content: string | readonly MessageInput[], input?: UserOptional<AddMemoryInput>): Promise<AddView>
  /** Secrets in what is found are masked unless `revealSecrets` is set. */
  search(query: string, input?: UserOptional<SearchMemoriesInput> & WithReveal): Promise<SearchView>
  /** For doors: the same, each memory as a look of theirs shows it. */
  searchAs<T>(
    look: FoundLook<T>,
    query: string,
    input?: UserOptional<SearchMemoriesInput> & WithReveal,
  ): Promise<LookedView<T>>
  /** As it is, secrets too: it was asked for by its name. */
  get(id: string, input?: WithUser): Promise<MemoryView>
  /** Last changed first; secrets are masked unless `revealSecrets` is set. */
  getAll(input?: UserOptional<ListMemoriesInput> & WithReveal): Promise<ListView<MemoryView>>
  /**
   * Changes what the patch names; a text alone changes the text. What Mneme made of the old text follows the new one where the
   * patch does not name it: key, value, tags, the day, the words in the metadata, and lines that it wrote into the profile. The
   * old text stays in the history only.
   */
  update(id: string, patch: string | UpdateMemoryInput, input?: WithUser): Promise<MemoryView>
  /** Keeps a memory and shows it to no model any more; it is listed only with `includeBuried`. */
  bury(id: string, input?: WithUser): Promise<MemoryView>
  /** Takes a buried memory out again. */
  unbury(id: string, input?: WithUser): Promise<MemoryView>
  /**
   * Removes one memory for good, and what lines that Mneme wrote into the profile say of it; `not_found` when there is none.
   * Conversations in which it was told stay, with their summaries, titles and working memory, and so do lines of the profile
   * that the user wrote or changed: delete turns with `conversations.delete`.
   */
  delete(id: string, input?: WithUser): Promise<void>
  /**
   * Removes all memories of the user and every line that Mneme wrote into the profile, or all memories that pass the filter and
   * what lines say of them. What stays is what stays after `delete`.
   */
  deleteAll(input?: WithUser & { readonly filters?: unknown }): Promise<{ readonly deleted: number }>
  /** What happened to a memory, oldest first. */
  history(id: string, input?: WithUser): Promise<readonly MemoryEventView[]>
  /** Removes all memories of the user for good, as `deleteAll` without a filter. */
  reset(input?: WithUser): Promise<{ readonly deleted: number }>
  /** Counts one access of each: call it for what was put into a model's context. */
  touch(ids: readonly string[], input?: WithUser): Promise<void>
  /**
   * A number that grows with every change to what the user's memories say, by whatever process; counted accesses change
   * nothing. What was read can be kept until it is another number, or a memory's `validTo` comes.
   */
  revision(input?: WithUser): Promise<number>
  /**
   * Adds and removes memories in one transaction, if nothing was changed since `revision` said `expectedRevision`. Resolves
   * false, having written nothing, when something was: ask for the revision, read and plan anew. The texts are stored as they are.
   */
  write(input: UserOptional<WriteMemoriesInput>): Promise<boolean>
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

function pendingResults(content: string | readonly MessageInput[], jobId: string): readonly AddedView[] {
  const texts = typeof content === 'string' ? [content] : content.map((message) => message.content)
  return texts.map((memory) => ({ id: jobId, memory, event: 'PENDING' }))
}

/** The facade over an engine. */
export function memories({ memories: cases }: Engine, user: ChooseUser): Memories {
  const searchAs: Memories['searchAs'] = async (look, query, input) => {
    const { asked, show } = splitReveal(input)
    const { results, warnings } = await cases.search(query, { ...asked, userId: user(input) })
    return {
      results: results.map(({ memory, score, explanation }) => ({
        look: look(memory, show),
        score: Number(score.toFixed(4)),
        explanation,
      })),
      warnings,
    }
  }
  return {
    add: async (content, input) => {
      const {
        outcomes,
        rejected,
        jobId,
        isPending = false,
      } = await cases.add(content, { ...input, userId: user(input) })
      return {
        results: isPending && jobId !== null ? pendingResults(content, jobId) : outcomes.map(addedView),
        rejected,
        ...(jobId === null ? {} : { jobId }),
      }
    },
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
    get: async (id, input) => renderMemory(await cases.get(user(input), id)),
    getAll: async (input) => {
      const { asked, show } = splitReveal(input)
      const { items, total } = await cases.list({ ...asked, userId: user(input) })
      return { items: await shownList(items, (memory) => show(renderMemory(memory))), total }
    },
    update: async (id, patch, input) =>
      renderMemory(await cases.update(user(input), id, typeof patch === 'string' ? { text: patch } : patch)),
    bury: async (id, input) => renderMemory(await cases.bury(user(input), id, true)),
    unbury: async (id, input) => renderMemory(await cases.bury(user(input), id, false)),
    delete: async (id, input) => cases.remove(user(input), id),
    deleteAll: async (input) => ({ deleted: await cases.removeAll({ ...input, userId: user(input) }) }),
    history: async (id, input) => (await cases.history(user(input), id)).map(renderMemoryEvent),
    reset: async (input) => {
      const userId = user(input)
      checkRecord('', input ?? {}, ['userId'])
      return { deleted: await cases.removeAll({ userId }) }
    },
    touch: async (ids, input) => cases.touch(user(input), ids),
    revision: async (input) => cases.revision(user(input)),
    write: async (input) => cases.write({ ...input, userId: user(input) }),
  }
}
