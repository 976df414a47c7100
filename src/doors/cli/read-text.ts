/** A text from a flag, or from standard input where the flag says `-`. */
import { invalid } from '../../domain/errors.ts'

/** A line break may follow the text. */
const LINE_BREAK_BYTES = 2

/** The text as it was given; from standard input without the last line break. */
export async function readText(flag: string, given: string, maxBytes: number): Promise<string> {
  return given === '-' ? withoutLastLineBreak(await readStdin(flag, maxBytes + LINE_BREAK_BYTES)) : given
}

/** Standard input as text, up to a bound; bytes that are not UTF-8 are refused, never replaced. */
const MIB = 1024 * 1024

/** Reads all of it. `field` is what the text is for. */
export async function readStdin(field: string, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of process.stdin) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > maxBytes)
      throw invalid(field, `standard input is longer than ${bytesText(maxBytes)}`, 'Split it, or use memory_import.')
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks))
  } catch {
    throw invalid(field, 'standard input is not UTF-8', 'Convert it, for example with iconv -t UTF-8.')
  }
}

/** A text as `echo` and here-documents send it: the one line break that they add at the end is not part of it. */
function withoutLastLineBreak(text: string): string {
  return text.replace(/\r?\n$/, '')
}

function bytesText(bytes: number): string {
  return bytes % MIB === 0 ? `${bytes / MIB} MiB` : `${bytes} bytes`
}
