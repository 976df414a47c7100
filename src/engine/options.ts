/** What can be chosen when a memory is opened, and what is chosen when nothing is said. Resolved once, at the door. */
import { checkBoolean, checkId, checkInteger, checkOneOf, checkRecord } from '../domain/checks.ts'
import { type Clock, systemClock } from '../domain/clock.ts'
import { invalid } from '../domain/errors.ts'
import { LIMITS, MEMORY_RETRIEVAL_LIMIT } from '../domain/limits.ts'
import { type Logger, silentLogger } from '../domain/logger.ts'

/** Options of `openMemory`. */
export interface OpenOptions {
  /** The database file, or `:memory:`. Default `.devbooks/conversation-memory.db` in the working directory. */
  readonly path?: string | undefined
  /** false: an absent file is an error instead of being created. Default true. */
  readonly create?: boolean | undefined
  /** The user of calls that name none. Default: none, so that every call must name one. */
  readonly userId?: string | undefined
  /** Where the time comes from. Default: the computer's clock. */
  readonly clock?: Clock | undefined
  /** Where work is reported. Default: nowhere. */
  readonly logger?: Logger | undefined
  /** Vectors; `none` is the only choice so far. */
  readonly embedding?: 'none' | undefined
  /** Where vectors live; `embedded` is the only choice so far. */
  readonly vectorStore?: 'embedded' | undefined
  /** Largest turn or memory in UTF-8 bytes, 1 KB to 64 MB. Default 1 MB. */
  readonly maxContentBytes?: number | undefined
  /** Memories that a search with ranking `long-term` returns (000, MEMORY_RETRIEVAL_LIMIT). Default 5. */
  readonly retrievalLimit?: number | undefined
  /** Memories kept of one user by `maintenance.evict` (000, MEMORY_EVICTION_THRESHOLD). Default: all. */
  readonly evictionThreshold?: number | undefined
  /** true: working memory that expires leaves a memory of its topic and variables. Default false. */
  readonly archiveWorkingMemory?: boolean | undefined
}

/** The options with nothing left open. */
export interface ResolvedOptions {
  readonly path: string
  readonly create: boolean
  readonly userId: string | null
  readonly clock: Clock
  readonly logger: Logger
  readonly maxContentBytes: number
  readonly retrievalLimit: number
  readonly evictionThreshold: number | null
  readonly archiveWorkingMemory: boolean
}

/** 003's place for the database, relative to the working directory. */
export const DEFAULT_PATH = '.devbooks/conversation-memory.db'

const NAMES = [
  'path',
  'create',
  'userId',
  'clock',
  'logger',
  'embedding',
  'vectorStore',
  'maxContentBytes',
  'retrievalLimit',
  'evictionThreshold',
  'archiveWorkingMemory',
]

/** Checks the options and fills in what was left out. */
export function resolveOptions(options: OpenOptions): ResolvedOptions {
  checkRecord('', options, NAMES)
  const { path = DEFAULT_PATH, userId, clock = systemClock, logger = silentLogger } = options
  if (typeof path !== 'string' || path === '' || path.includes('\0'))
    throw invalid('path', 'must be the name of a file', 'Pass a file name, or ":memory:".')
  checkClock(clock)
  checkLogger(logger)
  if (options.embedding !== undefined) checkOneOf('embedding', options.embedding, ['none'])
  if (options.vectorStore !== undefined) checkOneOf('vectorStore', options.vectorStore, ['embedded'])
  const bounded = (name: keyof OpenOptions, fallback: number, least: number, most: number): number =>
    options[name] === undefined ? fallback : checkInteger(name, options[name], least, most)
  return {
    path,
    create: options.create === undefined ? true : checkBoolean('create', options.create),
    userId: userId === undefined ? null : checkId('userId', userId),
    clock,
    logger,
    maxContentBytes: bounded('maxContentBytes', LIMITS.contentBytes, 1024, 64 * 1024 * 1024),
    retrievalLimit: bounded('retrievalLimit', MEMORY_RETRIEVAL_LIMIT, 1, LIMITS.resultLimit),
    evictionThreshold:
      options.evictionThreshold === undefined
        ? null
        : checkInteger('evictionThreshold', options.evictionThreshold, 1, Number.MAX_SAFE_INTEGER),
    archiveWorkingMemory:
      options.archiveWorkingMemory === undefined
        ? false
        : checkBoolean('archiveWorkingMemory', options.archiveWorkingMemory),
  }
}

function checkClock(clock: unknown): void {
  const now: unknown = typeof clock === 'function' ? clock() : undefined
  if (!(now instanceof Date) || Number.isNaN(now.getTime()))
    throw invalid('clock', 'must be a function that returns a valid Date', 'Leave it out for the computer’s clock.')
}

/** Pino, winston and console are objects whose functions may be inherited. */
function checkLogger(logger: unknown): void {
  for (const name of ['debug', 'info', 'warn', 'error'] as const)
    if (typeof logger !== 'object' || logger === null || typeof Reflect.get(logger, name) !== 'function')
      throw invalid('logger', `has no function ${name}`, 'Pass a logger with debug, info, warn and error.')
}
