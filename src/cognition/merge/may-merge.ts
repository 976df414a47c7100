/** May two memories be merged (002 R9.1-R9.3)? Who, chat and time decide; never the wording. */
import { DAY_MS, MINUTE_MS } from '../../domain/clock.ts'
import type { Memory } from '../../domain/memory.ts'
import { sourcesOf } from './episode-metadata.ts'
import type { MergeAllowance } from './types.ts'

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
 * Whether the two may be one. The bounds themselves are allowed. Records without a chat count as of different chats.
 * The time apart is that of the events or of the telling, whichever is larger: a meeting told again a month later,
 * or two meetings told of in one minute, are not 30 minutes apart.
 */
export function mayMerge(a: MergeSide, b: MergeSide): MergeAllowance {
  if (!isLivingEpisode(a) || !isLivingEpisode(b)) return { allowed: false, reason: 'not_episodic' }
  if (a.projectRoot !== b.projectRoot) return { allowed: false, reason: 'other_project' }
  if (a.who !== b.who) return { allowed: false, reason: 'other_person' }
  // What was added by itself must outlive a chat that is deleted with all that was made of it.
  if ((sourcesOf(a).length === 0) !== (sourcesOf(b).length === 0)) return { allowed: false, reason: 'other_origin' }
  if (KEPT_APART_BY.some((name) => a.metadata?.[name] !== b.metadata?.[name]))
    return { allowed: false, reason: 'other_origin' }
  const sameChat = a.conversationId !== null && a.conversationId === b.conversationId
  const apart = Math.max(Math.abs(a.occurredAt - b.occurredAt), Math.abs(a.createdAt - b.createdAt))
  if (apart > (sameChat ? SAME_CHAT_WINDOW_MS : OTHER_CHAT_WINDOW_MS)) return { allowed: false, reason: 'other_time' }
  return { allowed: true, needsSameEvent: !sameChat }
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
