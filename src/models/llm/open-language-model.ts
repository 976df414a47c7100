/**
 * A language model behind an OpenAI-compatible endpoint, OpenRouter's by default. A call that rejects has finally
 * failed: it was sent up to four times, waited as long as the server asked, and ended in time.
 */
import type { LanguageModel, ModelPiece, ModelRequest } from '../../domain/contracts/language-model.ts'
import { createReasoningFilter } from '../../language/reasoning.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { formOfResponse } from './answer-form.ts'
import type { Said } from './envelope.ts'
import { type ModelReply, modelLine, type OpenCall } from './model-line.ts'
import { openGateway } from './open-gateway.ts'
import { type LanguageModelOptions, resolveModelOptions } from './options.ts'
import { readAnswer, readStream } from './read-response.ts'

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
  /** What an event shows; null is the end. */
  readonly shown: (said: Said | null) => string
  readonly first: ModelReply
  readonly rest: AsyncIterable<Said>
}

/** Reads up to the first words, so that a failure before them can be tried again. */
async function begin(response: Response, endpoint: Endpoint, call: OpenCall, silenceMs: number): Promise<Beginning> {
  const { form, response: whole } = await formOfResponse(response)
  if (form === 'body') return { shown: () => '', first: await readAnswer(whole, endpoint), rest: nothing() }
  const filter = createReasoningFilter()
  const shown = (said: Said | null): string => (said === null ? filter.end() : filter.push(said.text))
  const rest = readStream(whole, endpoint)
  let first: ModelReply = { text: '', model: null, usage: null }
  for (let read = await rest.next(); !read.done; read = await rest.next()) {
    call.expect(silenceMs)
    first = joined(first, shown(read.value), read.value)
    if (first.text !== '') break
  }
  return { shown, first, rest }
}

async function* nothing(): AsyncGenerator<Said> {}

function joined(reply: ModelReply, text: string, said: Said): ModelReply {
  return { text: reply.text + text, model: said.model ?? reply.model, usage: said.usage ?? reply.usage }
}
