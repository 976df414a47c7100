/**
 * The one table of options: key of the config file, flag, variable, option of the library, kind, default, help.
 * Settings, help and the tables of the docs follow from it.
 */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { check } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'
import { LIMITS, MEMORY_RETRIEVAL_LIMIT } from '../../domain/limits.ts'
import { MEMORY_FILE_DEFAULTS, MEMORY_FILE_HEADINGS } from '../../domain/memory-file.ts'
import { SETTING_NAMES, SETTINGS, type SettingName, type SettingRow } from '../../domain/settings.ts'
import { DEFAULT_PATH, DURABILITIES } from '../../usecases/open-options.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export function readEnvironment(): Environment {
  return Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''))
}

export interface Kind<T> {
  /** A value, where paths are seen from `folder` ('': the working folder). Throws `invalid` naming `field`. */
  readonly check: (field: string, value: unknown, folder: string) => T
  /** A text of a flag or a variable as such a value. Throws `invalid` naming `field`. */
  readonly parse: (field: string, text: string) => unknown
}

export interface Option<T = unknown, Default = unknown> {
  readonly kind: Kind<T>
  readonly byDefault: Default
  /** As in the help of commands: `--db <file>`. */
  readonly flag?: string
  /** The variable, where it is not the key in capitals: `MNEME_LLM_MODEL` of `llm.model`. */
  readonly variable?: string
  /** The option of `openMemory`, where it is not the key in camelCase; null: it has none. */
  readonly library?: string | null
  readonly usually?: string
  /** The default of the library in words, where it is another. */
  readonly ofLibrary?: string
  readonly help: string
}

const same = (_field: string, text: string): unknown => text

export function wholeNumber(field: string, text: string): number {
  if (!/^[+-]?\d{1,15}$/.test(text))
    throw invalid(field, `${JSON.stringify(text)} is not a whole number`, 'Pass digits, such as 5.')
  return Number(text)
}

export function decimalNumber(field: string, text: string): number {
  if (!/^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(text))
    throw invalid(field, `${JSON.stringify(text)} is not a number`, 'Pass a number, such as 0.9.')
  return Number(text)
}

const SWITCHES = new Map(Object.entries({ true: true, false: false, '1': true, '0': false }))

const text: Kind<string> = { check: check.id, parse: same }
/** The path with the home folder for a `~` before it, which only a shell expands. */
export function behindHome(path: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : path
}

const path: Kind<string> = {
  // `:memory:` is no file; an empty name is left for the library to refuse.
  check: (field, value, folder) =>
    value === '' || value === ':memory:' ? value : resolve(folder, behindHome(check.id(field, value))),
  parse: same,
}
const flag: Kind<boolean> = {
  check: check.boolean,
  parse: (field, given) => {
    const value = SWITCHES.get(given.toLowerCase())
    if (value === undefined) throw invalid(field, `${JSON.stringify(given)} is no switch`, 'Use true or false.')
    return value
  },
}
const whole = (least: number, most: number = Number.MAX_SAFE_INTEGER): Kind<number> => ({
  check: (field, value) => check.integer(field, value, least, most),
  parse: wholeNumber,
})
const share: Kind<number> = {
  check: (field, value) => check.number(field, value, 0, 1),
  parse: (field, given) =>
    given.endsWith('%') ? decimalNumber(field, given.slice(0, -1)) / 100 : decimalNumber(field, given),
}
const oneOf = <T extends string>(...words: readonly T[]): Kind<T> => ({
  check: (field, value) => check.oneOf(field, value, words),
  parse: same,
})
const list = (check: (field: string, value: unknown, folder: string) => string): Kind<readonly string[]> => ({
  check: (field, value, folder) => {
    if (!Array.isArray(value)) throw invalid(field, 'must be a list', 'Pass a list of texts.')
    return value.map((one: unknown, index) => check(`${field}[${index}]`, one, folder))
  },
  parse: (_field, given) => given.split(',').map((one) => one.trim().toLowerCase()),
})
const cron: Kind<string | false> = {
  check: (field, value) => (value === false ? false : check.id(field, value)),
  parse: (_field, given) => given !== 'false' && given,
}
function row<T, const Default extends T | null = T>(
  kind: Kind<T>,
  byDefault: Default,
  help: string,
  more: Pick<Option, 'flag' | 'variable' | 'library' | 'usually' | 'ofLibrary'> = {},
): Option<T, Default> {
  return { kind, byDefault, help, ...more }
}

const MOST_PORT = 65_535
const MOST_OF_SERVER = 2 ** 31 - 1

export const OPTIONS = {
  db: row(path, DEFAULT_PATH, 'the database', { flag: '--db <file>', library: 'path' }),
  user: row(text, 'local', 'whose memory it is', {
    flag: '--user <id>',
    library: 'userId',
    ofLibrary: 'none: every call names one',
  }),
  time_zone: row(
    { check: check.timeZone, parse: same },
    null,
    'the zone in which a day begins, such as `Asia/Shanghai`: what "tomorrow" means, and the days that are shown',
    { usually: "UTC; of MEMORY.md the computer's" },
  ),
  log_level: row(
    oneOf('debug', 'info', 'warn', 'error', 'silent'),
    'warn',
    '`debug`, `info`, `warn`, `error` or `silent`',
    { library: null },
  ),
  retrieval_limit: row(
    whole(1, LIMITS.resultLimit),
    MEMORY_RETRIEVAL_LIMIT,
    'memories that a search with the ranking `long-term` returns, and those in a context where `memory.rag_top_n` is not set',
    { variable: 'MEMORY_RETRIEVAL_LIMIT' },
  ),
  eviction_threshold: row(whole(1), null, 'memories that `mneme evict` leaves, and `mneme serve` every hour', {
    variable: 'MEMORY_EVICTION_THRESHOLD',
    usually: 'all',
  }),
  max_content_bytes: row(whole(1024, 64 * 1024 * 1024), LIMITS.contentBytes, 'largest turn or memory', {
    usually: '1 MB',
  }),
  archive_working_memory: row(flag, false, 'working memory that expires leaves a memory of its topic and variables'),
  durability: row(
    oneOf(...DURABILITIES),
    'process',
    'what an acknowledged write has survived: `process` (a crash, a kill) or `full` (a power cut, too: a sync for every write); see [reliability.md](reliability.md)',
  ),

  'llm.provider': row(oneOf('openrouter', 'openai'), null, '`openrouter` or `openai`', {
    usually: 'as the address or the model says',
  }),
  'llm.model': row(text, null, 'the model that thinks; `none` switches it off', { usually: 'none' }),
  'llm.base_url': row(text, null, 'its address: any OpenAI-compatible server', { usually: "the provider's own" }),
  'llm.api_key': row(text, null, 'its key', { usually: 'see above' }),
  'llm.timeout_ms': row(whole(1), null, 'milliseconds of one call', { usually: '60000' }),
  'llm.daily_calls': row(whole(1), null, 'calls in one day (UTC)', { usually: 'all' }),
  'llm.daily_tokens': row(whole(1), null, 'tokens in one day (UTC)', { usually: 'all' }),

  'embedding.provider': row(
    oneOf('none', 'local', 'openrouter', 'openai'),
    null,
    'the model of meaning: `none`, `local`, `openrouter` or `openai`',
    { variable: 'MNEME_EMBEDDING', usually: '`none`' },
  ),
  'embedding.model': row(text, null, 'its name', { usually: "the provider's usual one" }),
  'embedding.base_url': row(text, null, 'its address', { usually: "the provider's own" }),
  'embedding.api_key': row(text, null, 'its key', { usually: 'see above' }),
  'embedding.dimension': row(whole(1), null, 'length of its vectors', { usually: 'asked once' }),
  'embedding.models_dir': row(path, null, "the folder of local models' folders", {
    variable: 'MNEME_MODELS_DIR',
    usually: 'none',
  }),

  'vector_store.provider': row(oneOf('milvus'), 'milvus', 'always `milvus`'),
  'vector_store.uri': row(text, null, 'the Milvus in which vectors are searched', {
    flag: '--milvus-uri <uri>',
    variable: 'MILVUS_URI',
    usually: 'none',
  }),
  'vector_store.token': row(text, null, 'what it asks for', { variable: 'MILVUS_TOKEN', usually: 'none' }),
  'vector_store.database': row(text, null, 'its database', { variable: 'MILVUS_DATABASE', usually: 'its default' }),
  'vector_store.collection': row(text, 'memories', 'its collection', {
    flag: '--milvus-collection <name>',
    variable: 'MILVUS_COLLECTION',
  }),
  'vector_store.required': row(flag, false, 'true: nothing opens while it does not answer'),
  'vector_store.timeout_ms': row(whole(1), null, 'milliseconds of one search', { usually: '3000' }),

  'memory_file.path': row(
    path,
    null,
    '`{user}` in it stands for the user; one file belongs to one user of one database',
    {
      variable: 'MNEME_MEMORY_FILE',
      usually: '`MEMORY.md` beside the database',
    },
  ),
  'memory_file.max_entries': row(whole(1, 100_000), MEMORY_FILE_DEFAULTS.maxEntries, '1 to 100,000', {
    variable: 'MEMORY_MAX_ENTRIES',
  }),
  'memory_file.dedup_threshold': row(
    share,
    MEMORY_FILE_DEFAULTS.dedupThreshold,
    '0 to 1, or `80%`; 1: only the very same',
    { variable: 'MEMORY_DEDUP_THRESHOLD' },
  ),
  'memory_file.backups': row(whole(0, 1000), MEMORY_FILE_DEFAULTS.backups, '0: none', { variable: 'MEMORY_BACKUPS' }),
  'memory_file.headings': row(
    oneOf(...MEMORY_FILE_HEADINGS),
    MEMORY_FILE_DEFAULTS.headings,
    '`both`, `en` or `zh`: languages of new headings',
  ),
  'memory_file.with_secrets': row(flag, false, 'true: passwords and keys are written out'),

  'server.host': row(text, '127.0.0.1', 'where to listen', {
    flag: '--host <address>',
    variable: 'MNEME_HOST',
    library: 'host',
  }),
  'server.port': row(whole(0, MOST_PORT), 7077, 'the port, 0 for a free one', {
    flag: '--port <number>',
    variable: 'MNEME_PORT',
    library: 'port',
  }),
  'server.allowed_hosts': row<readonly string[]>(
    list(check.id),
    [],
    'host names that requests may be sent to, separated by commas',
    { flag: '--allow-host <names>', library: null },
  ),
  'server.allowed_origins': row<readonly string[]>(
    list((field, value) => checkOrigin(field.replace(/\[\d+\]$/, ''), check.id(field, value))),
    [],
    'pages of other sites that may call, separated by commas',
    { flag: '--allow-origin <origins>', library: null },
  ),
  'server.requests_per_minute': ofServer(6000, 'requests of one key or address in a minute'),
  'server.concurrency': ofServer(64, 'requests that are worked on at once'),
  'server.queue_length': ofServer(256, 'requests that wait'),
  'server.streams': ofServer(256, 'chats, completions, exports, imports and calls of MCP at once'),
  'server.max_body_bytes': ofServer(16 * 1024 * 1024, 'largest JSON body'),
  'server.timeout_ms': ofServer(30_000, 'milliseconds of one request, streams and upkeep aside'),
  'server.readers': row(whole(0, 64), null, 'extra threads that answer searches; 0: none', {
    library: null,
    usually: 'by the cores',
  }),
  'server.expire': timer('expire', '*/5 * * * *', 'idle working memory is archived'),
  'server.consolidate': timer('consolidate', '30 3 * * *', 'memories are merged, told apart and promoted'),
  'server.digest': timer('digest', '55 23 * * *', 'the memory file is brought up to date'),
  'server.evict': timer('evict', '20 * * * *', 'memories beyond MEMORY_EVICTION_THRESHOLD go'),
} as const

function ofServer(byDefault: number, help: string) {
  return row<number>(whole(1, MOST_OF_SERVER), byDefault, help, { library: null })
}

function timer(library: string, byDefault: string, help: string) {
  return row<string | false, string>(cron, byDefault, help, { library })
}

/** Returns the origin. Throws `invalid` for paths, `*` and `null` (which pages of any site can send). */
export function checkOrigin(field: string, value: string): string {
  if (!isOrigin(value))
    throw invalid(
      field,
      `${JSON.stringify(value)} is not an origin`,
      'Name each origin by scheme, host and port, in lower case and without a slash behind, such as https://example.org.',
    )
  return value
}

function isOrigin(value: string): boolean {
  // Desktop programs and browser extensions use schemes that URL does not know.
  if (!/^https?:/i.test(value)) return /^[a-z][a-z\d+.-]*:\/\/[^\s/?#@*,A-Z]+$/.test(value)
  return URL.canParse(value) && new URL(value).origin === value && !value.includes('*')
}

export type OptionName = keyof typeof OPTIONS
export const OPTION_NAMES = Object.keys(OPTIONS) as readonly OptionName[]

/** The variable of a setting of specification 001: `MEMORY_RAG_TOP_N` of `memory.rag_top_n`. */
export function settingVariable(name: SettingName): string {
  const variable = name.includes('.') ? name.replace('.', '_') : `mneme_${name}`
  return variable.toUpperCase()
}

export function settingValue(name: SettingName, field: string, given: string): number | boolean {
  const { bounds }: SettingRow = SETTINGS[name]
  const kind: Kind<number | boolean> = bounds === undefined ? flag : whole(bounds[0], bounds[1])
  return kind.check(field, kind.parse(field, given), '')
}

/** The values that the environment gives to settings of the database; throws `invalid` naming the variable. */
export function settingOverrides(environment: Environment): Readonly<Record<string, number | boolean>> {
  return Object.fromEntries(
    SETTING_NAMES.flatMap((name) => {
      const variable = settingVariable(name)
      const given = environment[variable]
      return given === undefined ? [] : [[name, settingValue(name, variable, given)]]
    }),
  )
}

/** The option of `openMemory` (or of the server) that an option sets: `llm.base_url` sets `llm.baseUrl`. */
export function libraryName(name: OptionName): string | null {
  const { library }: Option = OPTIONS[name]
  return library === undefined ? name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : library
}

export function variableOf(name: OptionName): string {
  const { variable }: Option = OPTIONS[name]
  return variable ?? `MNEME_${name.replace('.', '_').toUpperCase()}`
}

/** The environment’s values for the options of `openMemory` that have no group, by their names there. */
export function environmentOptions(environment: Environment): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    OPTION_NAMES.flatMap((name) => {
      const [option, variable] = [libraryName(name), variableOf(name)]
      const given = environment[variable]
      if (name.includes('.') || option === null || given === undefined) return []
      const { kind }: Option = OPTIONS[name]
      return [[option, kind.check(variable, kind.parse(variable, given), '')]]
    }),
  )
}
