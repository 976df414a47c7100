/** Colours on a terminal that wants them, plain text everywhere else (pipes, NO_COLOR, dumb terminals). */
import { styleText } from 'node:util'

/** The meaning of a stretch of text, independent of its colour. */
export type Meaning = 'title' | 'quiet' | 'match' | 'question' | 'command' | 'good'

const STYLES = {
  title: 'bold',
  quiet: 'gray',
  match: ['bold', 'yellow'],
  question: ['bold', 'cyan'],
  command: 'green',
  good: 'green',
} as const satisfies Record<Meaning, Parameters<typeof styleText>[0]>

/** Colours for parts of a bar, in order; neighbours are easy to tell apart. */
const SERIES = ['cyan', 'magenta', 'yellow', 'green', 'blue', 'red'] as const

/** The text in the style of its meaning. */
export function paint(meaning: Meaning, text: string): string {
  return styleText(STYLES[meaning], text, { stream: process.stdout })
}

/** The text in the colour of the part with this index. */
export function paintPart(index: number, text: string): string {
  return styleText(SERIES[index % SERIES.length] ?? 'cyan', text, { stream: process.stdout })
}

/** Columns to write in: the terminal's, between 60 and 100; 100 in a pipe. */
export function columns(): number {
  return Math.min(100, Math.max(60, process.stdout.columns || 100))
}

/** How many columns a text takes on a terminal: Chinese, Japanese, Korean and emoji take two. */
const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** East Asian Wide and Fullwidth (Unicode Standard Annex 11), and what is drawn as emoji. */
const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u231a\u231b\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}])|\ufe0f/u
const NO_WIDTH = /^[\p{Control}\p{Format}\p{Nonspacing_Mark}\p{Enclosing_Mark}]+$/u

/** Columns of one grapheme: 0, 1 or 2. */
function graphemeWidth(grapheme: string): number {
  if (NO_WIDTH.test(grapheme)) return 0
  return WIDE.test(grapheme) ? 2 : 1
}

/** Columns of a text without colours. */
export function textWidth(text: string): number {
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += graphemeWidth(segment)
  return width
}

/** The text with spaces after it, so that it takes `width` columns. */
export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - textWidth(text)))
}

/** Lines of at most `width` columns, broken at spaces in Latin text and anywhere in Chinese. */
export function wrapToWidth(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  // A word with its spaces, or one wide character with the punctuation that must not begin a line.
  for (const piece of text.match(/[^\s\u2e80-\uffef]+\s*|[\u2e80-\uffef][，。、；：？！）》」』”’]*\s*|\s+/gu) ?? []) {
    if (line !== '' && textWidth(line) + textWidth(piece.trimEnd()) > width) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += piece
  }
  return line.trim() === '' ? lines : [...lines, line.trimEnd()]
}
