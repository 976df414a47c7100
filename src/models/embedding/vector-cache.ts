/** The vectors of the last texts that were asked for, bounded in number; the least recently used leave. */
import { createHash } from 'node:crypto'

/** A cache in the memory of this process. */
export class VectorCache {
  readonly #most: number
  /** By content, so that no text is kept. */
  readonly #vectors = new Map<string, Float32Array>()

  constructor(most: number) {
    this.#most = most
  }

  get(text: string): Float32Array | undefined {
    const key = contentKey(text)
    const vector = this.#vectors.get(key)
    if (vector === undefined) return undefined
    this.#vectors.delete(key)
    this.#vectors.set(key, vector)
    return vector
  }

  set(text: string, vector: Float32Array): void {
    if (this.#most === 0) return
    const key = contentKey(text)
    this.#vectors.delete(key)
    this.#vectors.set(key, vector)
    for (const oldest of this.#vectors.keys()) {
      if (this.#vectors.size <= this.#most) break
      this.#vectors.delete(oldest)
    }
  }
}

function contentKey(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
