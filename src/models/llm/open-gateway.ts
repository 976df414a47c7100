/** Hands requests of other programs on to the model's vendor, and what it answers back, listening on the way. */
import type { GatewayReply, GatewayRequest, ModelGateway } from '../../domain/contracts/model-gateway.ts'
import { MnemeError } from '../../domain/errors.ts'
import { openDeadline } from '../http/deadline.ts'
import { maskedPieces } from '../http/mask-pieces.ts'
import { networkFailure } from '../http/post.ts'
import { createListener } from './heard.ts'
import { abortedError, closedError, lateError } from './model-error.ts'
import type { ModelLine } from './model-line.ts'
import type { ResolvedModelOptions } from './options.ts'
import { estimateTokens } from './token-estimate.ts'

/** Longest silence of a vendor; Node's fetch gives up by itself a little later. */
const SILENCE_MS = 290_000
/**
 * What a client can use of the vendor's headers: what the body is, when to try again, what is left of its quota, what it
 * lacks to be let in, and the names by which the vendor finds the request. None that belongs to the connection, to the bytes
 * as they were sent, or to a browser's session.
 */
const USEFUL_HEADER = new RegExp(
  `^(?:${[
    'content-type',
    'www-authenticate',
    'retry-after(?:-ms)?',
    'x-should-retry',
    '(?:x-)?ratelimit(?:-.+)?',
    '(?:x-|apim-)?request-id',
    '(?:openai|anthropic)-.+',
  ].join('|')})$`,
)
const FIRST_ERROR = 400
const COMPLETIONS = '/chat/completions'

/** The gateway of a line. Its budget is the line's, and it closes with the line. */
export function openGateway(options: ResolvedModelOptions, line: ModelLine): ModelGateway {
  const { model, logger, clock } = options
  const { endpoint, budget, closing } = line

  async function send(path: string, init: Sent, signal: AbortSignal, ended: Ended = NOBODY): Promise<GatewayReply> {
    if (closing.aborted) throw closedError()
    const deadline = openDeadline([closing, signal])
    const failure = (error: unknown): Error => {
      if (closing.aborted) return closedError()
      if (signal.aborted) return isLate(signal) ? lateError() : abortedError()
      const silent = deadline.passed()
        ? `nothing came within ${SILENCE_MS} ms`
        : networkFailure(error, endpoint).message
      return new MnemeError('model_failed', `The vendor of the model was not reached: ${silent}`, {
        remedy: 'Check that the address in llm.baseUrl answers, then ask again.',
      })
    }
    deadline.expect(SILENCE_MS)
    let response: Response
    try {
      response = await fetch(addressOf(endpoint.address, path), {
        method: init.body === undefined ? 'GET' : 'POST',
        body: init.body ?? null,
        headers: {
          accept: 'application/json, text/event-stream',
          ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(endpoint.apiKey === null ? {} : keyHeaders(endpoint.address, path, endpoint.apiKey)),
          ...init.headers,
        },
        signal: deadline.signal,
        redirect: 'error',
      })
    } catch (error) {
      const thrown = failure(error)
      deadline.end()
      await ended('')
      throw thrown
    }
    const listener = createListener(response.headers.get('content-type') ?? '')
    async function* pieces(): AsyncGenerator<Uint8Array> {
      const reader = response.body?.getReader()
      try {
        for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read()) {
          // While the client is busy with a piece, the vendor's time does not run.
          deadline.expect(null)
          listener.hear(read.value)
          yield read.value
          deadline.expect(SILENCE_MS)
        }
        listener.end()
      } catch (error) {
        throw failure(error)
      } finally {
        deadline.end()
        await reader?.cancel().catch(() => undefined)
        await ended(listener.said().text, listener.said().usage)
      }
    }
    const { status } = response
    // Some vendors quote the key that they refuse, and it is not the client's.
    const body = status < FIRST_ERROR ? pieces() : maskedPieces(pieces(), endpoint.apiKey)
    return { status, headers: usefulHeaders(response), body, said: listener.said }
  }

  return {
    async complete({ userId, path, headers, body, words, signal }: GatewayRequest) {
      await budget.take()
      const ended: Ended = async (text, usage = null) => {
        const spent = usage ?? {
          promptTokens: text === '' ? 0 : words.reduce((sum, word) => sum + estimateTokens(word), 0),
          completionTokens: estimateTokens(text),
          cost: null,
        }
        const at = clock().getTime()
        await budget
          .settle({ at, userId, step: 'proxy', model, calls: 1, ...spent })
          .catch((error) =>
            logger.warn('The usage of a model call could not be recorded.', { model, userId, reason: String(error) }),
          )
      }
      return send(path, { body, headers }, signal, ended)
    },
    count: ({ path, signal, ...sent }) => send(path, sent, signal),
    models: (signal) => send('/models', {}, signal),
  }
}

/** Whether the caller has no more time, rather than no more interest. */
function isLate({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}

type Sent = Partial<Pick<GatewayRequest, 'body' | 'headers'>>
type Ended = (text: string, usage?: ReturnType<GatewayReply['said']>['usage']) => Promise<void>

const NOBODY: Ended = async () => undefined

function usefulHeaders(response: Response): Readonly<Record<string, string>> {
  return Object.fromEntries([...response.headers].filter(([name]) => USEFUL_HEADER.test(name)))
}

/** The vendor's address for chat completions with another path at its end. */
function addressOf(completions: string, path: string): string {
  const url = new URL(completions)
  const [name = '', query] = path.split('?')
  url.pathname = url.pathname.slice(0, -COMPLETIONS.length) + name
  for (const [key, value] of new URLSearchParams(query)) url.searchParams.set(key, value)
  return url.href
}

/** Anthropic takes its keys by a header of its own, and who speaks its protocol besides by this or the usual one. */
function keyHeaders(address: string, path: string, key: string): Record<string, string> {
  const usual = { authorization: `Bearer ${key}` }
  if (!path.startsWith('/messages')) return usual
  return { ...(new URL(address).hostname.endsWith('.anthropic.com') ? {} : usual), 'x-api-key': key }
}
