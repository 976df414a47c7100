/** The contract of an embedding model: texts become vectors of one length, compared by cosine. */

/** The user and the purpose of the vectors. */
export interface EmbedOptions {
  /** Purpose of the text; a question and its answers may be embedded differently. */
  readonly kind: 'query' | 'document'
  readonly userId?: string
  readonly signal?: AbortSignal
}

/** A model that turns texts into vectors. */
export interface Embedder {
  /** Identity of the vectors: vendor and model. Vectors of another identity cannot be compared with these. */
  readonly model: string
  /** Length of a vector, learnt by one call when unknown. Rejects with `embedding_failed`. */
  dimension(): Promise<number>
  /** One unit vector per text, in order; the adapter bounds the batches. Rejects with `embedding_failed`. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>
  /** true after recent failures, until it has answered again; absent where nobody counts failures. */
  isLeftAlone?(): boolean
  close(): Promise<void>
}
