/** Resolves every setting with its origin: flag, environment, config file, default, in this order. */
import { resolve } from 'node:path'
import { checkId, checkOneOf } from '../../domain/checks.ts'
import { LIMITS, MEMORY_RETRIEVAL_LIMIT } from '../../domain/limits.ts'
import { DEFAULT_PATH, DURABILITIES, type Durability } from '../../usecases/options.ts'
import type { Environment } from '../config/environment.ts'
import { type ConfigFile, configBeside, readConfigFile } from './config-file.ts'
import { wholeNumber } from './flag-values.ts'
import { type LogLevel, logLevel } from './log-to-stderr.ts'
import { type MemoryFileSettings, resolveMemoryFileSettings } from './memory-file-settings.ts'
import { type ModelSettings, resolveModels } from './model-settings.ts'
import type { ServerConfig } from './server-settings.ts'
import { byDefault, type CommonFlags, first, type Setting } from './setting.ts'
import { settingOverrides } from './setting-overrides.ts'
import { resolveVectorStore, type VectorStoreSettings } from './vector-store-settings.ts'

export interface Settings {
  readonly db: Setting<string>
  readonly user: Setting<string>
  readonly log_level: Setting<LogLevel>
  readonly retrieval_limit: Setting<number>
  readonly eviction_threshold: Setting<number | null>
  readonly max_content_bytes: Setting<number>
  readonly archive_working_memory: Setting<boolean>
  readonly durability: Setting<Durability>
  /** The config file that was read; null when there is none. */
  readonly config: Setting<string | null>
  /** The models that were configured. */
  readonly models: ModelSettings
  /** The vector database, where there is one. */
  readonly vector_store: VectorStoreSettings
  /** Settings of specification 001 that the environment fixes, by name. */
  readonly overrides: Readonly<Record<string, number | boolean>>
  /** How the memory file is kept. */
  readonly memoryFile: MemoryFileSettings
  /** The `mneme serve` section of the config file. */
  readonly server: Setting<ServerConfig>
  /** The program that `profile edit` opens. */
  readonly editor: Setting<string | null>
}

/** The user when none is named: the command line is a personal tool. */
const DEFAULT_USER = 'local'

/** Resolves all settings; throws `invalid` naming the flag, variable or file at fault. */
export function resolveSettings(flags: CommonFlags, environment: Environment): Settings {
  const chosen = first<string>(['--db', flags.db], ['MNEME_DB', environment.MNEME_DB])
  const beside = configBeside(resolve(chosen?.value ?? DEFAULT_PATH))
  const config = readConfigFile(flags.config ?? beside, flags.config !== undefined)
  const from = config.path ?? ''
  const limit = environment.MEMORY_RETRIEVAL_LIMIT
  const threshold = environment.MEMORY_EVICTION_THRESHOLD
  const level = first(['MNEME_LOG_LEVEL', environment.MNEME_LOG_LEVEL], [from, config.log_level]) ?? byDefault('warn')
  return {
    db: located(chosen ?? first([from, config.db]) ?? byDefault(DEFAULT_PATH)),
    user: first(['--user', checkedUser(flags.user)], [from, config.user]) ?? byDefault(DEFAULT_USER),
    log_level: { value: logLevel(level.source, level.value), source: level.source },
    retrieval_limit:
      first<number>(
        ['MEMORY_RETRIEVAL_LIMIT', limit === undefined ? undefined : wholeNumber('MEMORY_RETRIEVAL_LIMIT', limit)],
        [from, config.retrieval_limit],
      ) ?? byDefault(MEMORY_RETRIEVAL_LIMIT),
    eviction_threshold:
      first<number>(
        [
          'MEMORY_EVICTION_THRESHOLD',
          threshold === undefined ? undefined : wholeNumber('MEMORY_EVICTION_THRESHOLD', threshold),
        ],
        [from, config.eviction_threshold],
      ) ?? byDefault(null),
    max_content_bytes: first([from, config.max_content_bytes]) ?? byDefault(LIMITS.contentBytes),
    archive_working_memory: first([from, config.archive_working_memory]) ?? byDefault(false),
    durability: chosenDurability(environment, config),
    config: configOrigin(config, flags),
    models: resolveModels(environment, config),
    vector_store: resolveVectorStore(environment, config, flags),
    overrides: settingOverrides(environment),
    memoryFile: resolveMemoryFileSettings(environment, config.memory_file ?? {}, from),
    server: first<ServerConfig>([from, config.server]) ?? byDefault({}),
    editor: first<string>(['VISUAL', environment.VISUAL], ['EDITOR', environment.EDITOR]) ?? byDefault(null),
  }
}

function chosenDurability({ MNEME_DURABILITY: word }: Environment, config: ConfigFile): Setting<Durability> {
  const named = word === undefined ? undefined : checkOneOf('MNEME_DURABILITY', word, DURABILITIES)
  return first(['MNEME_DURABILITY', named], [config.path ?? '', config.durability]) ?? byDefault('process')
}

function checkedUser(user: string | undefined): string | undefined {
  return user === undefined ? undefined : checkId('--user', user)
}

/** `:memory:` is no file; an empty name is left for the library to refuse. */
function located({ value, source }: Setting<string>): Setting<string> {
  return { value: value === ':memory:' || value === '' ? value : resolve(value), source }
}

function configOrigin({ path }: ConfigFile, flags: CommonFlags): Setting<string | null> {
  if (path === null) return byDefault(null)
  return { value: path, source: flags.config === undefined ? 'beside the database' : '--config' }
}
