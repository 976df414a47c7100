/** What has a model said in the bytes that were handed on? Listens to a stream of events or to one JSON body. */
import { createParser } from 'eventsource-parser'
import type { GatewaySaid } from '../../contracts/model-gateway.ts'
import { readEvent } from './envelope.ts'

/** Listens while bytes go by. */
export interface Listener {
  hear(bytes: Uint8Array): void
  said(): GatewaySaid
}

const NOTHING: GatewaySaid = { text: '', model: null, usage: null, finished: false }
/** Of a longer body only the bytes are handed on. */
const LONGEST_BODY = 16 * 1024 * 1024

/** A listener for an answer of this content type. Never throws: what it does not understand says nothing. */
export function createListener(contentType: string): Listener {
  return /\btext\/event-stream\b/i.test(contentType) ? eventListener() : bodyListener()
}

function eventListener(): Listener {
  const decoder = new TextDecoder()
  let said = NOTHING
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data.trim() === '[DONE]') said = { ...said, finished: true }
      else said = joined(said, data)
    },
  })
  return {
    hear: (bytes) => parser.feed(decoder.decode(bytes, { stream: true })),
    said: () => said,
  }
}

function bodyListener(): Listener {
  const decoder = new TextDecoder()
  let text = ''
  return {
    hear: (bytes) => {
      if (text.length < LONGEST_BODY) text += decoder.decode(bytes, { stream: true })
    },
    said: () => joined(NOTHING, text),
  }
}

function joined(before: GatewaySaid, json: string): GatewaySaid {
  const said = readEvent(ofFirstChoice(json))
  if (said === null) return before
  return {
    text: before.text + said.text,
    model: said.model ?? before.model,
    usage: said.usage ?? before.usage,
    finished: before.finished || said.finished,
  }
}

/** The completion without its other choices, of which each event of a stream may hold one. */
function ofFirstChoice(json: string): unknown {
  try {
    const body: unknown = JSON.parse(json)
    if (typeof body !== 'object' || body === null || !('choices' in body) || !Array.isArray(body.choices)) return body
    return { ...body, choices: body.choices.filter((choice) => (choice?.index ?? 0) === 0) }
  } catch {
    return null
  }
}
