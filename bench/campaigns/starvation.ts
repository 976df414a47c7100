/**
 * Can one caller keep the others waiting? Idle bodies, slow imports and idle connections, and one user's flood of work, while
 * others ask and are timed.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openMemory } from '../../src/doors/library/index.ts'
import { quantile } from '../figure.ts'
import { freshPath } from '../speed/fill.ts'
import { client, type MeasuredServer, startServer } from '../speed/rest-client.ts'
import type { CampaignOptions, Finding } from './campaign.ts'
import type { Flooded } from './starvation-flood.ts'

const FLOOD = fileURLToPath(new URL('./starvation-flood.ts', import.meta.url))
const MOST_MS = 100
const SAMPLES = 30

interface Attack {
  readonly name: string
  readonly connections: number
  /** Bytes of each connection before it falls silent. */
  readonly head: string
}

const HALF_A_BODY = 'content-length: 60000\r\n\r\n{"query": "'
const ATTACKS: readonly Attack[] = [
  {
    name: '64 idle bodies',
    connections: 64,
    head: `POST /memory/search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${HALF_A_BODY}`,
  },
  {
    name: '1,200 idle bodies',
    connections: 1200,
    head: `POST /memory/search HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${HALF_A_BODY}`,
  },
  {
    name: '260 slow imports',
    connections: 260,
    head: `POST /import HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/x-ndjson\r\n${HALF_A_BODY}`,
  },
  {
    name: '260 idle bodies of /mcp',
    connections: 260,
    head: `POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n${HALF_A_BODY}`,
  },
  { name: '1,000 idle connections', connections: 1000, head: '' },
  { name: '1,000 half heads', connections: 1000, head: 'GET /health HTTP/1.1\r\nhost: loc' },
]

/** How many times the quiet latency another user may see while one user floods the server. */
const MOST_TIMES = 2
/** The kinds of floods, which `starvation-flood.ts` makes, and the rounds of quiet and flooded questions, taken in turn. */
const FLOODS = ['writes', 'imports', 'thinking', 'consolidation'] as const

export const parts: readonly string[] = [...ATTACKS.map(({ name }) => name), ...FLOODS]
const MOST_ROUNDS = 6

export async function run({ only, seconds }: CampaignOptions): Promise<readonly Finding[]> {
  const path = freshPath()
  const memory = await openMemory({ path, userId: 'local' })
  await memory.add('The key of the shed hangs behind the door.', { infer: false })
  await memory.close()
  const server = await startServer(path)
  const asker = client(server.url, 1)
  const ask = async (): Promise<Answer> => {
    const [used, begun] = [processorTime(server.pid), performance.now()]
    const ok = await asker.send('POST', '/memory/search', { query: 'shed' }).then(
      () => true,
      () => false,
    )
    return { ms: performance.now() - begun, worked: processorTime(server.pid) - used, ok }
  }
  const findings: Finding[] = []
  try {
    // The first questions load what they need.
    await timed('first', ask)
    findings.push(...(await timed('nobody else', ask)))
    for (const attack of ATTACKS.filter(({ name }) => only === null || name.includes(only))) {
      const port = Number(new URL(server.url).port)
      const sockets = await Promise.all(Array.from({ length: attack.connections }, () => open(port, attack.head)))
      await sleep(300)
      findings.push(...(await timed(attack.name, ask)))
      for (const socket of sockets) socket.destroy()
      await sleep(300)
    }
    for (const name of FLOODS.filter((flood) => only === null || flood.includes(only)))
      findings.push(...(await flooded(name, server, ask, Math.min(MOST_ROUNDS, Math.ceil(seconds / 10)))))
  } finally {
    asker.close()
    await server.stop()
  }
  return findings
}

/** One question of the others: how long it took, how long the server's main thread worked meanwhile, whether it was answered. */
interface Answer {
  readonly ms: number
  readonly worked: number
  readonly ok: boolean
}

/** Milliseconds that the main thread of a process has run, whatever else the machine does; 0 where no system tells. */
function processorTime(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return 0
  }
}

async function timed(tried: string, ask: () => Promise<Answer>): Promise<readonly Finding[]> {
  const answers: Answer[] = []
  for (let sample = 0; sample < SAMPLES; sample += 1) answers.push(await ask())
  const times = answers.map(({ ms }) => ms)
  // A busy machine makes an answer late that cost the server little.
  const worked = Math.max(...answers.map((answer) => answer.worked))
  const detail = `at most ${worked.toFixed(1)} ms of the server's work`
  return [
    { tried: `${tried}: others refused`, value: answers.filter(({ ok }) => !ok).length, unit: '', n: SAMPLES, most: 0 },
    { tried: `${tried}: others wait, median`, value: quantile(times, 0.5), unit: 'ms', n: SAMPLES, most: MOST_MS },
    {
      tried: `${tried}: others wait, longest`,
      value: Math.max(...times),
      unit: 'ms',
      n: SAMPLES,
      most: MOST_MS,
      detail,
    },
  ]
}

/** Resolves when a server has thought about what it was given; not later than after a while. */
async function atRest(pid: number): Promise<void> {
  for (let look = 0; look < 40; look += 1) {
    const before = processorTime(pid)
    await sleep(250)
    if (processorTime(pid) - before < 5) return
  }
}

/**
 * Figures with and without the flood, taken in turn. A machine's other work weighs most on the busier server, so the
 * promise is held against the work of its thread between question and answer.
 */
async function flooded(
  name: string,
  { url, pid }: MeasuredServer,
  ask: () => Promise<Answer>,
  count: number,
): Promise<readonly Finding[]> {
  const [quiet, busy]: [Answer[], Answer[]] = [[], []]
  const flood = fork(FLOOD, [name, url])
  const told = async (what: 'go' | 'stop'): Promise<Flooded> => {
    flood.send(what)
    const [done] = await once(flood, 'message')
    return done as Flooded
  }
  let done: Flooded = { calls: 0, refused: 0 }
  for (let round = 0; round < count; round += 1) {
    await atRest(pid)
    for (let sample = 0; sample < SAMPLES; sample += 1) quiet.push(await ask())
    await told('go')
    for (let sample = 0; sample < SAMPLES; sample += 1) busy.push(await ask())
    done = await told('stop')
  }
  flood.disconnect()
  const n = busy.length
  const median = (answers: readonly Answer[]): number =>
    quantile(
      answers.map(({ ms }) => ms),
      0.5,
    )
  const mean = (answers: readonly Answer[]): number => answers.reduce((sum, { worked }) => sum + worked, 0) / n
  const against = (figure: typeof mean): Pick<Finding, 'value' | 'unit' | 'n' | 'detail'> => ({
    value: figure(busy) / figure(quiet),
    unit: 'times',
    n,
    detail: `${figure(quiet).toFixed(2)} ms quiet, ${figure(busy).toFixed(2)} ms beside it`,
  })
  return [
    { tried: `${name} of one user: calls, of which refused`, value: done.refused, unit: '', n: done.calls, most: 0 },
    { tried: `${name} of one user: others' median against quiet`, ...against(median) },
    { tried: `${name} of one user: work before others' answer against quiet`, ...against(mean), most: MOST_TIMES },
  ]
}

function open(port: number, head: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      socket.on('error', () => undefined).on('data', () => undefined)
      if (head === '') resolve(socket)
      else socket.write(head, () => resolve(socket))
    })
  })
}
