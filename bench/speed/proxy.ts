/**
 * What does memory cost a client of OpenAI's interface? The time to the first word through Mneme is set against the
 * vendor's own, in turn; processor time is for a whole request, the client's share included.
 */

import { serve } from '../../src/doors/cli/commands/serve.ts'
import { type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { startModelServer, streamed } from '../../test/support/model-server.ts'
import { type BenchOptions, type Figure, quantile } from '../figure.ts'
import { fill, freshPath } from './fill.ts'
import { query, seeded, turnText } from './synthetic.ts'

const TURNS = 10_000
const MEMORIES = 1000
const CHATS = 60
const ROUNDS = 5
const WARM_UP = 10
const ANSWER = ['Well, ', 'that ', 'depends.']
const GOAL_MS = 15

type Message = { readonly role: 'user' | 'assistant'; readonly content: string }

/** Measures chats of five rounds, each request with the whole chat so far. */
export async function run(_options: BenchOptions): Promise<readonly Figure[]> {
  const vendor = await startModelServer({ events: streamed(ANSWER) })
  const llm = { provider: 'openai', baseUrl: vendor.url, apiKey: 'none', model: 'bench' } as const
  const memory = await openMemory({ path: freshPath(), userId: 'local', llm, thinking: false })
  const server = await serve({ memory, port: 0, version: 'bench', requestsPerMinute: 1_000_000 })
  try {
    await fillBoth(memory)
    return await measure(vendor.url, `${server.url}/v1`)
  } finally {
    await server.close()
    await memory.close()
    await vendor.close()
  }
}

async function fillBoth(memory: OpenMemory): Promise<void> {
  await fill(memory, ['local'], TURNS)
  const random = seeded(11)
  for (let at = 0; at < MEMORIES; at += 1) await memory.add(turnText(random).slice(0, 200), { infer: false })
  await memory.idle()
}

async function measure(direct: string, proxied: string): Promise<readonly Figure[]> {
  const random = seeded(3)
  const times: Record<'direct' | 'proxied', Measured[]> = { direct: [], proxied: [] }
  for (let chat = -WARM_UP; chat < CHATS; chat += 1) {
    const messages: Message[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      messages.push({ role: 'user', content: `${query(random)} (${chat})` })
      const own = await firstWord(direct, messages)
      const through = await firstWord(proxied, messages)
      messages.push({ role: 'assistant', content: ANSWER.join('') })
      if (chat < 0) continue
      times.direct.push(own)
      times.proxied.push(through)
    }
  }
  const words = { direct: times.direct.map(({ word }) => word), proxied: times.proxied.map(({ word }) => word) }
  const added = words.proxied.map((time, at) => time - (words.direct[at] ?? 0))
  const computed = times.proxied.reduce((sum, { cpu }, at) => sum + cpu - (times.direct[at]?.cpu ?? 0), 0)
  const figure = (name: string, values: readonly number[], share: number): Figure => ({
    bench: 'proxy',
    figure: `time to the first word, ${name}, p${share * 100}`,
    value: quantile(values, share),
    unit: 'ms',
    n: values.length,
  })
  const overhead = (share: number): Figure => {
    const plain = figure('added by memory', added, share)
    return { ...plain, reference: `${GOAL_MS} ms`, ratio: plain.value / GOAL_MS }
  }
  return [
    figure('the vendor itself', words.direct, 0.5),
    figure('through Mneme', words.proxied, 0.5),
    overhead(0.5),
    figure('the vendor itself', words.direct, 0.99),
    figure('through Mneme', words.proxied, 0.99),
    overhead(0.99),
    {
      bench: 'proxy',
      figure: 'processor time added to a request, mean',
      value: computed / added.length,
      unit: 'ms',
      n: added.length,
    },
  ]
}

/** One request, in milliseconds. */
interface Measured {
  /** Until the first word came. */
  readonly word: number
  /** The processor's time until the last word came, of this whole process. */
  readonly cpu: number
}

/** Asks for a streamed answer and reads all of it. */
async function firstWord(url: string, messages: readonly Message[]): Promise<Measured> {
  const body = JSON.stringify({ model: 'bench', stream: true, messages })
  const begun = performance.now()
  const before = process.cpuUsage()
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  let taken: number | null = null
  let text = ''
  const decoder = new TextDecoder()
  for await (const piece of response.body as AsyncIterable<Uint8Array>) {
    text += decoder.decode(piece, { stream: true })
    if (taken === null && text.includes('"content"')) taken = performance.now() - begun
  }
  if (taken === null) throw new Error(`No word came: ${response.status} ${text.slice(0, 200)}`)
  const { user, system } = process.cpuUsage(before)
  return { word: taken, cpu: (user + system) / 1000 }
}
