/** A language model behind an OpenAI-compatible endpoint, with up to four tries, paced by the server. */
import { createParser } from 'eventsource-parser'
import type {
  GatewayReply,
  GatewayRequest,
  GatewaySaid,
  LanguageModel,
  ModelGateway,
  ModelPiece,
  ModelRequest,
} from '../../domain/contracts/models.ts'
import { MnemeError } from '../../domain/errors.ts'
import { createReasoningFilter, withoutReasoning } from '../../language/reasoning-tags.ts'
import {
  CallFailure,
  type Endpoint,
  maskedPieces,
  networkFailure,
  openDeadline,
  readJson,
  readJsonText,
  responsePieces,
  responseText,
} from '../http/post.ts'
import { readCompletion, readEvent, readMessage, type Said } from './answer-form.ts'
import {
  abortedError,
  closedError,
  type LanguageModelOptions,
  lateError,
  type ModelClient,
  type ModelReply,
  modelClient,
  type OpenCall,
  resolveModelOptions,
} from './model-client.ts'

/** Opens a model; nothing is sent before the first call. Throws `invalid_input` for options that cannot be. */
export function openLanguageModel(options: LanguageModelOptions): LanguageModel {
  const resolved = resolveModelOptions(options)
  const client = modelClient(resolved)
  return {
    model: resolved.model,
    gateway: openGateway(client),
    isLeftAlone: client.isLeftAlone,
    async ask(request) {
      const call = client.open(request)
      call.expect(resolved.timeoutMs)
      let reply: ModelReply
      try {
        reply = await call.retry(false, (response) => readAnswer(response, client.endpoint))
      } catch (error) {
        throw await call.failed(error)
      }
      return call.answered({ ...reply, text: reply.text.trim() })
    },
    stream: (request: ModelRequest) => streamed(client.open.bind(null, request), client.endpoint, resolved.timeoutMs),
    async close() {
      client.close()
    },
  }
}

/** Pieces as they come. Sent again only while nothing has been shown; a stop of the listener ends the request. */
async function* streamed(open: () => OpenCall, endpoint: Endpoint, silenceMs: number): AsyncGenerator<ModelPiece> {
  const call = open()
  let reply: ModelReply = { text: '', model: null, usage: null }
  let ended = false
  try {
    call.expect(silenceMs)
    const { shown, first, rest } = await call.retry(true, (response) => begin(response, endpoint, call, silenceMs))
    reply = first
    if (first.text !== '') yield* shownPiece(call, first.text, silenceMs)
    for await (const said of rest) {
      const text = shown(said)
      reply = joined(reply, text, said)
      if (text !== '') yield* shownPiece(call, text, silenceMs)
      call.expect(silenceMs)
    }
    const held = shown(null)
    reply = { ...reply, text: reply.text + held }
    ended = true
    yield { text: held, answer: await call.answered(reply) }
  } catch (error) {
    if (ended) throw error
    ended = true
    throw await call.failed(error)
  } finally {
    if (!ended) await call.abandoned(reply)
  }
}

/** While the listener is busy with a piece, the server's time does not run. */
function* shownPiece(call: OpenCall, text: string, silenceMs: number): Generator<ModelPiece> {
  call.expect(null)
  yield { text }
  call.expect(silenceMs)
}

/** Reads up to the first words, so that a failure before them can be tried again. */
async function begin(response: Response, endpoint: Endpoint, call: OpenCall, silenceMs: number) {
  const filter = createReasoningFilter()
  /** The text that an event shows; null is the end. */
  const shown = (said: Said | null): string => (said === null ? filter.end() : filter.push(said.text))
  const rest = readStream(response, endpoint)
  let first: ModelReply = { text: '', model: null, usage: null }
  for (let read = await rest.next(); !read.done; read = await rest.next()) {
    call.expect(silenceMs)
    first = joined(first, shown(read.value), read.value)
    if (first.text !== '') break
  }
  return { shown, first, rest }
}

function joined(reply: ModelReply, text: string, said: Said): ModelReply {
  return { text: reply.text + text, model: said.model ?? reply.model, usage: said.usage ?? reply.usage }
}

const LARGEST_BODY_BYTES = 1024 * 1024

/** Rejects with CallFailure for a body that is no completion, and for an error in a body with status 200. */
async function readAnswer(response: Response, endpoint: Endpoint): Promise<ModelReply> {
  const { text, model, usage } = completionIn(await responseText(response, LARGEST_BODY_BYTES), endpoint)
  return { text: withoutReasoning(text), model, usage }
}

function completionIn(text: string, endpoint: Endpoint): Said {
  const { body, quoted } = readJson(text, endpoint)
  const said = readCompletion(body)
  if (said === null) throw new CallFailure('the answer is no completion', { transient: true, said: quoted })
  return said
}

/** Largest stream in bytes, as the frame around each piece is many times its size. */
const LARGEST_STREAM_BYTES = 64 * 1024 * 1024
const LARGEST_EVENT = 1024 * 1024

/**
 * The events of a stream until it is done, or the whole of a body, which begins with a bracket whatever its type says.
 * Rejects with CallFailure when it states an error or is cut.
 */
async function* readStream(response: Response, endpoint: Endpoint): AsyncGenerator<Said> {
  let waiting: string[] = []
  const parser = createParser({
    maxBufferSize: LARGEST_EVENT,
    onEvent: ({ data }) => waiting.push(data),
  })
  let finished = false
  let begun = false
  let body = ''
  for await (const piece of withEnd(responsePieces(response, LARGEST_STREAM_BYTES))) {
    if (!begun && piece.trim() === '') continue
    if (body !== '' || (!begun && piece.trimStart().startsWith('{'))) body += piece
    begun = true
    if (body.length > LARGEST_BODY_BYTES) throw new RangeError(`the body is larger than ${LARGEST_BODY_BYTES} bytes`)
    if (body !== '') continue
    parser.feed(piece)
    const events = waiting
    waiting = []
    for (const data of events) {
      if (data.trim() === '[DONE]') return
      const said = readData(data, endpoint)
      finished ||= said.finished
      yield said
    }
  }
  if (body !== '') yield completionIn(body, endpoint)
  else if (!finished) throw new CallFailure('the stream was cut before its end', { transient: true })
}

/** A last event without the blank line that ends it counts too. */
async function* withEnd(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield* pieces
  yield '\n\n'
}

function readData(data: string, endpoint: Endpoint): Said {
  return readEvent(readJsonText(data, 'an event', endpoint)) ?? { text: '', model: null, usage: null, finished: false }
}

/** Longest silence of a vendor in milliseconds, just under the limit of Node's fetch. */
const SILENCE_MS = 290_000
/** The vendor's headers that help a client; none belongs to the connection or a browser's session. */
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

/** The gateway of a client: with its budget, closed with it. */
function openGateway(client: ModelClient): ModelGateway {
  const { endpoint, budget, settle, closing } = client

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
        remedy: 'Check that the address of the model answers, then ask again.',
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
    const listener = createListener()
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
        await settle({ step: 'proxy', userId }, 1, text === '' && usage === null ? [] : words, { text, usage })
      }
      return send(path, { body, headers }, signal, ended)
    },
    count: ({ path, signal, ...sent }) => send(path, sent, signal),
    models: (signal) => send('/models', {}, signal),
  }
}

/** true when the caller's time is over, not when it lost interest. */
function isLate({ reason }: AbortSignal): boolean {
  return reason instanceof DOMException && reason.name === 'TimeoutError'
}

type Sent = Partial<Pick<GatewayRequest, 'body' | 'headers'>>
type Ended = (text: string, usage?: ReturnType<GatewayReply['said']>['usage']) => Promise<void>

const NOBODY: Ended = async () => undefined

function usefulHeaders(response: Response): Readonly<Record<string, string>> {
  return Object.fromEntries([...response.headers].filter(([name]) => USEFUL_HEADER.test(name)))
}

function addressOf(completions: string, path: string): string {
  const url = new URL(completions)
  const [name = '', query] = path.split('?')
  url.pathname = url.pathname.slice(0, -COMPLETIONS.length) + name
  for (const [key, value] of new URLSearchParams(query)) url.searchParams.set(key, value)
  return url.href
}

/** The key's headers: Anthropic has its own, and others with its protocol take that or the usual one. */
function keyHeaders(address: string, path: string, key: string): Record<string, string> {
  const usual = { authorization: `Bearer ${key}` }
  if (!path.startsWith('/messages')) return usual
  return { ...(new URL(address).hostname.endsWith('.anthropic.com') ? {} : usual), 'x-api-key': key }
}

const NOTHING: GatewaySaid = { text: '', model: null, usage: null, finished: false, choices: 0 }
/** Largest body that is read along; longer ones are only passed on. */
const LONGEST_BODY = 16 * 1024 * 1024

/** A listener for an answer, which is a body where no events are heard in it. It never throws and ignores what it cannot parse. */
function createListener() {
  const decoder = new TextDecoder()
  let text = ''
  let said = NOTHING
  let hasFailed = false
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data.trim() === '[DONE]') said = { ...said, finished: !hasFailed }
      else if (isFailure(data)) hasFailed = true
      else said = added(said, data)
    },
  })
  const hear = (piece: string): void => {
    if (said === NOTHING && text.length < LONGEST_BODY) text += piece
    // linear: anchored at the beginning.
    if (!/^\s*\{/.test(text)) parser.feed(piece)
  }
  return {
    hear: (bytes: Uint8Array): void => hear(decoder.decode(bytes, { stream: true })),
    /** All bytes have gone by: a last event that no blank line ends counts too. */
    end: (): void => hear(`${decoder.decode()}\n\n`),
    said: (): GatewaySaid => (said === NOTHING ? added(NOTHING, text) : said),
  }
}

/** true for a failure of the vendor in the middle: the text so far is no whole answer. */
function isFailure(json: string): boolean {
  const body = parsed(json)
  return typeof body === 'object' && body !== null && 'error' in body && Boolean(body.error) && !('choices' in body)
}

function added(before: GatewaySaid, json: string): GatewaySaid {
  const { first, count } = firstChoice(json)
  const said = readEvent(first) ?? readMessage(first, before.usage)
  if (said === null) return before
  return {
    text: before.text + said.text,
    model: said.model ?? before.model,
    usage: said.usage ?? before.usage,
    finished: before.finished || said.finished,
    choices: Math.max(before.choices, count),
  }
}

/** The completion without its other choices, of which each stream event may hold one, and their number. */
function firstChoice(json: string): { readonly first: unknown; readonly count: number } {
  const body = parsed(json)
  if (typeof body !== 'object' || body === null || !('choices' in body) || !Array.isArray(body.choices))
    return { first: body, count: 0 }
  const numbers = body.choices.map((choice) => Number(choice?.index ?? 0))
  const first = { ...body, choices: body.choices.filter((_, at) => numbers[at] === 0) }
  return { first, count: Math.max(0, ...numbers.filter(Number.isFinite)) + 1 }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
