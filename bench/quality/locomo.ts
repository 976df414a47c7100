/**
 * Does recall find the turns that answer a question about a long chat? LoCoMo, turn level, each chat one user and each
 * session one conversation. Weights were chosen on the first three chats; the others are reported by themselves.
 */

import type { BenchOptions, Figure } from '../figure.ts'
import { asker } from './ask.ts'
import { requireData } from './data-folder.ts'
import { type LocalModel, openLocalModel } from './local-similarity.ts'
import { type CaptionUse, readLocomo } from './locomo-data.ts'
import { DEPTHS, type Measures, means, measure } from './retrieval-metrics.ts'

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

/**
 * Flags: `--file NAME` in the data folder, `--tuned N` (chats used for tuning), `--captions text|none|both`,
 * `--embedding local --models-dir DIR [--model NAME]` (with vectors, compared with the same run without).
 */
export async function run({ data, flags }: BenchOptions): Promise<readonly Figure[]> {
  const file = flags.file ?? 'locomo-dev.json'
  requireData(`${data}/${file}`)
  const tuned = Number(flags.tuned ?? TUNED_CHATS)
  const captions = flags.captions ?? 'both'
  const uses: readonly CaptionUse[] = captions === 'both' ? ['text', 'none'] : [captions === 'none' ? 'none' : 'text']
  const figures: Figure[] = []
  const model = await embeddingModel(flags)
  for (const use of uses) figures.push(...(await evaluate(data, file, use, tuned, use === uses[0], model)))
  await model?.close()
  return figures
}

async function embeddingModel(flags: BenchOptions['flags']): Promise<LocalModel | null> {
  if (flags.embedding === undefined || flags.embedding === 'none') return null
  const folder = flags['models-dir']
  if (flags.embedding !== 'local' || folder === undefined)
    throw new Error('--embedding takes `local`, with the folder of the models: --models-dir DIR')
  return openLocalModel(folder, flags.model)
}

async function evaluate(
  data: string,
  file: string,
  captions: CaptionUse,
  tuned: number,
  detailed: boolean,
  model: LocalModel | null,
): Promise<readonly Figure[]> {
  const answered: Answered[] = []
  const withoutModel: Answered[] = []
  let leftOut = 0
  const chats = await readLocomo(data, captions, file)
  for (const [index, chat] of chats.entries()) {
    leftOut += chat.leftOut
    const similar = model === null ? null : await model.similarTo(chat.turns)
    const ask = asker(chat.turns, 'hybrid', similar)
    const askWithout = asker(chat.turns)
    for (const { question, category, gold } of chat.questions) {
      const about = { category, tuned: index < tuned }
      answered.push({ ...about, measures: measure(await ask(question, chat.now), gold) })
      if (similar !== null)
        withoutModel.push({ ...about, measures: measure(await askWithout(question, chat.now), gold) })
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
  if (model !== null) figures.push(...gains(answered, withoutModel, suffix))
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

/** By how much recall rose by the vectors, in points: mean difference question by question. */
function gains(withModel: readonly Answered[], without: readonly Answered[], suffix: string): readonly Figure[] {
  const groups: readonly (readonly [string, (one: Answered) => boolean])[] = [
    ['questions 1-4', ({ category }) => category < 5],
    ['questions 1-4, chats tuned on', ({ category, tuned }) => category < 5 && tuned],
    ['questions 1-4, other chats', ({ category, tuned }) => category < 5 && !tuned],
    ...Object.entries(CATEGORIES).map(
      ([number, name]) => [name, ({ category }: Answered) => category === Number(number)] as const,
    ),
  ]
  return groups.flatMap(([group, belongs]) =>
    DEPTHS.map((depth, place): Figure => {
      const places = [...withModel.keys()].filter((at) => belongs(withModel[at]!))
      const gained = places.map((at) => withModel[at]!.measures.recall[place]! - without[at]!.measures.recall[place]!)
      const value = (100 * gained.reduce((sum, one) => sum + one, 0)) / Math.max(1, gained.length)
      return {
        bench: 'locomo',
        figure: `${group}, recall@${depth} by vectors${suffix}`,
        value,
        unit: 'points',
        n: places.length,
      }
    }),
  )
}
