/** Embeddings from an OpenAI-compatible endpoint, with up to four tries; after several failures nothing is sent. */

import { z } from 'zod'
import type { EmbedOptions } from '../../domain/contracts/models.ts'
import { messageOf } from '../../domain/errors.ts'
import { type Endpoint, endpointAt } from '../http/endpoint.ts'
import { openLine } from '../http/line.ts'
import { CallFailure, readJson, responseText } from '../http/post.ts'
import type { ResolvedEmbedderOptions } from './embed-source.ts'
import {
  type EmbedSource,
  embedderClosed,
  embeddingAborted,
  embeddingFailed,
  toEmbeddingError,
  unitVector,
} from './embed-source.ts'

const BATCH_TEXTS = 64
const BATCH_BYTES = 200_000
/** Parameters that some servers refuse by name and can do without. */
const OPTIONAL_PARAMETERS = ['encoding_format', 'dimensions']

/** A source at an endpoint; nothing is sent before the first batch. */
export function remoteSource(options: ResolvedEmbedderOptions): EmbedSource {
  const { model, logger, clock, retries, random } = options
  const endpoint = endpointAt(options.address, options.apiKey)
  const now = (): number => clock().getTime()
  const line = openLine({ endpoint, retries, random, now, logger, optional: OPTIONAL_PARAMETERS })

  async function embedBatch(
    texts: readonly string[],
    { kind, signal: stop }: EmbedOptions,
    dimension: number | null,
  ): Promise<readonly Float32Array[]> {
    if (line.closing.aborted) throw embedderClosed()
    const stopped = (): boolean => stop?.aborted === true
    if (stopped()) throw embeddingAborted()
    if (!line.breaker.admits())
      throw embeddingFailed(
        `The embedding model ${model} has failed again and again and is left alone for now.`,
        'Try again in half a minute; until then full text answers alone.',
      )
    const call = line.open(stop, { model })
    call.expect(kind === 'query' ? options.queryTimeoutMs : options.timeoutMs)
    const dimensions = options.dimension === null ? {} : { dimensions: options.dimension }
    try {
      const vectors = await call.send(
        () => ({ model, input: texts, encoding_format: 'float', ...dimensions }),
        (response) => readEmbeddings(response, endpoint, texts.length, dimension),
      )
      call.answered()
      return vectors
    } catch (error) {
      if (stopped() || line.closing.aborted) {
        call.left()
        throw stopped() ? embeddingAborted() : embedderClosed()
      }
      const failure = call.failed(error)
      const { attempts } = call
      logger.error('Embedding failed.', { model, texts: texts.length, attempts, reason: failure.message })
      throw toEmbeddingError(failure, model, attempts)
    }
  }

  return {
    batchTexts: BATCH_TEXTS,
    batchBytes: BATCH_BYTES,
    embedBatch,
    isLeftAlone: line.breaker.isLeftAlone,
    close: async () => line.close(),
  }
}

/** Room for 64 vectors of 16,384 numbers, and more. */
const LARGEST_BODY_BYTES = 32 * 1024 * 1024

const answerSchema = z.object({
  data: z.array(z.object({ index: z.number().int().optional(), embedding: z.array(z.number()) })),
})

/** Unit vectors in the order of the texts; a wrong number or dimension is not worth another request. */
async function readEmbeddings(
  response: Response,
  endpoint: Endpoint,
  count: number,
  dimension: number | null,
): Promise<readonly Float32Array[]> {
  const { body, quoted } = readJson(await responseText(response, LARGEST_BODY_BYTES), endpoint)
  const read = answerSchema.safeParse(body)
  if (!read.success) throw new CallFailure('the answer holds no embeddings', { transient: true, said: quoted })
  return inOrder(read.data.data, count, dimension)
}

function inOrder(
  items: z.infer<typeof answerSchema>['data'],
  count: number,
  dimension: number | null,
): readonly Float32Array[] {
  if (items.length !== count) throw failure(`it answered ${items.length} embeddings for ${count} texts`)
  const vectors: Float32Array[] = []
  let length = dimension
  for (const [place, { index = place, embedding }] of items.entries()) {
    if (index < 0 || index >= count || index in vectors)
      throw failure(`the answer numbers its embeddings wrongly (${index} of ${count})`)
    try {
      vectors[index] = unitVector(embedding, length)
    } catch (error) {
      throw failure(`embedding ${index} is unusable: ${messageOf(error)}`)
    }
    length = embedding.length
  }
  return vectors
}

function failure(message: string): CallFailure {
  return new CallFailure(message, { transient: false })
}
