/** Which stretch of time does a digest look at? Days are those of this machine's clock. */
import { DAY_MS } from '../domain/clock.ts'
import { invalid } from '../domain/errors.ts'
import type { Conversation } from '../domain/turn.ts'

/** A stretch of time, `to` not part of it. */
export interface Stretch {
  /** YYYY-MM-DD: its last day. */
  readonly date: string
  readonly from: number
  readonly to: number
  /** Memories changed since then are looked at, too; null: only those said in the stretch. */
  readonly changedSince: number | null
  /** Only memories said in this conversation; null: in any. */
  readonly conversationId: string | null
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/

/** YYYY-MM-DD in local time. */
export function localDay(moment: number): string {
  const date = new Date(moment)
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The beginning of the day of this moment, or of another so many days later. */
function startOfDay(moment: number, later = 0): number {
  const date = new Date(moment)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + later).getTime()
}

/** The beginning of this day in local time. Throws `invalid` naming the field. */
function checkDay(field: string, value: unknown): number {
  const match = typeof value === 'string' ? DAY.exec(value) : null
  const start =
    match === null ? Number.NaN : new Date(Number(match[1]), Number(match[2]) - 1, Number(match[3])).getTime()
  if (Number.isNaN(start) || localDay(start) !== value)
    throw invalid(field, `${JSON.stringify(value)} is no day`, 'Pass one such as 2026-05-07.')
  return start
}

/** The named day, or from `since` to it. Default: all since the day before the last digest, with its changes. */
export function stretchOf(
  date: string | undefined,
  since: string | undefined,
  digestedAt: number | null,
  now: number,
): Stretch {
  const day = date === undefined ? startOfDay(now) : checkDay('date', date)
  const first = since === undefined ? null : checkDay('since', since)
  if (first !== null && first > day) throw invalid('since', 'is later than the last day', 'Pass an earlier day.')
  const to = startOfDay(day + DAY_MS / 2, 1)
  const last = localDay(day)
  if (first !== null) return { date: last, from: first, to, changedSince: null, conversationId: null }
  if (date !== undefined) return { date: last, from: day, to, changedSince: null, conversationId: null }
  const before = Math.min(digestedAt ?? now, now)
  return { date: last, from: startOfDay(before, -1), to, changedSince: digestedAt, conversationId: null }
}

/** All of one conversation, up to now: for the end of a session, while other work of the day goes on. */
export function stretchOfConversation(
  { conversationId, createdAt }: Pick<Conversation, 'conversationId' | 'createdAt'>,
  now: number,
): Stretch {
  return { date: localDay(now), from: createdAt, to: now + DAY_MS, changedSince: null, conversationId }
}
