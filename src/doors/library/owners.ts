/** `memory.owners`: whose memories are here? Looks across users, so it is for programs that may speak for all of them. */
import type { Engine, PageInput } from '../../engine/engine.ts'
import type { MemoryOwner } from '../../engine/memories.ts'
import type { ListView } from './conversations.ts'
import { isoTime, type Rendered } from './render.ts'

/** A user who has memories, how many, and when the oldest that is left was stored and one was last changed. */
export type MemoryOwnerView = Rendered<MemoryOwner, 'createdAt' | 'updatedAt'>

/** Questions that no single user can answer. They tell names and numbers, never what is remembered. */
export interface Owners {
  /** The users who have a memory of this id: one, none, or several where an import brought it twice. */
  of(id: string): Promise<readonly string[]>
  /** Users who have memories, by name. */
  list(page?: PageInput): Promise<ListView<MemoryOwnerView>>
}

/** The facade over an engine. */
export function owners({ memories: cases }: Engine): Owners {
  return {
    of: async (id) => cases.ownersOf(id),
    list: async (page = {}) => {
      const { items, total } = await cases.owners(page)
      return {
        items: items.map((owner) => ({
          ...owner,
          createdAt: isoTime(owner.createdAt),
          updatedAt: isoTime(owner.updatedAt),
        })),
        total,
      }
    },
  }
}
