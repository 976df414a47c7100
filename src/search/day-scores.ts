/**
 * How well does the best other text of the same day answer? A diary, the messages around it and the photo taken there
 * tell of one event, and share its day rather than its words.
 */
import { DAY_MS } from '../domain/clock.ts'

/** By index: the best score of another text of the same day (UTC) ÷ the best of all; 0 where it is alone. */
export function dayScores(times: ArrayLike<number>, scores: ArrayLike<number>): Float64Array {
  const best = new Map<number, number>()
  const second = new Map<number, number>()
  let most = 0
  for (let at = 0; at < scores.length; at++) {
    const day = Math.floor(times[at]! / DAY_MS)
    const before = best.get(day)
    most = Math.max(most, scores[at]!)
    if (before === undefined) best.set(day, at)
    else if (scores[at]! > scores[before]!) {
      best.set(day, at)
      second.set(day, scores[before]!)
    } else if (scores[at]! > (second.get(day) ?? 0)) second.set(day, scores[at]!)
  }
  return Float64Array.from(scores, (_, at) => {
    const day = Math.floor(times[at]! / DAY_MS)
    const other = best.get(day) === at ? (second.get(day) ?? 0) : scores[best.get(day)!]!
    return most === 0 ? 0 : other / most
  })
}
