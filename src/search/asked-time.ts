/** Does a message ask for all that was said in a time, or is planned for it, and name nothing else? Then only that time answers. */
import { DAY_MS, type TimeZone, wallTime } from '../domain/clock.ts'
import { type DateRange, findDates } from '../language/dates.ts'
import { asksOrWantsToldOf, isOfSelf } from '../language/questions.ts'
import { isGenericTerm, queryTerms } from '../language/terms.ts'
import { momentsOf } from './candidates.ts'

export interface AskedTime {
  readonly days: readonly DateRange[]
  /** These as moments. */
  readonly times: readonly DateRange[]
  /** The matter that it asks for: events of then, words of then, or either. */
  readonly of: 'events' | 'tellings' | 'both'
}

/** A longer message does not ask for a time alone. */
const LONGEST = 120
const ASKS_WHAT =
  /\b(?:what|which|any(?:thing)?|(?:do|did) (?:i|we) have|have (?:i|we) got|(?:is|are) there)\b|(?<!没有?)(?:什么|啥|哪些)|有没有/iu
const PLANS =
  /\b(?:(?:do (?:i|we)|i['’]ve|have (?:i|we)) (?:have|got)|plan(?:s|ned)?|scheduled?|coming up|upcoming|happening|going on|agenda|calendar|diary|appointments?|events?)\b|安排|计划|打算|日程|行程|活动|预约|要[做去忙]/giu
/** Asks for plans without a time: all that lies near ahead is meant. */
const AHEAD = /\b(?:coming up|upcoming|appointments)\b|日程|行程|安排/iu
const OWN_CALENDAR = /\b(?:my|our) (?:agenda|calendar|diary|schedule|plans)\b/iu
const TOLD = /\b(?:tell|told|say|said|talk(?:ed)?|discuss(?:ed)?|mention(?:ed)?|chat(?:ted)?)\b|[说聊讲谈提]/iu
/** Words that name nothing: what there was, and the one who is asked. */
const NAMES_NOTHING =
  /\b(?:happen(?:s|ed)?|remind|got)\b|接下来|发生|[跟和对给][你您]|[有做说聊干忙][了过]?(?:什么|啥|哪些)/giu
/** A longer time is one of the world's, unless the writer speaks of himself. */
const LONGEST_TIME_MS = 100 * DAY_MS

/** The time that a message asks for alone; null for all others. `now` in milliseconds since the epoch. */
export async function timeAskedAlone(message: string, now: number, zone: TimeZone = null): Promise<AskedTime | null> {
  if (message.length > LONGEST || !ASKS_WHAT.test(message)) return null
  if (!asksOrWantsToldOf(message) && !/什么|啥|哪些/.test(message)) return null
  const today = wallTime(now, zone)
  const named = await findDates(message, today)
  const isOfAhead = named.length === 0 && (AHEAD.test(message) || OWN_CALENDAR.test(message))
  const found = isOfAhead ? [nearAhead(today)] : named
  const isOwn = isOfSelf(message)
  const days = found.filter(({ from, to }) => isOwn || to - from < LONGEST_TIME_MS)
  if (days.length === 0 || days.length < found.length) return null
  const withoutDays = days.reduce((left, { text }) => left.replace(text, ' '), message)
  const rest = withoutDays.replace(PLANS, ' ').replace(NAMES_NOTHING, ' ')
  if (queryTerms(rest).some((term) => !isGenericTerm(term))) return null
  const [isTold, isAhead] = [TOLD.test(withoutDays), days.every(({ from }) => from > today)]
  const asked = { days, times: momentsOf(days, zone) }
  if (isTold) return isAhead ? null : { ...asked, of: 'tellings' }
  return { ...asked, of: isAhead || withoutDays.search(PLANS) >= 0 ? 'events' : 'both' }
}

function nearAhead(today: number): DateRange {
  return { from: today, to: today + LONGEST_TIME_MS - 1, text: '', grain: 'range' }
}
