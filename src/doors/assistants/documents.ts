/** Documents of a tool, one memory each: read by tag, and changed atomically despite concurrent writes. */
import { setTimeout } from 'node:timers/promises'
import { everyItem } from '../../domain/pieces.ts'
import type { OpenMemory } from '../library/open-memory.ts'
import type { MemoryView } from '../library/render.ts'

type PlannedMemory = NonNullable<Parameters<OpenMemory['write']>[0]['add']>[number]

export interface DocumentPlan<Answer> {
  readonly remove?: readonly { readonly id: string }[]
  readonly add?: readonly PlannedMemory[]
  readonly answer: Answer
}

export interface Documents {
  read(filters: unknown): Promise<readonly MemoryView[]>
  /** Plans and writes in one transaction; `plan` is called again after a concurrent write. */
  change<Answer>(plan: () => Promise<DocumentPlan<Answer>>): Promise<Answer>
}

const PAGE = 1000
const ATTEMPTS = 50
/** Milliseconds; drawn at random, so that two writers do not collide again. */
const LONGEST_PAUSE = 20

/** Without `userId`: of the default user. */
export function documents(memory: OpenMemory, userId: string | undefined): Documents {
  const user = userId === undefined ? {} : { userId }
  return {
    read: async (filters) => {
      const all: MemoryView[] = []
      const list = (page: object) => memory.getAll({ ...user, filters, ...page, revealSecrets: true })
      for await (const one of everyItem(list, PAGE)) all.push(one)
      return all
    },
    change: async (plan) => {
      for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
        const expectedRevision = await memory.revision(user)
        const { remove = [], add = [], answer } = await plan()
        if (remove.length + add.length === 0) return answer
        if (await memory.write({ ...user, expectedRevision, remove: remove.map(({ id }) => id), add })) return answer
        await setTimeout(Math.random() * LONGEST_PAUSE)
      }
      throw new Error('Others keep changing the memory. Please try again.')
    },
  }
}
