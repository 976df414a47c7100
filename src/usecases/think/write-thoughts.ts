/** Drafts become memories by a plan that is written only at the revision that it was made from. */
import type { LeasedJob } from '../../domain/contracts/job-queue.ts'
import type { MemoryChange, MemoryPatch, MemoryStore } from '../../domain/contracts/memory-store.ts'
import type { NewProfileLine } from '../../domain/contracts/small-stores.ts'
import { MnemeError } from '../../domain/errors.ts'
import type { Memory } from '../../domain/memory.ts'
import { inTurns } from '../../domain/scheduling.ts'
import type { Draft, News, Outcome, Thoughts } from './draft.ts'
import { planChanges } from './plan-changes.ts'
import { linesOfDrafts } from './profile-lines.ts'
import { readsOf } from './related-memories.ts'

type Verdicts = Pick<Thoughts, 'holding' | 'ends' | 'doubts'>

/** The other writes of the transaction. */
export interface Completion {
  /** Absent: none. */
  readonly verdicts?: Verdicts
  /** Lines of the profile that no draft says; absent: none. */
  readonly profile?: readonly NewProfileLine[]
  readonly completes?: { readonly conversationId: string; readonly thoughtTo: number }
  readonly lease?: LeasedJob
  /** The job of `lease` is done with this. */
  readonly finishes?: boolean
}

export interface WriteDependencies {
  readonly memories: MemoryStore
  readonly newId: () => string
  /** See `planChanges`. */
  readonly dedupThreshold?: number | undefined
}

/** Each loser of a race makes way for a winner, so this many others would have to be quicker every time. */
const MOST_ATTEMPTS = 50
/** The queue by store and user, in which plans of one process take turns instead of racing. */
const inTurn = inTurns()

/** Stores the drafts; their outcomes, in order. Rejects `conflict` when the lease was lost. */
export function writeThoughts(
  dependencies: WriteDependencies,
  userId: string,
  drafts: readonly (Draft | News)[],
  at: number,
  completion: Completion = {},
): Promise<readonly Outcome[]> {
  return inTurn(dependencies.memories, userId, () => write(dependencies, userId, drafts, at, completion))
}

async function write(
  { memories, newId, dedupThreshold }: WriteDependencies,
  userId: string,
  drafts: readonly (Draft | News)[],
  at: number,
  { verdicts = {}, profile = [], ...completion }: Completion,
): Promise<readonly Outcome[]> {
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const revision = await memories.revision(userId)
    const reads = readsOf(memories)
    const plan = await planChanges(reads, userId, drafts, newId, at, dedupThreshold)
    const { insert, update: planned, outcomes } = plan
    const update = [...planned, ...(await byVerdict(memories, userId, verdicts, planned, at))]
    const lines = [...linesOfDrafts(drafts, outcomes, at), ...profile]
    if (insert.length + update.length + lines.length === 0 && Object.keys(completion).length === 0) return outcomes
    if (await memories.apply(userId, revision, { insert, update, remove: [], lines, at, ...completion }))
      return outcomes
    // Refused though nobody wrote: the job is another's by now, or its conversation was deleted.
    if ((await memories.revision(userId)) === revision) break
  }
  throw new MnemeError(
    'conflict',
    'These thoughts were not stored: another process took over, or wrote all the time.',
    {
      remedy: 'Nothing is lost; the job that they belong to is done by whoever holds it.',
    },
  )
}

/** A model's verdicts on memories by id; changes by the drafts take precedence. */
async function byVerdict(
  memories: Pick<MemoryStore, 'get'>,
  userId: string,
  { holding = [], ends = [], doubts = [] }: Verdicts,
  planned: readonly MemoryChange[],
  now: number,
): Promise<readonly MemoryChange[]> {
  const changed = new Set(planned.map(({ id }) => id))
  const changes: MemoryChange[] = []
  const change = async (id: string, patch: (memory: Memory) => MemoryPatch | null): Promise<void> => {
    const memory = changed.has(id) ? null : await memories.get(userId, id)
    const found = memory === null || memory.validTo !== null ? null : patch(memory)
    if (found === null) return
    changed.add(id)
    changes.push({ id, patch: found, event: 'UPDATE' })
  }
  for (const { id, reason, at } of ends) {
    const buried = reason === 'forget' ? { buriedAt: at } : {}
    await change(id, ({ validFrom }) => ({ validTo: Math.max(validFrom, at), suspect: null, ...buried }))
  }
  for (const { id, reason } of doubts)
    await change(id, ({ suspect }) =>
      suspect === null ? { suspect: { reason: reason || 'the model doubts it', since: now } } : null,
    )
  for (const id of holding) await change(id, ({ suspect }) => (suspect === null ? null : { suspect: null }))
  return changes
}
