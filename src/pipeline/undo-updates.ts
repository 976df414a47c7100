/** What did the turns that are taken back add to episodes of other turns (002 R4)? These say again what they said before. */
import { firstTaken, type UpdateOrigin, withoutUpdates } from '../cognition/reconsolidate/take-back.ts'
import type { MemoryStore } from '../contracts/memory-store.ts'
import { MnemeError } from '../domain/errors.ts'
import type { Memory, MemoryEvent } from '../domain/memory.ts'
import type { SourceTurns } from './source-turns.ts'
import { otherSources } from './undo-sources.ts'

const MOST_ATTEMPTS = 20

/** Whether a turn that is taken back told the update. */
export function toldUpdate({ turns, whole }: SourceTurns): (origin: UpdateOrigin) => boolean {
  return ({ conversationId, turnId }) =>
    whole.has(conversationId) || (turnId !== null && turns.get(conversationId)?.has(turnId) === true)
}

/** Takes the updates out of these memories, for good, out of their history too; the number of memories changed. */
export async function takeUpdatesBack(
  memories: Pick<MemoryStore, 'getMany' | 'history' | 'revision' | 'apply'>,
  userId: string,
  ids: readonly string[],
  sources: SourceTurns,
  now: () => number,
): Promise<number> {
  let changed = 0
  for (const id of ids) if (await takeOneBack(memories, userId, id, sources, now)) changed += 1
  return changed
}

async function takeOneBack(
  memories: Pick<MemoryStore, 'getMany' | 'history' | 'revision' | 'apply'>,
  userId: string,
  id: string,
  sources: SourceTurns,
  now: () => number,
): Promise<boolean> {
  const isTaken = toldUpdate(sources)
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const revision = await memories.revision(userId)
    const [memory] = await memories.getMany(userId, [id], { includePast: true, includeBuried: true })
    const since = memory === undefined ? null : firstTaken(memory, isTaken)
    if (memory === undefined || since === null) return false
    const before = textBefore(await memories.history(userId, id), since)
    const patch = withoutUpdates({ ...memory, metadata: withoutSources(memory, sources) }, isTaken, before)
    const change = { id, patch, event: 'UPDATE' as const, unsaid: { since, text: before ?? patch.text } }
    if (await memories.apply(userId, revision, { insert: [], update: [change], remove: [], at: now() })) return true
  }
  throw new MnemeError('conflict', 'Not everything was undone: others wrote all the time.', { remedy: 'Try again.' })
}

/** null where the history does not reach back so far. */
function textBefore(history: readonly MemoryEvent[], since: number): Memory['text'] | null {
  const changed = history.find(
    ({ event, createdAt, previousText, newText }) =>
      event === 'UPDATE' && createdAt >= since && previousText !== newText,
  )
  return changed?.previousText ?? null
}

/** The metadata in which only turns that stay tell the memory. */
function withoutSources(memory: Memory, sources: SourceTurns): Memory['metadata'] {
  const { sources: told, ...metadata } = memory.metadata ?? {}
  if (told === undefined) return memory.metadata
  const left = [...otherSources([memory], sources)].map(([conversation_id, turn_ids]) => ({
    conversation_id,
    turn_ids,
  }))
  return left.length === 0 ? metadata : { ...metadata, sources: left }
}
