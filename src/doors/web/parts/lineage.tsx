/** Where did a memory come from, and what came of it? A map of its sources, predecessors, successor and dependents. */
import { hashOf, place } from '../address.ts'
import { get } from '../api.ts'
import type { Memory, Page, Turn } from '../records.ts'
import { t, type Words } from '../words.ts'
import { moment } from './dates.ts'
import { sourceHash } from './evidence.tsx'

/** Most turns of a source shown, and most memories of each kind. */
const MOST_SOURCES = 5
const MOST = 20

/** Items related to a memory. */
export interface Lineage {
  readonly sources: readonly Turn[]
  readonly predecessors: readonly Memory[]
  readonly successor: Memory | null
  /** Facts derived from it, and memories that it puts in doubt. */
  readonly rests: readonly Memory[]
  readonly doubts: readonly Memory[]
  /** The memories that it was made from, if any. */
  readonly origins: readonly Memory[]
  /** Whether the memory file contains it. */
  readonly isInFile: boolean
}

/** Loads the lineage. Deleted parts are skipped. */
export async function readLineage(memory: Memory, signal: AbortSignal): Promise<Lineage> {
  const { id, conversation_id, source_turn_ids, superseded_by, metadata } = memory
  const one = (which: string): Promise<readonly Memory[]> =>
    get<Memory>(['memory', 'long-term', which], signal).then(
      (found) => [found],
      () => [],
    )
  // One query for all, because the server scans every memory for it.
  const pointing = async (): Promise<readonly Memory[]> => {
    const fields = ['superseded_by', 'metadata.source_ids', 'metadata.merged_from_ids', 'metadata.doubted_by']
    const filters = JSON.stringify({ OR: fields.map((field) => ({ [field]: id })) })
    const asked = { filters, include_past: true, include_buried: true, limit: MOST }
    return (await get<Page<Memory>>(['memory', 'long-term'], signal, asked)).items.filter((other) => other.id !== id)
  }
  const names = (other: Memory, field: string): boolean => {
    const ids = other.metadata?.[field]
    return Array.isArray(ids) && ids.includes(id)
  }
  const turn = (number: number): Promise<readonly Turn[]> =>
    get<Page<Turn>>(['conversations', conversation_id ?? '', 'turns'], signal, {
      from_turn: number,
      to_turn: number,
    }).then(
      ({ items }) => items,
      () => [],
    )
  const made = metadata?.source_ids
  const origins = Array.isArray(made) ? made.filter((name): name is string => typeof name === 'string') : []
  const [sources, successors, others, before, isInFile] = await Promise.all([
    conversation_id === null ? [] : Promise.all(source_turn_ids.slice(0, MOST_SOURCES).map(turn)),
    superseded_by === null ? [] : one(superseded_by),
    pointing(),
    Promise.all(origins.slice(0, MOST).map(one)),
    get<{ entries: readonly { memory_id: string | null }[] }>('/memory-file', signal).then(
      ({ entries }) => entries.some((entry) => entry.memory_id === id),
      () => false,
    ),
  ])
  return {
    sources: sources.flat(),
    predecessors: others.filter((other) => other.superseded_by === id),
    successor: successors[0] ?? null,
    rests: others.filter((other) => names(other, 'source_ids') || names(other, 'merged_from_ids')),
    doubts: others.filter((other) => other.metadata?.doubted_by === id),
    origins: before.flat(),
    isInFile,
  }
}

/** The map, from the sources down to the dependents. */
export function LineageMap({ memory, lineage }: { readonly memory: Memory; readonly lineage: Lineage }) {
  const { sources, predecessors, successor, rests, doubts, origins, isInFile } = lineage
  const node = (label: Words, one: Memory) => (
    <li key={`${label} ${one.id}`} class="map-node">
      <a class="card map-card" href={hashOf('memories', one.id, place.value.params)}>
        <span class="tiny block">{t(label)}</span>
        <span dir="auto">{one.text}</span>
      </a>
    </li>
  )
  return (
    <ol class="map stack">
      {sources.map((turn) => (
        <li key={turn.turn_id} class="map-node is-source">
          <a class="card map-card source" href={sourceHash(turn.conversation_id, turn.turn_id)}>
            <span class="tiny block">
              {turn.speaker ?? t(turn.role === 'user' ? 'you' : 'assistant')} · {moment(turn.created_at)}
            </span>
            <span class="quote" dir="auto">
              {turn.content}
            </span>
          </a>
        </li>
      ))}
      {origins.map((one) => node('made of', one))}
      {predecessors.map((one) => node('took the place of', one))}
      <li class="map-node is-here" aria-current="true">
        <p class="card map-card" dir="auto">
          {memory.text}
        </p>
      </li>
      {successor !== null && node('replaced by', successor)}
      {rests.map((one) => node('rests on it', one))}
      {doubts.map((one) => node('in doubt because of it', one))}
      {isInFile && (
        <li class="map-node">
          <a class="card map-card" href={hashOf('profile', 'file')}>
            <span class="tiny block">{t('stands in')}</span> MEMORY.md
          </a>
        </li>
      )}
    </ol>
  )
}
