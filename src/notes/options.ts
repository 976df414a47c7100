/** How a memory file is kept: the option `memoryFile`, checked and with every default filled in. */
import { resolve } from 'node:path'
import { checkBoolean, checkId, checkInteger, checkNumber, checkRecord } from '../domain/checks.ts'
import { invalid } from '../domain/errors.ts'
import { MEMORY_FILE_DEFAULTS, type MemoryFileHeadings } from '../domain/memory-file.ts'
import { checkHeadings } from './document.ts'

/** The notes that a person can open (specification 004). */
export interface MemoryFileOptions {
  /** Default: MEMORY.md beside the database, with `{user}` for the user. */
  readonly path?: string | undefined
  /** 1 to 100,000. Default 100. */
  readonly maxEntries?: number | undefined
  /** The similarity, 0 to 1, from which an entry repeats another one. Default 0.8. */
  readonly dedupThreshold?: number | undefined
  /** Backups that are kept, 0 to 1,000. Default 5. */
  readonly backups?: number | undefined
  /** `both` (用户信息 / User information), `en`, `zh`, or names by section. Default `both`. */
  readonly headings?: MemoryFileHeadings | undefined
  /** true: secrets are written out, into a file that only its owner can read. Default false: masked. */
  readonly withSecrets?: boolean | undefined
  /** Files, such as CLAUDE.md, in which a block shows the same entries. */
  readonly blocks?: readonly string[] | undefined
}

/** How the file is kept; nothing left open. */
export interface MemoryFileSettings {
  /** An absolute path, in which `{user}` stands for the user. null: MEMORY.md beside the database. */
  readonly path: string | null
  readonly maxEntries: number
  readonly dedupThreshold: number
  readonly backups: number
  readonly headings: MemoryFileHeadings
  readonly withSecrets: boolean
  /** Absolute. */
  readonly blocks: readonly string[]
}

const NAMES = ['path', 'maxEntries', 'dedupThreshold', 'backups', 'headings', 'withSecrets', 'blocks']
const MOST_ENTRIES = 100_000
const MOST_BACKUPS = 1000

/** Checks the option; throws `invalid` naming the field. */
export function resolveMemoryFile(options: MemoryFileOptions = {}): MemoryFileSettings {
  const { path, maxEntries, dedupThreshold, backups, headings, withSecrets, blocks } = checkRecord(
    'memoryFile',
    options,
    NAMES,
  )
  const at = (name: string): string => `memoryFile.${name}`
  return {
    path: path === undefined ? null : resolve(checkId(at('path'), path)),
    maxEntries:
      maxEntries === undefined
        ? MEMORY_FILE_DEFAULTS.maxEntries
        : checkInteger(at('maxEntries'), maxEntries, 1, MOST_ENTRIES),
    dedupThreshold:
      dedupThreshold === undefined
        ? MEMORY_FILE_DEFAULTS.dedupThreshold
        : checkNumber(at('dedupThreshold'), dedupThreshold, 0, 1),
    backups:
      backups === undefined ? MEMORY_FILE_DEFAULTS.backups : checkInteger(at('backups'), backups, 0, MOST_BACKUPS),
    headings: headings === undefined ? MEMORY_FILE_DEFAULTS.headings : checkHeadings(at('headings'), headings),
    withSecrets: withSecrets === undefined ? false : checkBoolean(at('withSecrets'), withSecrets),
    blocks: blocks === undefined ? [] : checkFiles(at('blocks'), blocks),
  }
}

function checkFiles(field: string, files: unknown): readonly string[] {
  if (!Array.isArray(files)) throw invalid(field, 'must be a list of files', 'Pass a list of paths.')
  return files.map((file: unknown, index) => resolve(checkId(`${field}[${index}]`, file)))
}
