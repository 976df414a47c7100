/** Error report of a failed command, its exit code, and its end by a signal. */
import { type ErrorCode, MnemeError, messageOf, withWhatWasSaid } from '../../domain/errors.ts'

export const EXIT_FAILED = 1
export const EXIT_BAD_USAGE = 2
const EXIT_INTERRUPTED = 130

/** Failures despite valid input, which may succeed later. Every other code means bad input. */
const FAILURES: ReadonlySet<ErrorCode> = new Set([
  'database_locked',
  'conflict',
  'closed',
  'unsupported',
  'model_failed',
  'model_refused',
  'budget_spent',
  'embedding_failed',
  'queue_full',
])

const ABOUT_DATABASE: ReadonlySet<ErrorCode> = new Set(['database_newer', 'database_damaged', 'not_a_database'])
const ABOUT_FILE = /^storage_/

/** Names of inputs whose flag is another word. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    userId: 'user',
    conversationId: 'conversation',
    projectRoot: 'project',
    memoryType: 'type',
    includePast: 'past',
    includeBuried: 'buried',
    turnId: 'turn',
  }),
)

/** The flag of an input, by its name in the library, without the dashes: `--from-turn` of `fromTurn`. */
export function flagName(input: string): string {
  return OTHER_WORDS.get(input) ?? input.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Whether it is the database, or a file beside it, that cannot be used. */
export function isAboutDatabase({ code, place }: MnemeError, database: unknown): boolean {
  return ABOUT_DATABASE.has(code) || (ABOUT_FILE.test(code) && place?.startsWith(String(database)) === true)
}

export function exitCode(error: unknown): number {
  const isAborted = error instanceof MnemeError ? error.code === 'aborted' : isAbort(error)
  if (isAborted) return EXIT_INTERRUPTED
  if (!(error instanceof MnemeError)) return EXIT_FAILED
  // An unusable database was named wrongly, but the memory file is rarely named in the command.
  const isFailure = FAILURES.has(error.code) || (ABOUT_FILE.test(error.code) && /memory_?file/i.test(error.field ?? ''))
  return isFailure ? EXIT_FAILED : EXIT_BAD_USAGE
}

/** Ends the process at once, where `process.exit` would wait for a thread that opens a pipe which nobody reads. */
export function endBySignal(signal: NodeJS.Signals): never {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
  // The first process of a container outlives its own signals.
  process.exit(EXIT_INTERRUPTED)
}

export function errorText(error: unknown): string {
  if (isAbort(error)) return 'error: interrupted\nremedy: What was finished is kept; run it again to do the rest.\n'
  if (!(error instanceof MnemeError)) {
    const reason = messageOf(error)
    return `error: ${reason}\nremedy: Run \`mneme doctor\`; if it finds nothing, this is a fault of Mneme.\n`
  }
  const isFile = ABOUT_FILE.test(error.code) && error.field !== undefined
  const field = isFile || ABOUT_DATABASE.has(error.code) ? `${error.field ?? '--db'}: ` : ''
  return `error: ${field}${withWhatWasSaid(error)}\nremedy: ${error.remedy}\n`
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}
