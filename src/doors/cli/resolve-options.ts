/** Each option with its value and origin (flag, else environment, else config file, else default), and the models chosen by them. */
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { check } from '../../domain/checks.ts'
import type { EmbeddingOptions, LlmOptions } from '../../domain/contracts/models.ts'
import type { VectorStoreOptions } from '../../domain/contracts/vector-index.ts'
import { invalid, MnemeError, messageOf, withField } from '../../domain/errors.ts'
import { readPlain, saidOfFile } from '../../domain/plain-file.ts'
import {
  behindHome,
  type Environment,
  libraryName,
  OPTION_NAMES,
  OPTIONS,
  type Option,
  type OptionName,
  settingOverrides,
  variableOf,
} from '../config/options.ts'
import { camelName } from '../operations/field-names.ts'
import { isAboutDatabase } from './report-error.ts'

export type FlagValues = Readonly<Record<string, string | boolean | undefined>>

export interface Setting<T> {
  readonly value: T
  readonly source: string
}

type SettingOf<T> = T extends Option<infer Given, infer Default> ? Setting<Given | Default> : never
type SettingsOf<Names extends OptionName> = { readonly [Name in Names]: SettingOf<(typeof OPTIONS)[Name]> }
type ServerOption = Extract<OptionName, `server.${string}`>

export interface Settings extends SettingsOf<Exclude<OptionName, ServerOption>> {
  readonly config: ConfigFile
  readonly overrides: Readonly<Record<string, number | boolean>>
  readonly environment: Environment
}

export interface ConfigFile extends Setting<string | null> {
  /** Where it is looked for, also where there is none. */
  readonly path: string
  readonly values: Readonly<Partial<Record<OptionName, unknown>>>
}

export function resolveSettings(flags: FlagValues, environment: Environment): Settings {
  const named = flags.config
  const database = [flags.db, environment.MNEME_DB].find((one) => typeof one === 'string') ?? OPTIONS.db.byDefault
  const path = typeof named === 'string' ? named : join(dirname(absolute(String(database))), 'mneme.config.json')
  const config = readConfigFile(path, named !== undefined)
  const given = { config, overrides: settingOverrides(environment), environment }
  return withModels({ ...resolveAll(false, flags, given), ...given } as Settings)
}

export function resolveServer(flags: FlagValues, given: Settings): SettingsOf<ServerOption> {
  return resolveAll(true, flags, given) as unknown as SettingsOf<ServerOption>
}

function resolveAll(isOfServer: boolean, flags: FlagValues, from: Pick<Settings, 'environment' | 'config'>): Named {
  const names = OPTION_NAMES.filter((name) => name.startsWith('server.') === isOfServer)
  return Object.fromEntries(names.map((name) => [name, resolveOption(name, flags, from)]))
}

/** The assistants' database: one in the home folder for all assistants and projects, unless another is named. */
export function assistantDatabase({ db }: Settings): string {
  return db.source === 'default' ? homeDatabase() : db.value
}

export function homeDatabase(): string {
  return join(homedir(), '.mneme', 'memory.db')
}

function resolveOption(
  name: OptionName,
  flags: FlagValues,
  { environment, config }: Pick<Settings, 'environment' | 'config'>,
): Setting<unknown> {
  const { kind, flag, byDefault }: Option = OPTIONS[name]
  const read = (source: string, text: string): Setting<unknown> => ({
    // Seen from the working folder, which may be deleted: only a relative path asks for it.
    value: kind.check(source, kind.parse(source, text), ''),
    source,
  })
  const flagName = flag?.split(' ')[0]
  const given = flagName === undefined ? undefined : flags[camelFlag(flagName)]
  if (flagName !== undefined && typeof given === 'string') return read(flagName, given)
  const variable = variableOf(name)
  if (environment[variable] !== undefined) return read(variable, environment[variable])
  if (config.values[name] !== undefined) return { value: config.values[name], source: config.value ?? '' }
  const value = name === 'db' ? absolute(String(byDefault)) : byDefault
  return { value, source: 'default' }
}

/** The path seen from the working folder, or as it stands where that is deleted: a hook goes on without it. */
function absolute(path: string): string {
  try {
    return resolve(behindHome(path))
  } catch {
    return path
  }
}

export function camelFlag(flag: string): string {
  return flag.slice(2).replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** Reads and checks the config file; one that nobody named may be absent. An unknown name is an error. */
function readConfigFile(path: string, isNamed: boolean): ConfigFile {
  if (!existsSync(path)) {
    if (isNamed)
      throw invalid('--config', `there is no file ${path}`, 'Name an existing JSON file, or leave --config out.')
    return { value: null, path, source: 'default', values: {} }
  }
  let given: unknown
  try {
    given = JSON.parse(String(readPlain(path, { piped: isNamed })))
  } catch (cause) {
    throw invalid(path, `cannot be read as JSON (${messageOf(cause)})`, 'Correct the file.')
  }
  const keys = OPTION_NAMES.map((name) => name.split('.'))
  const values: Partial<Record<OptionName, unknown>> = {}
  const take = (name: OptionName, value: unknown): void => {
    if (value !== undefined) values[name] = OPTIONS[name].kind.check(`${path}: ${name}`, value, dirname(path))
  }
  for (const [group, value] of Object.entries(
    check.record(path, given, [...new Set(keys.map(([first = '']) => first))]),
  )) {
    const inner = keys.flatMap(([first, second]) => (first === group && second !== undefined ? [second] : []))
    if (inner.length === 0) take(group as OptionName, value)
    else if (group === 'embedding' && value === 'none') take('embedding.provider', value)
    else
      for (const [key, one] of Object.entries(check.record(`${path}: ${group}`, value, inner)))
        take(`${group}.${key}` as OptionName, one)
  }
  return { value: path, path, source: isNamed ? '--config' : 'beside the database', values }
}

type Named = Readonly<Partial<Record<OptionName, Setting<unknown>>>>

/** The values of a group of options ('': of those without one) as the library names them; those that nobody gave are left out. */
export function optionsOf(settings: Named, group: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    OPTION_NAMES.flatMap((name) => {
      const [first = '', second] = name.split('.')
      const { library }: Option = OPTIONS[name]
      const value = settings[name]?.value ?? undefined
      if (value === undefined || group !== (second === undefined ? '' : first)) return []
      return second === undefined && library === null ? [] : [[library ?? camelName(second ?? first), value]]
    }),
  )
}

/** The name under which the caller gave an option, or could have. */
function callersName(name: OptionName, settings: Named): string {
  const { flag }: Option = OPTIONS[name]
  const source = settings[name]?.source ?? 'default'
  if (source === 'default') return flag?.split(' ')[0] ?? variableOf(name)
  return /^(?:--[a-z-]+|[A-Z][A-Z\d_]*)$/.test(source) ? source : `${source}: ${name}`
}

const BY_LIBRARY = new Map(
  OPTION_NAMES.flatMap((name) => {
    const library = libraryName(name)
    return library === null ? [] : [[library, name] as const]
  }),
)

/** An error of the library or of a file, its input named as by the caller: an option by its source, a field by its flag. */
export function inWordsOfCaller(settings: Named, thrown: unknown, named = (one: MnemeError) => one): unknown {
  const error = saidOfFile(thrown)
  if (!(error instanceof MnemeError)) return error
  const option = error.field ?? (isAboutDatabase(error, settings.db?.value) ? 'path' : undefined)
  const name = BY_LIBRARY.get(option === 'vectorStore' ? 'vectorStore.uri' : (option ?? ''))
  return name === undefined ? named(error) : withField(error, callersName(name, settings))
}

/** The kinds of models, with what the library is told of one. */
interface ModelOptions {
  readonly llm: LlmOptions
  readonly embedding: EmbeddingOptions
}

type Provider = 'openrouter' | 'openai'
const PROVIDERS = {
  openrouter: { host: 'openrouter.ai', key: 'OPENROUTER_API_KEY', name: 'OpenRouter' },
  openai: { host: 'api.openai.com', key: 'OPENAI_API_KEY', name: 'OpenAI' },
} as const
const OFF = 'none'

/** The settings with the provider, the address and the keys that other variables and names give. */
function withModels(settings: Settings): Settings {
  const provider = llmProvider(settings)
  const llm = { 'llm.provider': provider, ...accessOf(settings, 'llm', provider.value) }
  const { value: embeds } = settings['embedding.provider']
  const isRemote = embeds === 'openrouter' || embeds === 'openai'
  return {
    ...settings,
    ...(modelSwitch(settings, 'llm').value ? llm : {}),
    ...(isRemote ? accessOf(settings, 'embedding', embeds) : {}),
  }
}

/** Whether a model is used: one thinks where it or its address was named, and nobody said none. */
export function modelSwitch({ config, ...settings }: Settings, part: keyof ModelOptions): Setting<boolean> {
  const named = settings[part === 'llm' ? 'llm.model' : 'embedding.provider']
  if (part === 'embedding' || named.value === OFF)
    return { value: named.value !== null && named.value !== OFF, source: named.source }
  const variable = [named, settings['llm.base_url']].find(({ source }) => source.startsWith('MNEME_'))
  const isInFile = Object.keys(config.values).some((name) => name.startsWith('llm.'))
  const source = variable?.source ?? (isInFile ? config.value : null)
  return { value: source !== null, source: source ?? 'default' }
}

/** The address of a model and the key that belongs to it: the named ones, else those of the provider's own variables. */
function accessOf({ environment, ...settings }: Settings, part: 'llm' | 'embedding', provider: Provider) {
  const { OPENAI_BASE_URL } = environment
  const named = settings[`${part}.base_url`]
  const isBeside = provider === 'openai' && OPENAI_BASE_URL !== undefined
  const address = named.value === null && isBeside ? { value: OPENAI_BASE_URL, source: 'OPENAI_BASE_URL' } : named
  const { host, key } = PROVIDERS[provider]
  const isOwn = address.value === null || hostOf(address.value) === host
  const found = isOwn || (isBeside && address.value === OPENAI_BASE_URL) ? environment[key] : undefined
  const given = settings[`${part}.api_key`]
  return {
    [`${part}.base_url`]: address,
    [`${part}.api_key`]: given.value === null && found !== undefined ? { value: found, source: key } : given,
  }
}

/** A model as it was chosen; undefined: none. One of a provider needs its key, a local one a folder, one at an address nothing. */
export function modelOf<Part extends keyof ModelOptions>(
  settings: Settings,
  part: Part,
): ModelOptions[Part] | undefined {
  if (!modelSwitch(settings, part).value) return undefined
  const kind: keyof ModelOptions = part
  const { config, 'embedding.models_dir': folder } = settings
  const provider = settings[`${kind}.provider`].value
  const inFile = (key: string): string => (config.value === null ? '' : ` (or ${config.value}: ${kind}.${key})`)
  if (provider === 'local') {
    const remedy = `Name the folder that holds the folders of local models${inFile('models_dir')}.`
    if (folder.value === null) throw invalid('MNEME_MODELS_DIR', 'is not set', remedy)
  } else if (settings[`${kind}.base_url`].value === null && settings[`${kind}.api_key`].value === null) {
    const { name, key } = PROVIDERS[provider as Provider]
    const [variable, remedy] =
      kind === 'llm'
        ? [
            'MNEME_LLM_API_KEY',
            `Set it or ${key}${inFile('api_key')}, or name an endpoint of your own with MNEME_LLM_BASE_URL.`,
          ]
        : [key, `Set ${key}${inFile('api_key')}, or use another embedding.`]
    throw invalid(variable, `is not set, and ${name} needs a key`, remedy)
  }
  return optionsOf(settings, kind) as unknown as ModelOptions[Part]
}

export function vectorStoreOptions(settings: Settings): VectorStoreOptions | undefined {
  return settings['vector_store.uri'].value === null
    ? undefined
    : (optionsOf(settings, 'vector_store') as unknown as VectorStoreOptions)
}

/** The named provider; else that of the address, of which any but OpenRouter's is OpenAI-compatible; else by the model. */
function llmProvider({ environment, ...settings }: Settings): Setting<Provider> {
  const named = settings['llm.provider']
  if (named.value !== null) return { ...named, value: named.value }
  const address = settings['llm.base_url']
  if (address.value !== null)
    return { ...address, value: hostOf(address.value) === PROVIDERS.openrouter.host ? 'openrouter' : 'openai' }
  // OpenRouter's names begin with a vendor and a slash.
  const { value, source } = settings['llm.model']
  const isSlashed = value?.includes('/') ?? true
  const hasOwnServer = environment.OPENAI_BASE_URL !== undefined && environment.OPENROUTER_API_KEY === undefined
  return { value: isSlashed && !hasOwnServer ? 'openrouter' : 'openai', source }
}

function hostOf(address: string): string | null {
  return URL.canParse(address) ? new URL(address).hostname : null
}
