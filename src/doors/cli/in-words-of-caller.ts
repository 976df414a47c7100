/**
 * Translates option names of the library in errors to the flag, variable or config field that the caller used, in
 * reason and remedy.
 */
import { MnemeError } from '../../domain/errors.ts'
import { isAboutDatabase } from './report-error.ts'
import { type CallersNames, originOf, type Setting } from './setting.ts'
import type { Settings } from './settings.ts'

/** The caller's name of each library option that the settings set, or could set. */
export function namesOf(settings: Settings): CallersNames {
  const { db, user, config, models, memoryFile, vector_store } = settings
  const { llm, embedding, models_dir } = models
  const onlyInFile = config.value === null ? { value: null, source: 'default' } : { ...config, source: config.value }
  const names: readonly (readonly [option: string, key: string, setting: Setting<unknown>, otherwise?: string])[] = [
    ['path', 'db', db],
    ['userId', 'user', user],
    ['retrievalLimit', 'retrieval_limit', settings.retrieval_limit],
    ['evictionThreshold', 'eviction_threshold', settings.eviction_threshold],
    ['maxContentBytes', 'max_content_bytes', settings.max_content_bytes],
    ['durability', 'durability', settings.durability],
    ['memoryFile.path', 'memory_file.path', memoryFile.memory_file, 'MNEME_MEMORY_FILE'],
    ['memoryFile.headings', 'memory_file.headings', memoryFile.memory_headings],
    ['memoryFile.blocks', 'memory_file.blocks', memoryFile.memory_blocks],
    ['llm.model', 'llm.model', llm.shown.model, 'MNEME_LLM_MODEL'],
    ['llm.baseUrl', 'llm.base_url', llm.shown.base_url, 'MNEME_LLM_BASE_URL'],
    ['llm.apiKey', 'llm.api_key', llm.shown.api_key, 'MNEME_LLM_API_KEY'],
    ['llm.timeoutMs', 'llm.timeout_ms', onlyInFile],
    ['llm.dailyCalls', 'llm.daily_calls', onlyInFile],
    ['llm.dailyTokens', 'llm.daily_tokens', onlyInFile],
    ['embedding.model', 'embedding.model', embedding.shown.model, 'MNEME_EMBEDDING_MODEL'],
    ['embedding.baseUrl', 'embedding.base_url', embedding.shown.base_url, 'OPENAI_BASE_URL'],
    ['embedding.apiKey', 'embedding.api_key', embedding.shown.api_key],
    ['embedding.dimension', 'embedding.dimension', onlyInFile],
    ['embedding.modelsDir', 'embedding.models_dir', models_dir, 'MNEME_MODELS_DIR'],
    ['vectorStore', 'vector_store', vector_store.shown.uri, 'MILVUS_URI'],
    ['vectorStore.uri', 'vector_store.uri', vector_store.shown.uri, 'MILVUS_URI'],
    ['vectorStore.token', 'vector_store.token', vector_store.shown.token, 'MILVUS_TOKEN'],
    ['vectorStore.collection', 'vector_store.collection', vector_store.shown.collection, '--milvus-collection'],
    ['vectorStore.database', 'vector_store.database', onlyInFile],
    ['vectorStore.index', 'vector_store.index', onlyInFile],
    ['vectorStore.metric', 'vector_store.metric', onlyInFile],
    ['vectorStore.partitionByUser', 'vector_store.partition_by_user', onlyInFile],
    ['vectorStore.timeoutMs', 'vector_store.timeout_ms', onlyInFile],
  ]
  return new Map(
    names.flatMap(([option, key, setting, otherwise]) => {
      const name = originOf(setting, key) ?? otherwise
      return name === undefined ? [] : [[option, name] as const]
    }),
  )
}

/** The error with the caller's names; errors of other kinds are unchanged. */
export function inWordsOfCaller(names: CallersNames, error: unknown): unknown {
  if (!(error instanceof MnemeError)) return error
  const option = error.field ?? (isAboutDatabase(error.code) ? 'path' : undefined)
  const field = option === undefined ? undefined : (names.get(option) ?? error.field)
  const { code, place, said, cause } = error
  const group = option?.includes('.') === true ? `${option.slice(0, option.indexOf('.'))}.` : null
  // An option without a group may be an ordinary word, so it counts only at the start of the message.
  const begins = option !== undefined && field !== undefined && error.message.startsWith(`${option}: `)
  const message = begins ? `${field}${error.message.slice(option.length)}` : error.message
  return new MnemeError(code, renamed(message, names, group), {
    remedy: renamed(error.remedy, names, group),
    ...(field === undefined ? {} : { field }),
    ...(place === undefined ? {} : { place }),
    ...(said === undefined ? {} : { said }),
    cause,
  })
}

/** An option by its name, or by the last part of its name within the same group. */
const OPTION = /(?<![\w./\\-])[a-zA-Z]+(?:\.[a-zA-Z]+)?(?![\w/\\]|[.-]\w)/g
/** How a remedy names an option for both doors. */
const BOTH_DOORS = /[A-Z_]+ \(option ([a-zA-Z.]+)\)|(?<=\()([a-zA-Z]+\.[a-zA-Z]+), [A-Z_]+(?=\))/g

function renamed(text: string, names: CallersNames, group: string | null): string {
  const nameOf = (word: string): string => {
    if (word.includes('.')) return names.get(word) ?? word
    return /[A-Z]/.test(word) && group !== null ? (names.get(group + word) ?? word) : word
  }
  // Words of the caller stand in double quotes.
  return text
    .split(/("(?:[^"\\]|\\.)*")/)
    .map((part) =>
      part.startsWith('"')
        ? part
        : part
            .replace(BOTH_DOORS, (all, option, other) => names.get(option ?? other) ?? all)
            .replace(OPTION, (word) => nameOf(word)),
    )
    .join('')
}
