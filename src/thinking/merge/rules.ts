/**
 * EpisodicMerger without a model (002 R5.2, R5.4, R9.4, R9.5): two records of one event become a new one with all
 * statements, origins and counts. Nothing is stored here.
 */
import { LIMITS } from '../../domain/limits.ts'
import type { Memory } from '../../domain/memory.ts'
import type { Metadata } from '../../domain/turn.ts'
import type { RewrittenWords } from '../answers/rewritten.ts'
import {
  bareText,
  eventStart,
  eventTime,
  joinSources,
  metadataRecords,
  metadataTexts,
  sourcesOf,
  withoutLabel,
} from './episode-metadata.ts'
import { joinStatements } from './join-statements.ts'

/** Identity and time of the merged record, passed in. */
export interface MergeStamp {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Longest text of a merged record: two that would be longer stay two. */
export const MERGED_CHARACTERS = 4000

/** The words of the merged record; null when they would be too long for one record. */
export function mergeWordsByRules(a: Memory, b: Memory): RewrittenWords | null {
  const [first, second] = inOrder(a, b)
  const text = joinStatements(withoutLabel(first), withoutLabel(second))
  if (text.length > MERGED_CHARACTERS) return null
  const joined = (field: string): string =>
    joinStatements(...([first, second].map(({ metadata }) => bareText(metadata, field)) as [string, string]))
  return { text, context: joined('context'), thing: joined('thing') }
}

/** The one new record with these words, by model or rules. All but the words is computed from the two. */
export function mergedMemory(a: Memory, b: Memory, words: RewrittenWords, { id, now }: MergeStamp): Memory {
  const [first, second] = inOrder(a, b)
  const suspect = first.suspect ?? second.suspect
  return {
    ...first,
    id,
    text: words.text,
    category: first.category === second.category ? first.category : 'fact',
    key: first.key === second.key ? first.key : null,
    value: first.key === second.key ? first.value : null,
    tags: union(first.tags, second.tags).slice(0, LIMITS.tags),
    occurredAt: Math.min(a.occurredAt, b.occurredAt),
    createdAt: Math.min(a.createdAt, b.createdAt),
    updatedAt: now,
    confidence: Math.max(a.confidence, b.confidence),
    // An inferred record does not become the user's word by a merge.
    source: a.source === b.source ? a.source : 'inferred',
    importance: Math.max(a.importance, b.importance),
    accessCount: a.accessCount + b.accessCount,
    lastAccessed: latest(a.lastAccessed, b.lastAccessed),
    validFrom: Math.min(a.validFrom, b.validFrom),
    suspect,
    sourceTurnIds:
      first.conversationId === second.conversationId
        ? union(first.sourceTurnIds, second.sourceTurnIds).toSorted((x, y) => x - y)
        : first.sourceTurnIds,
    externalId: first.externalId ?? second.externalId,
    metadata: mergedMetadata(first, second, words),
  }
}

function mergedMetadata(first: Memory, second: Memory, words: RewrittenWords): Metadata {
  const both = <T>(read: (memory: Memory) => readonly T[]): readonly T[] => union(read(first), read(second))
  const gone = new Set([first.id, second.id])
  const separated = both(({ metadata }) => metadataTexts(metadata, 'separated_from')).filter((id) => !gone.has(id))
  const updates = [...metadataRecords(first.metadata, 'updates'), ...metadataRecords(second.metadata, 'updates')]
  const external = both(({ externalId, metadata }) => [
    ...metadataTexts(metadata, 'external_ids'),
    ...(externalId === null ? [] : [externalId]),
  ])
  const subjects = both(({ metadata }) => metadataTexts(metadata, 'subjects'))
  const sources = joinSources([...sourcesOf(first), ...sourcesOf(second)])
  // The label of a separation stands in the text of the one record that it was made for.
  const { separated_label: _first, ...ofFirst } = first.metadata ?? {}
  const { separated_label: _second, ...ofSecond } = second.metadata ?? {}
  return {
    ...ofSecond,
    ...ofFirst,
    context: words.context,
    thing: words.thing,
    time: eventStart(first) <= eventStart(second) ? eventTime(first) : eventTime(second),
    chatid: first.conversationId,
    who: first.who,
    source_chat_ids: both(({ conversationId, metadata }) => [
      ...metadataTexts(metadata, 'source_chat_ids'),
      ...(conversationId === null ? [] : [conversationId]),
    ]),
    merged_from_ids: both(({ id, metadata }) => [...metadataTexts(metadata, 'merged_from_ids'), id]),
    ...(subjects.length > 0 ? { subjects } : {}),
    ...(sources.length > 1 ? { sources } : {}),
    ...(separated.length > 0 ? { separated_from: separated } : {}),
    ...(external.length > 1 ? { external_ids: external } : {}),
    ...(updates.length > 0
      ? { updates: updates.toSorted((a, b) => String(a.time).localeCompare(String(b.time))) }
      : {}),
  }
}

/** The order of the events; of two at once, the order in which they were told. */
function inOrder(a: Memory, b: Memory): readonly [Memory, Memory] {
  const order = eventStart(a) - eventStart(b) || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)
  return order <= 0 ? [a, b] : [b, a]
}

function union<T>(a: readonly T[], b: readonly T[]): readonly T[] {
  return [...new Set([...a, ...b])]
}

function latest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b)
}
