/**
 * Does recall find the turns that answer a question about a long chat? LoCoMo, turn level, each chat one user and each
 * session one conversation. Weights were chosen on the first three chats; the others are reported by themselves.
 */

import type { BenchOptions, Figure } from '../figure.ts'
import { asker } from './ask.ts'
import { requireData } from './data-folder.ts'
import { type CaptionUse, readLocomo } from './locomo-data.ts'
import { type Measures, means, measure } from './retrieval-metrics.ts'

/** Chats on which the weights were chosen. */
const TUNED_CHATS = 3

const CATEGORIES: Readonly<Record<number, string>> = {
  1: 'multi-hop',
  2: 'temporal',
  3: 'open-domain',
  4: 'single-hop',
  5: 'unanswerable',
}

interface Answered {
  readonly category: number
  readonly tuned: boolean
  readonly measures: Measures
}

/** Flags: `--file NAME` in the data folder, `--tuned N` (chats used for tuning), `--captions text|none|both`. */
export async function run({ data, flags }: BenchOptions): Promise<readonly Figure[]> {
  const file = flags.file ?? 'locomo-dev.json'
  requireData(`${data}/${file}`)
  const tuned = Number(flags.tuned ?? TUNED_CHATS)
  const captions = flags.captions ?? 'both'
  const uses: readonly CaptionUse[] = captions === 'both' ? ['text', 'none'] : [captions === 'none' ? 'none' : 'text']
  const figures: Figure[] = []
  for (const use of uses) figures.push(...(await evaluate(data, file, use, tuned, use === uses[0])))
  return figures
}

async function evaluate(
  data: string,
  file: string,
  captions: CaptionUse,
  tuned: number,
  detailed: boolean,
): Promise<readonly Figure[]> {
  const answered: Answered[] = []
  let leftOut = 0
  const chats = await readLocomo(data, captions, file)
  for (const [index, chat] of chats.entries()) {
    leftOut += chat.leftOut
    const ask = asker(chat.turns)
    for (const { question, category, gold } of chat.questions) {
      const measures = measure(await ask(question, chat.now), gold)
      answered.push({ category, tuned: index < tuned, measures })
    }
  }
  const suffix = captions === 'none' ? ', captions left out' : ''
  const figures: Figure[] = []
  const report = (group: string, of: readonly Answered[], only?: RegExp): void => {
    for (const [name, value] of means(of.map(({ measures }) => measures))) {
      if (only?.test(name) === false) continue
      figures.push({ bench: 'locomo', figure: `${group}, ${name}${suffix}`, value, unit: '%', n: of.length })
    }
  }
  const answerable = answered.filter(({ category }) => category < 5)
  report('questions 1-4', answerable)
  if (!detailed) return figures
  for (const category of Object.keys(CATEGORIES).map(Number)) {
    report(
      CATEGORIES[category]!,
      answered.filter((one) => one.category === category),
    )
  }
  for (const [name, wanted] of [
    ['chats tuned on', true],
    ['other chats', false],
  ] as const) {
    const half = answerable.filter((one) => one.tuned === wanted)
    if (half.length === 0) continue
    report(`questions 1-4, ${name}`, half)
    report(
      `multi-hop, ${name}`,
      half.filter(({ category }) => category === 1),
      /recall/,
    )
  }
  figures.push({
    bench: 'locomo',
    figure: 'questions left out (no usable evidence)',
    value: leftOut,
    unit: '',
    n: leftOut + answered.length,
  })
  return figures
}
