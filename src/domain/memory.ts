/** One long-term record about a user, and the live state of one conversation. Field by field as in the design, §2. */
import type { Metadata } from './turn.ts'

export type MemoryType = 'episodic' | 'semantic'
export type Category = 'preference' | 'fact' | 'pattern'
export type MemorySource = 'user_stated' | 'inferred' | 'system'

export const MEMORY_TYPES: readonly MemoryType[] = ['episodic', 'semantic']
export const CATEGORIES: readonly Category[] = ['preference', 'fact', 'pattern']
export const MEMORY_SOURCES: readonly MemorySource[] = ['user_stated', 'inferred', 'system']

/** One long-term memory. Times are milliseconds since the epoch. */
export interface Memory {
  readonly id: string
  readonly memoryType: MemoryType
  readonly text: string
  readonly category: Category
  /** Name of the fact ("drink"), null for free text. */
  readonly key: string | null
  /** Any JSON; null when the text says it all. */
  readonly value: unknown
  readonly tags: readonly string[]
  readonly conversationId: string | null
  /** The person who said or did it ("user", a name); null when unknown. */
  readonly who: string | null
  readonly occurredAt: number
  readonly createdAt: number
  readonly updatedAt: number
  /** 0 to 1. */
  readonly confidence: number
  readonly source: MemorySource
  /** 0 to 3 (specification 004). */
  readonly importance: number
  /** The number of times it was put into a model's context (002 calls it hit_count). */
  readonly accessCount: number
  readonly lastAccessed: number | null
  readonly validFrom: number
  /** The end of its validity; null while it holds. */
  readonly validTo: number | null
  /** Id of the memory that took its place. */
  readonly supersededBy: string | null
  /** Set when one of its grounds has changed. */
  readonly suspect: Suspicion | null
  /** The turns it came from, numbers in `conversationId`. */
  readonly sourceTurnIds: readonly number[]
  readonly externalId: string | null
  readonly metadata: Metadata | null
  /** The project of the memory, in which alone it holds; null: it is about the user and holds everywhere. */
  readonly projectRoot: string | null
  /** The time of its burial, after which no model is shown it; null or absent otherwise. */
  readonly buriedAt?: number | null
}

/** Field of a memory's metadata: id of the memory that cast doubt on it. */
export const DOUBTED_BY = 'doubted_by'
/** Field of a memory's metadata: id of the memory that may hold instead of it. */
export const CHANGED_BY = 'changed_by'
/** The changes of a memory with this metadata when nothing casts doubt on it any more. */
export function undoubted(metadata: Memory['metadata']): Pick<Memory, 'suspect' | 'metadata'> {
  const { [DOUBTED_BY]: _, [CHANGED_BY]: __, ...rest } = metadata ?? {}
  return { suspect: null, metadata: rest }
}

/** Field of a memory's metadata: when a person last gave it other words than those of its turns, as an ISO time. */
export const CORRECTED_AT = 'corrected_at'
/** The end of a doubt's reason where only a part of the memory is spoken against. */
export const REST_MAY_HOLD = '; the rest of it may still hold'

/** Its subjects: its tags, and the attributes that thinking noted in its metadata. */
export function subjectsOf({ tags, metadata }: Pick<Memory, 'tags' | 'metadata'>): readonly string[] {
  const noted: unknown = metadata?.subjects
  return Array.isArray(noted) ? [...tags, ...noted.filter((one) => typeof one === 'string')] : tags
}

/** Whether a memory gives or speaks of one of these attributes. */
export function speaksOf(memory: Pick<Memory, 'key' | 'tags' | 'metadata'>, subjects: readonly string[]): boolean {
  const own = subjectsOf(memory)
  return subjects.some((subject) => subject === memory.key || own.includes(subject))
}

/** Turns of one conversation that a record came from. */
export interface EpisodeSource {
  readonly conversation_id: string | null
  readonly turn_ids: readonly number[]
}

/** The sources of the record, over all conversations. */
export function sourcesOf({
  metadata,
  conversationId,
  sourceTurnIds,
}: Pick<Memory, 'metadata' | 'conversationId' | 'sourceTurnIds'>): readonly EpisodeSource[] {
  const noted: unknown = metadata?.sources
  const kept = (Array.isArray(noted) ? noted : []).flatMap((one: Partial<EpisodeSource> | null): EpisodeSource[] => {
    const { conversation_id: id, turn_ids } = one ?? {}
    if (!Array.isArray(turn_ids)) return []
    return [
      {
        conversation_id: typeof id === 'string' ? id : null,
        turn_ids: turn_ids.filter((turn) => typeof turn === 'number'),
      },
    ]
  })
  if (kept.length > 0) return kept
  return conversationId === null && sourceTurnIds.length === 0
    ? []
    : [{ conversation_id: conversationId, turn_ids: sourceTurnIds }]
}

interface Suspicion {
  readonly reason: string
  readonly since: number
}

/** One event in a memory's history. */
export interface MemoryEvent {
  readonly memoryId: string
  readonly event: 'ADD' | 'UPDATE' | 'SUPERSEDE' | 'DELETE'
  readonly previousText: string | null
  readonly newText: string | null
  readonly createdAt: number
}

/** The live state of one conversation: the seven fields of specification 000. */
export interface WorkingMemory {
  readonly sessionId: string
  readonly currentTopic: string | null
  readonly contextVariables: Readonly<Record<string, unknown>>
  readonly turnCount: number
  readonly lastEmotion: string | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** A memory that nobody has used, doubted or replaced yet, with the given fields. A plan for later holds from now on. */
export function freshMemory<Given extends Partial<Memory> & Pick<Memory, 'createdAt'>>(
  given: Given,
): Omit<Memory, 'id' | 'text'> & Given {
  const { createdAt, occurredAt = createdAt } = given
  return {
    ...{ memoryType: 'semantic', category: 'fact', key: null, value: null, tags: [], conversationId: null, who: null },
    ...{ occurredAt, updatedAt: createdAt, confidence: 1, source: 'user_stated', importance: 1 },
    ...{ accessCount: 0, lastAccessed: null, validFrom: Math.min(occurredAt, createdAt), validTo: null },
    ...{ supersededBy: null, suspect: null, sourceTurnIds: [], externalId: null, metadata: null, projectRoot: null },
    ...given,
  }
}

/** true when a memory is neither superseded nor over nor buried; `now` in milliseconds since the epoch. */
export function holdsAt(
  { supersededBy, validTo, buriedAt }: Pick<Memory, 'supersededBy' | 'validTo' | 'buriedAt'>,
  now: number,
): boolean {
  return supersededBy === null && (buriedAt ?? null) === null && (validTo === null || validTo > now)
}

/** true when a memory of project `own` is shown to a question from project `asked`. */
export function holdsIn(own: string | null, asked: string): boolean {
  return own === null || own === asked
}

/** true when the memories are of two projects: such memories neither repeat nor change each other. */
export function areOfTwoProjects(a: string | null, b: string | null): boolean {
  return a !== null && b !== null && a !== b
}

/** The display name of a project: the last part of its root; null for none. */
export function projectName(root: string | null): string | null {
  return root?.split(/[\\/]/).findLast((part) => part !== '') ?? null
}

/** The path and the folders above it, the longest first. */
export function pathsAbove(path: string): readonly string[] {
  const paths: string[] = []
  for (let rest = path; rest !== ''; rest = rest.slice(0, Math.max(0, rest.search(/[/\\][^/\\]*$/)))) paths.push(rest)
  return /^[/\\]./.test(path) ? [...paths, path[0]!] : paths
}

/** A mark of a project that fits into five bits, 1 to 31; 0 for what holds everywhere. Two projects may share one. */
export function projectMark(root: string | null): number {
  if (root === null) return 0
  let hash = 0
  for (let at = 0; at < root.length; at += 1) hash = (Math.imul(hash, 31) + root.charCodeAt(at)) >>> 0
  return (hash % 31) + 1
}
