/** The standard streams of a command: its input, answers at the reader’s pace, questions and log lines on stderr. */
import { once } from 'node:events'
import { readSync } from 'node:fs'
import { invalid, MnemeError } from '../../domain/errors.ts'
import type { Logger } from '../../domain/logger.ts'

export async function writeOut(text: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

/** Ends the program silently when the reader of stdout or stderr has closed, and with one line when a disk is full. */
export function endWithReader(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0)
      if (stream === process.stdout)
        process.stderr.write(`error: standard output cannot be written (${error.message})\nremedy: Free space there.\n`)
      process.exit(1)
    })
}

const LINE_BREAK_BYTES = 2

/** The text as it was given; from standard input without the last line break. */
export async function readText(flag: string, given: string, maxBytes: number): Promise<string> {
  // The one line break that `echo` and here-documents add is not part of the text.
  return given === '-' ? (await readStdin(flag, maxBytes + LINE_BREAK_BYTES)).replace(/\r?\n$/, '') : given
}

const MIB = 1024 * 1024
const CHUNK_BYTES = 64 * 1024

/** Standard input, read without a stream, which takes milliseconds to load, unless one has to wait for it. */
async function* input(): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      const bytes = readSync(0, chunk)
      if (bytes === 0) return
      yield chunk.subarray(0, bytes)
    }
  } catch (error) {
    // Windows tells the end of a pipe as an error.
    if (!['EAGAIN', 'EOF'].includes(String((error as NodeJS.ErrnoException).code))) throw error
    yield* process.stdin
  }
}

/** Standard input as text; bytes that are not UTF-8 are refused. `field` is what the text is for. */
export async function readStdin(field: string, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of input()) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes <= maxBytes) continue
    const most = maxBytes % MIB === 0 ? `${maxBytes / MIB} MiB` : `${maxBytes} bytes`
    throw invalid(field, `standard input is longer than ${most}`, 'Split it, or use memory_import.')
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks))
  } catch {
    throw invalid(field, 'standard input is not UTF-8', 'Convert it, for example with iconv -t UTF-8.')
  }
}

/** Asks before what cannot be undone. Throws unless the person types `yes`; without a terminal the flag must confirm. */
export async function confirm(question: string, flag: string): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw invalid(flag, 'needs --yes, because nobody can be asked here', 'Pass --yes when you are sure.')
  const { createInterface } = await import('node:readline/promises')
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const controller = new AbortController()
  terminal.on('SIGINT', () => controller.abort()).on('close', () => controller.abort())
  try {
    const answer = await terminal.question(`${question} Type yes to go on: `, { signal: controller.signal })
    if (answer.trim().toLowerCase() === 'yes') return
  } catch (error) {
    if (!controller.signal.aborted) throw error
  } finally {
    terminal.close()
  }
  throw new MnemeError('aborted', 'Nothing was changed.', { remedy: 'Run it again and type yes, or pass --yes.' })
}

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

export type LogLevel = (typeof LEVELS)[number]

export function stderrLogger(least: LogLevel): Logger {
  const line = (level: LogLevel) => (message: string, details?: Record<string, unknown>) => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(least)) return
    const rest = details === undefined ? '' : ` ${JSON.stringify(details)}`
    process.stderr.write(`${level}: ${message}${rest}\n`)
  }
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
}
