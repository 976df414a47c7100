/** Settings of `mneme serve`, with their origins: flag > environment > `server` in the config file > default. */
import { checkId, checkInteger, checkRecord } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'
import type { Environment } from '../config/environment.ts'
import { checkOrigin } from '../http/options.ts'
import { TIMED_WORK, type TimedWork } from '../http/timed-work.ts'
import { type FlagValues, textFlag, wholeNumber } from './flag-values.ts'
import { type CallersNames, first, originOf, type Setting } from './setting.ts'

/** `server` in the config file. */
export interface ServerConfig {
  readonly host?: string
  readonly port?: number
  readonly allowed_hosts?: readonly string[]
  readonly allowed_origins?: readonly string[]
  readonly requests_per_minute?: number
  readonly concurrency?: number
  readonly queue_length?: number
  readonly streams?: number
  readonly max_body_bytes?: number
  readonly timeout_ms?: number
  /** Extra threads that answer searches; 0: none. */
  readonly readers?: number
  /** Cron patterns in local time; false: never. */
  readonly expire?: string | false
  readonly consolidate?: string | false
  readonly digest?: string | false
  readonly evict?: string | false
}

const WHOLE = [
  'port',
  'requests_per_minute',
  'concurrency',
  'queue_length',
  'streams',
  'max_body_bytes',
  'timeout_ms',
] as const
const LISTS = ['allowed_hosts', 'allowed_origins'] as const
const TIMES = ['expire', 'consolidate', 'digest', 'evict'] as const
const MOST_PORT = 65_535
const MOST_READERS = 64

/** Reads `server` of a config file. Throws `invalid` naming the field. */
export function readServerConfig(field: string, value: unknown): ServerConfig {
  const record = checkRecord(field, value, ['host', 'readers', ...WHOLE, ...LISTS, ...TIMES])
  const read: Record<string, unknown> = {}
  if (record.host !== undefined) read.host = checkId(`${field}: host`, record.host)
  for (const name of WHOLE)
    if (record[name] !== undefined)
      read[name] = checkInteger(
        `${field}: ${name}`,
        record[name],
        name === 'port' ? 0 : 1,
        name === 'port' ? MOST_PORT : 2 ** 31 - 1,
      )
  if (record.readers !== undefined) read.readers = checkInteger(`${field}: readers`, record.readers, 0, MOST_READERS)
  for (const name of LISTS) if (record[name] !== undefined) read[name] = words(`${field}: ${name}`, record[name])
  for (const origin of (read.allowed_origins as readonly string[] | undefined) ?? [])
    checkOrigin(`${field}: allowed_origins`, origin)
  for (const name of TIMES)
    if (record[name] !== undefined)
      read[name] = record[name] === false ? false : checkId(`${field}: ${name}`, record[name])
  return read
}

function words(field: string, value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw invalid(field, 'must be a list', 'Pass a list of texts.')
  return value.map((word: unknown, index) => checkId(`${field}[${index}]`, word))
}

/** Settings that a server is started with. */
export interface ServerSettings {
  readonly host: string
  readonly port: number
  readonly apiKey: string | undefined
  readonly allowedHosts: readonly string[]
  readonly allowedOrigins: readonly string[]
  readonly requestsPerMinute: number | undefined
  readonly concurrency: number | undefined
  readonly queueLength: number | undefined
  readonly streams: number | undefined
  readonly maxBodyBytes: number | undefined
  readonly timeoutMs: number | undefined
  readonly readers: number | undefined
  readonly timedWork: TimedWork
  /** The caller's names of the settings, for errors. */
  readonly names: CallersNames
}

/** Resolves them; the setting's source names the config file. */
export function resolveServerSettings(
  flags: FlagValues,
  environment: Environment,
  { value: config, source: from }: Setting<ServerConfig>,
): ServerSettings {
  const port = textFlag(flags, 'port')
  const own = environment.MNEME_PORT
  const list = (name: string, configured: readonly string[] = []): readonly string[] =>
    textFlag(flags, name)
      ?.split(',')
      .map((word) => word.trim().toLowerCase()) ?? configured
  const pattern = (chosen: string | false | undefined, byDefault: string | null): string | null =>
    chosen === undefined ? byDefault : chosen === false ? null : chosen
  const host = first(['--host', textFlag(flags, 'host')], ['MNEME_HOST', environment.MNEME_HOST], [from, config.host])
  return {
    host: host?.value ?? '127.0.0.1',
    port:
      port !== undefined
        ? checkInteger('--port', wholeNumber('--port', port), 0, MOST_PORT)
        : own !== undefined
          ? checkInteger('MNEME_PORT', wholeNumber('MNEME_PORT', own), 0, MOST_PORT)
          : (config.port ?? 7077),
    apiKey: environment.MNEME_API_KEY,
    allowedHosts: list('allowHost', config.allowed_hosts),
    allowedOrigins: list('allowOrigin', config.allowed_origins).map((one) => checkOrigin('--allow-origin', one)),
    requestsPerMinute: config.requests_per_minute,
    concurrency: config.concurrency,
    queueLength: config.queue_length,
    streams: config.streams,
    maxBodyBytes: config.max_body_bytes,
    timeoutMs: config.timeout_ms,
    readers: config.readers,
    timedWork: {
      expire: pattern(config.expire, TIMED_WORK.expire),
      consolidate: pattern(config.consolidate, TIMED_WORK.consolidate),
      digest: pattern(config.digest, TIMED_WORK.digest),
      evict: pattern(config.evict, TIMED_WORK.evict),
    },
    names: namesIn([
      ['host', host],
      ['port', first<unknown>(['--port', port], ['MNEME_PORT', own], [from, config.port])],
      ...TIMES.map((name) => [name, first<unknown>([from, config[name]])] as const),
    ]),
  }
}

function namesIn(chosen: readonly (readonly [name: string, setting: Setting<unknown> | undefined])[]): CallersNames {
  return new Map(
    chosen.flatMap(([name, setting]) => {
      const origin = setting === undefined ? undefined : originOf(setting, `server.${name}`)
      return origin === undefined ? [] : [[name, origin] as const]
    }),
  )
}
