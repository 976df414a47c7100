/** The source behind an embedder: prepared texts, one batch, no cache. */
import type { EmbedOptions } from '../../domain/contracts/embedder.ts'

/** The source of vectors: an endpoint, or a model on this computer. */
export interface EmbedSource {
  /** Texts in one batch. */
  readonly batchTexts: number
  /** UTF-8 bytes in one batch, unless it is a single text. */
  readonly batchBytes: number
  /** Unit vectors in order, all of `dimension` when known. Rejects with MnemeError. */
  embedBatch(
    texts: readonly string[],
    options: EmbedOptions,
    dimension: number | null,
  ): Promise<readonly Float32Array[]>
  /** Absent for a source that cannot fail for a while. */
  isLeftAlone?(): boolean
  close(): Promise<void>
}
