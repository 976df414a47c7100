/** A scripted OpenAI-compatible server on 127.0.0.1, good days and bad, which keeps the requests that it got. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that the server got. */
export interface SeenRequest {
  readonly method: string
  readonly path: string
  /** The body as it came. */
  readonly text: string
  /** Resolves when the connection is closed before the answer has ended. */
  readonly hungUp: Promise<void>
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The parsed body. */
  readonly body: {
    readonly model?: string
    readonly messages?: readonly { readonly role: string; readonly content: string }[]
    readonly [name: string]: unknown
  }
}

/** The answer to one request: the first of `hang`, `events`, `body`, `content` that is given decides. */
export interface Reply {
  /** Default 200. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Wait before anything is sent. */
  readonly delayMs?: number
  /** Wait for this, too. */
  readonly after?: Promise<unknown>
  /** Accept and never answer: not at all, or send headers and the beginning of a body and stop. */
  readonly hang?: 'silent' | 'mid-body'
  /** Server-sent events, each one JSON or text; a number is a pause in milliseconds. */
  readonly events?: readonly (string | number | object)[]
  /** The body as it is, or an object to send as JSON. */
  readonly body?: string | object
  /** The model's words, sent in a completion. */
  readonly content?: string
  readonly usage?: object | null
  /** After the events: close the connection without an end, or go on without a word. */
  readonly afterwards?: 'cut' | 'hang'
  /** Close the connection after so many characters of the body. */
  readonly cutAt?: number
}

export type Script = Reply | readonly Reply[] | ((request: SeenRequest, number: number) => Reply)

export interface ModelServer {
  /** For the option `baseUrl`. */
  readonly url: string
  readonly requests: readonly SeenRequest[]
  /** Answers the requests to come by another script; a list begins at its first reply. */
  play(script: Script): void
  close(): Promise<void>
}

/** Starts the server. A list of replies is played in order; its last one repeats. */
export async function startModelServer(script: Script): Promise<ModelServer> {
  const requests: SeenRequest[] = []
  let playing = script
  let played = 0
  const server = createServer((incoming, outgoing) => {
    void serve(incoming, outgoing).catch(() => outgoing.destroy())
  })
  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of incoming.setEncoding('utf8')) text += chunk
    const hungUp = new Promise<void>((resolve) => {
      outgoing.once('close', () => {
        if (!outgoing.writableFinished) resolve()
      })
    })
    const { method = '', url: path = '', headers } = incoming
    const seen: SeenRequest = { method, path, headers, text, hungUp, body: text === '' ? {} : JSON.parse(text) }
    requests.push(seen)
    await send(outgoing, replyTo(playing, seen, played++))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    play(next) {
      playing = next
      played = 0
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function replyTo(script: Script, request: SeenRequest, number: number): Reply {
  if (typeof script === 'function') return script(request, number)
  if (!isList(script)) return script
  return script[Math.min(number, script.length - 1)] ?? { status: 500, body: 'The script is empty.' }
}

function isList(script: Reply | readonly Reply[]): script is readonly Reply[] {
  return Array.isArray(script)
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function send(outgoing: ServerResponse, reply: Reply): Promise<void> {
  if (reply.delayMs !== undefined) await pause(reply.delayMs)
  await reply.after
  if (reply.hang === 'silent') return
  const type = reply.events === undefined ? 'application/json' : 'text/event-stream'
  outgoing.writeHead(reply.status ?? 200, { 'content-type': type, ...reply.headers })
  if (reply.hang === 'mid-body') {
    outgoing.write(reply.events === undefined ? '{"choices": [{"message": {"content": "half' : ': waiting\n\n')
    return
  }
  if (reply.events !== undefined) return sendEvents(outgoing, reply.events, reply.afterwards)
  const body = reply.body ?? completion(reply.content ?? '', reply.usage)
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  if (reply.cutAt === undefined) {
    outgoing.end(text)
    return
  }
  await new Promise((resolve) => outgoing.write(text.slice(0, reply.cutAt), resolve))
  outgoing.destroy()
}

async function sendEvents(
  outgoing: ServerResponse,
  events: NonNullable<Reply['events']>,
  afterwards: Reply['afterwards'],
): Promise<void> {
  for (const event of events) {
    if (typeof event === 'number') await pause(event)
    else outgoing.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
  }
  if (afterwards === 'hang') return
  if (afterwards === 'cut') outgoing.destroy()
  else outgoing.end()
}

/** A completion as OpenAI's interface has it; `usage` null leaves the usage out. */
export function completion(content: string, usage?: object | null): object {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model: 'scripted-model',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    ...(usage === null ? {} : { usage: usage ?? { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 } }),
  }
}

/** The events of a streamed completion: its pieces, the end, the usage (null: none), `[DONE]`. */
export function streamed(pieces: readonly string[], usage?: object | null): readonly (string | object)[] {
  const chunk = (delta: object, reason: string | null): object => ({
    object: 'chat.completion.chunk',
    model: 'scripted-model',
    choices: [{ index: 0, delta, finish_reason: reason }],
  })
  const spent = usage === null ? [] : [{ choices: [], usage: usage ?? { prompt_tokens: 20, completion_tokens: 5 } }]
  return [...pieces.map((content) => chunk({ content }, null)), chunk({}, 'stop'), ...spent, '[DONE]']
}
