/** Takes memories back from a mirror into the store, with their vectors; present ones stay. */
import type { Work } from '../../../domain/contracts/conversation-log.ts'
import type { MemoryStore } from '../../../domain/contracts/memory-store.ts'
import type { StoredVectorIndex } from '../../../domain/contracts/vector-index.ts'
import type {
  MirrorRestoreCounts,
  VectorMirror,
  VectorOutbox,
  WholeMirrorRow,
} from '../../../domain/contracts/vector-mirror.ts'
import { breathe } from '../../../domain/pieces.ts'
import { newSeal } from './keep-seal.ts'

/** The dependencies of restoring. */
export interface RestoreDependencies {
  readonly memories: Pick<MemoryStore, 'restore' | 'get'>
  readonly vectors: StoredVectorIndex
  readonly mirror: VectorMirror
  readonly outbox: VectorOutbox
}

/** Restores all of them; stopped half-way it can be run again. Rejects `vector_store_failed`. */
export async function restoreFromMirror(
  { memories, vectors, mirror, outbox }: RestoreDependencies,
  { signal, onProgress }: Work = {},
): Promise<MirrorRestoreCounts> {
  const counts = { restored: 0, known: 0, shortened: 0, turns: 0, foreign: 0 }
  const identity = await vectors.identity()
  const taken = new Set([(await outbox.seal())?.storeId ?? ''])
  const seal = newSeal()
  let read = 0
  for await (const rows of mirror.allRows(signal)) {
    for (const [userId, mine] of byUser(rows)) {
      const readable = mine.filter(isMemory)
      counts.turns += mine.filter(({ record }) => record.kind === 'turn').length
      counts.foreign += mine.filter((row) => row.record.kind !== 'turn' && !isMemory(row)).length
      const stored = await memories.restore(
        userId,
        readable.map(({ record }) => ({ memory: record.memory!, edits: [] })),
      )
      const fresh = readable.filter((_, at) => !stored[at]!.existed)
      counts.known += readable.length - fresh.length
      counts.restored += fresh.length
      counts.shortened += fresh.filter(({ shortened }) => shortened.length > 0).length
      const whole = fresh.filter(
        ({ record, shortened }) =>
          record.model === identity?.model &&
          record.vector.length === identity.dimension &&
          !shortened.includes('text'),
      )
      await vectors.add(
        userId,
        whole.map(({ record }) => record),
      )
      // Should the file that they were of be alive, it learns by the seal that its rows are another's.
      for (const { storeId } of fresh)
        if (storeId !== '' && !taken.has(storeId)) {
          taken.add(storeId)
          await mirror.setSeal(storeId, seal)
        }
      // The store sends them under rows of its own, at once or when it has embedded them anew.
      await outbox.adopt(fresh)
    }
    read += rows.length
    onProgress?.(read, null)
    await breathe(signal)
  }
  return counts
}

/** A row that some program wrote without an id of ours is no memory that could be known again. */
function isMemory({ id, userId, record }: WholeMirrorRow): boolean {
  return id !== '' && userId !== '' && record.memory !== undefined && record.text.trim() !== ''
}

function byUser(rows: readonly WholeMirrorRow[]): ReadonlyMap<string, readonly WholeMirrorRow[]> {
  const groups = new Map<string, WholeMirrorRow[]>()
  for (const row of rows) {
    const mine = groups.get(row.userId) ?? []
    mine.push(row)
    groups.set(row.userId, mine)
  }
  return groups
}
