/**
 * What does Milvus cost, and what does Mneme add to it? A real server is filled and searched by the SDK alone and by Mneme,
 * in turn; the answers are compared with the exact embedded index.
 *
 * `--count N`, `--dimension N`
 * `--users N`, or `mixed`: one with half of the vectors, 100 with a quarter, 10,000 with a quarter
 */
import { setTimeout } from 'node:timers/promises'
import { systemClock } from '../../src/domain/clock.ts'
import type { Embedder } from '../../src/domain/contracts/models.ts'
import type { Store } from '../../src/domain/contracts/store.ts'
import type { VectorRecord } from '../../src/domain/contracts/vector-index.ts'
import { silentLogger } from '../../src/domain/logger.ts'
import { openMemory } from '../../src/doors/library/index.ts'
import { openMilvus } from '../../src/store/milvus/milvus-vector-index.ts'
import { openSqliteStore } from '../../src/store/sqlite/open-store.ts'
import { resolveOptions } from '../../src/usecases/open-options.ts'
import { mirroredStore } from '../../src/usecases/upkeep/mirror/mirrored-store.ts'
import { type MilvusServer, startMilvus } from '../../test/support/start-milvus.ts'
import { type BenchOptions, type Figure, quantile } from '../figure.ts'
import { freshPath } from './fill.ts'
import { insertedAlone, rowsAlone } from './milvus-alone.ts'
import { MIXED, ownerOf, type Plan } from './milvus-plan.ts'
import { askedInTurn, COLLECTION, searchFigures } from './milvus-search.ts'
import { seeded } from './synthetic.ts'

const WARM_UP = 20
const CLUSTERS = 500
const VECTORS_A_CALL = 2000
const ADDS = 300
const SETTLED_AFTER_MS = 11_000
const INDEXED_WITHIN_MS = 480_000
const AGAIN_AFTER_MS = 500

/** Starts the server, measures, ends it. */
export async function run({ flags }: BenchOptions): Promise<readonly Figure[]> {
  const count = Number(flags.count ?? 100_000)
  const dimension = Number(flags.dimension ?? 384)
  const users = flags.users === 'mixed' ? MIXED : [{ share: 1, users: Number(flags.users ?? 1) }]
  const server = await startMilvus('Milvus 2.3.5')
  try {
    const name = `${dimension} × ${count}, ${flags.users ?? 1} users`
    const measured = await measure(server, name, { count, dimension, users })
    return flags.count === undefined ? [...measured, ...(await acknowledged(server))] : measured
  } finally {
    await server.stop()
  }
}

async function measure(server: MilvusServer, name: string, plan: Plan): Promise<readonly Figure[]> {
  const { count, dimension } = plan
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
  await fillRecord(record, plan, draw)
  tell(`${name}: the file is filled`)
  const mirror = await openMilvus({
    provider: 'milvus',
    uri: server.uri,
    collection: COLLECTION,
    timeoutMs: 30_000,
  })
  const options = resolveOptions({ path, background: false })
  const store = await mirroredStore(record, mirror, bag(dimension), options, true)
  const empty = server.footprint()
  const [began, used] = [performance.now(), process.cpuUsage()]
  // A failed call is taken up again, as it would be in use.
  for (let left = count; left > 0; ) {
    await store.idle()
    const { waiting, toFill, failure } = await store.mirror!.status()
    left = waiting + toFill
    if (failure !== null) tell(`${left} vectors are left: ${failure}`)
    if (left > 0) await setTimeout(AGAIN_AFTER_MS)
  }
  const filled = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(used)
  tell(`Milvus is filled, in ${filled.toFixed(0)} s`)
  await sealed(server)
  tell('it is sealed and indexed')
  // As it is when nothing was written a moment ago.
  await setTimeout(SETTLED_AFTER_MS)
  await store.idle()
  const full = server.footprint()

  const searched: Figure[] = []
  for (const [at, { users }] of plan.users.entries()) {
    const times = await askedInTurn(server, { store, record }, plan, at, draw)
    const named = plan.users.length === 1 ? '' : `one of ${users} users, `
    searched.push(...searchFigures((what, ...rest) => figure(`${named}${what}`, ...rest), times))
    tell(`${named}it was searched`)
  }
  await store.close()
  // Last, since what it leaves behind would count as memory of the vectors.
  const aloneRate = await insertedAlone(server, plan, draw)
  return [
    figure('backfill', count / filled, 'vectors/s', count, {
      reference: 'inserted by the SDK alone',
      ratio: count / filled / aloneRate,
    }),
    figure('inserted by the SDK alone', aloneRate, 'vectors/s', rowsAlone(plan)),
    figure('processor time of Mneme in the backfill', (user + system) / count, 'µs/vector', count),
    ...searched,
    figure('memory of the server a vector', (full.resident - empty.resident) / count, 'bytes', count),
    figure('disk of the server a vector', (full.disk - empty.disk) / count, 'bytes', count),
  ]
}

/** Vectors that no Milvus knows of, as they are in a file before one is attached. */
async function fillRecord({ vectors }: Store, plan: Plan, draw: () => Float32Array): Promise<void> {
  const { count } = plan
  for (let from = 0; from < count; from += VECTORS_A_CALL) {
    const groups = new Map<string, VectorRecord[]>()
    for (let at = from; at < Math.min(from + VECTORS_A_CALL, count); at += 1) {
      const user = ownerOf(at, plan)
      const mine = groups.get(user) ?? []
      mine.push(recordOf(at, draw()))
      groups.set(user, mine)
    }
    for (const [user, records] of groups) await vectors.add(user, records)
  }
}

/** For who watches: a run takes minutes. */
function tell(what: string): void {
  process.stderr.write(`${new Date().toTimeString().slice(0, 8)} ${what}\n`)
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

/** The wait of a caller for an added memory: with Milvus and without, in turn. */
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
