/** Each option with its value and origin: flag, else environment, else config file, else default. */
import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { checkRecord } from '../../domain/checks.ts'
import { invalid, MnemeError, withField } from '../../domain/errors.ts'
import type { Environment } from '../config/environment.ts'
import { libraryName, OPTIONS, type Option, type OptionName, settingOverrides } from '../config/options.ts'
import type { FlagValues } from './flag-values.ts'
import { isAboutDatabase } from './report-error.ts'

/** A value and its origin: `--db`, `MNEME_DB`, the config file's path, or `default`. */
export interface Setting<T> {
  readonly value: T
  readonly source: string
}

type SettingOf<T> = T extends Option<infer Given, infer Default> ? Setting<Given | Default> : never
type SettingsOf<Names extends OptionName> = { readonly [Name in Names]: SettingOf<(typeof OPTIONS)[Name]> }
type ServerOption = Extract<OptionName, `server.${string}`>

/** The options of a command, but for those of the server. */
export interface Settings extends SettingsOf<Exclude<OptionName, ServerOption>> {
  readonly config: ConfigFile
  /** Settings of specification 001 that the environment fixes, by name. */
  readonly overrides: Readonly<Record<string, number | boolean>>
  readonly environment: Environment
}

/** The config file that was read: its origin, and its values by key, checked. */
export interface ConfigFile extends Setting<string | null> {
  readonly values: Readonly<Partial<Record<OptionName, unknown>>>
}

const NAMES = Object.keys(OPTIONS) as readonly OptionName[]

/** Resolves the options of every command; throws `invalid` naming the flag, variable or file at fault. */
export function resolveSettings(flags: FlagValues, environment: Environment): Settings {
  const named = flags.config
  const database = [flags.db, environment.MNEME_DB].find((one) => typeof one === 'string') ?? OPTIONS.db.byDefault
  const path = typeof named === 'string' ? named : join(dirname(absolute(String(database))), 'mneme.config.json')
  const config = readConfigFile(path, named !== undefined)
  const resolved = NAMES.filter((name) => !name.startsWith('server.')).map((name) => [
    name,
    resolveOption(name, flags, environment, config),
  ])
  return { ...Object.fromEntries(resolved), config, overrides: settingOverrides(environment), environment }
}

/** Resolves the options of `mneme serve`. */
export function resolveServer(flags: FlagValues, { environment, config }: Settings): SettingsOf<ServerOption> {
  const names = NAMES.filter((name) => name.startsWith('server.'))
  return Object.fromEntries(
    names.map((name) => [name, resolveOption(name, flags, environment, config)]),
  ) as unknown as SettingsOf<ServerOption>
}

/** The assistants' database: one in the home folder for all assistants and projects, unless another is named. */
export function assistantDatabase({ db }: Settings): string {
  return db.source === 'default' ? homeDatabase() : db.value
}

/** Where assistants remember unless another database is named. */
export function homeDatabase(): string {
  return join(homedir(), '.mneme', 'memory.db')
}

function resolveOption(
  name: OptionName,
  flags: FlagValues,
  environment: Environment,
  config: ConfigFile,
): Setting<unknown> {
  const { kind, flag, variable, byDefault }: Option = OPTIONS[name]
  const read = (source: string, text: string): Setting<unknown> => ({
    // Seen from the working folder, which may be deleted: only a relative path asks for it.
    value: kind.check(source, kind.parse(source, text), ''),
    source,
  })
  const flagName = flag?.split(' ')[0]
  const given = flagName === undefined ? undefined : flags[camelFlag(flagName)]
  if (flagName !== undefined && typeof given === 'string') return read(flagName, given)
  const text = variable === undefined ? undefined : environment[variable]
  if (variable !== undefined && text !== undefined) return read(variable, text)
  if (config.values[name] !== undefined) return { value: config.values[name], source: config.value ?? '' }
  const value = name === 'db' ? absolute(String(byDefault)) : byDefault
  return { value, source: 'default' }
}

/** The path seen from the working folder, or as it stands where that is deleted: a hook goes on without it. */
function absolute(path: string): string {
  try {
    return resolve(path)
  } catch {
    return path
  }
}

/** `--allow-host` → `allowHost`. */
export function camelFlag(flag: string): string {
  return flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Reads and checks the config file; one that nobody named may be absent. An unknown name is an error. */
function readConfigFile(path: string, isNamed: boolean): ConfigFile {
  if (!existsSync(path)) {
    if (isNamed)
      throw invalid('--config', `there is no file ${path}`, 'Name an existing JSON file, or leave --config out.')
    return { value: null, source: 'default', values: {} }
  }
  const given: unknown = parsed(path)
  const keys = NAMES.map((name) => name.split('.'))
  const values: Partial<Record<OptionName, unknown>> = {}
  const take = (name: OptionName, value: unknown): void => {
    if (value !== undefined) values[name] = OPTIONS[name].kind.check(`${path}: ${name}`, value, dirname(path))
  }
  for (const [group, value] of Object.entries(
    checkRecord(path, given, [...new Set(keys.map(([first = '']) => first))]),
  )) {
    const inner = keys.flatMap(([first, second]) => (first === group && second !== undefined ? [second] : []))
    if (inner.length === 0) take(group as OptionName, value)
    else if (group === 'embedding' && value === 'none') take('embedding.provider', value)
    else
      for (const [key, one] of Object.entries(checkRecord(`${path}: ${group}`, value, inner)))
        take(`${group}.${key}` as OptionName, one)
  }
  return { value: path, source: isNamed ? '--config' : 'beside the database', values }
}

function parsed(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : cause
    throw invalid(path, `cannot be read as JSON (${reason})`, 'Correct the file.')
  }
}

/** Whether the config file names anything of a group, such as `llm`. */
export function isInFile({ config }: Settings, group: string): boolean {
  return Object.keys(config.values).some((name) => name.startsWith(`${group}.`))
}

/** Settings by their names, as they stand in an answer or in an error. */
type Named = Readonly<Partial<Record<OptionName, Setting<unknown>>>>

/** The name under which the caller gave an option, or could have. */
function callersName(name: OptionName, settings: Named, file: string | null): string | undefined {
  const { flag, variable }: Option = OPTIONS[name]
  const source = settings[name]?.source ?? 'default'
  if (source === 'default') return flag?.split(' ')[0] ?? variable ?? (file === null ? undefined : `${file}: ${name}`)
  return /^(?:--[a-z-]+|[A-Z][A-Z\d_]*)$/.test(source) ? source : `${source}: ${name}`
}

const BY_LIBRARY = new Map(
  NAMES.flatMap((name) => {
    const library = libraryName(name)
    return library === null ? [] : [[library, name] as const]
  }),
)

/** An error of the library with its options by the caller's names; errors of other kinds are unchanged. */
export function inWordsOfCaller(settings: Named, { value: file }: ConfigFile, error: unknown): unknown {
  if (!(error instanceof MnemeError)) return error
  const nameOf = (option: string): string | undefined => {
    const name = BY_LIBRARY.get(option)
    return name === undefined ? undefined : callersName(name, settings, file)
  }
  const option = error.field ?? (isAboutDatabase(error.code) ? 'path' : undefined)
  const field = option === undefined ? undefined : nameOf(option === 'vectorStore' ? 'vectorStore.uri' : option)
  const named = field === undefined ? error : withField(error, field)
  let { remedy } = error
  // An option without a group may be an ordinary word.
  for (const one of BY_LIBRARY.keys())
    if (one.includes('.') && remedy.includes(one)) remedy = remedy.replaceAll(one, nameOf(one) ?? one)
  if (remedy === error.remedy) return named
  const { code, message, place, said, cause } = named
  return new MnemeError(code, message, {
    remedy,
    cause,
    ...(named.field === undefined ? {} : { field: named.field }),
    ...(place === undefined ? {} : { place }),
    ...(said === undefined ? {} : { said }),
  })
}
