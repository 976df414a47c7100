/** How does a text fit into so many characters? A cut falls between words, in both languages, and never inside a character. */

const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
/** Code units that one character may take; more are not looked at. */
const UNITS_A_CHARACTER = 16

/** Characters as a person counts them. */
export function characterCount(text: string): number {
  let count = 0
  for (const _ of graphemes.segment(text)) count++
  return count
}

/** The text, or its beginning up to a word with an ellipsis, in at most `most` characters. */
export function shortenToCharacters(text: string, most: number): string {
  const looked = text.slice(0, (most + 1) * UNITS_A_CHARACTER).toWellFormed()
  if (looked.length === text.length && characterCount(text) <= most) return text
  let kept = ''
  let count = 0
  for (const { segment } of words.segment(looked)) {
    const more = characterCount(segment)
    if (count + more > most - 1) break
    kept += segment
    count += more
  }
  // One word that is longer than all the room is cut between two of its characters.
  if (kept.trim() === '')
    kept = [...graphemes.segment(looked)]
      .slice(0, most - 1)
      .map(({ segment }) => segment)
      .join('')
  return `${kept.replace(/[\s,;:，；：、(（[「“"'-]{1,40}$/u, '')}…`
}
