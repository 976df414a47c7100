/**
 * EpisodicMerger without a model (002 R5.2, R5.4, R9.4, R9.5): two records of one event become a new one with all
 * statements, origins and counts. Nothing is stored here.
 */
import { DAY_MS, MINUTE_MS } from '../../domain/clock.ts'
import { LIMITS } from '../../domain/limits.ts'
import { type Memory, sourcesOf } from '../../domain/memory.ts'
import type { Metadata } from '../../domain/turn.ts'
import { type DateRange, findDates } from '../../language/dates.ts'
import type { RewrittenWords } from '../model-answers/rewritten-words.ts'
import {
  inContrast,
  LEXICAL_THRESHOLDS,
  SHORT_TEXT,
  termOverlap,
  termWeight,
  textProfile,
} from '../similarity/similarity.ts'
import {
  bareText,
  eventStart,
  eventTime,
  joinSources,
  metadataRecords,
  metadataTexts,
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
  if (Math.max(first.text.length, second.text.length) > MERGED_CHARACTERS) return null
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
    lastAccessed: Math.max(a.lastAccessed ?? 0, b.lastAccessed ?? 0) || null,
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
  const updates = [...metadataRecords(first.metadata), ...metadataRecords(second.metadata)]
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

/** Whether two memories may be one: `same event` only if they tell of one. */
type MergeAllowance = 'yes' | 'same event' | 'no'

/** 002 R9.1: apart in one chat at most. */
const SAME_CHAT_WINDOW_MS = 30 * MINUTE_MS
/** 002 R9.2: apart across chats at most. */
const OTHER_CHAT_WINDOW_MS = 7 * DAY_MS

/** Ids in the metadata by which callers keep memories apart, as mem0's do. */
const KEPT_APART_BY = ['agent_id', 'app_id', 'run_id']

/** The fields that decide. */
type MergeSide = Pick<
  Memory,
  | 'memoryType'
  | 'who'
  | 'conversationId'
  | 'sourceTurnIds'
  | 'metadata'
  | 'occurredAt'
  | 'createdAt'
  | 'validTo'
  | 'supersededBy'
  | 'projectRoot'
>

/**
 * Whether the two may be one; the bounds are included, and records without a chat count as of different chats. The time
 * apart is the larger of the events' and the tellings', so that a meeting told again later is not near.
 */
export function mayMerge(a: MergeSide, b: MergeSide): MergeAllowance {
  if (!isLivingEpisode(a) || !isLivingEpisode(b)) return 'no'
  // 002 R9.3, and statements about one project are none about another.
  if (a.who !== b.who || a.projectRoot !== b.projectRoot) return 'no'
  // A memory added by itself must outlive a deleted chat and all that was made of it.
  if ((sourcesOf(a).length === 0) !== (sourcesOf(b).length === 0)) return 'no'
  if (KEPT_APART_BY.some((name) => a.metadata?.[name] !== b.metadata?.[name])) return 'no'
  const sameChat = a.conversationId !== null && a.conversationId === b.conversationId
  const apart = Math.max(Math.abs(a.occurredAt - b.occurredAt), Math.abs(a.createdAt - b.createdAt))
  if (apart > (sameChat ? SAME_CHAT_WINDOW_MS : OTHER_CHAT_WINDOW_MS)) return 'no'
  return sameChat ? 'yes' : 'same event'
}

/** An episode that holds now. */
export function isLivingEpisode({
  memoryType,
  validTo,
  supersededBy,
  buriedAt,
}: Pick<Memory, 'memoryType' | 'validTo' | 'supersededBy' | 'buriedAt'>): boolean {
  return memoryType === 'episodic' && validTo === null && supersededBy === null && (buriedAt ?? null) === null
}

/** true when both surely tell of one event; false when that cannot be said. */
export async function isSameEventByRules(
  a: Pick<Memory, 'text' | 'occurredAt' | 'createdAt'>,
  b: Pick<Memory, 'text' | 'occurredAt' | 'createdAt'>,
): Promise<boolean> {
  const [first, second] = [textProfile(a.text), textProfile(b.text)]
  if (inContrast(first, second)) return false
  const [datesA, datesB] = await Promise.all([datesFrom(a, b), datesFrom(b, a)])
  if (datesA === null || datesB === null) return false
  const isShared = datesA.some((one) => datesB.some((other) => one.from <= other.to && other.from <= one.to))
  if (datesA.length > 0 && datesB.length > 0 && !isShared) return false
  if (termOverlap(first.terms, second.terms) < LEXICAL_THRESHOLDS.mergeHigh) return false
  // "Went running" on two days of a week is no one event.
  const telling = Math.min(termWeight(first.terms), termWeight(second.terms)) >= SHORT_TEXT
  return telling || datesA.length * datesB.length > 0 || Math.abs(a.occurredAt - b.occurredAt) <= DAY_MS
}

/**
 * The dates of a text, seen from its own day; null when they would differ seen from the other's day ("yesterday").
 */
async function datesFrom(
  { text, createdAt }: Pick<Memory, 'text' | 'createdAt'>,
  other: Pick<Memory, 'createdAt'>,
): Promise<readonly DateRange[] | null> {
  const [own, elsewhere] = await Promise.all([findDates(text, createdAt), findDates(text, other.createdAt)])
  return own.some(({ from }, at) => from !== elsewhere[at]?.from) ? null : own
}
