/** Questions asked through Mneme and by the SDK alone in strict turn, and then of the exact embedded index. */
import type { Store } from '../../src/domain/contracts/store.ts'
import type { VectorMatch } from '../../src/domain/contracts/vector-index.ts'
import type { MilvusServer } from '../../test/support/start-milvus.ts'
import { type Figure, processorMs, quantile } from '../figure.ts'
import type { Plan } from './milvus-plan.ts'

const QUESTIONS = 400
const WARM_UP = 40
/** Questions that are asked of the embedded index, too. */
const COMPARED = 100
/** Questions that are on the way at a time where the rate is measured. */
const AT_ONCE = 16
const LIMIT = 10
/** Where the memories lie. */
export const COLLECTION = 'memories'

/** Both sides of the mirror: searched in Milvus, and in the file. */
export interface BothStores {
  readonly store: Store
  readonly record: Store
}

/** Milliseconds, one for each question. */
export interface SearchTimes {
  readonly alone: number[]
  readonly through: number[]
  /** Processor time of this process. */
  readonly aloneUsed: number[]
  readonly throughUsed: number[]
  readonly embedded: number[]
  /** Share of the exact ten that was found, of each question that was compared. */
  readonly recall: number[]
  /** Of many at once: questions answered in a second, and processor time of this process for one. */
  rate: number
  rateUsed: number
}

/** Asks as users of one group of the plan. */
export async function askedInTurn(
  server: MilvusServer,
  { store, record }: BothStores,
  { users: groups }: Plan,
  group: number,
  draw: () => Float32Array,
): Promise<SearchTimes> {
  const client = await server.client()
  await client.connectPromise
  const userOf = (at: number): string => `user ${group} ${at % groups[group]!.users}`
  const byItself = (user: string, query: Float32Array): Promise<unknown> =>
    client.search({
      collection_name: COLLECTION,
      data: [Array.from(query)],
      anns_field: 'vector',
      metric_type: 'COSINE',
      limit: LIMIT,
      filter: `user_id == ${JSON.stringify(user)} and memory_type == "semantic"`,
      params: { ef: 128 },
      output_fields: ['memory_id', 'vector_no', 'store_id'],
      consistency_level: 'Bounded',
    })
  const ask = (stores: Store, user: string, query: Float32Array): Promise<readonly VectorMatch[]> =>
    stores.vectors.search(user, query, LIMIT, { kind: 'semantic' })

  const times: SearchTimes = {
    ...{ alone: [], through: [], aloneUsed: [], throughUsed: [], embedded: [], recall: [] },
    ...{ rate: 0, rateUsed: 0 },
  }
  const asked: { readonly user: string; readonly query: Float32Array; readonly ids: readonly string[] }[] = []
  for (let question = -WARM_UP; question < QUESTIONS; question += 1) {
    const [user, query] = [userOf(question + WARM_UP), draw()]
    const plain = () => timed(() => byItself(user, query))
    const ours = () => timed(() => ask(store, user, query))
    // Both begin in turn, so that neither profits from what the other warmed up.
    const [alone, through] =
      question % 2 === 0
        ? [await plain(), await ours()]
        : await ours().then(async (one) => [await plain(), one] as const)
    if (question < 0) continue
    times.alone.push(alone.ms)
    times.aloneUsed.push(alone.used)
    times.through.push(through.ms)
    times.throughUsed.push(through.used)
    asked.push({ user, query, ids: through.answer.map(({ id }) => id) })
  }
  for (const { user, query, ids } of asked.slice(0, COMPARED)) {
    const { ms, answer } = await timed(() => ask(record, user, query))
    times.embedded.push(ms)
    times.recall.push(answer.length === 0 ? 1 : answer.filter(({ id }) => ids.includes(id)).length / answer.length)
  }
  const many = await timed(async () => {
    const left = [...asked]
    const one = async (): Promise<void> => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) await ask(store, next.user, next.query)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, one))
  })
  times.rate = (1000 * QUESTIONS) / many.ms
  times.rateUsed = many.used / QUESTIONS
  return times
}

/** The results. */
export function searchFigures(
  figure: (what: string, value: number, unit: string, n: number, more?: Partial<Figure>) => Figure,
  { alone, through, aloneUsed, throughUsed, embedded, recall, rate, rateUsed }: SearchTimes,
): readonly Figure[] {
  const n = through.length
  const [p50, own] = [quantile(through, 0.5), quantile(alone, 0.5)]
  const above = through.map((ms, at) => ms - alone[at]!)
  return [
    figure('search through Mneme p50', p50, 'ms', n, { reference: 'the SDK alone', ratio: p50 / own }),
    figure('search by the SDK alone p50', own, 'ms', n),
    figure('search through Mneme above the SDK alone, p50 of pairs', quantile(above, 0.5), 'ms', n),
    figure('processor time of a search through Mneme', mean(throughUsed), 'ms', n, {
      reference: 'the SDK alone',
      ratio: mean(throughUsed) / mean(aloneUsed),
    }),
    figure('search through Mneme p99', quantile(through, 0.99), 'ms', n),
    figure('search by the SDK alone p99', quantile(alone, 0.99), 'ms', n),
    figure(`searches with ${AT_ONCE} at once`, rate, '/s', n),
    figure(`processor time of a search with ${AT_ONCE} at once`, rateUsed, 'ms', n),
    figure('recall@10 against the exact index', 100 * mean(recall), '%', recall.length),
    figure('search in the embedded index p50', quantile(embedded, 0.5), 'ms', embedded.length),
  ]
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; used: number; answer: T }> {
  const [began, before] = [performance.now(), process.cpuUsage()]
  const answer = await work()
  return { ms: performance.now() - began, used: processorMs(before), answer }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
