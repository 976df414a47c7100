/** What does HTTP cost? One memory and one search over the engine's own time, and searches a second from 32 connections. */
import { openMemory } from '../../src/interfaces/library/index.ts'
import { type BenchOptions, type Figure, quantile } from '../figure.ts'
import { freshPath } from './fill.ts'
import { client, startServer } from './rest-client.ts'
import { query, seeded, turnText } from './synthetic.ts'

const LARGE = 100_000
const SMALL = 10_000
const QUESTIONS = 1000
const WARM_UP = 200
const CONNECTIONS = 32
const THROUGHPUT_REQUESTS = 10_000
const ADDED_AT_ONCE = 200

/** Every figure stands beside what it is compared with, measured in the same run. */
export async function run(_: BenchOptions): Promise<readonly Figure[]> {
  return [...(await overhead()), await throughput()]
}

/** A database of `count` memories of the user `local`; some ids of them. */
async function filled(count: number): Promise<{ path: string; ids: readonly string[] }> {
  const path = freshPath()
  const memory = await openMemory({ path, userId: 'local' })
  const random = seeded(11)
  const ids: string[] = []
  for (let added = 0; added < count; added += ADDED_AT_ONCE) {
    const messages = Array.from({ length: ADDED_AT_ONCE }, () => ({ role: 'user' as const, content: turnText(random) }))
    const { results } = await memory.add(messages, { infer: false })
    ids.push(...results.slice(0, 5).map(({ id }) => id))
  }
  await memory.close()
  return { path, ids }
}

async function timed(tasks: readonly (() => Promise<unknown>)[]): Promise<readonly number[]> {
  const times: number[] = []
  for (const [index, task] of tasks.entries()) {
    const begun = performance.now()
    await task()
    if (index >= WARM_UP) times.push(performance.now() - begun)
  }
  return times
}

async function overhead(): Promise<readonly Figure[]> {
  const { path, ids } = await filled(LARGE)
  const random = seeded(5)
  const questions = Array.from({ length: QUESTIONS + WARM_UP }, () => query(random))
  const asked = questions.map((_, index) => ids[index % ids.length] ?? '')
  const engine = await openMemory({ path, userId: 'local' })
  const ownSearch = await timed(questions.map((text) => () => engine.search(text)))
  const ownGet = await timed(asked.map((id) => () => engine.get(id)))
  await engine.close()
  const server = await startServer(path)
  const { send, close } = client(server.url, 1)
  const search = await timed(questions.map((text) => () => send('POST', '/memory/search', { query: text })))
  const get = await timed(asked.map((id) => () => send('GET', `/memory/long-term/${id}`)))
  close()
  await server.stop()
  return [
    over('GET /memory/long-term/{id} at 100k, p50', get, ownGet),
    over('POST /memory/search at 100k, p50', search, ownSearch),
  ]
}

function over(name: string, measured: readonly number[], own: readonly number[]): Figure {
  const [value, base] = [quantile(measured, 0.5), quantile(own, 0.5)]
  const added = `engine's own ${base.toFixed(2)} ms, + ${(value - base).toFixed(2)} ms`
  return { bench: 'rest', figure: name, value, unit: 'ms', n: measured.length, reference: added, ratio: value / base }
}

async function throughput(): Promise<Figure> {
  const { path } = await filled(SMALL)
  const random = seeded(6)
  const server = await startServer(path)
  const { send, close } = client(server.url, CONNECTIONS)
  const ask = (): Promise<string> => send('POST', '/memory/search', { query: query(random) })
  await Promise.all(Array.from({ length: WARM_UP }, ask))
  let left = THROUGHPUT_REQUESTS
  const begun = performance.now()
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (left > 0) {
        left -= 1
        await ask()
      }
    }),
  )
  const seconds = (performance.now() - begun) / 1000
  close()
  await server.stop()
  return {
    bench: 'rest',
    figure: `searches a second at 10k memories, ${CONNECTIONS} connections`,
    value: THROUGHPUT_REQUESTS / seconds,
    unit: '/s',
    n: THROUGHPUT_REQUESTS,
  }
}
