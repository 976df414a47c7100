/**
 * Can one caller keep the others waiting? Idle bodies, slow imports and idle connections, and one user's flood of work, while
 * others ask and are timed.
 */
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

/** How many times the quiet latency another user may see while one user floods the server. */
const MOST_TIMES = 2
/** Flooding calls that run at once, and the rounds of quiet and flooded questions, which take turns. */
const LANES = 4
const MOST_ROUNDS = 6

const NOTHING = { project_root: '', summary: null, turn_count: 50, last_turn_id: 50 }
const NOON = '2026-05-06T12:00:00.000Z'
const said = (at: number): object => ({
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: `I moved mooring ${at} to pier ${at % 97} and pay ${at % 50} euros for it. 我把第 ${at} 艘船停在 ${at % 31} 号码头。`,
})
/** What one user does without a pause; `at` makes every call another. */
const FLOODS: Readonly<Record<string, (at: number) => readonly [path: string, body: string]>> = {
  writes: (at) => [
    `/conversations/flood-${at % 20}/turns`,
    JSON.stringify({ turns: Array.from({ length: 20 }, (_, turn) => said(20 * at + turn)) }),
  ],
  imports: (at) => [
    '/import',
    [
      { mneme_export: 1, type: 'header', user_id: 'flood', exported_at: NOON },
      { type: 'conversation', conversation_id: `import-${at}`, created_at: NOON, last_active: NOON, ...NOTHING },
      ...Array.from({ length: 50 }, (_, turn) => ({
        type: 'turn',
        turn_id: turn + 1,
        created_at: NOON,
        ...said(50 * at + turn),
      })),
      { type: 'conversation_end', conversation_id: `import-${at}`, turns: 50, summaries: 0 },
      { type: 'end', conversations: 1, memories: 0 },
    ]
      .map((record) => JSON.stringify(record))
      .join('\n'),
  ],
  thinking: (at) => ['/memory/long-term', JSON.stringify({ text: (said(2 * at) as { content: string }).content })],
  consolidation: () => ['/maintenance/consolidate', '{}'],
}

export async function run({ only, seconds }: CampaignOptions): Promise<readonly Finding[]> {
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
    for (const name of Object.keys(FLOODS).filter((flood) => only === null || flood.includes(only)))
      findings.push(...(await flooded(name, server.url, ask, Math.min(MOST_ROUNDS, Math.ceil(seconds / 10)))))
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

/** Medians with and without the flood, taken in turn, so that a busy machine weighs on both. */
async function flooded(
  name: string,
  url: string,
  ask: () => Promise<{ ms: number; ok: boolean }>,
  count: number,
): Promise<readonly Finding[]> {
  const [quiet, busy]: [number[], number[]] = [[], []]
  let calls = 0
  let refused = 0
  for (let round = 0; round < count; round += 1) {
    for (let sample = 0; sample < SAMPLES; sample += 1) quiet.push((await ask()).ms)
    let isOver = false
    const lanes = Array.from({ length: LANES }, async () => {
      while (!isOver) {
        const [path, body] = FLOODS[name]!(calls++)
        const headers = {
          'content-type': name === 'imports' ? 'application/x-ndjson' : 'application/json',
          'x-user-id': 'flood',
        }
        const answer = await fetch(url + path, { method: 'POST', headers, body })
        await answer.text()
        if (!answer.ok) refused += 1
      }
    })
    for (let sample = 0; sample < SAMPLES; sample += 1) busy.push((await ask()).ms)
    isOver = true
    await Promise.all(lanes)
  }
  const n = busy.length
  return [
    { tried: `${name} of one user: calls, of which refused`, value: refused, unit: '', n: calls },
    {
      tried: `${name} of one user: others' median against quiet`,
      value: quantile(busy, 0.5) / quantile(quiet, 0.5),
      unit: 'times',
      n,
      most: MOST_TIMES,
      detail: `${quantile(quiet, 0.5).toFixed(1)} ms quiet, ${quantile(busy, 0.5).toFixed(1)} ms beside it`,
    },
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
