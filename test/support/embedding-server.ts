/**
 * A real server of embeddings on 127.0.0.1, with bad days by script. Without a model, a text is the bag of its
 * character n-grams: texts that share words lie close.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A request that the server got. */
export interface SeenEmbeddingRequest {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: { readonly model?: string; readonly input: readonly string[]; readonly [name: string]: unknown }
}

/** Bad days: done to a request instead of answering it well. */
export interface BadDay {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Accept and never answer. */
  readonly hang?: boolean
  /** The body as it is, or an object to send as JSON. */
  readonly body?: string | object
}

export interface EmbeddingServer {
  /** For the option `baseUrl`. */
  readonly url: string
  readonly requests: readonly SeenEmbeddingRequest[]
  /** The next requests, in order, get these; `null` is a good answer. Afterwards all is well again. */
  play(...days: readonly (BadDay | null)[]): void
  /** From now on, requests that `play` says nothing about get what this makes of their texts; `null` is a good answer. */
  spoil(day: (input: readonly string[]) => BadDay | null): void
  close(): Promise<void>
}

export interface EmbeddingServerOptions {
  /** Length of the vectors. Default 64. */
  readonly dimension?: number
  /** The model. */
  readonly embed?: (texts: readonly string[]) => Promise<readonly Float32Array[]>
}

/** Starts the server. */
export async function startEmbeddingServer({
  dimension = 64,
  embed = async (texts) => texts.map((text) => hashedVector(text, dimension)),
}: EmbeddingServerOptions = {}): Promise<EmbeddingServer> {
  const requests: SeenEmbeddingRequest[] = []
  const days: (BadDay | null)[] = []
  let spoiled: (input: readonly string[]) => BadDay | null = () => null
  const server = createServer((incoming, outgoing) => {
    void serve(incoming, outgoing).catch(() => outgoing.destroy())
  })
  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    let text = ''
    for await (const chunk of incoming.setEncoding('utf8')) text += chunk
    const body: SeenEmbeddingRequest['body'] = JSON.parse(text)
    requests.push({ path: incoming.url ?? '', authorization: incoming.headers.authorization, body })
    const day = days.length > 0 ? days.shift() : spoiled(body.input)
    if (day?.hang === true) return
    const answer = day?.body ?? (day?.status === undefined ? goodAnswer(await embed(body.input)) : '')
    outgoing.writeHead(day?.status ?? 200, { 'content-type': 'application/json', ...day?.headers })
    outgoing.end(typeof answer === 'string' ? answer : JSON.stringify(answer))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    play: (...next) => {
      days.splice(0, days.length, ...next)
    },
    spoil: (day) => {
      spoiled = day
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** As OpenAI's interface has it, last text first: the order is that of `index`. */
function goodAnswer(vectors: readonly Float32Array[]): object {
  const data = vectors.map((vector, index) => ({ object: 'embedding', index, embedding: [...vector] }))
  return { object: 'list', data: data.reverse(), usage: { prompt_tokens: 1, total_tokens: 1 } }
}

/** The unit vector of a text's character 1- to 4-grams, each at a place by its hash. */
export function hashedVector(text: string, dimension: number): Float32Array {
  const vector = new Float32Array(dimension)
  const padded = ` ${text
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, ' ')
    .trim()} `
  const characters = [...padded]
  for (let size = 1; size <= 4; size += 1)
    for (let from = 0; from + size <= characters.length; from += 1) {
      const hash = hashOf(characters.slice(from, from + size).join(''))
      vector[hash % dimension]! += (hash & 0x40000000) === 0 ? size : -size
    }
  const length = Math.hypot(...vector) || 1
  return vector.map((value) => value / length)
}

/** FNV-1a over UTF-16 units, mixed at the end. */
function hashOf(gram: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < gram.length; at += 1) hash = Math.imul(hash ^ gram.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return (hash ^ (hash >>> 13)) >>> 0
}
