/** A text from a flag, or from standard input where the flag says `-`. */
import { readStdin, withoutLastLineBreak } from './read-stdin.ts'

/** A line break may follow the text. */
const LINE_BREAK_BYTES = 2

/** The text as it was given; from standard input without the last line break. */
export async function readText(flag: string, given: string, maxBytes: number): Promise<string> {
  return given === '-' ? withoutLastLineBreak(await readStdin(flag, maxBytes + LINE_BREAK_BYTES)) : given
}
