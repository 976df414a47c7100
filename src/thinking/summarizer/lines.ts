/**
 * How is a note written, and read again? A line for each speaker with whole statements behind the name, and before them
 * names of code that no statement mentions.
 */
import { utf8Length } from '../../language/utf8.ts'

/** A statement, its speaker, how much it tells, and its turn. */
export interface Line {
  readonly who: string
  readonly text: string
  readonly score: number
  readonly turn: number
}

/** The least scores of a note's first, second, third … statement. */
const LEAST_SCORES = [0.1, 0.3, 0.3, 0.7]
/** The factor of each further statement of one turn, and of one speaker. */
const SAME_TURN = 0.6
const SAME_SPEAKER = 0.92
const MOST_LINES = 6
const MOST_SYMBOLS = 4
const SHARE_OF_SYMBOLS = 0.25
/** A name that only code has: a path, a_name, aName, TwoNames. */
const CODE_NAME = /^[\w./-]+\/[\w.-]+\.\w+$|^\w+_\w+$|^[a-z]+[A-Z]\w+$|^(?:[A-Z][a-z]{2,}){2,}$/
const SYMBOLS = /^(?:Discussed |讨论了 )/
const NAMED = /^([^\n:：]{1,80}?)(?:: |：)(.+)$/

/** The note; '' when no line tells anything. */
export function writeLines(
  lines: readonly Line[],
  symbols: readonly string[],
  chinese: boolean,
  maxBytes: number,
): string {
  const chosen: Line[] = []
  const inOrder = (some: readonly Line[]): readonly Line[] =>
    [...some].sort((a, b) => lines.indexOf(a) - lines.indexOf(b))
  let left = lines.filter(({ score }) => score > 0)
  while (chosen.length < MOST_LINES) {
    const worth = (line: Line): number =>
      line.score *
      SAME_TURN ** chosen.filter(({ turn }) => turn === line.turn).length *
      SAME_SPEAKER ** chosen.filter(({ who }) => who === line.who).length
    const least = LEAST_SCORES[chosen.length] ?? LEAST_SCORES.at(-1)!
    left = left.filter(
      (line) => worth(line) > least && utf8Length(noteOf(inOrder([...chosen, line]), chinese)) <= maxBytes,
    )
    const best = left.reduce<Line | undefined>(
      (top, line) => (top && worth(top) >= worth(line) ? top : line),
      undefined,
    )
    if (best === undefined) break
    chosen.push(best)
    left = left.filter((line) => line !== best)
  }
  const note = noteOf(inOrder(chosen), chinese)
  const head = headOf(
    symbols.filter((name) => CODE_NAME.test(name) && !note.includes(name)),
    chinese,
    maxBytes,
    note,
  )
  return head === '' || note === '' ? head + note : `${head}\n${note}`
}

function headOf(symbols: readonly string[], chinese: boolean, maxBytes: number, note: string): string {
  const room = Math.min(maxBytes - utf8Length(note) - 1, note === '' ? maxBytes : maxBytes * SHARE_OF_SYMBOLS)
  for (let most = Math.min(symbols.length, MOST_SYMBOLS); most > 0; most--) {
    const names = symbols.slice(0, most)
    const head = chinese ? `讨论了 ${names.join('、')}。` : `Discussed ${names.join(', ')}.`
    if (utf8Length(head) <= room) return head
  }
  return ''
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

/** The lines of a note without its symbols; a line of another form has no name. */
export function readLines(note: string): readonly { readonly who: string | null; readonly text: string }[] {
  return note
    .split('\n')
    .filter((line) => line.trim() !== '' && !SYMBOLS.test(line))
    .map((line) => {
      const named = NAMED.exec(line)
      return named === null ? { who: null, text: line } : { who: named[1]!, text: named[2]! }
    })
}
