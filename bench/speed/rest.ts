/** What does HTTP cost? One memory and one search over the engine's own time, and searches a second from 32 connections. */
import { setTimeout } from 'node:timers/promises'
import { openMemory } from '../../src/doors/library/index.ts'
import { type BenchOptions, type Figure, quantile } from '../figure.ts'
import { freshPath } from './fill.ts'
import { client, type MeasuredServer, startServer } from './rest-client.ts'
import { query, seeded, turnText } from './synthetic.ts'

const LARGE = 100_000
const SMALL = 10_000
const QUESTIONS = 1000
const WARM_UP = 200
const WARM_UP_AT_ONCE = 4000
const CONNECTIONS = 32
const THROUGHPUT_REQUESTS = 10_000
const ADDED_AT_ONCE = 200
/** V8 gives memory back when little was asked for eight seconds, and must get it again. */
const REST_MS = 20_000
/** Requests that are measured in a row. */
const A_TURN = 50

/** Every figure stands beside what it is compared with, measured in the same run. */
export async function run(_: BenchOptions): Promise<readonly Figure[]> {
  return [...(await overhead()), ...(await throughput())]
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

type Task = () => Promise<unknown>

/** The times of both, in turns, so that a busy moment of the machine meets both alike. */
async function timed(own: readonly Task[], through: readonly Task[]): Promise<Record<'own' | 'through', number[]>> {
  const times = { own: [] as number[], through: [] as number[] }
  for (let from = 0; from < own.length; from += A_TURN)
    for (const name of ['own', 'through'] as const)
      for (const task of (name === 'own' ? own : through).slice(from, from + A_TURN)) {
        const begun = performance.now()
        await task()
        if (from >= WARM_UP) times[name].push(performance.now() - begun)
      }
  return times
}

async function overhead(): Promise<readonly Figure[]> {
  const { path, ids } = await filled(LARGE)
  const random = seeded(5)
  const questions = Array.from({ length: QUESTIONS + WARM_UP }, () => query(random))
  const asked = questions.map((_, index) => ids[index % ids.length] ?? '')
  const engine = await openMemory({ path, userId: 'local' })
  const server = await startServer(path)
  const { send, close } = client(server.url, 1)
  const search = await timed(
    questions.map((text) => () => engine.search(text)),
    questions.map((text) => () => send('POST', '/memory/search', { query: text })),
  )
  const get = await timed(
    asked.map((id) => () => engine.get(id)),
    asked.map((id) => () => send('GET', `/memory/long-term/${id}`)),
  )
  close()
  await server.stop()
  await engine.close()
  return [over('GET /memory/long-term/{id} at 100k, p50', get), over('POST /memory/search at 100k, p50', search)]
}

function over(name: string, { own, through }: Awaited<ReturnType<typeof timed>>): Figure {
  const [value, base] = [quantile(through, 0.5), quantile(own, 0.5)]
  const added = `engine's own ${base.toFixed(2)} ms, + ${(value - base).toFixed(2)} ms`
  return { bench: 'rest', figure: name, value, unit: 'ms', n: through.length, reference: added, ratio: value / base }
}

async function throughput(): Promise<readonly Figure[]> {
  const { path } = await filled(SMALL)
  const random = seeded(6)
  const server = await startServer(path)
  const { send, close } = client(server.url, CONNECTIONS)
  const ask = async (count: number): Promise<void> => {
    let left = count
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        while (left > 0) {
          left -= 1
          await send('POST', '/memory/search', { query: query(random) })
        }
      }),
    )
  }
  await ask(WARM_UP_AT_ONCE)
  // The first ones still meet memories that nothing is known of yet; a server that has run for a while has met them all.
  const soon = await measured(server, ask)
  const later = await measured(server, ask)
  await setTimeout(REST_MS)
  const rested = await measured(server, ask)
  close()
  await server.stop()
  const figure = (name: string, value: number, unit: string): Figure => {
    return { bench: 'rest', figure: name, value, unit, n: THROUGHPUT_REQUESTS }
  }
  const name = `searches a second at 10k memories, ${CONNECTIONS} connections`
  return [
    figure(`${name}, soon after a start`, soon.perSecond, '/s'),
    figure(name, later.perSecond, '/s'),
    figure(`${name}, after a rest`, rested.perSecond, '/s'),
    figure('the processor’s time for such a search, server', later.server, 'ms'),
    figure('the same, client', later.client, 'ms'),
  ]
}

/** Searches a second, and milliseconds of the processor's time that each took. */
async function measured(
  server: MeasuredServer,
  ask: (count: number) => Promise<void>,
): Promise<{ readonly perSecond: number; readonly server: number; readonly client: number }> {
  const [before, own, begun] = [await server.used(), process.cpuUsage(), performance.now()]
  await ask(THROUGHPUT_REQUESTS)
  const seconds = (performance.now() - begun) / 1000
  const { user, system } = process.cpuUsage(own)
  const cpu = (await server.used()).cpu - before.cpu
  return {
    perSecond: THROUGHPUT_REQUESTS / seconds,
    server: cpu / THROUGHPUT_REQUESTS,
    client: (user + system) / 1000 / THROUGHPUT_REQUESTS,
  }
}
