/** Embeddings from an OpenAI-compatible endpoint, with up to four tries; after several failures nothing is sent. */
import { z } from 'zod'
import type { EmbedOptions } from '../../domain/contracts/models.ts'
import {
  admit,
  afterAbort,
  afterCallFailure,
  afterSuccess,
  CallFailure,
  CLOSED,
  isLeftAlone,
  sendTolerated,
  withRetries,
} from '../http/call-failure.ts'
import { type Endpoint, endpointAt } from '../http/endpoint.ts'
import { type Deadline, networkFailure, openDeadline, post, readJson } from '../http/post.ts'
import {
  type EmbedSource,
  embedderClosed,
  embeddingAborted,
  embeddingFailed,
  toEmbeddingError,
  unitVector,
} from './embed-source.ts'
import type { ResolvedEmbedderOptions } from './options.ts'

const BATCH_TEXTS = 64
const BATCH_BYTES = 200_000
/** Parameters that some servers refuse by name and can do without. */
const OPTIONAL_PARAMETERS = ['encoding_format', 'dimensions'] as const
type OptionalParameter = (typeof OPTIONAL_PARAMETERS)[number]

/** A source at an endpoint; nothing is sent before the first batch. */
export function remoteSource(options: ResolvedEmbedderOptions): EmbedSource {
  const { model, logger, clock } = options
  const endpoint = endpointAt(options.address, options.apiKey)
  const closing = new AbortController()
  const refused = new Set<OptionalParameter>()
  let breaker = CLOSED
  const now = (): number => clock().getTime()

  function requestBody(input: readonly string[]): Record<string, unknown> {
    const body: Record<string, unknown> = { model, input, encoding_format: 'float' }
    if (options.dimension !== null) body.dimensions = options.dimension
    for (const name of refused) delete body[name]
    return body
  }

  /** Sends again what may then succeed, within the time. */
  function exchange(
    texts: readonly string[],
    dimension: number | null,
    deadline: Deadline,
    onSend: () => void,
  ): Promise<readonly Float32Array[]> {
    const { signal, timeLeft } = deadline
    const send = (): Promise<Response> =>
      sendTolerated({
        optional: OPTIONAL_PARAMETERS,
        refused,
        body: () => requestBody(texts),
        send: (body) => {
          onSend()
          return post(endpoint, body, signal, now())
        },
        onRefused: (parameter) =>
          logger.info('The embedding endpoint does not take a parameter; it is left out from now on.', {
            model,
            parameter,
          }),
      })
    return withRetries(
      async () => {
        try {
          return await readEmbeddings(await send(), endpoint, texts.length, dimension)
        } catch (error) {
          throw networkFailure(error, endpoint)
        }
      },
      {
        retries: options.retries,
        random: options.random,
        signal,
        timeLeft,
        onRetry: ({ message: reason }, waitMs) =>
          logger.warn('A request for embeddings failed and is sent again.', { model, reason, waitMs }),
      },
    )
  }

  async function embedBatch(
    texts: readonly string[],
    { kind, signal: stop }: EmbedOptions,
    dimension: number | null,
  ): Promise<readonly Float32Array[]> {
    if (closing.signal.aborted) throw embedderClosed()
    const stopped = (): boolean => stop?.aborted === true
    if (stopped()) throw embeddingAborted()
    const admission = admit(breaker, now())
    breaker = admission.state
    if (!admission.admitted)
      throw embeddingFailed(
        `The embedding model ${model} has failed again and again and is left alone for now.`,
        'Try again in half a minute; until then full text answers alone.',
      )
    const within = kind === 'query' ? options.queryTimeoutMs : options.timeoutMs
    const deadline = openDeadline([closing.signal, ...(stop === undefined ? [] : [stop])])
    deadline.expect(within)
    let attempts = 0
    try {
      const vectors = await exchange(texts, dimension, deadline, () => {
        attempts += 1
      })
      breaker = afterSuccess()
      return vectors
    } catch (error) {
      if (stopped() || closing.signal.aborted) {
        breaker = afterAbort(breaker)
        throw stopped() ? embeddingAborted() : embedderClosed()
      }
      const failure = deadline.passed()
        ? new CallFailure(`nothing came within ${within} ms`, { transient: true })
        : networkFailure(error, endpoint)
      breaker = afterCallFailure(breaker, failure, now())
      logger.error('Embedding failed.', { model, texts: texts.length, attempts, reason: failure.message })
      throw toEmbeddingError(failure, model, attempts)
    } finally {
      deadline.end()
    }
  }

  return {
    batchTexts: BATCH_TEXTS,
    batchBytes: BATCH_BYTES,
    embedBatch,
    isLeftAlone: () => isLeftAlone(breaker),
    close: async () => closing.abort(),
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
  const { body, quoted } = await readJson(response, endpoint, LARGEST_BODY_BYTES)
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
      throw failure(`embedding ${index} is unusable: ${error instanceof Error ? error.message : error}`)
    }
    length = embedding.length
  }
  return vectors
}

function failure(message: string): CallFailure {
  return new CallFailure(message, { transient: false })
}
