/**
 * An embedder by its options: OpenRouter, any OpenAI-compatible endpoint, or a model on this computer. Whatever lies
 * behind it, texts are prepared, known ones are not sent again, and vectors are unit vectors of one dimension.
 */
import type { Embedder, EmbedOptions } from '../../domain/contracts/embedder.ts'
import { invalid } from '../../domain/errors.ts'
import { batches } from './batches.ts'
import { type EmbedTexts, embedEach } from './embed-each.ts'
import type { EmbedSource } from './embed-source.ts'
import { localSource } from './local-source.ts'
import { type EmbedderOptions, type ResolvedEmbedderOptions, resolveEmbedderOptions } from './options.ts'
import { prepareText } from './prepare-text.ts'
import { remoteSource } from './remote-source.ts'
import { VectorCache } from './vector-cache.ts'

/** What is embedded to learn the dimension, and whether the endpoint takes anything at all. */
const PROBE = 'memory'

/**
 * Opens an embedder. A remote one sends nothing before the first call; a local one loads its model. Rejects
 * `invalid_input`, `not_found` (no such model) or `unsupported` (the package for local models is missing).
 */
export async function openEmbedder(options: EmbedderOptions): Promise<Embedder> {
  const resolved = resolveEmbedderOptions(options)
  return embedderOver(resolved.provider === 'local' ? await localSource(resolved) : remoteSource(resolved), resolved)
}

function embedderOver(source: EmbedSource, options: ResolvedEmbedderOptions): Embedder {
  const cache = new VectorCache(options.cacheEntries)
  /** Known once the first vector has come, or from the options. */
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
        reason: error instanceof Error ? error.message : String(error),
      })
    // A question that is refused is answered by its words, with a warning.
    const embedBatch: EmbedTexts =
      request.kind === 'query' ? embedSome : (some) => embedEach(some, { embed: embedSome, probe: PROBE, onRefused })
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
      if (request.kind === 'query') cache.set(text, made[at]!)
    }
    return texts.map((text) => known.get(text)!)
  }

  async function knownVectors(texts: readonly string[], request: EmbedOptions): Promise<Map<string, Float32Array>> {
    const known = new Map<string, Float32Array>()
    if (request.kind === 'query') {
      for (const text of texts) {
        const vector = cache.get(text)
        if (vector !== undefined) known.set(text, vector)
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
