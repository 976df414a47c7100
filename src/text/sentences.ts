/** Where does one sentence end and the next begin? English and Chinese; code blocks are left out. */

const CODE_BLOCK = /```[\s\S]*?(?:```|$)/g
const LINE_MARK = /^\s*(?:[-*+•]\s+|\d{1,3}[.)、]\s*|#{1,6}\s+|>\s?)+/u
/** A full stop ends a sentence only before white space: not in 3.11, file.ts or e.g. */
const ENDS = /(?<=[。！？；…!?]["'”’」』）)]?)(?=[^。！？；…!?"'”’」』）)])|(?<=[.!?]["'”’)\]]?)\s+/u
const ABBREVIATION = /(?:^|[\s(])(?:[A-Z]|e\.g|i\.e|etc|vs|cf|mr|mrs|ms|dr|prof|st|fig|approx|dept|jr|sr)\.$/i

/** The sentences of a text, trimmed, in order; list marks and code blocks are taken away. */
export function splitSentences(text: string): readonly string[] {
  const sentences: string[] = []
  const prose = text.includes('```') ? text.replace(CODE_BLOCK, '\n') : text
  for (const line of prose.split('\n')) {
    let open = ''
    for (const piece of line.replace(LINE_MARK, '').split(ENDS)) {
      open = open === '' ? piece : `${open} ${piece}`
      if (ABBREVIATION.test(open)) continue
      if (open.trim() !== '') sentences.push(open.trim())
      open = ''
    }
    if (open.trim() !== '') sentences.push(open.trim())
  }
  return sentences
}
