/** Options of a server with their defaults, resolved once when the app is created. */
import { type Logger, silentLogger } from '../../domain/logger.ts'
import { checkOrigin, OPTIONS } from '../config/options.ts'
import type { OpenMemory } from '../library/index.ts'
import type { Readers } from './readers.ts'

export interface AppOptions {
  readonly memory: OpenMemory
  /** The key with all rights (MNEME_API_KEY). Default: none. */
  readonly apiKey?: string | undefined
  /** true: a key is always required, even before one exists. Default: required once a key exists. */
  readonly keyRequired?: boolean | undefined
  /** The user when none is named and no key is required. Default `local`. */
  readonly defaultUser?: string | undefined
  /** Host names accepted besides those of loopback. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Origins of pages that may call, besides the server's own, such as `https://example.org`. Default: none. */
  readonly allowedOrigins?: readonly string[] | undefined
  /** Largest JSON body in bytes. Default 16 MB. */
  readonly maxBodyBytes?: number | undefined
  /** Requests that one caller may make in a minute. Default 6,000. */
  readonly requestsPerMinute?: number | undefined
  /** Requests that are worked on at once; more wait. Default 64. */
  readonly concurrency?: number | undefined
  /** Requests that wait; more are refused with 503. Default 256. */
  readonly queueLength?: number | undefined
  /** Chats, completions, exports, imports and calls of MCP at once; more are refused with 503. Default 256. */
  readonly streams?: number | undefined
  /** Milliseconds that one request may take, streams aside. Default 30,000. */
  readonly timeoutMs?: number | undefined
  readonly logger?: Logger | undefined
  /** The folder of the built page, served at `/` where it exists. Default: no page. */
  readonly page?: string | undefined
  /** Threads over the same database that answer concurrent requests; their creator closes them. Default: none. */
  readonly readers?: Readers | undefined
}

export type ResolvedAppOptions = {
  readonly [Name in Exclude<keyof AppOptions, 'apiKey' | 'readers' | 'page'>]-?: Exclude<AppOptions[Name], undefined>
} & {
  readonly apiKey: string | null
  readonly readers: Readers | null
  readonly page: string | null
}

export const USUAL_TIMEOUT_MS = OPTIONS['server.timeout_ms'].byDefault

const DEFAULTS = {
  apiKey: null,
  keyRequired: false,
  defaultUser: 'local',
  allowedHosts: [],
  allowedOrigins: [],
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
