/** Embeddings from a model on this computer, in ONNX, from a folder. Nothing is ever fetched. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { MnemeError, messageOf } from '../../domain/errors.ts'
import type { EmbedSource, ResolvedEmbedderOptions } from './embed-source.ts'
import { embedderClosed, embeddingAborted, embeddingFailed, unitVector } from './embed-source.ts'

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
      remedy: `Put the model there (config.json, tokenizer.json, onnx/model_quantized.onnx), or name another folder in embedding.modelsDir.`,
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

/** A tensor of one row a text. */
interface Rows {
  readonly dims: readonly number[]
  readonly data: Float32Array
  dispose(): void
}

/** A pipeline of features. */
interface FeatureExtractor {
  (texts: readonly string[], options: { pooling: 'mean'; normalize: boolean }): Promise<Rows>
  dispose(): Promise<unknown>
}

/** The module. */
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
