/**
 * Changes a user's graph: reads it, plans, and writes all changes in one transaction. After a concurrent change by any
 * process it reads and plans again, so no call sees a half-done change.
 */
import { setTimeout } from 'node:timers/promises'
import { invalid, MnemeError } from '../../../domain/errors.ts'
import { LIMITS } from '../../../domain/limits.ts'
import { breathe, inTurns } from '../../../domain/pieces.ts'
import type { Call } from '../operation.ts'
import { type GraphItem, memoryOfItem } from './items.ts'
import { readSnapshot, type StoredItem } from './read-graph.ts'

/** A call's changes to the graph, and its answer once they are written. */
export interface GraphPlan<Answer> {
  readonly add?: readonly GraphItem[]
  readonly remove?: readonly StoredItem[]
  readonly answer: Answer
}

/** Most attempts when others write in between; the waits add up to some seconds. */
const MOST_ATTEMPTS = 100
/** Longest wait in milliseconds; waits are random, so that two processes do not collide again. */
const LONGEST_WAIT = 100
/** Items prepared between two checks for cancellation. */
const READY_AT_ONCE = 50
/** Most items in one transaction, which blocks others: 10,000 short items take half a second. */
const MOST_ADDED = LIMITS.turnsPerCall

/** Runs a user's calls one after another, since concurrent plans would have to be repeated. */
const inTurn = inTurns()

/** Carries out the plan for the items of `names` (see `ItemsWanted`; null: of all). `plan` may be called again. */
export function changeGraph<Answer>(
  call: Call,
  names: readonly string[] | null,
  plan: (items: readonly StoredItem[]) => GraphPlan<Answer>,
): Promise<Answer> {
  const { memory, userId, signal } = call
  return inTurn(memory, userId, async () => {
    const tell = forward(call)
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      try {
        if (attempt > 0) await setTimeout(Math.random() * Math.min(attempt * 4, LONGEST_WAIT))
        await breathe(signal)
        const wanted = { ...(names === null ? {} : { names: new Set(names) }), signal }
        const { revision: expectedRevision, items } = await readSnapshot(memory, userId, wanted)
        const { add = [], remove = [], answer } = plan(items)
        const total = add.length + remove.length
        if (total === 0) return answer
        checkSize(add.length)
        const planned = await memoriesOf(add, expectedRevision, signal, (ready) => tell(ready, total))
        // The last point at which a cancellation is noticed.
        await breathe(signal)
        const ids = remove.map((one) => one.memory.id)
        if (await memory.write({ userId, expectedRevision, add: planned, remove: ids })) {
          tell(total, total)
          return answer
        }
      } catch (error) {
        throw error instanceof MnemeError && error.code === 'aborted' ? stopped(error) : error
      }
    }
    throw new MnemeError('conflict', 'Others changed the memories all the time; nothing was written.', {
      remedy: 'Call again in a moment.',
    })
  })
}

/** The memories of added items, placed behind all existing ones: every memory raises the revision by one. */
async function memoriesOf(
  items: readonly GraphItem[],
  revision: number,
  signal: AbortSignal | undefined,
  tell: (ready: number) => void,
) {
  const memories = []
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % READY_AT_ONCE === 0) {
      tell(index)
      await breathe(signal)
    }
    memories.push(memoryOfItem(item, revision + index))
  }
  return memories
}

/** Reports progress that never decreases, even when planning is repeated. */
function forward({ onProgress }: Call): (done: number, total: number) => void {
  let told = 0
  return (done, total) => {
    if (done <= told) return
    told = done
    onProgress?.(done, total)
  }
}

function checkSize(added: number): void {
  if (added > MOST_ADDED)
    throw invalid('input', `adds ${added} things; at most ${MOST_ADDED} are taken`, 'Make several calls.')
}

function stopped(cause: MnemeError): MnemeError {
  return new MnemeError('aborted', 'The call was stopped; nothing of it was kept.', {
    remedy: 'Call again, with fewer items at once.',
    cause,
  })
}
