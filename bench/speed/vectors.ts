/**
 * How long does an exact search over vectors take, and what share of the memory's bandwidth does it reach? Checked
 * answers are compared with a full comparison in floats.
 *
 * 384 dimensions: 100k vectors of one user, 1M with `--million yes`, real embeddings with `--models-dir DIR`
 */
import { setImmediate } from 'node:timers/promises'
import type { VectorFilter, VectorRecord } from '../../src/domain/contracts/vector-index.ts'
import { openEmbedder } from '../../src/models/embedding/open-embedder.ts'
import { openDatabase } from '../../src/store/sqlite/file/open-database.ts'
import { sqliteVectorIndex } from '../../src/store/sqlite/vector-index/vector-index.ts'
import { type BenchOptions, type Figure, quantile } from '../figure.ts'
import { readChats } from '../quality/chats.ts'
import { freshPath } from './fill.ts'
import { streamingReader } from './streaming-read.ts'
import { seeded } from './synthetic.ts'

const DIMENSION = 384
const LIMIT = 10
const QUESTIONS = 101
const WARM_UP = 10
/** Questions whose answers are compared. */
const CHECKED = 20
const VECTORS_A_CALL = 2000
/** Bytes that no cache of a processor holds. */
const BEYOND_CACHES = 32_000_000
const START = Date.UTC(2026, 0, 1)

/** Flags: `--million yes`, `--models-dir DIR`, `--dimension N`. */
export async function run({ data, flags }: BenchOptions): Promise<readonly Figure[]> {
  const dimension = flags.dimension === undefined ? DIMENSION : Number(flags.dimension)
  const figures = await synthetic('100k', 100_000, dimension)
  if (flags.million !== undefined) figures.push(...(await synthetic('1M', 1_000_000, dimension)))
  const modelsDir = flags['models-dir']
  if (modelsDir !== undefined) figures.push(...(await real(data, modelsDir)))
  return figures
}

async function synthetic(name: string, count: number, dimension: number): Promise<Figure[]> {
  const random = seeded(7)
  const floats = new Float32Array(count * dimension)
  for (let from = 0; from < floats.length; from += dimension)
    randomUnit(floats.subarray(from, from + dimension), random)
  const questions = Array.from({ length: QUESTIONS + WARM_UP }, () => randomUnit(new Float32Array(dimension), random))
  return measure(`${dimension} × ${name}`, floats, dimension, questions)
}

/** Turns of the development chats and the questions about them. */
async function real(data: string, modelsDir: string): Promise<Figure[]> {
  const embedder = await openEmbedder({ provider: 'local', modelsDir })
  const chats = await readChats('locomo', { data, flags: {} })
  const turns = await embedder.embed(
    chats.flatMap((chat) => chat.turns.map(({ content }) => content)),
    { kind: 'document' },
  )
  const questions = await embedder.embed(
    chats.flatMap((chat) => chat.questions.map(({ q }) => q)).slice(0, QUESTIONS + WARM_UP),
    { kind: 'query' },
  )
  const dimension = await embedder.dimension()
  await embedder.close()
  const floats = new Float32Array(turns.length * dimension)
  for (const [at, turn] of turns.entries()) floats.set(turn, at * dimension)
  return measure(`real embeddings, ${dimension} × ${turns.length}`, floats, dimension, questions)
}

async function measure(
  name: string,
  floats: Float32Array,
  dimension: number,
  questions: readonly Float32Array[],
): Promise<Figure[]> {
  const count = floats.length / dimension
  const connection = openDatabase(freshPath(), { create: true })
  const index = sqliteVectorIndex(connection)
  await index.begin({ model: 'bench', dimension })
  const filled = performance.now()
  for (let from = 0; from < count; from += VECTORS_A_CALL)
    await index.add('user', records(floats, dimension, from, count))
  const added = (performance.now() - filled) / count
  const fresh = sqliteVectorIndex(connection)
  const cold = await timed(() => fresh.search('user', questions[0]!, LIMIT))
  const read = await streamingReader(count * dimension)
  const taken: number[] = []
  const filtered: number[] = []
  const reads: number[] = []
  for (const [at, question] of questions.entries()) {
    await setImmediate()
    const search = await timed(() => fresh.search('user', question, LIMIT))
    const withFilter = await timed(() => fresh.search('user', question, LIMIT, FILTER))
    const reading = read()
    if (at < WARM_UP) continue
    taken.push(search)
    filtered.push(withFilter)
    reads.push(reading)
  }
  let same = 0
  for (const question of questions.slice(0, CHECKED)) {
    const found = await fresh.search('user', question, LIMIT)
    const wanted = nearestByComparison(floats, dimension, question)
    same += found.filter(({ id }) => wanted.has(id)).length
  }
  connection.close()
  const p50 = quantile(taken, 0.5)
  const reading = quantile(reads, 0.5)
  const figure = (what: string, value: number, unit: string, more: Partial<Figure> = {}): Figure => ({
    bench: 'vectors',
    figure: `${name}, ${what}`,
    value,
    unit,
    n: taken.length,
    ...more,
  })
  const gigabytes = (count * dimension) / 1e6
  return [
    figure('search p50', p50, 'ms', { reference: 'reading as many bytes', ratio: p50 / reading }),
    figure('search p99', quantile(taken, 0.99), 'ms'),
    figure('search of one kind since a moment (a sixth) p50', quantile(filtered, 0.5), 'ms'),
    ...(count * dimension < BEYOND_CACHES
      ? []
      : [
          figure('share of memory bandwidth', (100 * reading) / p50, '%', {
            reference: `${(gigabytes / reading).toFixed(1)} GB/s read by one thread in this run`,
          }),
        ]),
    figure('recall@10 against floats', (100 * same) / (CHECKED * LIMIT), '%', { n: CHECKED }),
    figure('first search of a process', cold, 'ms', { n: 1 }),
    figure('adding a vector', added * 1000, 'µs', { n: count }),
  ]
}

const FILTER: VectorFilter = { kind: 'semantic', since: START + 50 * 60_000 }

function records(floats: Float32Array, dimension: number, from: number, count: number): readonly VectorRecord[] {
  const batch: VectorRecord[] = []
  for (let at = from; at < Math.min(count, from + VECTORS_A_CALL); at += 1)
    batch.push({
      id: `m${at}`,
      vector: floats.subarray(at * dimension, (at + 1) * dimension),
      kind: at % 3 === 0 ? 'semantic' : 'episodic',
      conversationId: `c${at % 40}`,
      who: 'user',
      time: START + (at % 100) * 60_000,
    })
  return batch
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}

function nearestByComparison(floats: Float32Array, dimension: number, question: Float32Array): ReadonlySet<string> {
  const scores = new Float64Array(floats.length / dimension)
  for (let at = 0; at < scores.length; at += 1) {
    let sum = 0
    for (let i = 0; i < dimension; i += 1) sum += question[i]! * floats[at * dimension + i]!
    scores[at] = sum
  }
  const best = [...scores.keys()].sort((a, b) => scores[b]! - scores[a]!).slice(0, LIMIT)
  return new Set(best.map((at) => `m${at}`))
}

/** Fills a stretch with a random direction: the sum of three uniform numbers is near enough to normal. */
function randomUnit(vector: Float32Array, random: () => number): Float32Array {
  let squares = 0
  for (let at = 0; at < vector.length; at += 1) {
    const value = random() + random() + random() - 1.5
    vector[at] = value
    squares += value * value
  }
  const length = Math.sqrt(squares)
  for (let at = 0; at < vector.length; at += 1) vector[at]! /= length
  return vector
}
