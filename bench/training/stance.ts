/**
 * `node bench/training/stance.ts [--data DIR]`: trains `data/weights/stance.json` of `src/thinking/facts/stance.ts` on
 * labelled sentences, our own stories and messages of `DIR/extraction-dev`. Thresholds are chosen on other sentences, so
 * that the model errs no more often than the words of `stance-cues.ts`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { splitSentences } from '../../src/language/sentences.ts'
import {
  STANCE_FEATURES,
  STANCE_HEADS,
  type StanceFeatures,
  type StanceHead,
  type StanceWeights,
  stanceFeaturesOf,
  stanceSums,
} from '../../src/thinking/facts/stance.ts'
import { type Cues, cuesOf } from '../../src/thinking/facts/stance-cues.ts'
import { encodeWeights } from './encode.ts'

const HEADS = STANCE_HEADS.length
const FOLDS = 5
const EPOCHS = 25
const STEP = 0.05
const PENALTY = 3e-4
const SEED = 7

type Language = 'en' | 'zh'

interface Story {
  readonly lang: Language
  readonly kind: string
  readonly messages: readonly { readonly text: string }[]
  readonly current_contains: readonly string[]
}

interface Sentence {
  readonly text: string
  readonly lang: Language
  readonly right: Readonly<Record<StanceHead, boolean>>
  readonly cues: Cues
  readonly features: StanceFeatures
}

/** The stance of the last message of a story of a kind; its first one tells of no change. */
const TOLD: Readonly<Record<string, readonly StanceHead[]>> = {
  replace: ['begins'],
  correct: ['corrects'],
  end: ['ends'],
  both_true: [],
  repeat: [],
  past_told_later: ['past'],
}

const at = process.argv.indexOf('--data')
const folder = `${at < 0 ? '../shared/data' : (process.argv[at + 1] ?? '')}/extraction-dev`
const sentences = [...load('en'), ...load('zh'), ...ofStories(), ...ofMessages('en'), ...ofMessages('zh')]
const random = randomNumbers(SEED)
const folds = sentences.map(() => Math.floor(random() * FOLDS))
const unseen: Float64Array[] = []
for (let fold = 0; fold < FOLDS; fold++) {
  const table = fitWeights(sentences.filter((_, at) => folds[at] !== fold))
  for (const [at, { features }] of sentences.entries()) if (folds[at] === fold) unseen[at] = stanceSums(table, features)
}
const thresholds = Object.fromEntries(
  STANCE_HEADS.map((head) => [head, [threshold(head, 'en'), threshold(head, 'zh')] as const]),
)
const { digits, scales } = encodeWeights(fitWeights(sentences), HEADS, (weight) => weight % HEADS)
const file: StanceWeights = { scales, thresholds, weights: digits }
writeFileSync(new URL('../../data/weights/stance.json', import.meta.url), `${JSON.stringify(file, null, 1)}\n`)
process.stdout.write(`${digits.length} weights, thresholds ${JSON.stringify(thresholds)}\n`)

function load(lang: Language): readonly Sentence[] {
  return lines<{ text: string; is: readonly string[] }>(new URL(`./stance-${lang}.jsonl`, import.meta.url)).map(
    ({ text, is }) => sentence(text, lang, is),
  )
}

function ofStories(): readonly Sentence[] {
  return [
    ...lines<Story>(new URL('../quality/updates-own.jsonl', import.meta.url)),
    ...lines<Story>(new URL('../quality/updates-own-2.jsonl', import.meta.url)).filter(even),
    ...lines<Story>(new URL('../quality/updates-own-3.jsonl', import.meta.url)).filter(even),
    ...lines<Story>(new URL('../quality/updates-own-4.jsonl', import.meta.url)),
    ...lines<Story>(new URL('../quality/updates-own-5.jsonl', import.meta.url)).filter(even),
    ...lines<Story>(new URL('../quality/updates-own-7.jsonl', import.meta.url)).filter(even),
    ...lines<Story>(new URL('../quality/updates-own-8.jsonl', import.meta.url)).filter(even),
    ...lines<Story>(new URL('../quality/updates-own-9.jsonl', import.meta.url)).filter(even),
    ...lines<Story>(`${folder}/updates.jsonl`).filter(even),
  ].flatMap(({ lang, kind, messages, current_contains: current }) => {
    const told = TOLD[kind]
    const last = messages.at(-1)!.text
    if (told === undefined) return []
    const says = kind === 'replace' && !current.some((value) => value.split('|').some((one) => last.includes(one)))
    return [sentence(messages[0]!.text, lang, []), ...(says ? [] : [sentence(last, lang, told)])]
  })
}

function even(_: unknown, index: number): boolean {
  return index % 2 === 1
}

/** Most of what people say tells of no change; where the words say that it does, nobody has labelled it. */
function ofMessages(lang: Language): readonly Sentence[] {
  return lines<{ text: string }>(`${folder}/${lang}-1.jsonl`)
    .flatMap(({ text }) => splitSentences(text))
    .map((text) => sentence(text, lang, []))
    .filter((one) => !byCues(one, 'change'))
}

function lines<T>(path: string | URL): readonly T[] {
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
}

function sentence(text: string, lang: Language, is: readonly string[]): Sentence {
  const cues = cuesOf(text)
  const change = is.some((one) => one === 'begins' || one === 'ends' || one === 'corrects')
  const right = Object.fromEntries(
    STANCE_HEADS.map((head) => [head, head === 'change' ? change : is.includes(head)]),
  ) as Record<StanceHead, boolean>
  return { text, lang, right, cues, features: stanceFeaturesOf(text, cues) }
}

/** The answer of the words of `stance-cues.ts` alone. */
function byCues({ cues }: Sentence, head: StanceHead): boolean {
  if (head === 'begins') return cues.begins || cues.replaces
  if (head === 'corrects') return cues.corrects || cues.mistaken
  return head === 'change' ? cues.begins || cues.replaces || cues.ends || cues.corrects || cues.mistaken : cues[head]
}

function threshold(head: StanceHead, lang: Sentence['lang']): number {
  const index = STANCE_HEADS.indexOf(head)
  const of = sentences.flatMap((sentence, at) =>
    sentence.lang === lang ? [{ sentence, sum: unseen[at]![index]! }] : [],
  )
  const wrong = of.filter(({ sentence }) => !sentence.right[head])
  const allowed = wrong.filter(({ sentence }) => byCues(sentence, head)).length
  const limit = wrong.map(({ sum }) => sum).sort((a, b) => b - a)[allowed]!
  const right = of.filter(({ sentence }) => sentence.right[head])
  const found = right.filter(({ sum }) => sum > limit).length
  const before = right.filter(({ sentence }) => byCues(sentence, head)).length
  process.stdout.write(
    `${lang} ${head}: of ${right.length} the words find ${before}, the model ${found}; both wrong in ${allowed} of ${wrong.length}\n`,
  )
  return Number(limit.toFixed(2))
}

/** Logistic regression for each answer by stochastic gradient descent with AdaGrad steps and an L2 penalty. */
function fitWeights(rows: readonly Sentence[]): Float32Array {
  const table = new Float32Array(STANCE_FEATURES * HEADS)
  const squares = new Float32Array(table.length).fill(1e-6)
  const draw = randomNumbers(SEED)
  const order = rows.map((_, at) => at)
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(draw() * (at + 1))
      ;[order[at], order[other]] = [order[other]!, order[at]!]
    }
    for (const at of order) {
      const { features, right } = rows[at]!
      const sums = stanceSums(table, features)
      for (const [head, name] of STANCE_HEADS.entries()) {
        const slope = 1 / (1 + Math.exp(-sums[head]!)) - (right[name] ? 1 : 0)
        for (let position = 0; position < features.at.length; position++) {
          const place = features.at[position]! * HEADS + head
          const gradient = slope * features.value[position]! + PENALTY * table[place]!
          squares[place]! += gradient * gradient
          table[place]! -= (STEP * gradient) / Math.sqrt(squares[place]!)
        }
      }
    }
  }
  return table
}

/** Numerical Recipes' linear congruential generator, 0 to 1. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
