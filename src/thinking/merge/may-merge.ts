/**
 * May two memories be merged (002 R9.1-R9.3)? Person, chat and time decide; across chats they must also name something
 * in common, and no differing day, number, name or thing.
 */
import { DAY_MS, MINUTE_MS } from '../../domain/clock.ts'
import type { Memory } from '../../domain/memory.ts'
import { type DateRange, findDates } from '../../language/dates.ts'
import type { Token } from '../similarity/contrast.ts'
import {
  inContrast,
  LEXICAL_THRESHOLDS,
  SHORT_TEXT,
  type TextProfile,
  termOverlap,
  termWeight,
  textProfile,
} from '../similarity/rules.ts'
import { sourcesOf } from './episode-metadata.ts'

/** Whether two memories may be one: `same event` only if they tell of one. */
export type MergeAllowance = 'yes' | 'same event' | 'no'

/** 002 R9.1: apart in one chat at most. */
export const SAME_CHAT_WINDOW_MS = 30 * MINUTE_MS
/** 002 R9.2: apart across chats at most. */
export const OTHER_CHAT_WINDOW_MS = 7 * DAY_MS

/** Ids in the metadata by which callers keep memories apart, as mem0's do. */
const KEPT_APART_BY = ['agent_id', 'app_id', 'run_id']

/** The fields that decide. */
export type MergeSide = Pick<
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

/** Rarer than most words: a shared one is worth being called a named thing. */
const NAMED = /[\d_]|\p{Lu}/u
/** Least overlap of two texts that name the same day or thing. */
const ANCHORED_OVERLAP = 0.45

/** true when both surely tell of one event; false when that cannot be said. */
export async function isSameEventByRules(
  a: Pick<Memory, 'text' | 'occurredAt' | 'createdAt'>,
  b: Pick<Memory, 'text' | 'occurredAt' | 'createdAt'>,
): Promise<boolean> {
  const [first, second] = [textProfile(a.text), textProfile(b.text)]
  if (inContrast(first, second)) return false
  const [datesA, datesB] = await Promise.all([datesFrom(a, b), datesFrom(b, a)])
  if (datesA === null || datesB === null) return false
  if (datesA.length > 0 && datesB.length > 0 && !datesA.some((one) => datesB.some((other) => meet(one, other))))
    return false
  const overlap = termOverlap(first.terms, second.terms)
  const anchored = datesA.length * datesB.length > 0 || sharesName(first, second)
  if (overlap < LEXICAL_THRESHOLDS.mergeHigh) return anchored && overlap >= ANCHORED_OVERLAP
  // "Went running" on two days of a week is no one event.
  const telling = Math.min(termWeight(first.terms), termWeight(second.terms)) >= SHORT_TEXT
  return anchored || telling || Math.abs(a.occurredAt - b.occurredAt) < DAY_MS
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

function meet(one: DateRange, other: DateRange): boolean {
  return one.from <= other.to && other.from <= one.to
}

function sharesName(a: TextProfile, b: TextProfile): boolean {
  return a.tokens.some((token) => isNamed(a.text, token) && token.terms.some((term) => b.terms.has(term)))
}

function isNamed(text: string, token: Token): boolean {
  return !token.opens && token.terms.length > 0 && NAMED.test(text.slice(token.start, token.end))
}
