/** Colours on a terminal that wants them, plain text everywhere else (pipes, NO_COLOR, dumb terminals). */
import { styleText } from 'node:util'

/** What a stretch of text is, not which colour it has. */
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
