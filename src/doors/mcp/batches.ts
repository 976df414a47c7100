/** Messages that came as one list (revision 2025-03-26 has them) are answered by one list, when the last answer is there. */

type RequestId = string | number

interface Batch {
  readonly waiting: Set<RequestId>
  readonly answers: unknown[]
}

/** The batches that are being answered. */
export interface Batches {
  /** A batch of these requests came in; `refused` answers what in it is no message. The answer, where nothing is waited for. */
  open(ids: readonly RequestId[], refused: readonly unknown[]): readonly unknown[] | undefined
  /** What is to be written for this answer: itself, the whole list, or undefined while others of its batch are missing. */
  answer(id: RequestId, message: unknown): unknown
  /** Nobody waits for that answer any more: the list, where it was the last one missing. */
  forget(id: RequestId): readonly unknown[] | undefined
}

/** None yet. */
export function createBatches(): Batches {
  const batchOf = new Map<RequestId, Batch>()
  const without = (id: RequestId, batch: Batch): readonly unknown[] | undefined => {
    batchOf.delete(id)
    batch.waiting.delete(id)
    return whole(batch)
  }
  return {
    open: (ids, refused) => {
      const batch: Batch = { waiting: new Set(ids), answers: [...refused] }
      for (const id of ids) batchOf.set(id, batch)
      return whole(batch)
    },
    answer: (id, message) => {
      const batch = batchOf.get(id)
      if (batch === undefined) return message
      batch.answers.push(message)
      return without(id, batch)
    },
    forget: (id) => {
      const batch = batchOf.get(id)
      return batch === undefined ? undefined : without(id, batch)
    },
  }
}

/** A batch of notifications has no answer. */
function whole({ waiting, answers }: Batch): readonly unknown[] | undefined {
  return waiting.size === 0 && answers.length > 0 ? answers : undefined
}
