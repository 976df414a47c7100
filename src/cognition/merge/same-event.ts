/**
 * Do two records of different chats tell of one event (002 R9.2)? The check without a model: they name something in
 * common, and nothing that contradicts: no other day, number, name or thing in the same place.
 */
import { DAY_MS } from '../../domain/clock.ts'
import type { Memory } from '../../domain/memory.ts'
import { type DateRange, findDates } from '../../text/dates.ts'
import type { Token } from '../similarity/contrast.ts'
import {
  inContrast,
  SHORT_TEXT,
  type TextProfile,
  termOverlap,
  termWeight,
  textProfile,
} from '../similarity/lexical-similarity.ts'
import { LEXICAL_THRESHOLDS } from '../similarity/thresholds.ts'

/** Rarer than most words: a shared one is worth being called a named thing. */
const NAMED = /[\d_]|\p{Lu}/u

/** true when both surely tell of one event; false when that cannot be said. */
export async function isSameEventByRules(
  a: Pick<Memory, 'text' | 'occurredAt' | 'createdAt'>,
  b: Pick<Memory, 'text' | 'occurredAt' | 'createdAt'>,
): Promise<boolean> {
  const [first, second] = [textProfile(a.text), textProfile(b.text)]
  if (inContrast(first, second)) return false
  // A date is seen from the day on which it was written.
  const [datesA, datesB] = await Promise.all([findDates(a.text, a.createdAt), findDates(b.text, b.createdAt)])
  if (datesA.length > 0 && datesB.length > 0 && !datesA.some((one) => datesB.some((other) => meet(one, other))))
    return false
  const overlap = termOverlap(first.terms, second.terms)
  const anchored = datesA.length * datesB.length > 0 || sharesName(first, second)
  if (overlap < LEXICAL_THRESHOLDS.mergeHigh) return anchored && overlap >= LEXICAL_THRESHOLDS.ambiguousLow
  // "Went running" on two days of a week is no one event.
  const telling = Math.min(termWeight(first.terms), termWeight(second.terms)) >= SHORT_TEXT
  return anchored || telling || Math.abs(a.occurredAt - b.occurredAt) < DAY_MS
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
