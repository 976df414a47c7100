/** What has a model said in the bytes that were handed on? Listens to a stream of events or to one JSON body. */
import { createParser } from 'eventsource-parser'
import type { GatewaySaid } from '../../domain/contracts/model-gateway.ts'
import { formOfBeginning, formOfType } from './answer-form.ts'
import { readEvent, readMessage } from './envelope.ts'

/** Listens while bytes go by. */
export interface Listener {
  hear(bytes: Uint8Array): void
  /** All bytes have gone by: a last event that no blank line ends counts too. */
  end(): void
  said(): GatewaySaid
}

const NOTHING: GatewaySaid = { text: '', model: null, usage: null, finished: false, choices: 0 }
/** Of a longer body only the bytes are handed on. */
const LONGEST_BODY = 16 * 1024 * 1024

/** A listener for an answer of this content type. Never throws: what it does not understand says nothing. */
export function createListener(contentType: string): Listener {
  if (formOfType(contentType) === 'events') return eventListener()
  let listener: Listener | undefined
  let begun = Buffer.alloc(0)
  return {
    hear: (bytes) => {
      if (listener !== undefined) return listener.hear(bytes)
      begun = Buffer.concat([begun, bytes])
      const form = formOfBeginning(begun.toString('utf8'))
      if (form === undefined) return
      listener = form === 'events' ? eventListener() : bodyListener()
      listener.hear(begun)
    },
    end: () => listener?.end(),
    said: () => listener?.said() ?? NOTHING,
  }
}

function eventListener(): Listener {
  const decoder = new TextDecoder()
  let said = NOTHING
  let hasFailed = false
  const parser = createParser({
    onEvent: ({ data }) => {
      if (data.trim() === '[DONE]') said = { ...said, finished: !hasFailed }
      else if (isFailure(data)) hasFailed = true
      else said = joined(said, data)
    },
  })
  return {
    hear: (bytes) => parser.feed(decoder.decode(bytes, { stream: true })),
    end: () => parser.feed(`${decoder.decode()}\n\n`),
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
    end: () => undefined,
    said: () => joined(NOTHING, text),
  }
}

/** The vendor gave up in the middle: what came before is no whole answer, although some then say [DONE]. */
function isFailure(json: string): boolean {
  const body = parsed(json)
  return typeof body === 'object' && body !== null && 'error' in body && Boolean(body.error) && !('choices' in body)
}

function joined(before: GatewaySaid, json: string): GatewaySaid {
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

/** The completion without its other choices, of which each event of a stream may hold one, and how many it tells of. */
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
