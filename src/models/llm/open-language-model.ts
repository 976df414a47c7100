/** A language model behind an OpenAI-compatible endpoint, with up to four tries, paced by the server. */
import { createParser } from 'eventsource-parser'
import type { LanguageModel, ModelPiece, ModelRequest } from '../../domain/contracts/models.ts'
import { createReasoningFilter, withoutReasoning } from '../../language/reasoning.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { CallFailure, readJson, readJsonText, responsePieces, responseText } from '../http/post.ts'
import { readCompletion, readEvent, type Said } from './answer-form.ts'
import {
  type LanguageModelOptions,
  type ModelReply,
  modelLine,
  type OpenCall,
  resolveModelOptions,
} from './model-line.ts'
import { openGateway } from './open-gateway.ts'

/** Opens a model; nothing is sent before the first call. Throws `invalid_input` for options that cannot be. */
export function openLanguageModel(options: LanguageModelOptions): LanguageModel {
  const resolved = resolveModelOptions(options)
  const line = modelLine(resolved)
  return {
    model: resolved.model,
    gateway: openGateway(resolved, line),
    isLeftAlone: line.isLeftAlone,
    async ask(request) {
      const call = line.open(request)
      call.expect(resolved.timeoutMs)
      let reply: ModelReply
      try {
        reply = await call.retry(false, (response) => readAnswer(response, line.endpoint))
      } catch (error) {
        throw await call.failed(error)
      }
      return call.answered({ ...reply, text: reply.text.trim() })
    },
    stream: (request: ModelRequest) => streamed(line.open.bind(null, request), line.endpoint, resolved.timeoutMs),
    async close() {
      line.close()
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

interface Beginning {
  /** The text that an event shows; null is the end. */
  readonly shown: (said: Said | null) => string
  readonly first: ModelReply
  readonly rest: AsyncIterable<Said>
}

/** Reads up to the first words, so that a failure before them can be tried again. */
async function begin(response: Response, endpoint: Endpoint, call: OpenCall, silenceMs: number): Promise<Beginning> {
  const filter = createReasoningFilter()
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
