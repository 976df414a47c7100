/** The meanings of a user's memories, made at the first search; they are few, so no store keeps them. */
import { setTimeout } from 'node:timers/promises'
import { countBelow } from '../domain/binary-search.ts'
import type { Store } from '../domain/contracts/store.ts'
import { MEMORY_DELETED, type MemoryView } from '../domain/contracts/text-index.ts'
import { giveWay } from '../domain/scheduling.ts'
import { isLatin } from '../language/character-class.ts'
import { loadWordVectors } from '../language/word-vectors.ts'
import type { MeantMemories } from '../search/meaning/meaning-scores.ts'
import type { MeaningArena } from '../search/meaning/meaning-store.ts'

/** Memories whose codes are made while somebody waits: about ten milliseconds. */
const AT_ONCE = 256
/** From so many on, the answer goes out before meanings are made. */
const MANY = 4096
/** After so many, others get their turn; sooner where the making is so long that most questions meet it. */
const BREATHES_AFTER = 32
const BREATHES_SOONER = 8
const LONG = 16_384
/** Background work gives way to every user. */
const NOBODY = ''
const PAUSE_MS = 200
/** Memories of all users that are kept, 300 bytes each; questions of further users are answered by words. */
const KEPT_MEMORIES = 100_000

interface UserMemories extends MeantMemories {
  readonly rows: number[]
  readonly texts: Map<string, { readonly text: string; readonly number: number }>
  /** The last document whose codes were made. */
  last: number
}

export function memoryMeanings(
  memories: Pick<Store['memories'], 'index' | 'getTexts'>,
  arena: MeaningArena,
  closing: AbortSignal,
) {
  /** Least recently used first. */
  const users = new Map<string, UserMemories>()
  const working = new Map<UserMemories, Promise<void>>()

  const opened = (userId: string, view: MemoryView): UserMemories | null => {
    let known = users.get(userId)
    // After many changes most codes are of texts that no memory has any more.
    if (known !== undefined && known.rows.length > 2 * view.live + AT_ONCE) {
      known.store.clear()
      known = undefined
    }
    users.delete(userId)
    let kept = view.live
    for (const { rows } of users.values()) kept += rows.length
    for (const [other, { rows, store }] of users) {
      if (kept <= KEPT_MEMORIES) break
      kept -= rows.length
      store.clear()
      users.delete(other)
    }
    if (kept > KEPT_MEMORIES) {
      known?.store.clear()
      return null
    }
    const texts: UserMemories['texts'] = known?.texts ?? new Map()
    const user = known ?? {
      store: arena.open(),
      rows: [],
      texts,
      textOf: ({ id, text }) => {
        const found = texts.get(id)
        return found?.text === text ? found.number : undefined
      },
      last: 0,
    }
    users.set(userId, user)
    return user
  }

  /** Makes the codes of the next memories, after the requests of all but `waiting`; false when none are left. */
  const makeSome = async (
    userId: string,
    user: UserMemories,
    { columns, size }: MemoryView,
    waiting: string,
  ): Promise<boolean> => {
    const from = countBelow(columns.document, user.last + 1, size)
    const ordinals = Array.from({ length: Math.min(AT_ONCE, size - from) }, (_, at) => from + at)
    if (ordinals.length === 0) return false
    const living = ordinals.filter((ordinal) => (columns.flags[ordinal]! & MEMORY_DELETED) === 0)
    const places = living.map((ordinal) => columns.row[ordinal]!)
    const [found, { encode }] = await Promise.all([memories.getTexts(userId, places), loadWordVectors()])
    // Another call may have been quicker, or the user has had to give way.
    if (columns.document[from]! <= user.last || users.get(userId) !== user) return false
    user.last = columns.document[ordinals.at(-1)!]!
    const together = size - from > LONG ? BREATHES_SOONER : BREATHES_AFTER
    for (const [at, { row, id, text }] of found.entries()) {
      // Long texts take a millisecond each.
      if (at % together === together - 1) await giveWay(waiting)
      if (users.get(userId) !== user) continue
      const before = user.texts.get(id)
      if (before?.text === text) continue
      if (before !== undefined) user.rows[before.number] = -1
      const number = user.store.append(isLatin(text) ? encode(text) : null)
      user.rows[number] = row
      user.texts.set(id, { text, number })
    }
    return ordinals.length === AT_ONCE
  }

  const makeRest = async (userId: string, user: UserMemories, isLong: boolean): Promise<void> => {
    try {
      // The answer goes out first.
      if (isLong) await setTimeout(PAUSE_MS, null, { signal: closing, ref: false })
      do await giveWay(NOBODY, closing)
      while (await makeSome(userId, user, await memories.index.view(userId), NOBODY))
    } catch {
      // The next question goes on here, and fails where nothing can be read.
    } finally {
      working.delete(user)
    }
  }

  return {
    /** The codes of a user's memories as far as they are made; null where there are too many or none. */
    of: async (userId: string): Promise<MeantMemories | null> => {
      const view = await memories.index.view(userId)
      const user = view.live === 0 ? null : opened(userId, view)
      if (user === null) return null
      const isLong = user.last === 0 && view.size > MANY
      if (!working.has(user) && (isLong || (await makeSome(userId, user, view, userId))))
        working.set(user, makeRest(userId, user, isLong))
      return user
    },
    idle: async (): Promise<void> => {
      await Promise.all(working.values())
    },
  }
}
