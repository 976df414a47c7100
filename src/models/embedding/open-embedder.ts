/** An embedder by its options: OpenRouter, an OpenAI-compatible endpoint, or a local model; unit vectors. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Embedder, EmbedOptions } from '../../domain/contracts/models.ts'
import { invalid, MnemeError, messageOf } from '../../domain/errors.ts'
import { CallFailure } from '../http/post.ts'
import {
  type EmbedderOptions,
  type EmbedSource,
  embedderClosed,
  embeddingAborted,
  embeddingFailed,
  type ResolvedEmbedderOptions,
  remoteSource,
  resolveEmbedderOptions,
  unitVector,
} from './embed-source.ts'

/** The text that is embedded to learn the dimension, and whether the endpoint takes anything at all. */
const PROBE = 'memory'

/** Opens an embedder, sending nothing. Rejects `invalid_input`, `not_found` (no such model) or `unsupported`. */
export async function openEmbedder(options: EmbedderOptions): Promise<Embedder> {
  const resolved = resolveEmbedderOptions(options)
  return embedderOver(resolved.provider === 'local' ? await localSource(resolved) : remoteSource(resolved), resolved)
}

function embedderOver(source: EmbedSource, options: ResolvedEmbedderOptions): Embedder {
  /** Vectors of questions by hash, so that no text is kept, the last used last. */
  const cache = new Map<string, Float32Array>()
  const remember = (text: string, vector: Float32Array): void => {
    const key = keyOf(text)
    cache.delete(key)
    cache.set(key, vector)
    if (cache.size > options.cacheEntries) cache.delete(cache.keys().next().value!)
  }
  /** The dimension, from the options or from the first vector. */
  let dimension = options.dimension

  async function embedReady(texts: readonly string[], request: EmbedOptions): Promise<readonly Float32Array[]> {
    const vectors: Float32Array[] = []
    const embedSome = async (some: readonly string[]): Promise<readonly Float32Array[]> => {
      const made = await source.embedBatch(some, request, dimension)
      dimension ??= made[0]!.length
      return made
    }
    const onRefused = (text: string, error: unknown): void =>
      options.logger.warn('A text cannot be embedded and is found by its words alone.', {
        model: options.model,
        characters: text.length,
        reason: messageOf(error),
      })
    // A refused question is answered by full-text search, with a warning.
    const embedBatch: EmbedTexts =
      request.kind === 'query' ? embedSome : (some) => embedEach(some, embedSome, onRefused)
    for (const batch of batches(texts, source.batchTexts, source.batchBytes)) {
      const found = await embedBatch(batch.map((at) => texts[at]!))
      for (const [place, at] of batch.entries()) vectors[at] = found[place]!
    }
    return vectors
  }

  async function embed(texts: readonly string[], request: EmbedOptions): Promise<readonly Float32Array[]> {
    for (const text of texts)
      if (text.trim() === '') throw invalid('text', 'is empty and has no meaning', 'Leave empty texts out.')
    const known = await knownVectors(texts, request)
    const missing = [...new Set(texts.filter((text) => !known.has(text)))]
    const made = await embedReady(
      missing.map((text) => prepareText(options.model, text, request.kind)),
      request,
    )
    for (const [at, text] of missing.entries()) {
      known.set(text, made[at]!)
      if (request.kind === 'query') remember(text, made[at]!)
    }
    return texts.map((text) => known.get(text)!)
  }

  async function knownVectors(texts: readonly string[], request: EmbedOptions): Promise<Map<string, Float32Array>> {
    const known = new Map<string, Float32Array>()
    if (request.kind === 'query') {
      for (const text of texts) {
        const vector = cache.get(keyOf(text))
        if (vector === undefined) continue
        known.set(text, vector)
        remember(text, vector)
      }
      return known
    }
    const stored = await options.knownVectors?.(texts, request)
    for (const [text, vector] of stored ?? [])
      if (dimension === null || vector.length === dimension) known.set(text, vector)
    return known
  }

  return {
    model: `${options.provider}/${options.model}`,
    async dimension() {
      if (dimension === null) await embedReady([PROBE], { kind: 'document' })
      return dimension!
    },
    embed,
    isLeftAlone: () => source.isLeftAlone?.() === true,
    close: () => source.close(),
  }
}

/** Positions of the texts of each batch; texts of like length share one, since a batch costs as much as its longest. */
function batches(texts: readonly string[], most: number, mostBytes: number): readonly (readonly number[])[] {
  const order = texts.map((_, at) => at).sort((a, b) => texts[a]!.length - texts[b]!.length || a - b)
  const all: number[][] = []
  let batch: number[] = []
  let bytes = 0
  for (const at of order) {
    const size = Buffer.byteLength(texts[at]!)
    if (batch.length > 0 && (batch.length === most || bytes + size > mostBytes)) {
      all.push(batch)
      batch = []
      bytes = 0
    }
    batch.push(at)
    bytes += size
  }
  if (batch.length > 0) all.push(batch)
  return all
}

/** Embeds some texts, in order; rejects with an error whose cause is the CallFailure. */
type EmbedTexts = (texts: readonly string[]) => Promise<readonly Float32Array[]>

/** Told each text without a vector, with the error. */
type OnRefused = (text: string, error: unknown) => void

/** Statuses by which a server finds fault with the text: malformed, too large, not to be processed. */
const FAULT_IN_TEXT: readonly number[] = [400, 413, 422]
/** Lengths in characters for a text too long for the model, below the usual limits of 2,048 and 512 tokens. */
const SHORTER = [2_000, 500] as const

/** One vector per text, in order; a refused batch is sent text by text. Rejects as `embed` unless a text itself is at fault. */
async function embedEach(texts: readonly string[], embed: EmbedTexts, onRefused: OnRefused) {
  try {
    return await embed(texts)
  } catch (error) {
    if (!isFaultOfText(error)) throw error
    // Every endpoint takes this one: its refusal shows that no text is at fault.
    await embed([PROBE]).catch(() => {
      throw error
    })
    const vectors: Float32Array[] = []
    for (const text of texts) vectors.push(await embedAlone(text, error, embed, onRefused))
    return vectors
  }
}

async function embedAlone(text: string, refusal: unknown, embed: EmbedTexts, onRefused: OnRefused) {
  // Once more as it is, because the endpoint may have been at fault for a moment.
  for (const tried of [text, ...SHORTER.filter((length) => length < text.length).map((length) => cut(text, length))])
    try {
      return (await embed([tried]))[0]!
    } catch (error) {
      if (!isFaultOfText(error)) throw error
    }
  const [accepted] = await embed([PROBE])
  onRefused(text, refusal)
  return vectorLikeNoOther(text, accepted!.length)
}

/** true when the text is at fault, by a refusal or an answer without a vector; a retry would not help. */
function isFaultOfText(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null
  if (!(cause instanceof CallFailure) || cause.transient) return false
  return cause.status === null || FAULT_IN_TEXT.includes(cause.status)
}

function cut(text: string, length: number): string {
  return text.slice(0, length).toWellFormed()
}

/** A unit vector drawn from the text's hash, so that it resembles nothing. */
function vectorLikeNoOther(text: string, dimension: number): Float32Array {
  const values = new Float32Array(dimension)
  for (let at = 0; at < dimension; at += 8) {
    const hash = createHash('sha256').update(`${at}\0${text}`).digest()
    for (let place = 0; place < Math.min(8, dimension - at); place += 1)
      values[at + place] = hash.readInt32LE(place * 4) / 2 ** 31
  }
  return unitVector(values, dimension)
}

/** Most characters of a text that are embedded, below the usual 8,191 tokens at one token a character. */
export const EMBEDDED_CHARACTERS = 8_000

/** Prefixes by family of models, from the model cards. */
const PREFIXES = [
  // https://huggingface.co/Qwen/Qwen3-Embedding-4B
  {
    family: /qwen3-embedding/i,
    query: 'Instruct: Given a question, retrieve messages and notes that answer it\nQuery:',
    document: '',
  },
  // https://huggingface.co/intfloat/multilingual-e5-small; the "instruct" ones take another form.
  { family: /(?:^|[/-])e5-(?:small|base|large)(?!.*instruct)/i, query: 'query: ', document: 'passage: ' },
  // https://huggingface.co/nomic-ai/nomic-embed-text-v1.5
  { family: /nomic-embed-text/i, query: 'search_query: ', document: 'search_document: ' },
]

/** The text as the model gets it. */
function prepareText(model: string, text: string, kind: EmbedOptions['kind']): string {
  const prefixes = PREFIXES.find(({ family }) => family.test(model))
  const beginning = text.length > EMBEDDED_CHARACTERS ? text.slice(0, EMBEDDED_CHARACTERS) : text
  // A cut may have left half of a surrogate pair.
  return `${prefixes?.[kind] ?? ''}${beginning.toWellFormed()}`
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

/** Text by text: a batch of long ones takes twice the time, and each rounds the numbers of the others. */
const BATCH_TEXTS = 1
/** Threads that wait without turning in circles take half the processor time. */
const SESSION = { extra: { session: { intra_op: { allow_spinning: '0' } } } }

/** Loads the model. Rejects `not_found` when its folder is missing, `unsupported` when the package is. */
export async function localSource(options: ResolvedEmbedderOptions): Promise<EmbedSource> {
  const { model } = options
  const extract = await load(options)
  let closed = false
  return {
    batchTexts: BATCH_TEXTS,
    batchBytes: Number.POSITIVE_INFINITY,
    async embedBatch(texts, { signal }, dimension) {
      if (closed) throw embedderClosed()
      if (signal?.aborted === true) throw embeddingAborted()
      try {
        return await rowsOf(extract, texts, dimension)
      } catch (cause) {
        if (cause instanceof MnemeError) throw cause
        throw embeddingFailed(
          `The local embedding model ${model} failed: ${messageOf(cause)}`,
          'Check the files in its folder.',
          cause,
        )
      }
    },
    async close() {
      if (closed) return
      closed = true
      await extract.dispose()
    },
  }
}

async function load({ modelsDir, model }: ResolvedEmbedderOptions): Promise<FeatureExtractor> {
  const folder = resolve(modelsDir)
  if (!existsSync(join(folder, model, 'config.json')))
    throw new MnemeError('not_found', `${join(folder, model)}: there is no embedding model in this folder.`, {
      remedy: `Put the model there (config.json, tokenizer.json, onnx/model_quantized.onnx), or name another folder of models.`,
      field: 'embedding.modelsDir',
    })
  const { env, pipeline } = await importTransformers()
  // These are settings of the whole process: said anew before each load.
  env.allowRemoteModels = false
  env.localModelPath = folder
  env.cacheDir = folder
  try {
    return await pipeline('feature-extraction', model, { dtype: 'q8', session_options: SESSION })
  } catch (cause) {
    throw embeddingFailed(
      `The local embedding model ${model} cannot be loaded: ${messageOf(cause)}`,
      `Check the files in ${join(folder, model)}.`,
      cause,
    )
  }
}

async function rowsOf(
  extract: FeatureExtractor,
  texts: readonly string[],
  dimension: number | null,
): Promise<readonly Float32Array[]> {
  const rows = await extract(texts, { pooling: 'mean', normalize: true })
  try {
    const width = rows.dims.at(-1) ?? 0
    return texts.map((_, at) => unitVector(rows.data.subarray(at * width, (at + 1) * width), dimension))
  } finally {
    rows.dispose()
  }
}

interface Rows {
  readonly dims: readonly number[]
  readonly data: Float32Array
  dispose(): void
}

interface FeatureExtractor {
  (texts: readonly string[], options: { pooling: 'mean'; normalize: boolean }): Promise<Rows>
  dispose(): Promise<unknown>
}

interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string; cacheDir: string }
  pipeline(
    task: 'feature-extraction',
    model: string,
    options: { dtype: 'q8'; session_options: typeof SESSION },
  ): Promise<FeatureExtractor>
}

// A typed constant instead of a literal, so that neither the compiler nor a bundler wants the package.
const PACKAGE: string = '@huggingface/transformers'

/** Rejects `unsupported` saying what to install when the package is missing. */
export async function importTransformers(): Promise<Transformers> {
  try {
    return await import(PACKAGE)
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND'
    throw new MnemeError(
      'unsupported',
      missing
        ? `A local embedding model needs the package ${PACKAGE}, which is not installed.`
        : `The package ${PACKAGE} cannot be loaded: ${messageOf(cause)}`,
      {
        remedy: `Run ONNXRUNTIME_NODE_INSTALL=skip npm install ${PACKAGE} (the variable keeps it from fetching GPU libraries; inside a clone of Mneme add --save-dev), or use another embedding provider.`,
        cause,
      },
    )
  }
}
