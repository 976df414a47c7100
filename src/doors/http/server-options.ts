/** Options of a server with their defaults, resolved once when the app is created. */
import { type Logger, silentLogger } from '../../domain/logger.ts'
import { checkOrigin, OPTIONS } from '../config/options.ts'
import type { OpenMemory } from '../library/index.ts'
import type { Readers } from './reader-threads.ts'

export interface ResolvedAppOptions {
  readonly memory: OpenMemory
  /** The key with all rights (MNEME_API_KEY); null: none. */
  readonly apiKey: string | null
  /** true: a key is always required, even before one exists. Default: required once a key exists. */
  readonly keyRequired: boolean
  /** The user when none is named and no key is required. */
  readonly defaultUser: string
  /** Host names accepted besides those of loopback. */
  readonly allowedHosts: readonly string[]
  /** Origins of pages that may call, besides the server's own, such as `https://example.org`. */
  readonly allowedOrigins: readonly string[]
  readonly maxBodyBytes: number
  readonly requestsPerMinute: number
  readonly concurrency: number
  readonly queueLength: number
  readonly streams: number
  readonly timeoutMs: number
  readonly logger: Logger
  /** The folder of the built page, served at `/` where it exists; null: no page. */
  readonly page: string | null
  /** Threads over the same database that answer concurrent requests; their creator closes them. */
  readonly readers: Readers | null
}

type Given<T> = { readonly [Name in keyof T]?: Exclude<T[Name], null> | undefined }

export type AppOptions = Given<Omit<ResolvedAppOptions, 'memory'>> & Pick<ResolvedAppOptions, 'memory'>

export const USUAL_TIMEOUT_MS = OPTIONS['server.timeout_ms'].byDefault

const DEFAULTS = {
  apiKey: null,
  keyRequired: false,
  defaultUser: OPTIONS.user.byDefault,
  allowedHosts: OPTIONS['server.allowed_hosts'].byDefault,
  allowedOrigins: OPTIONS['server.allowed_origins'].byDefault,
  maxBodyBytes: OPTIONS['server.max_body_bytes'].byDefault,
  requestsPerMinute: OPTIONS['server.requests_per_minute'].byDefault,
  concurrency: OPTIONS['server.concurrency'].byDefault,
  queueLength: OPTIONS['server.queue_length'].byDefault,
  streams: OPTIONS['server.streams'].byDefault,
  timeoutMs: USUAL_TIMEOUT_MS,
  logger: silentLogger,
  readers: null,
  page: null,
}

export function resolveAppOptions(options: AppOptions): ResolvedAppOptions {
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  const resolved: ResolvedAppOptions = { ...DEFAULTS, ...(Object.fromEntries(given) as Pick<AppOptions, 'memory'>) }
  return { ...resolved, allowedOrigins: resolved.allowedOrigins.map((one) => checkOrigin('allowedOrigins', one)) }
}
