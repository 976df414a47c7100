/** The same questions asked through Mneme, by the SDK alone and of the exact embedded index, one after the other. */
import type { Store } from '../../src/contracts/store.ts'
import type { MilvusServer } from '../../test/support/start-milvus.ts'
import { type Figure, quantile } from '../figure.ts'
import type { Plan } from './milvus-plan.ts'

const QUESTIONS = 200
const WARM_UP = 20
const LIMIT = 10
/** Where the memories lie. */
export const COLLECTION = 'memories'

/** Milliseconds. */
export interface SearchTimes {
  readonly alone: readonly number[]
  readonly through: readonly number[]
  readonly embedded: readonly number[]
  /** Share of the exact ten that was found, of each question. */
  readonly recall: readonly number[]
}

/** Asks as users of one group of the plan. */
export async function askedInTurn(
  server: MilvusServer,
  store: Store,
  record: Store,
  { users: groups }: Plan,
  group: number,
  draw: () => Float32Array,
): Promise<SearchTimes> {
  const client = await server.client()
  const [alone, through, embedded, recall]: [number[], number[], number[], number[]] = [[], [], [], []]
  for (let question = 0; question < QUESTIONS + WARM_UP; question += 1) {
    const query = draw()
    const user = `user ${group} ${question % groups[group]!.users}`
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
      if (question < WARM_UP) return
      through.push(performance.now() - began)
      const from = performance.now()
      const exact = new Set((await record.vectors.search(user, query, LIMIT, { kind: 'semantic' })).map(({ id }) => id))
      embedded.push(performance.now() - from)
      recall.push(exact.size === 0 ? 1 : found.filter(({ id }) => exact.has(id)).length / exact.size)
    }
    // Who comes first changes, so that neither profits from what the other warmed up.
    if (question % 2 === 0) await plain().then(ours)
    else await ours().then(plain)
  }
  return { alone, through, embedded, recall }
}

/** What comes of them. */
export function searchFigures(
  figure: (what: string, value: number, unit: string, n: number, more?: Partial<Figure>) => Figure,
  { alone, through, embedded, recall }: SearchTimes,
): readonly Figure[] {
  const n = through.length
  const [p50, own] = [quantile(through, 0.5), quantile(alone, 0.5)]
  const above = through.map((ms, at) => ms - alone[at]!)
  return [
    figure('search through Mneme p50', p50, 'ms', n, { reference: 'the SDK alone', ratio: p50 / own }),
    figure('search by the SDK alone p50', own, 'ms', n),
    figure('search through Mneme above the SDK alone, p50 of pairs', quantile(above, 0.5), 'ms', n),
    figure('search through Mneme p99', quantile(through, 0.99), 'ms', n),
    figure('search by the SDK alone p99', quantile(alone, 0.99), 'ms', n),
    figure('recall@10 against the exact index', (100 * recall.reduce((sum, one) => sum + one, 0)) / n, '%', n),
    figure('search in the embedded index p50', quantile(embedded, 0.5), 'ms', n),
  ]
}
