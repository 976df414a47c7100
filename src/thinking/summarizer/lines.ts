/**
 * How is a note written, and read again? A line for each speaker with whole statements behind the name.
 */
import { utf8Length } from '../../language/utf8.ts'

/** A statement, its speaker, how much it tells, its turn, and the one before that it needs. */
export interface Line {
  readonly who: string
  readonly text: string
  readonly score: number
  readonly turn: number
  readonly needs?: Line | undefined
}

/** The least score of a speaker's first statement, and of further ones. */
const LEAST_FIRST = 0.25
const LEAST = 0.28
/** The factor of each further statement of one turn. */
const SAME_TURN = 0.7
const MOST_LINES = 6
const NAMED = /^([^\n:：]{1,80}?)(?:: |：)(.+)$/

/** The note; '' when no line tells anything. */
export function writeLines(lines: readonly Line[], chinese: boolean, maxBytes: number): string {
  const places = new Map(lines.map((line, at) => [line, at]))
  const chosen = new Set<Line>()
  const inOrder = (more: readonly Line[]): readonly Line[] =>
    [...new Set([...chosen, ...more])].sort((a, b) => places.get(a)! - places.get(b)!)
  const worth = (line: Line): number =>
    line.score * SAME_TURN ** [...chosen].filter(({ turn }) => turn === line.turn).length
  const least = ({ who }: Line): number =>
    chosen.size === 0 ? 0 : [...chosen].some((line) => line.who === who) ? LEAST : LEAST_FIRST
  const isTold = (line: Line): boolean => [...chosen].some(({ who, text }) => text === line.text && who === line.who)
  const fits = (line: Line): boolean => utf8Length(noteOf(inOrder(withNeeded(line)), chinese)) <= maxBytes
  let left = lines
  while (chosen.size < MOST_LINES) {
    left = left.filter((line) => worth(line) > least(line) && !isTold(line) && fits(line))
    if (left.length === 0) break
    const best = left.reduce((top, line) => (worth(top) >= worth(line) ? top : line))
    for (const line of withNeeded(best)) chosen.add(line)
  }
  return noteOf(inOrder([]), chinese)
}

function withNeeded(line: Line): readonly Line[] {
  return line.needs === undefined ? [line] : [line.needs, line]
}

function noteOf(lines: readonly Line[], chinese: boolean): string {
  const parts: string[] = []
  let before: Line | undefined
  for (const line of lines) {
    const gap = /[。！？”」』]$/.test(before?.text ?? '') ? '' : ' '
    if (before?.who === line.who) parts[parts.length - 1] += gap + line.text
    else parts.push(`${line.who}${chinese ? '：' : ': '}${line.text}`)
    before = line
  }
  return parts.join('\n')
}

/** The lines of a note; a line of another form has no name. */
export function readLines(note: string): readonly { readonly who: string | null; readonly text: string }[] {
  return note
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const named = NAMED.exec(line)
      return named === null ? { who: null, text: line } : { who: named[1]!, text: named[2]! }
    })
}
