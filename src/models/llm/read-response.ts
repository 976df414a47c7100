/** What does a response say: in one piece, or event by event? Comments that keep a connection alive are no events. */
import { createParser } from 'eventsource-parser'
import { withoutReasoning } from '../../language/reasoning.ts'
import { CallFailure } from '../http/call-failure.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { readJson, readJsonText } from '../http/read-json.ts'
import { responsePieces } from '../http/response-text.ts'
import { readCompletion, readEvent, type Said } from './envelope.ts'
import type { ModelReply } from './model-line.ts'

const LARGEST_BODY_BYTES = 1024 * 1024

/** Rejects with CallFailure for a body that is no completion, and for an error that a body with status 200 states. */
export async function readAnswer(response: Response, endpoint: Endpoint): Promise<ModelReply> {
  const { body, quoted } = await readJson(response, endpoint, LARGEST_BODY_BYTES)
  const said = readCompletion(body)
  if (said === null) throw new CallFailure('the answer is no completion', { transient: true, said: quoted })
  return { text: withoutReasoning(said.text), model: said.model, usage: said.usage }
}

/** The frame around each piece is many times its size. */
const LARGEST_STREAM_BYTES = 64 * 1024 * 1024
const LARGEST_EVENT = 1024 * 1024

/** The events of a stream until it is done. Rejects with CallFailure when it states an error or is cut. */
export async function* readStream(response: Response, endpoint: Endpoint): AsyncGenerator<Said> {
  let waiting: string[] = []
  const parser = createParser({
    maxBufferSize: LARGEST_EVENT,
    onEvent: ({ data }) => waiting.push(data),
  })
  let finished = false
  for await (const piece of withEnd(responsePieces(response, LARGEST_STREAM_BYTES))) {
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
  if (!finished) throw new CallFailure('the stream was cut before its end', { transient: true })
}

/** A last event without the blank line that ends it counts too. */
async function* withEnd(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  yield* pieces
  yield '\n\n'
}

function readData(data: string, endpoint: Endpoint): Said {
  return readEvent(readJsonText(data, 'an event', endpoint)) ?? { text: '', model: null, usage: null, finished: false }
}
