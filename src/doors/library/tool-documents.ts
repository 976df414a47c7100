/** Memories that a tool keeps as documents of its own: read by filters at one revision, changed in one transaction each time. */
import { setTimeout } from 'node:timers/promises'
import { MnemeError } from '../../domain/errors.ts'
import { breathe, everyItem, inTurns } from '../../domain/scheduling.ts'
import type { MemoryView } from './binding.ts'
import type { OpenMemory } from './open-memory.ts'

type PlannedMemory = NonNullable<Parameters<OpenMemory['write']>[0]['add']>[number]

interface DocumentPlan<Answer> {
  readonly remove?: readonly { readonly id: string }[]
  readonly add?: readonly PlannedMemory[]
  readonly answer: Answer
}

const PAGE = 1000
/** Most readings while others keep writing; the last one is taken as it is. */
const READINGS = 10
const ATTEMPTS = 100
/** Milliseconds; drawn at random, so that two writers do not collide again. */
const LONGEST_PAUSE = 50
/** Changes of one user come one after another, as plans beside one another would have to be made again. */
const inTurn = inTurns()

/** Without `userId`: of the default user. Rejects with `aborted` before anything is written. */
export function documents(memory: OpenMemory, userId: string | undefined, signal?: AbortSignal) {
  const user = { userId }
  const read = async (filters: unknown): Promise<readonly MemoryView[]> => {
    const all = new Map<string, MemoryView>()
    const list = async (page: object) => {
      await breathe(signal)
      return memory.getAll({ ...user, filters, ...page, revealSecrets: true })
    }
    for await (const one of everyItem(list, PAGE)) all.set(one.id, one)
    return [...all.values()]
  }
  return {
    /** Secrets are as they are. */
    read: async (filters: unknown): Promise<readonly MemoryView[]> => {
      for (let reading = 1; ; reading += 1) {
        const revision = await memory.revision(user)
        const all = await read(filters)
        if (reading === READINGS || (await memory.revision(user)) === revision) return all
      }
    },
    /** Plans and writes in one transaction; `plan` is called again after a concurrent write. */
    change: <Answer>(plan: (revision: number) => Promise<DocumentPlan<Answer>>): Promise<Answer> =>
      inTurn(memory, userId ?? '', async () => {
        for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
          const expectedRevision = await memory.revision(user)
          const { remove = [], add = [], answer } = await plan(expectedRevision)
          if (remove.length + add.length === 0) return answer
          await breathe(signal)
          if (await memory.write({ ...user, expectedRevision, remove: remove.map(({ id }) => id), add })) return answer
          await setTimeout(Math.random() * LONGEST_PAUSE)
        }
        throw new MnemeError('conflict', 'Others keep changing the memories; nothing was written.', {
          remedy: 'Call again in a moment.',
        })
      }),
  }
}
