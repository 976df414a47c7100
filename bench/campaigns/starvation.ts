/** Can one caller keep the others waiting? Idle bodies, slow imports and idle connections, while others ask and are timed. */
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '../../src/doors/cli/serve-doors.ts'
import { openMemory } from '../../src/doors/library/index.ts'
import { quantile } from '../figure.ts'
import { freshPath } from '../speed/fill.ts'
import type { CampaignOptions, Finding } from './campaign.ts'

const MOST_MS = 100
const SAMPLES = 30

interface Attack {
  readonly name: string
  readonly connections: number
  /** What each connection sends before it falls silent. */
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

export async function run({ only }: CampaignOptions): Promise<readonly Finding[]> {
  const memory = await openMemory({ path: freshPath(), userId: 'local' })
  const server = await serve({ memory, port: 0, version: '0', requestsPerMinute: 1_000_000 })
  const ask = async (): Promise<{ ms: number; ok: boolean }> => {
    const begun = performance.now()
    const answer = await fetch(`${server.url}/memory/search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"query": "shed"}',
    })
    await answer.text()
    return { ms: performance.now() - begun, ok: answer.status === 200 }
  }
  const findings: Finding[] = []
  try {
    await memory.add('The key of the shed hangs behind the door.', { infer: false })
    // The first questions load what they need.
    await timed('first', ask)
    findings.push(...(await timed('nobody else', ask)))
    for (const attack of ATTACKS.filter(({ name }) => only === null || name.includes(only))) {
      const sockets = await Promise.all(
        Array.from({ length: attack.connections }, () => open(server.port, attack.head)),
      )
      await sleep(300)
      findings.push(...(await timed(attack.name, ask)))
      for (const socket of sockets) socket.destroy()
      await sleep(300)
    }
  } finally {
    await server.close(100)
    await memory.close()
  }
  return findings
}

async function timed(tried: string, ask: () => Promise<{ ms: number; ok: boolean }>): Promise<readonly Finding[]> {
  const answers: { ms: number; ok: boolean }[] = []
  for (let sample = 0; sample < SAMPLES; sample += 1) answers.push(await ask())
  const times = answers.map(({ ms }) => ms)
  return [
    { tried: `${tried}: others refused`, value: answers.filter(({ ok }) => !ok).length, unit: '', n: SAMPLES, most: 0 },
    { tried: `${tried}: others wait, median`, value: quantile(times, 0.5), unit: 'ms', n: SAMPLES, most: MOST_MS },
    { tried: `${tried}: others wait, longest`, value: Math.max(...times), unit: 'ms', n: SAMPLES, most: MOST_MS },
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
