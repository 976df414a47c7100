/**
 * Which pairs are one by a likeness of 80 % letter by letter (specification 004), and by it with the guard for other
 * values? Asked of 200 labelled pairs near the threshold; `--list yes` shows each.
 */
import { readFileSync } from 'node:fs'
import { MEMORY_FILE_DEFAULTS } from '../../src/domain/memory-file.ts'
import { editSimilarity, foldedText } from '../../src/language/spelling.ts'
import { givesOtherValue } from '../../src/notes/new-notes.ts'
import type { BenchOptions, Figure } from '../figure.ts'

const PAIRS = new URL('./duplicate-pairs.tsv', import.meta.url)

/** `--threshold N` for another one than 0.8. */
export async function run({ flags }: BenchOptions): Promise<readonly Figure[]> {
  const threshold = Number(flags.threshold ?? MEMORY_FILE_DEFAULTS.dedupThreshold)
  const pairs = readFileSync(PAIRS, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [label = '', a = '', b = ''] = line.split('\t')
      const similarity = editSimilarity(foldedText(a), foldedText(b))
      const alike = similarity + 1e-9 >= threshold
      return { same: label === '1', a, b, similarity, alike, taken: alike && !givesOtherValue(b, a) }
    })
  if (flags.list !== undefined)
    for (const { same, a, b, similarity, taken } of pairs)
      process.stdout.write(
        `${similarity.toFixed(2)} ${taken ? 'duplicate' : 'kept     '} ${same ? 'same ' : 'other'} ${a} | ${b}\n`,
      )
  const share = (name: string, of: typeof pairs, those: (pair: (typeof pairs)[number]) => boolean): Figure => ({
    bench: 'duplicates',
    figure: name,
    value: (100 * of.filter(those).length) / of.length,
    unit: '%',
    n: of.length,
  })
  const chinese = (text: string): boolean => /[\u3400-\u9fff]/.test(text)
  return [
    share(
      'other meaning, taken for a duplicate by letters alone',
      pairs.filter(({ same }) => !same),
      ({ alike }) => alike,
    ),
    share(
      'same in other words, taken for a duplicate by letters alone',
      pairs.filter(({ same }) => same),
      ({ alike }) => alike,
    ),
    share(
      'same in other words, taken for a duplicate',
      pairs.filter(({ same }) => same),
      ({ taken }) => taken,
    ),
    share(
      'other meaning, taken for a duplicate',
      pairs.filter(({ same }) => !same),
      ({ taken }) => taken,
    ),
    ...(['English', 'Chinese'] as const).map((language) =>
      share(
        `right, ${language}`,
        pairs.filter(({ a }) => chinese(a) === (language === 'Chinese')),
        ({ same, taken }) => same === taken,
      ),
    ),
  ]
}
