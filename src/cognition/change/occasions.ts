/** When did it happen: long ago as a whole, or again on another day? */
import type { Statement } from './statement.ts'

/** A day that is named by the day on which it is told; told again within so many milliseconds it is still the same one. */
const TODAY =
  /\b(?:today|tonight|yesterday|tomorrow|this (?:morning|afternoon|evening)|last night|just now)\b|今天|今早|今晚|昨天|昨晚|明天|刚才|刚刚/i
const RETOLD_WITHIN = 3 * 86_400_000

/** The whole tale lies in the past, its end too: "at university I went out with …, and it ended". */
const LONG_AGO =
  /\b(?:when (?:i|we) (?:was|were)|back (?:in|when|then)|in my (?:teens|twenties|thirties|youth|20s|30s)|at (?:uni|university|school|college)|(?:years|decades|ages) (?:ago|back)|as a (?:kid|child|teenager|student)|in (?:19|20)\d\d)\b|大学(?:时|那会|期间)|高中(?:时|那会)|初中(?:时|那会)|小时候|当年|那会儿|那时候|年轻(?:时|的时候)|多年前|早年|刚毕业(?:时|那会)/i

/** The whole of it lies in the past. */
export function isLongAgo(text: string): boolean {
  return LONG_AGO.test(text)
}

/** "Went to the dentist today", said in May and in November, tells of two visits. */
export function happenedAgain(newer: Statement, older: Statement): boolean {
  const today = TODAY.test(newer.text) && TODAY.test(older.text)
  return today && newer.key === null && Math.abs(newer.occurredAt - older.occurredAt) > RETOLD_WITHIN
}
