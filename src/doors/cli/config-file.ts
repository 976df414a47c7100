/** `mneme.config.json`: settings that stay with a database. An unknown name or a wrong type is an error. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { checkBoolean, checkId, checkInteger, checkOneOf, checkRecord } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'
import { DURABILITIES, type Durability } from '../../usecases/options.ts'
import { type MemoryFileConfig, readMemoryFileConfig } from './memory-file-settings.ts'
import { readServerConfig, type ServerConfig } from './server-settings.ts'

/** The content of a config file. */
export interface ConfigFile {
  /** Where it lies; null when there is none. */
  readonly path: string | null
  /** Absolute path of the database; in the file, relative to the file. */
  readonly db?: string
  readonly user?: string
  readonly log_level?: string
  readonly retrieval_limit?: number
  readonly eviction_threshold?: number
  readonly max_content_bytes?: number
  readonly archive_working_memory?: boolean
  readonly durability?: Durability
  readonly llm?: LlmConfig
  readonly embedding?: EmbeddingConfig
  readonly vector_store?: VectorStoreConfig
  readonly server?: ServerConfig
  readonly memory_file?: MemoryFileConfig
}

/** The model that thinks. */
interface LlmConfig {
  readonly provider?: 'openrouter' | 'openai'
  readonly model?: string
  readonly base_url?: string
  readonly api_key?: string
  readonly timeout_ms?: number
  readonly daily_calls?: number
  readonly daily_tokens?: number
}

/** The embedding model. `models_dir` is absolute; in the file, relative to the file. */
interface EmbeddingConfig {
  readonly provider?: 'none' | 'local' | 'openrouter' | 'openai'
  readonly model?: string
  readonly base_url?: string
  readonly api_key?: string
  readonly dimension?: number
  readonly models_dir?: string
}

/** A vector database; see VectorStoreOptions. */
interface VectorStoreConfig {
  readonly provider?: 'milvus'
  readonly uri?: string
  readonly token?: string
  readonly database?: string
  readonly collection?: string
  readonly required?: boolean
  readonly index?: (typeof INDEXES)[number]
  readonly metric?: (typeof METRICS)[number]
  readonly partition_by_user?: boolean
  readonly timeout_ms?: number
}

const INDEXES = ['HNSW', 'FLAT', 'IVF_FLAT', 'IVF_SQ8', 'DISKANN', 'AUTOINDEX'] as const
const METRICS = ['COSINE', 'IP', 'L2'] as const

const NAMES = [
  'db',
  'user',
  'log_level',
  'retrieval_limit',
  'eviction_threshold',
  'max_content_bytes',
  'archive_working_memory',
  'durability',
  'llm',
  'embedding',
  'vector_store',
  'server',
  'memory_file',
]
const LLM_NAMES = ['provider', 'model', 'base_url', 'api_key', 'timeout_ms', 'daily_calls', 'daily_tokens']
const VECTOR_STORE_NAMES = [
  'provider',
  'uri',
  'token',
  'database',
  'collection',
  'required',
  'index',
  'metric',
  'partition_by_user',
  'timeout_ms',
]
const EMBEDDING_NAMES = ['provider', 'model', 'base_url', 'api_key', 'dimension', 'models_dir']

/** The file that lies beside a database unless --config names another. */
export function configBeside(database: string): string {
  return join(dirname(database), 'mneme.config.json')
}

/** Reads the config file; an unnamed one may be absent. */
export function readConfigFile(path: string, named: boolean): ConfigFile {
  if (!existsSync(path)) {
    if (named)
      throw invalid('--config', `there is no file ${path}`, 'Name an existing JSON file, or leave --config out.')
    return { path: null }
  }
  const values = parse(path)
  const { text, whole } = readers(path, values)
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
    ...(values.durability === undefined
      ? {}
      : { durability: checkOneOf(`${path}: durability`, values.durability, DURABILITIES) }),
    ...(values.llm === undefined ? {} : { llm: readLlm(`${path}: llm`, values.llm) }),
    ...(values.memory_file === undefined
      ? {}
      : { memory_file: readMemoryFileConfig(`${path}: memory_file`, values.memory_file, dirname(path)) }),
    ...(values.server === undefined ? {} : { server: readServerConfig(`${path}: server`, values.server) }),
    ...(values.embedding === undefined
      ? {}
      : { embedding: readEmbedding(`${path}: embedding`, values.embedding, dirname(path)) }),
    ...(values.vector_store === undefined
      ? {}
      : { vector_store: readVectorStore(`${path}: vector_store`, values.vector_store) }),
  }
}

/** Read one field each, absent ones as nothing. */
function readers(field: string, values: Readonly<Record<string, unknown>>) {
  const named = <T>(name: string, read: (field: string, value: unknown) => T): Record<string, T> =>
    values[name] === undefined ? {} : { [name]: read(`${field}: ${name}`, values[name]) }
  return {
    named,
    text: (name: string) => named(name, checkId),
    whole: (name: string) => named(name, (at, value) => checkInteger(at, value, 1, Number.MAX_SAFE_INTEGER)),
  }
}

function readLlm(field: string, value: unknown): LlmConfig {
  const { named, text, whole } = readers(field, checkRecord(field, value, LLM_NAMES))
  return {
    ...named('provider', (at, word) => checkOneOf(at, word, ['openrouter', 'openai'] as const)),
    ...text('model'),
    ...text('base_url'),
    ...text('api_key'),
    ...whole('timeout_ms'),
    ...whole('daily_calls'),
    ...whole('daily_tokens'),
  }
}

function readEmbedding(field: string, value: unknown, folder: string): EmbeddingConfig {
  if (value === 'none') return { provider: 'none' }
  const { named, text, whole } = readers(field, checkRecord(field, value, EMBEDDING_NAMES))
  return {
    ...named('provider', (at, word) => checkOneOf(at, word, ['none', 'local', 'openrouter', 'openai'] as const)),
    ...text('model'),
    ...text('base_url'),
    ...text('api_key'),
    ...whole('dimension'),
    ...named('models_dir', (at, place) => resolve(folder, checkId(at, place))),
  }
}

function readVectorStore(field: string, value: unknown): VectorStoreConfig {
  const { named, text, whole } = readers(field, checkRecord(field, value, VECTOR_STORE_NAMES))
  return {
    ...named('provider', (at, word) => checkOneOf(at, word, ['milvus'] as const)),
    ...text('uri'),
    ...text('token'),
    ...text('database'),
    ...text('collection'),
    ...named('required', checkBoolean),
    ...named('index', (at, word) => checkOneOf(at, word, INDEXES)),
    ...named('metric', (at, word) => checkOneOf(at, word, METRICS)),
    ...named('partition_by_user', checkBoolean),
    ...whole('timeout_ms'),
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
