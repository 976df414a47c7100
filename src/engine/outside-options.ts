/** What lies outside the process and may be asked: a model that thinks, a model of meaning, a vector database. */

/** A model that thinks. */
export interface LlmOptions {
  readonly provider: 'openrouter' | 'openai'
  /** Any OpenAI-compatible endpoint. Default: the provider's own. */
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
  /** Default: `x-ai/grok-4.1-fast:free` of OpenRouter. */
  readonly model?: string | undefined
  /** Milliseconds that one call may take. Default 60,000. */
  readonly timeoutMs?: number | undefined
  /** 0 to 3. Default 3. */
  readonly retries?: number | undefined
  /** Calls and tokens in one day; default: as many as are needed. */
  readonly dailyCalls?: number | undefined
  readonly dailyTokens?: number | undefined
}

/** A model of meaning. */
export interface EmbeddingOptions {
  readonly provider: 'local' | 'openrouter' | 'openai'
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
  readonly model?: string | undefined
  /** Length of its vectors; default: asked once. */
  readonly dimension?: number | undefined
  /** Folder of local models. */
  readonly modelsDir?: string | undefined
  readonly timeoutMs?: number | undefined
}

/** A vector database in which the vectors are searched; the SQLite file stays the record. */
export interface VectorStoreOptions {
  readonly provider: 'milvus'
  /** `http://127.0.0.1:19530`, `https://user:password@host:19530/database`. */
  readonly uri: string
  /** An API key, or `user:password`. */
  readonly token?: string | undefined
  readonly database?: string | undefined
  /** Default `memories`; turns lie in `<collection>_turns`. */
  readonly collection?: string | undefined
  /** true: opening rejects when it does not answer. false: it opens, and recall goes by words until it does. Default true. */
  readonly required?: boolean | undefined
  /** Default `HNSW`, on Milvus Lite `FLAT`. */
  readonly index?: 'HNSW' | 'FLAT' | 'IVF_FLAT' | 'IVF_SQ8' | 'DISKANN' | 'AUTOINDEX' | undefined
  /** Default `COSINE`. */
  readonly metric?: 'COSINE' | 'IP' | 'L2' | undefined
  /** true: a new collection is parted by user. Default false. */
  readonly partitionByUser?: boolean | undefined
  /** Milliseconds that a search may take. Default 3,000. */
  readonly timeoutMs?: number | undefined
  /** Milliseconds that loading a collection may take. Default 60,000. */
  readonly readyWithinMs?: number | undefined
}
