/**
 * How long does consolidation take without a model, and how long is the event loop held? 10,000 episodes of one user, then
 * 100 new ones; every fourth is told again or has a similar one.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { MINUTE_MS } from '../../src/domain/clock.ts'
import { silentLogger } from '../../src/domain/logger.ts'
import type { Memory } from '../../src/domain/memory.ts'
import { openDatabase } from '../../src/store/sqlite/file/open-database.ts'
import { sqliteMemoryStore } from '../../src/store/sqlite/memories/memory-store.ts'
import { consolidate } from '../../src/usecases/upkeep/consolidate/consolidate.ts'
import type { BenchOptions, Figure } from '../figure.ts'
import { freshPath } from './fill.ts'
import { drawRank, seeded, turnText, word } from './synthetic.ts'

const START = Date.parse('2026-01-05T08:00:00Z')
const FRESH = 100
const INSERTED_AT_ONCE = 500
const HOLD_MS = 20

/** `--episodes N`: other than 10,000. */
export async function run({ flags }: BenchOptions): Promise<readonly Figure[]> {
  const episodes = Number(flags.episodes ?? 10_000)
  const connection = openDatabase(freshPath(), { create: true })
  const memories = sqliteMemoryStore(connection)
  const made = episodeMaker()
  for (let from = 0; from < episodes; from += INSERTED_AT_ONCE)
    await memories.insert(
      'one',
      Array.from({ length: Math.min(INSERTED_AT_ONCE, episodes - from) }, () => made()),
    )
  const dependencies = { memories, clock: () => new Date(), vectors: null, llm: null, logger: silentLogger }
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  let started = performance.now()
  const used = process.cpuUsage()
  const first = await consolidate(dependencies, { userId: 'one' })
  const whole = performance.now() - started
  const { user, system } = process.cpuUsage(used)
  delay.disable()
  await memories.insert(
    'one',
    Array.from({ length: FRESH }, () => made()),
  )
  started = performance.now()
  const second = await consolidate(dependencies, { userId: 'one' })
  const fresh = performance.now() - started
  started = performance.now()
  await consolidate(dependencies, { userId: 'one' })
  const nothing = performance.now() - started
  connection.close()
  const figure = (name: string, value: number, unit: string, n: number, goal?: number): Figure => ({
    bench: 'consolidate',
    figure: name,
    value,
    unit,
    n,
    ...(goal === undefined ? {} : { reference: `goal ${goal} ${unit}`, ratio: value / goal }),
  })
  return [
    figure('all episodes, first run', whole / 1000, 's', episodes, 60),
    figure('… of which the processor worked', (user + system) / 1e6, 's', episodes),
    figure('… merged', first.merged, 'pairs', episodes),
    figure('… told apart', first.separated, 'pairs', episodes),
    figure('… facts', first.promoted, 'records', episodes),
    figure('event loop held, longest', delay.max / 1e6, 'ms', delay.count, HOLD_MS),
    figure('event loop held, p99', delay.percentile(99) / 1e6, 'ms', delay.count),
    figure(`${FRESH} new ones, whole run`, fresh, 'ms', second.processed),
    figure('nothing new', nothing, 'ms', 1),
  ]
}

function episodeMaker(): () => Memory {
  const random = seeded(11)
  const earlier: Memory[] = []
  let made = 0
  return () => {
    const at = START + made * 3 * MINUTE_MS
    const again = made % 8 === 3 ? earlier.at(-1 - Math.floor(random() * 3)) : undefined
    const like = made % 8 === 6 ? earlier.at(-1 - Math.floor(random() * earlier.length)) : undefined
    const text =
      again !== undefined ? retold(again.text) : like !== undefined ? varied(like.text, random) : turnText(random)
    const memory = episode(`m${made}`, text, at, again?.conversationId ?? `chat-${Math.floor(made / 12)}`)
    made += 1
    earlier.push(memory)
    return memory
  }
}

/** These words in another order. */
function retold(text: string): string {
  const words = text.replace(/[.?]$/, '').split(' ')
  const middle = Math.floor(words.length / 2)
  return `${[...words.slice(middle), ...words.slice(0, middle)].join(' ')}.`
}

/** Every third word is another one. */
function varied(text: string, random: () => number): string {
  return text
    .split(' ')
    .map((one, at) => (at % 3 === 0 ? word(drawRank(random)) : one))
    .join(' ')
}

function episode(id: string, text: string, at: number, conversationId: string): Memory {
  return {
    id,
    memoryType: 'episodic',
    text,
    category: 'fact',
    key: null,
    value: null,
    tags: [],
    conversationId,
    who: 'user',
    occurredAt: at,
    createdAt: at,
    updatedAt: at,
    confidence: 0.9,
    source: 'user_stated',
    importance: 1,
    accessCount: 0,
    lastAccessed: null,
    validFrom: at,
    validTo: null,
    projectRoot: null,
    supersededBy: null,
    suspect: null,
    sourceTurnIds: [1],
    externalId: null,
    metadata: { context: '', thing: '', time: new Date(at).toISOString(), chatid: conversationId, who: 'user' },
  }
}
