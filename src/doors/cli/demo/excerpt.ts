/** The part of a turn that is worth showing: whole when it is short, else around the first word that matched. */

/** Grapheme-safe pieces are not needed here: cuts are made at spaces or between Han characters. */
const LEAD_IN = 40

/** One line of text of at most `length` UTF-16 units, with … where something was left out. */
export function excerpt(text: string, matched: readonly string[], length: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= length) return line
  const first = firstMatch(line, matched)
  const from = first > length - LEAD_IN ? boundaryAfter(line, first - LEAD_IN) : 0
  const to = from + length >= line.length ? line.length : boundaryBefore(line, from + length)
  return `${from > 0 ? '…' : ''}${line.slice(from, to).trim()}${to < line.length ? '…' : ''}`
}

/** A pattern that finds the matched words in a text, longer forms of Latin words included; null when there are none. */
export function matchPattern(matched: readonly string[]): RegExp | null {
  const alternatives = matched
    .filter((term) => term.trim() !== '')
    .toSorted((a, b) => b.length - a.length)
    .map((term) => {
      const escaped = RegExp.escape(term)
      return /^[\p{Script=Latin}\p{Number}]+$/u.test(term)
        ? `(?<![\\p{L}\\p{N}])${escaped}[\\p{Script=Latin}\\p{N}]*`
        : escaped
    })
  return alternatives.length === 0 ? null : new RegExp(alternatives.join('|'), 'giu')
}

function firstMatch(line: string, matched: readonly string[]): number {
  return matchPattern(matched)?.exec(line)?.index ?? 0
}

function boundaryAfter(line: string, position: number): number {
  const next = line.slice(position).search(/\s|\p{Script=Han}/u)
  return next === -1 || next > LEAD_IN ? wellFormedCut(line, position) : position + next
}

function boundaryBefore(line: string, position: number): number {
  const last = line.slice(0, position).search(/(?:\s|\p{Script=Han})[^\s\p{Script=Han}]*$/u)
  return last === -1 || position - last > LEAD_IN ? wellFormedCut(line, position) : last + 1
}

/** Never between the halves of a surrogate pair. */
function wellFormedCut(line: string, position: number): number {
  const unit = line.charCodeAt(position)
  return unit >= 0xdc00 && unit <= 0xdfff ? position - 1 : position
}
