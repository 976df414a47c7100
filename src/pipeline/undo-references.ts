/**
 * Which memories came from the turns that are taken back, and which others refer to these? Read once, in pieces; of the
 * others only what refers is kept in mind, so that a user's memories need not fit into memory.
 */
import { metadataTexts, sourcesOf } from '../cognition/merge/episode-metadata.ts'
import type { MemoryStore } from '../contracts/memory-store.ts'
import type { Memory } from '../domain/memory.ts'
import { breathe } from '../domain/pieces.ts'
import type { SourceTurns } from './source-turns.ts'
import { DOUBTED_BY } from './thinking/plan-changes.ts'
import { DERIVED_FROM } from './thinking/still-true.ts'

/** What a memory refers to, by ids. */
export interface Reference {
  readonly id: string
  readonly supersededBy: string | null
  readonly doubtedBy: string | null
  readonly derivedFrom: string | null
}

/** What is known of a user's memories before something is taken back. */
export interface References {
  /** Those that came from the source, as they were when they were read. */
  readonly fromSource: readonly Memory[]
  /** Those that refer to another memory. */
  readonly referring: readonly Reference[]
}

const MEMORIES_A_PIECE = 500

/** Reads all memories of the user, past ones too. */
export async function readReferences(
  memories: Pick<MemoryStore, 'list'>,
  userId: string,
  sources: SourceTurns,
): Promise<References> {
  const fromSource: Memory[] = []
  const referring: Reference[] = []
  for (let offset = 0; ; offset += MEMORIES_A_PIECE) {
    const { items } = await memories.list(userId, { limit: MEMORIES_A_PIECE, offset, filter: { includePast: true } })
    for (const memory of items) {
      if (comesFrom(memory, sources)) fromSource.push(memory)
      const reference = referenceOf(memory)
      if (reference.supersededBy !== null || reference.doubtedBy !== null || reference.derivedFrom !== null)
        referring.push(reference)
    }
    if (items.length < MEMORIES_A_PIECE) return { fromSource, referring }
    await breathe()
  }
}

/** What a memory refers to. */
export function referenceOf({ id, supersededBy, metadata }: Memory): Reference {
  const idIn = (field: string): string | null => {
    const value = metadata?.[field]
    return typeof value === 'string' ? value : null
  }
  return { id, supersededBy, doubtedBy: idIn(DOUBTED_BY), derivedFrom: idIn(DERIVED_FROM) }
}

/** Its own id and the ids of those that were merged into it: others may still name these. */
export function namesOf({ id, metadata }: Memory): readonly string[] {
  return [id, ...metadataTexts(metadata, 'merged_from_ids')]
}

/** Whether any turn that a memory came from is taken back. */
export function comesFrom(memory: Memory, { turns, whole }: SourceTurns): boolean {
  return sourcesOf(memory).some(({ conversation_id: id, turn_ids }) => {
    if (id === null) return false
    const taken = turns.get(id)
    return whole.has(id) || (taken !== undefined && turn_ids.some((turn) => taken.has(turn)))
  })
}
