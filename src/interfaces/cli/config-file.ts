/** `mneme.config.json`: settings that stay with a database. An unknown name or a wrong type is an error. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { checkBoolean, checkId, checkInteger, checkRecord } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'

/** What a config file can say. */
export interface ConfigFile {
  /** Where it lies; null when there is none. */
  readonly path: string | null
  /** The database, absolute; relative in the file to the file. */
  readonly db?: string
  readonly user?: string
  readonly log_level?: string
  readonly retrieval_limit?: number
  readonly eviction_threshold?: number
  readonly max_content_bytes?: number
  readonly archive_working_memory?: boolean
}

const NAMES = [
  'db',
  'user',
  'log_level',
  'retrieval_limit',
  'eviction_threshold',
  'max_content_bytes',
  'archive_working_memory',
]

/** The file that lies beside a database unless --config names another. */
export function configBeside(database: string): string {
  return join(dirname(database), 'mneme.config.json')
}

/** Reads the file; one that nobody named may be absent. */
export function readConfigFile(path: string, named: boolean): ConfigFile {
  if (!existsSync(path)) {
    if (named)
      throw invalid('--config', `there is no file ${path}`, 'Name an existing JSON file, or leave --config out.')
    return { path: null }
  }
  const values = parse(path)
  const text = (name: string): Record<string, string> =>
    values[name] === undefined ? {} : { [name]: checkId(`${path}: ${name}`, values[name]) }
  const whole = (name: string): Record<string, number> =>
    values[name] === undefined
      ? {}
      : { [name]: checkInteger(`${path}: ${name}`, values[name], 1, Number.MAX_SAFE_INTEGER) }
  return {
    path,
    ...text('user'),
    ...text('log_level'),
    ...whole('retrieval_limit'),
    ...whole('eviction_threshold'),
    ...whole('max_content_bytes'),
    ...(values.db === undefined ? {} : { db: resolve(dirname(path), checkId(`${path}: db`, values.db)) }),
    ...(values.archive_working_memory === undefined
      ? {}
      : {
          archive_working_memory: checkBoolean(`${path}: archive_working_memory`, values.archive_working_memory),
        }),
  }
}

function parse(path: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw invalid(
      path,
      `cannot be read as JSON (${cause instanceof Error ? cause.message : cause})`,
      'Correct the file.',
    )
  }
  return checkRecord(path, value, NAMES)
}
