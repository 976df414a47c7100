/**
 * What does Milvus cost, and what does Mneme add to it? A real server (see test/support/start-milvus.ts), filled through
 * Mneme's own outbox, searched through Mneme and through the SDK alone with the same filter, in turn; the answers are
 * compared with the exact embedded index. Flags: `--count N`, `--dimension N`, `--users N`, `--partition yes`.
 */
import { setTimeout } from 'node:timers/promises'
import { openMilvus } from '../../src/adapters/milvus/open-milvus.ts'
import { openSqliteStore } from '../../src/adapters/sqlite/open-store.ts'
import type { Embedder } from '../../src/contracts/embedder.ts'
import type { VectorRecord } from '../../src/contracts/vector-index.ts'
import { systemClock } from '../../src/domain/clock.ts'
import { silentLogger } from '../../src/domain/logger.ts'
import { mirroredStore } from '../../src/engine/mirrored-store.ts'
import { resolveOptions } from '../../src/engine/options.ts'
import { openMemory } from '../../src/interfaces/library/index.ts'
import { type MilvusServer, startMilvus } from '../../test/support/start-milvus.ts'
import { type BenchOptions, type Figure, quantile } from '../figure.ts'
import { freshPath } from './fill.ts'
import { seeded } from './synthetic.ts'

const QUESTIONS = 200
const WARM_UP = 20
const LIMIT = 10
const CLUSTERS = 500
const VECTORS_A_CALL = 2000
const ADDS = 300
const COLLECTION = 'memories'
const SETTLED_AFTER_MS = 11_000
const INDEXED_WITHIN_MS = 180_000

/** Starts the server, measures, ends it. */
export async function run({ flags }: BenchOptions): Promise<readonly Figure[]> {
  const count = Number(flags.count ?? 100_000)
  const dimension = Number(flags.dimension ?? 384)
  const users = Number(flags.users ?? 1)
  const server = await startMilvus('Milvus 2.3.5')
  try {
    const name = `${dimension} × ${count}, ${users} users${flags.partition === undefined ? '' : ', parted by user'}`
    const measured = await measure(server, name, { count, dimension, users, parted: flags.partition !== undefined })
    return flags.count === undefined ? [...measured, ...(await acknowledged(server))] : measured
  } finally {
    await server.stop()
  }
}

interface Plan {
  readonly count: number
  readonly dimension: number
  readonly users: number
  readonly parted: boolean
}

async function measure(server: MilvusServer, name: string, plan: Plan): Promise<readonly Figure[]> {
  const { count, dimension, users, parted } = plan
  const figure = (what: string, value: number, unit: string, n: number, more: Partial<Figure> = {}): Figure => ({
    bench: 'milvus',
    figure: `${name}: ${what}`,
    value,
    unit,
    n,
    ...more,
  })
  const random = seeded(7)
  const path = freshPath()
  const record = await openSqliteStore({ path, create: true, clock: systemClock, logger: silentLogger })
  await record.vectors.begin({ model: 'bench', dimension })
  const draw = clustered(random, dimension)
  for (let from = 0; from < count; from += VECTORS_A_CALL) {
    const groups = new Map<string, VectorRecord[]>()
    for (let at = from; at < Math.min(from + VECTORS_A_CALL, count); at += 1) {
      const mine = groups.get(`user ${at % users}`) ?? []
      mine.push(recordOf(at, draw()))
      groups.set(`user ${at % users}`, mine)
    }
    for (const [user, records] of groups) await record.vectors.add(user, records)
  }
  const empty = server.footprint()
  const mirror = await openMilvus({
    provider: 'milvus',
    uri: server.uri,
    collection: COLLECTION,
    partitionByUser: parted,
    timeoutMs: 30_000,
  })
  const options = resolveOptions({ path, background: false })
  const store = await mirroredStore(record, mirror, bag(dimension), options, true)
  const began = performance.now()
  await store.idle()
  const filled = (performance.now() - began) / 1000
  await sealed(server)
  // As it is when nothing was written a moment ago.
  await setTimeout(SETTLED_AFTER_MS)
  await store.idle()
  const full = server.footprint()

  const client = await server.client()
  const alone: number[] = []
  const through: number[] = []
  let same = 0
  for (let question = 0; question < QUESTIONS + WARM_UP; question += 1) {
    const query = draw()
    const user = `user ${question % users}`
    const plain = async (): Promise<void> => {
      const began = performance.now()
      await client.search({
        collection_name: COLLECTION,
        data: [Array.from(query)],
        anns_field: 'vector',
        metric_type: 'COSINE',
        limit: LIMIT,
        filter: `user_id == ${JSON.stringify(user)} and memory_type == "semantic"`,
        params: { ef: 128 },
        output_fields: ['memory_id', 'vector_no'],
        consistency_level: 'Bounded',
      })
      if (question >= WARM_UP) alone.push(performance.now() - began)
    }
    const ours = async (): Promise<void> => {
      const began = performance.now()
      const found = await store.vectors.search(user, query, LIMIT, { kind: 'semantic' })
      if (question >= WARM_UP) through.push(performance.now() - began)
      if (question < WARM_UP) return
      const exact = new Set((await record.vectors.search(user, query, LIMIT, { kind: 'semantic' })).map(({ id }) => id))
      same += exact.size === 0 ? 1 : found.filter(({ id }) => exact.has(id)).length / exact.size
    }
    // Who comes first changes, so that neither profits from what the other warmed up.
    if (question % 2 === 0) await plain().then(ours)
    else await ours().then(plain)
  }
  await store.close()
  const [p50, own] = [quantile(through, 0.5), quantile(alone, 0.5)]
  return [
    figure('backfill', count / filled, 'vectors/s', count),
    figure('search through Mneme p50', p50, 'ms', through.length, { reference: 'the SDK alone', ratio: p50 / own }),
    figure('search through Mneme p50, above the SDK alone', p50 - own, 'ms', through.length),
    figure('search through Mneme p99', quantile(through, 0.99), 'ms', through.length),
    figure('search by the SDK alone p99', quantile(alone, 0.99), 'ms', alone.length),
    figure('recall@10 against the exact index', (100 * same) / QUESTIONS, '%', QUESTIONS),
    figure('memory of the server a vector', (full.resident - empty.resident) / count, 'bytes', count),
    figure('disk of the server a vector', (full.disk - empty.disk) / count, 'bytes', count),
  ]
}

/** Sealed and indexed, as most of a large collection is. */
async function sealed(server: MilvusServer): Promise<void> {
  const client = (await server.client()) as unknown as Record<string, (request: object) => Promise<unknown>>
  await client.flushSync!({ collection_names: [COLLECTION] })
  const until = performance.now() + INDEXED_WITHIN_MS
  for (let quiet = 0; quiet < 3 && performance.now() < until; ) {
    const progress = (await client.getIndexBuildProgress!({ collection_name: COLLECTION })) as {
      indexed_rows?: unknown
      total_rows?: unknown
    }
    quiet = Number(progress.indexed_rows) >= Number(progress.total_rows) ? quiet + 1 : 0
    await setTimeout(1000)
  }
}

/** What a caller waits for when a memory is added: with Milvus and without, in turn. */
async function acknowledged(server: MilvusServer): Promise<readonly Figure[]> {
  const open = (more: object) => openMemory({ path: freshPath(), userId: 'one', embedding: bag(384), ...more })
  const vectorStore = { provider: 'milvus', uri: server.uri, collection: 'acknowledged' }
  const memories = [await open({}), await open({ vectorStore })]
  const taken: [number[], number[]] = [[], []]
  for (let at = 0; at < ADDS + WARM_UP; at += 1)
    for (const which of at % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const began = performance.now()
      await memories[which]!.add(`Note ${at}: the harbour was grey and the boats were late.`, { infer: false })
      if (at >= WARM_UP) taken[which].push(performance.now() - began)
    }
  for (const memory of memories) await memory.close()
  const [without, on] = [quantile(taken[0], 0.5), quantile(taken[1], 0.5)]
  return [
    {
      bench: 'milvus',
      figure: 'acknowledgement of an added memory p50, Milvus on',
      value: on,
      unit: 'ms',
      n: ADDS,
      reference: 'without Milvus',
      ratio: on / without,
    },
  ]
}

function bag(dimension: number): Embedder {
  const random = seeded(3)
  const draw = clustered(random, dimension)
  return {
    model: 'bench',
    dimension: async () => dimension,
    embed: async (texts) => texts.map(() => draw()),
    close: async () => {},
  }
}

/** Unit vectors around centres, as those of texts about a few hundred subjects are. */
function clustered(random: () => number, dimension: number): () => Float32Array {
  const normal = (): number => random() + random() + random() + random() - 2
  const centres = Array.from({ length: CLUSTERS }, () => Float32Array.from({ length: dimension }, normal))
  return () => {
    const centre = centres[Math.floor(random() * CLUSTERS)]!
    const vector = centre.map((value) => value + 0.7 * normal())
    const length = Math.hypot(...vector)
    return vector.map((value) => value / length)
  }
}

function recordOf(at: number, vector: Float32Array): VectorRecord {
  return { id: `m${at}`, vector, kind: 'semantic', conversationId: `c${at % 100}`, who: 'user', time: 1.8e12 + at }
}
