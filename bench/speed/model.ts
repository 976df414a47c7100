/**
 * What does a model cost the person who chats? The time until an exchange is acknowledged, without a model, with one that
 * is dead and with one that never answers; and how often a model is asked for one exchange and one recall.
 */
import { setTimeout } from 'node:timers/promises'
import { openMemory } from '../../src/doors/library/index.ts'
import { startModelServer } from '../../test/support/model-server.ts'
import { type BenchOptions, type Figure, quantile } from '../figure.ts'
import { freshPath } from './fill.ts'
import { query, seeded, turnText } from './synthetic.ts'

const EXCHANGES = 1500
const BETWEEN_MS = 4
const ASKED = 25
/** A model that nobody listens for: the port of a server that was closed. */
const GONE = 'http://127.0.0.1:9/v1'

type Llm = { readonly provider: 'openai'; readonly baseUrl: string; readonly apiKey: string; readonly model: string }

/** Measures the three, and counts the calls. */
export async function run(_options: BenchOptions): Promise<readonly Figure[]> {
  const silent = await startModelServer({ hang: 'silent' })
  const answering = await startModelServer({ content: '{"statements": []}' })
  const at = (baseUrl: string): Llm => ({ provider: 'openai', baseUrl, apiKey: 'none', model: 'bench' })
  try {
    const none = await acknowledge(undefined)
    const dead = await acknowledge(at(GONE))
    const slow = await acknowledge(at(silent.url))
    const figure = (name: string, value: number, reference: number): Figure => ({
      bench: 'model',
      figure: name,
      value,
      unit: 'ms',
      n: EXCHANGES,
      reference: 'no model',
      ratio: value / reference,
    })
    return [
      figure('exchange acknowledged, no model, p99', none, none),
      figure('exchange acknowledged, model dead, p99', dead, none),
      figure('exchange acknowledged, model silent, p99', slow, none),
      ...(await countCalls(at(answering.url), () => answering.requests.length)),
    ]
  } finally {
    await Promise.all([silent.close(), answering.close()])
  }
}

/** p99 of storing one exchange, in milliseconds. */
async function acknowledge(llm: Llm | undefined): Promise<number> {
  const memory = await openMemory({ path: freshPath(), userId: 'one', ...(llm === undefined ? {} : { llm }) })
  const random = seeded(5)
  const taken: number[] = []
  for (let asked = -100; asked < EXCHANGES; asked += 1) {
    const turns = [
      { role: 'user' as const, content: turnText(random) },
      { role: 'assistant' as const, content: turnText(random) },
    ]
    const started = performance.now()
    await memory.conversations.store({ conversationId: `chat-${Math.floor(asked / 20)}`, turns })
    if (asked >= 0) taken.push(performance.now() - started)
    // Nobody chats without a pause: what is done in the background gets its turn, as it does in life.
    await setTimeout(BETWEEN_MS)
  }
  await memory.close()
  return quantile(taken, 0.99)
}

async function countCalls(llm: Llm, calls: () => number): Promise<readonly Figure[]> {
  await using memory = await openMemory({ path: ':memory:', userId: 'one', llm })
  for (let exchange = 0; exchange < ASKED; exchange += 1)
    await memory.conversations.store({
      conversationId: 'chat',
      turns: [
        { role: 'user', content: `I moved to street number ${exchange} and my dog came along.` },
        { role: 'assistant', content: 'How nice.' },
      ],
    })
  await memory.idle()
  const ofExchanges = calls()
  const random = seeded(3)
  for (let recall = 0; recall < ASKED; recall += 1) {
    await memory.conversations.recall(query(random))
    await memory.search('Where do I live?')
  }
  const count = (name: string, value: number): Figure => ({
    bench: 'model',
    figure: name,
    value,
    unit: 'calls',
    n: ASKED,
  })
  return [
    count('model calls for one exchange', ofExchanges / ASKED),
    count('model calls for one recall', (calls() - ofExchanges) / ASKED),
  ]
}
