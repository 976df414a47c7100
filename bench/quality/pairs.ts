/**
 * How well does the lexical similarity tell events apart? Own pairs in English and Chinese, the half that its thresholds
 * were not chosen on; with the chosen half beside it.
 */
import { judgeSimilarity, LEXICAL_THRESHOLDS, lexicalSimilarity } from '../../src/thinking/similarity/similarity.ts'
import type { BenchOptions, Figure } from '../figure.ts'
import { half, type Pair } from './pairs-data.ts'

const WANTED: Readonly<Record<Pair['kind'], string>> = {
  same: 'same',
  retold: 'same',
  related: 'ambiguous',
  unrelated: 'different',
}

/** Shares of pairs that are judged as a careful reader would; `merged wrongly` should be 0. */
export async function run(_: BenchOptions): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const which of ['report', 'choose'] as const) {
    for (const language of ['en', 'zh'] as const) {
      const pairs = half(which).filter((pair) => pair.language === language)
      const share = (
        figure: string,
        counted: readonly Pair[],
        holds: (verdict: string, pair: Pair) => boolean,
      ): void => {
        const hits = counted.filter((pair) => holds(verdictOf(pair), pair)).length
        const value = (100 * hits) / counted.length
        figures.push({ bench: 'pairs', figure: `${which} ${language}: ${figure}`, value, unit: '%', n: counted.length })
      }
      for (const kind of ['same', 'retold', 'related', 'unrelated'] as const)
        share(
          `${kind} judged ${WANTED[kind]}`,
          pairs.filter((pair) => pair.kind === kind),
          (verdict) => verdict === WANTED[kind],
        )
      share(
        'merged wrongly',
        pairs.filter(({ kind }) => kind === 'related' || kind === 'unrelated'),
        (verdict) => verdict === 'same',
      )
    }
  }
  return figures
}

function verdictOf({ a, b }: Pair): string {
  return judgeSimilarity(lexicalSimilarity(a, b), LEXICAL_THRESHOLDS)
}
