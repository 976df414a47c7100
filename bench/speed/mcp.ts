/**
 * A tool call over stdio, from the client's request to its answer, by the official client and the real command; beside it
 * the library's own time for the same work in this process, and the call that does least.
 */
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { type BenchOptions, type Figure, quantile } from '../figure.ts'
import { fill, freshPath } from './fill.ts'
import { query, seeded, turnText } from './synthetic.ts'

const TURNS = 10_000
const MEMORIES = 1000
const ENTITIES = 200
const CALLS = 500
const WARM = 50
const USER = 'local'

/** `--turns` and `--memories` choose the size, `--calls` how often each tool is called. */
export async function run({ flags }: BenchOptions): Promise<readonly Figure[]> {
  const path = freshPath()
  const memory = await openMemory({ path, userId: USER })
  await fill(memory, [USER], Number(flags.turns ?? TURNS))
  const random = seeded(11)
  for (let at = 0; at < Number(flags.memories ?? MEMORIES); at += 1)
    await memory.add(turnText(random), { infer: false })
  const client = new Client({ name: 'bench', version: '1' })
  const args = [fileURLToPath(new URL('./mcp-process.ts', import.meta.url)), 'mcp', '--db', path, '--user', USER]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'inherit' }))
  try {
    return await figures(client, memory, Number(flags.calls ?? CALLS))
  } finally {
    await client.close()
    await memory.close()
    rmSync(dirname(path), { recursive: true, force: true })
  }
}

async function figures(client: Client, memory: OpenMemory, calls: number): Promise<readonly Figure[]> {
  const { id } = (await memory.getAll({ limit: 1 })).items[0] ?? { id: '' }
  const entities = Array.from({ length: ENTITIES }, (_, at) => {
    return { name: `Person ${at}`, entityType: 'person', observations: [`Has the number ${at}`] }
  })
  await call(client, 'create_entities', { entities })
  const ask = (name: string, args: (random: () => number) => Record<string, unknown>) =>
    timed(calls, (random) => call(client, name, args(random)))
  const direct = await timed(calls, async (random) => {
    const keyword = query(random)
    const { results } = await memory.search(keyword, { limit: 10 })
    await memory.conversations.recall(keyword, { limit: 5, kinds: ['turn'] })
    await memory.touch(results.map((found) => found.id))
  })
  const least = await ask('get_profile', () => ({}))
  const search = await ask('search_memories', (random) => ({ keyword: query(random) }))
  const others = [
    ['get_memory', await ask('get_memory', () => ({ id }))],
    ['add_memory, as it is', await ask('add_memory', (random) => ({ text: turnText(random), infer: false }))],
    ['recall', await ask('recall', (random) => ({ query: query(random) }))],
    [
      'search_nodes, 200 entities',
      await ask('search_nodes', (random) => ({ query: `number ${Math.floor(random() * 200)}` })),
    ],
  ] as const
  const own = quantile(direct, 0.5)
  const figure = (name: string, times: readonly number[], share: number, reference: string, by: number): Figure => {
    const value = quantile(times, share)
    return {
      bench: 'mcp',
      figure: `${name}, p${share * 100}`,
      value,
      unit: 'ms',
      n: times.length,
      reference,
      ratio: value / by,
    }
  }
  return [
    figure('search_memories over stdio', search, 0.5, 'the goal of 5 ms', 5),
    figure('search_memories over stdio', search, 0.99, 'its p50', quantile(search, 0.5)),
    figure('the same work in this process', direct, 0.5, 'the tool call', quantile(search, 0.5)),
    figure('get_profile over stdio', least, 0.5, 'the goal of 5 ms', 5),
    ...others.map(([name, times]) => figure(`${name} over stdio`, times, 0.5, 'search in this process', own)),
  ]
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<void> {
  const { isError, content } = await client.callTool({ name, arguments: args })
  if (isError === true) throw new Error(`${name}: ${JSON.stringify(content)}`)
}

async function timed(calls: number, work: (random: () => number) => Promise<void>): Promise<readonly number[]> {
  const random = seeded(5)
  const times: number[] = []
  for (let at = -WARM; at < calls; at += 1) {
    const started = performance.now()
    await work(random)
    if (at >= 0) times.push(performance.now() - started)
  }
  return times
}
