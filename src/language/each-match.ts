/** Where does an expression match in a text of any length? As `matchAll` says, with turns for others. */

/** Characters that are searched before others run, and those on both sides that a match there depends on. */
const [STRETCH, AROUND] = [65_536, 2048]
/** Matches that are looked at before others run. */
const MATCHES_A_PIECE = 256

/** Calls `take` for every match of a global expression that matches nothing empty; places count from the text's beginning. */
export function* eachMatch(
  text: string,
  pattern: RegExp,
  take: (match: RegExpExecArray) => void,
): Generator<void, void> {
  let taken = 0
  for (let from = 0; from < text.length; ) {
    const end = Math.min(from + STRETCH, text.length)
    const begin = Math.max(0, from - AROUND)
    const stretch = text.slice(begin, end + AROUND)
    while (from < end) {
      const match = matchFrom(stretch, pattern, from - begin)
      if (match === null || match.index + begin >= end) break
      from = begin + match.index + match[0].length
      // What goes on to the end of the stretch may be longer.
      const whole = from + AROUND / 2 > end + AROUND ? matchFrom(text, pattern, begin + match.index) : null
      if (whole === null) shift(match, begin)
      else from = whole.index + whole[0].length
      take(whole ?? match)
      taken += 1
      if (taken % MATCHES_A_PIECE === 0) yield
    }
    from = Math.max(from, end)
    if (from < text.length) yield
  }
}

function matchFrom(text: string, pattern: RegExp, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  const match = pattern.exec(text)
  pattern.lastIndex = 0
  return match
}

function shift(match: RegExpExecArray, by: number): void {
  match.index += by
  if (by === 0) return
  for (const place of match.indices ?? [])
    if (place !== undefined) {
      place[0] += by
      place[1] += by
    }
}
