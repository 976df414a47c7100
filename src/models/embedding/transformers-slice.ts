/** The part of @huggingface/transformers that is used here. It is an optional peer of 470 MB, imported late. */
import { MnemeError } from '../../domain/errors.ts'

/** A tensor of one row a text. */
interface Rows {
  readonly dims: readonly number[]
  readonly data: Float32Array
  dispose(): void
}

/** A pipeline of features. */
export interface FeatureExtractor {
  (texts: readonly string[], options: { pooling: 'mean'; normalize: boolean }): Promise<Rows>
  dispose(): Promise<unknown>
}

/** The module. */
export interface Transformers {
  readonly env: { allowRemoteModels: boolean; localModelPath: string; cacheDir: string }
  pipeline(task: 'feature-extraction', model: string, options: { dtype: 'q8' }): Promise<FeatureExtractor>
}

// Not a literal, so that neither the compiler nor a bundler wants the package.
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
        : `The package ${PACKAGE} cannot be loaded: ${cause instanceof Error ? cause.message : cause}`,
      {
        remedy: `Run ONNXRUNTIME_NODE_INSTALL=skip npm install ${PACKAGE} (the variable keeps it from fetching GPU libraries; inside a clone of Mneme add --save-dev), or use another embedding provider.`,
        cause,
      },
    )
  }
}
