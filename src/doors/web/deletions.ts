/**
 * Deletions that can be undone: hidden at once, sent after a delay, or early when the page is left. A failed deletion
 * is shown again, with the reason.
 */
import { computed, signal } from '@preact/signals'

/** Milliseconds in which a deletion can be taken back. */
const UNDO_MS = 10_000
/** Most requests at once. */
const AT_ONCE = 6

/** Items that were deleted together. */
export interface Deletion {
  readonly ids: readonly string[]
  /** The deleted items' name, beside the undo button. */
  readonly label: string
  /** Deletes one item for good. `isLeaving` is true when the page is closing. */
  readonly remove: (id: string, isLeaving: boolean) => Promise<unknown>
}

/** Pending deletions and their operations. */
export function createDeletions(
  told: { readonly onSent: () => void; readonly onFailure: (error: unknown) => void },
  later: (work: () => void, ms: number) => unknown = setTimeout,
) {
  const waiting = signal<readonly Deletion[]>([])
  const gone = signal<ReadonlySet<string>>(new Set())
  const hidden = computed(() => new Set([...gone.value, ...waiting.value.flatMap(({ ids }) => ids)]))
  const drop = (one: Deletion): void => {
    waiting.value = waiting.value.filter((other) => other !== one)
  }

  const send = async (deletion: Deletion, isLeaving = false): Promise<void> => {
    if (!waiting.value.includes(deletion)) return
    gone.value = new Set([...gone.value, ...deletion.ids])
    drop(deletion)
    const queue = [...deletion.ids]
    const failed = new Map<string, unknown>()
    const work = async (): Promise<void> => {
      for (let id = queue.shift(); id !== undefined; id = queue.shift())
        await deletion.remove(id, isLeaving).catch((error: unknown) => failed.set(id, error))
    }
    await Promise.all(Array.from({ length: isLeaving ? queue.length : AT_ONCE }, work))
    if (failed.size > 0) gone.value = new Set([...gone.value].filter((id) => !failed.has(id)))
    told.onSent()
    for (const [, error] of [...failed].slice(0, 1)) told.onFailure(error)
  }
  return {
    /** Deletions that can still be undone. */
    waiting,
    /** Ids of hidden items. */
    hidden,
    add(deletion: Deletion): void {
      waiting.value = [...waiting.value, deletion]
      later(() => void send(deletion), UNDO_MS)
    },
    undo: drop,
    /** Sends pending deletions, because the page is closing. */
    leave(): void {
      for (const deletion of waiting.value) void send(deletion, true)
    },
  }
}
