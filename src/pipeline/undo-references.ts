/**
 * Which memories came from the turns that are taken back, and which others refer to these? Read in pieces; of the others
 * only what refers is kept in mind, so that a user's memories need not fit into memory.
 */
import { type EpisodeSource, metadataTexts, sourcesOf } from '../cognition/merge/episode-metadata.ts'
import { firstTaken, isMixedWith } from '../cognition/reconsolidate/take-back.ts'
import type { MemoryStore } from '../contracts/memory-store.ts'
import type { Memory } from '../domain/memory.ts'
import { breathe } from '../domain/pieces.ts'
import type { SourceTurns } from './source-turns.ts'
import { DOUBTED_BY } from './thinking/plan-changes.ts'
import { toldUpdate } from './undo-updates.ts'

/** Field of metadata, in rows of earlier versions: id of the memory of which it is what still held. */
const DERIVED_FROM = 'derived_from'

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
  /** Ids of episodes to which the source has added something. */
  readonly updated: readonly string[]
}

const MEMORIES_A_PIECE = 500

/**
 * Reads all memories of the user, past ones too, in the order of their latest change: what others change meanwhile comes
 * once more, at the end, and nothing is passed over.
 */
export async function readReferences(
  memories: Pick<MemoryStore, 'changedSince'>,
  userId: string,
  sources: SourceTurns,
): Promise<References> {
  const fromSource = new Map<string, Memory>()
  const referring = new Map<string, Reference>()
  const updated = new Set<string>()
  const isTold = toldUpdate(sources)
  for (let from = 0; ; ) {
    const { memories: piece, mark } = await memories.changedSince(userId, from, MEMORIES_A_PIECE)
    if (piece.length === 0)
      return { fromSource: [...fromSource.values()], referring: [...referring.values()], updated: [...updated] }
    for (const memory of piece) {
      if (comesFrom(memory, sources)) fromSource.set(memory.id, memory)
      if (firstTaken(memory, isTold) !== null) updated.add(memory.id)
      const reference = referenceOf(memory)
      if (reference.supersededBy !== null || reference.doubtedBy !== null || reference.derivedFrom !== null)
        referring.set(memory.id, reference)
    }
    from = mark
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

/**
 * Whether any turn that a memory came from is taken back. One to which that turn only added something, and which it so
 * tells as well, is no such memory: without the addition it is what it was, unless both were mixed since.
 */
export function comesFrom(memory: Memory, sources: SourceTurns): boolean {
  const { turns, whole } = sources
  const isTaken = ({ conversation_id: id, turn_ids }: EpisodeSource): boolean =>
    id !== null && (whole.has(id) || turn_ids.some((turn) => turns.get(id)?.has(turn) === true))
  const isTold = toldUpdate(sources)
  if (isMixedWith(memory, isTold)) return true
  if (!sourcesOf(memory).some(isTaken)) return false
  const own = { conversation_id: memory.conversationId, turn_ids: memory.sourceTurnIds }
  return isTaken(own) || firstTaken(memory, isTold) === null
}
