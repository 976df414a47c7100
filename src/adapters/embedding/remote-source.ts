/**
 * Embeddings from an OpenAI-compatible endpoint. A batch that rejects has finally failed: it was sent up to four times,
 * waited as long as the server asked, and ended in time; after several failures nothing is sent for a while.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pRetry from 'p-retry'
import type { EmbedOptions } from '../../contracts/embedder.ts'
import { CallFailure } from '../llm/call-failure.ts'
import { admit, afterAbort, afterFailure, afterSuccess, CLOSED } from '../llm/circuit-breaker.ts'
import { secretMask } from '../llm/mask-secret.ts'
import { type Endpoint, networkFailure, post } from '../llm/post.ts'
import { backoffMs } from '../llm/retry-after.ts'
import type { EmbedSource } from './embed-source.ts'
import { embedderClosed, embeddingAborted, embeddingFailed, toEmbeddingError } from './embedding-error.ts'
import type { ResolvedEmbedderOptions } from './options.ts'
import { readEmbeddings } from './read-embeddings.ts'

const BATCH_TEXTS = 64
const BATCH_BYTES = 200_000
/** A longer wait is not sat out inside a call: it fails, and the breaker stays open as long as asked. */
const LONGEST_WAIT_MS = 20_000
/** Parameters that some servers refuse by name and can do without. */
const OPTIONAL = ['encoding_format', 'dimensions'] as const

/** Nothing is sent before the first batch. */
export function remoteSource(options: ResolvedEmbedderOptions): EmbedSource {
  const { model, logger, clock } = options
  const endpoint: Endpoint = { address: options.address, apiKey: options.apiKey, mask: secretMask(options.apiKey) }
  const closing = new AbortController()
  const refused = new Set<string>()
  let breaker = CLOSED

  async function send(texts: readonly string[], signal: AbortSignal): Promise<Response> {
    for (;;) {
      const body = requestBody(texts)
      try {
        return await post(endpoint, body, signal, clock().getTime())
      } catch (error) {
        const name = refusedName(error, body)
        if (name === undefined) throw error
        refused.add(name)
        logger.info('The embedding endpoint does not take a parameter; it is left out from now on.', {
          model,
          parameter: name,
        })
      }
    }
  }

  function requestBody(input: readonly string[]): Record<string, unknown> {
    const body: Record<string, unknown> = { model, input, encoding_format: 'float' }
    if (options.dimension !== null) body.dimensions = options.dimension
    for (const name of refused) delete body[name]
    return body
  }

  /** Sends again what may succeed then, within the time. */
  function exchange(
    texts: readonly string[],
    dimension: number | null,
    signal: AbortSignal,
    dueAt: number,
    count: () => void,
  ): Promise<readonly Float32Array[]> {
    return pRetry(
      async () => {
        count()
        try {
          return await readEmbeddings(await send(texts, signal), endpoint, texts.length, dimension)
        } catch (error) {
          throw networkFailure(error, endpoint)
        }
      },
      {
        retries: options.retries,
        minTimeout: 0,
        signal,
        // Waits itself, because the server may say for how long.
        shouldRetry: async ({ error, retriesConsumed }) => {
          if (!(error instanceof CallFailure) || !error.transient) return false
          const wait = Math.max(error.waitMs ?? 0, backoffMs(retriesConsumed, options.random()))
          if (wait > LONGEST_WAIT_MS || performance.now() + wait >= dueAt) return false
          logger.warn('A request for embeddings failed and is sent again.', {
            model,
            reason: error.message,
            waitMs: wait,
          })
          await sleep(wait, undefined, { signal })
          return true
        },
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
    const admission = admit(breaker, clock().getTime())
    breaker = admission.state
    if (!admission.admitted)
      throw embeddingFailed(
        `The embedding model ${model} has failed again and again and is left alone for now.`,
        'Try again in half a minute; until then full text answers alone.',
      )
    const within = kind === 'query' ? options.queryTimeoutMs : options.timeoutMs
    const timeUp = new AbortController()
    const timer = setTimeout(() => timeUp.abort(), within)
    const signal = AbortSignal.any([timeUp.signal, closing.signal, ...(stop === undefined ? [] : [stop])])
    let attempts = 0
    try {
      const vectors = await exchange(texts, dimension, signal, performance.now() + within, () => {
        attempts += 1
      })
      breaker = afterSuccess()
      return vectors
    } catch (error) {
      if (stopped() || closing.signal.aborted) {
        breaker = afterAbort(breaker)
        throw stopped() ? embeddingAborted() : embedderClosed()
      }
      const failure = timeUp.signal.aborted
        ? new CallFailure(`nothing came within ${within} ms`, { transient: true })
        : networkFailure(error, endpoint)
      breaker = failure.refused ? afterSuccess() : afterFailure(breaker, clock().getTime(), failure.waitMs ?? 0)
      logger.error('Embedding failed.', { model, texts: texts.length, attempts, reason: failure.message })
      throw toEmbeddingError(failure, model, attempts)
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    batchTexts: BATCH_TEXTS,
    batchBytes: BATCH_BYTES,
    embedBatch,
    close: async () => closing.abort(),
  }
}

function refusedName(error: unknown, body: Readonly<Record<string, unknown>>): string | undefined {
  if (!(error instanceof CallFailure) || !error.refused || error.status === 401) return undefined
  return OPTIONAL.find((name) => name in body && error.message.includes(name))
}
