/**
 * How long does meaning without a model take, and what does the search by signs miss? 100k turns made of sentences of the
 * development chats answer their questions; a comparison with all cosines tells the misses.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadWordVectors } from '../../src/language/word-vectors.ts'
import { cosinesOf, nearest, spreadOf } from '../../src/search/meaning/meaning-scores.ts'
import { MeaningArena, TEXT_BYTES } from '../../src/search/meaning/meaning-store.ts'
import { type BenchOptions, type Figure, quantile } from '../figure.ts'
import { seeded } from './synthetic.ts'

const SETS = ['locomo-turns-dev.json', 'realtalk-dev.json', 'beam-dev.json']
const TEXTS = 100_000
const QUESTIONS = 200
const WARM_UP = 20
const NEAREST = 50

interface Chats {
  readonly users: readonly {
    readonly turns: readonly { readonly content: string }[]
    readonly questions: readonly { readonly q: string }[]
  }[]
}

/** Flags: `--texts N`. */
export async function run({ data, flags }: BenchOptions): Promise<readonly Figure[]> {
  const count = flags.texts === undefined ? TEXTS : Number(flags.texts)
  const users = SETS.flatMap((file) => (JSON.parse(readFileSync(join(data, file), 'utf8')) as Chats).users)
  const turns = users.flatMap((user) => user.turns.map(({ content }) => content))
  const questions = users.flatMap((user) => user.questions.map(({ q }) => q))
  const random = seeded(7)
  const any = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!

  const loading = performance.now()
  const vectors = await loadWordVectors()
  const load = performance.now() - loading
  const store = new MeaningArena().open()
  for (const turn of turns.slice(0, count)) store.append(vectors.encode(turn))
  while (store.count < count) store.append(vectors.encode(`${any(turns)} ${any(turns)}`))

  const encode = turns.map((turn) => timed(() => vectors.encode(turn)).ms * 1000)
  const appending = new MeaningArena().open()
  const codes = vectors.encode('We moved to Porto in the spring.')
  const append = turns.map(() => timed(() => appending.append(codes)).ms * 1000)

  const everything = Array.from({ length: count }, (_, ordinal) => ordinal)
  const searches: number[] = []
  const spreads: number[] = []
  const recalls: number[] = []
  for (let asked = 0; asked < QUESTIONS + WARM_UP; asked += 1) {
    const query = vectors.encode(any(questions))
    if (query === null) continue
    const { ms, result } = timed(() => nearest(store, query, NEAREST))
    const spread = timed(() => spreadOf(store, query)).ms
    if (asked < WARM_UP) continue
    searches.push(ms)
    spreads.push(spread)
    const least = [...cosinesOf(store, query, everything)].sort((a, b) => b - a)[NEAREST - 1]!
    recalls.push(result.filter(({ cosine }) => cosine >= least).length / NEAREST)
  }
  const figure = (name: string, value: number, unit: string, n: number): Figure => ({
    bench: 'meaning',
    figure: name,
    value,
    unit,
    n,
  })
  return [
    figure('word vectors loaded', load, 'ms', 1),
    figure('encode a turn, p50', quantile(encode, 0.5), 'µs', encode.length),
    figure('append a turn, p50', quantile(append, 0.5), 'µs', append.length),
    figure(`nearest ${NEAREST} of ${count}, p50`, quantile(searches, 0.5), 'ms', searches.length),
    figure(`nearest ${NEAREST} of ${count}, p99`, quantile(searches, 0.99), 'ms', searches.length),
    figure('spread, p50', quantile(spreads, 0.5), 'ms', spreads.length),
    figure(
      `share of the exact ${NEAREST} found`,
      recalls.reduce((a, b) => a + b, 0) / recalls.length,
      '',
      recalls.length,
    ),
    figure('memory a turn', TEXT_BYTES, 'bytes', count),
  ]
}

function timed<Result>(work: () => Result): { ms: number; result: Result } {
  const start = performance.now()
  const result = work()
  return { ms: performance.now() - start, result }
}
