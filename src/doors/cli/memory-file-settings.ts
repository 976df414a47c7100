/** Settings of the memory file, with their origins: environment > `memory_file` in the config file > default. */
import { resolve } from 'node:path'
import { checkBoolean, checkId, checkInteger, checkNumber, checkRecord } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'
import { MEMORY_FILE_DEFAULTS, type MemoryFileHeadings } from '../../domain/memory-file.ts'
import type { MemoryFileOptions } from '../../notes/dependencies.ts'
import type { Environment } from '../config/environment.ts'
import { decimalNumber, wholeNumber } from './flag-values.ts'
import { byDefault, first, type Setting } from './setting.ts'

/** `memory_file` of the config file. Paths are absolute; in the file, relative to the file. */
export interface MemoryFileConfig {
  readonly path?: string
  readonly max_entries?: number
  readonly dedup_threshold?: number
  readonly backups?: number
  /** Checked where the memory is opened. */
  readonly headings?: MemoryFileHeadings
  readonly with_secrets?: boolean
  readonly blocks?: readonly string[]
}

/** The settings with their origins. */
export interface MemoryFileSettings {
  /** null: MEMORY.md beside the database. */
  readonly memory_file: Setting<string | null>
  readonly memory_max_entries: Setting<number>
  readonly memory_dedup_threshold: Setting<number>
  readonly memory_backups: Setting<number>
  readonly memory_headings: Setting<MemoryFileHeadings>
  readonly memory_with_secrets: Setting<boolean>
  readonly memory_blocks: Setting<readonly string[]>
}

const NAMES = ['path', 'max_entries', 'dedup_threshold', 'backups', 'headings', 'with_secrets', 'blocks']
const MOST_ENTRIES = 100_000
const MOST_BACKUPS = 1000

/** Reads `memory_file` of a config file. Throws `invalid` naming the field. */
export function readMemoryFileConfig(field: string, value: unknown, folder: string): MemoryFileConfig {
  const { path, max_entries, dedup_threshold, backups, headings, with_secrets, blocks } = checkRecord(
    field,
    value,
    NAMES,
  )
  const at = (name: string): string => `${field}: ${name}`
  return {
    ...(path === undefined ? {} : { path: resolve(folder, checkId(at('path'), path)) }),
    ...(max_entries === undefined
      ? {}
      : { max_entries: checkInteger(at('max_entries'), max_entries, 1, MOST_ENTRIES) }),
    ...(dedup_threshold === undefined
      ? {}
      : { dedup_threshold: checkNumber(at('dedup_threshold'), dedup_threshold, 0, 1) }),
    ...(backups === undefined ? {} : { backups: checkInteger(at('backups'), backups, 0, MOST_BACKUPS) }),
    ...(headings === undefined ? {} : { headings: headings as MemoryFileHeadings }),
    ...(with_secrets === undefined ? {} : { with_secrets: checkBoolean(at('with_secrets'), with_secrets) }),
    ...(blocks === undefined ? {} : { blocks: files(at('blocks'), blocks, folder) }),
  }
}

function files(field: string, value: unknown, folder: string): readonly string[] {
  if (!Array.isArray(value)) throw invalid(field, 'must be a list of files', 'Pass a list of paths.')
  return value.map((file: unknown, index) => resolve(folder, checkId(`${field}[${index}]`, file)))
}

/**
 * Resolves the settings of the memory file, where `from` is the config file's name. Throws `invalid` with the name of
 * the faulty variable.
 */
export function resolveMemoryFileSettings(
  environment: Environment,
  config: MemoryFileConfig,
  from: string,
): MemoryFileSettings {
  const { MNEME_MEMORY_FILE, MEMORY_MAX_ENTRIES, MEMORY_DEDUP_THRESHOLD, MEMORY_BACKUPS } = environment
  const read = <T>(text: string | undefined, value: (text: string) => T): T | undefined =>
    text === undefined ? undefined : value(text)
  const whole = (name: string, text: string | undefined, least: number, most: number): number | undefined =>
    read(text, (given) => checkInteger(name, wholeNumber(name, given), least, most))
  return {
    memory_file:
      first<string | null>(['MNEME_MEMORY_FILE', read(MNEME_MEMORY_FILE, resolve)], [from, config.path]) ??
      byDefault(null),
    memory_max_entries:
      first(
        ['MEMORY_MAX_ENTRIES', whole('MEMORY_MAX_ENTRIES', MEMORY_MAX_ENTRIES, 1, MOST_ENTRIES)],
        [from, config.max_entries],
      ) ?? byDefault(MEMORY_FILE_DEFAULTS.maxEntries),
    memory_dedup_threshold:
      first(['MEMORY_DEDUP_THRESHOLD', read(MEMORY_DEDUP_THRESHOLD, threshold)], [from, config.dedup_threshold]) ??
      byDefault(MEMORY_FILE_DEFAULTS.dedupThreshold),
    memory_backups:
      first(['MEMORY_BACKUPS', whole('MEMORY_BACKUPS', MEMORY_BACKUPS, 0, MOST_BACKUPS)], [from, config.backups]) ??
      byDefault(MEMORY_FILE_DEFAULTS.backups),
    memory_headings: first([from, config.headings]) ?? byDefault<MemoryFileHeadings>(MEMORY_FILE_DEFAULTS.headings),
    memory_with_secrets: first([from, config.with_secrets]) ?? byDefault(false),
    memory_blocks: first([from, config.blocks]) ?? byDefault<readonly string[]>([]),
  }
}

/** `80%` is 0.8. */
function threshold(text: string): number {
  const name = 'MEMORY_DEDUP_THRESHOLD'
  const share = text.endsWith('%') ? decimalNumber(name, text.slice(0, -1)) / 100 : decimalNumber(name, text)
  return checkNumber(name, share, 0, 1)
}

/** The settings as the library's option `memoryFile`. */
export function memoryFileOptions(settings: MemoryFileSettings): MemoryFileOptions {
  return {
    path: settings.memory_file.value ?? undefined,
    maxEntries: settings.memory_max_entries.value,
    dedupThreshold: settings.memory_dedup_threshold.value,
    backups: settings.memory_backups.value,
    headings: settings.memory_headings.value,
    withSecrets: settings.memory_with_secrets.value,
    blocks: settings.memory_blocks.value,
  }
}
