/** Did a memory come from the turns that are taken back, and what does it refer to? */
import { type EpisodeSource, metadataTexts, sourcesOf } from '../cognition/merge/episode-metadata.ts'
import { firstTaken, isMixedWith } from '../cognition/reconsolidate/take-back.ts'
import type { Memory } from '../domain/memory.ts'
import type { SourceTurns } from './source-turns.ts'
import { DOUBTED_BY } from './thinking/plan-changes.ts'
import { toldUpdate } from './undo-updates.ts'

/** Field of metadata, in rows of earlier versions: id of the memory of which it is what still held. */
const DERIVED_FROM = 'derived_from'

/** What a memory refers to, by ids. */
export function referenceOf({ metadata }: Memory): {
  readonly doubtedBy: string | null
  readonly derivedFrom: string | null
} {
  const idIn = (field: string): string | null => {
    const value = metadata?.[field]
    return typeof value === 'string' ? value : null
  }
  return { doubtedBy: idIn(DOUBTED_BY), derivedFrom: idIn(DERIVED_FROM) }
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
