/** The process's environment variables; no other file reads them. An empty value counts as not set. */

export const VARIABLES = [
  'MNEME_DB',
  'MNEME_HOST',
  'MNEME_PORT',
  'MNEME_API_KEY',
  'MNEME_LOG_LEVEL',
  'MNEME_DURABILITY',
  'MEMORY_RETRIEVAL_LIMIT',
  'MEMORY_EVICTION_THRESHOLD',
  'MNEME_LLM_MODEL',
  'MNEME_LLM_BASE_URL',
  'MNEME_LLM_API_KEY',
  'MNEME_EMBEDDING',
  'MNEME_EMBEDDING_MODEL',
  'MNEME_MODELS_DIR',
  'OPENROUTER_API_KEY',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'MILVUS_URI',
  'MILVUS_TOKEN',
  'MILVUS_DATABASE',
  'MILVUS_COLLECTION',
  'MNEME_MEMORY_FILE',
  'MEMORY_DEDUP_THRESHOLD',
  'MEMORY_MAX_ENTRIES',
  'MEMORY_BACKUPS',
  'MEMORY_EVIDENCE_TOKENS',
  'MEMORY_RAG_TOP_N',
  'MEMORY_ENABLE_AGENTIC_SEARCH',
  'MEMORY_ENABLE_USER_PROFILE',
  'MEMORY_ATOMIC_CONTENT_MAX_LENGTH',
  'MEMORY_SESSION_SUMMARY_LIMIT',
  'MNEME_CONTEXT_LIMIT',
  'CI',
  'DISPLAY',
  'WAYLAND_DISPLAY',
] as const

export type Environment = { readonly [Name in (typeof VARIABLES)[number]]?: string | undefined }

export function readEnvironment(): Environment {
  const { env } = process
  return Object.fromEntries(VARIABLES.map((name) => [name, env[name] === '' ? undefined : env[name]]))
}
