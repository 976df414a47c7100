/**
 * `node bench/training/write-decision.ts [--data DIR]`: trains the weights of the write decision on the labelled messages
 * of `DIR/extraction-dev`, sentences of real chats and our own examples, and writes `data/weights/write-decision.json`.
 */
import { writeFile } from 'node:fs/promises'
import { type Calibration, featuresOf } from '../../src/thinking/write-decision/features.ts'
import { HEADS, headOf, judgeWith, type WriteDecisionWeights } from '../../src/thinking/write-decision/linear-model.ts'
import { encodeWeights } from './encode.ts'
import { fitWeights } from './write-decision/fit.ts'
import {
  freshExamples,
  type LabelledMessage,
  labelledGroups,
  OWN_TO_LEARN_FROM,
  ownExamples,
  ownMessages,
} from './write-decision/messages.ts'
import { realSentences } from './write-decision/real-sentences.ts'

/** A lost fact is worse than a needless note, and words that nobody has met before rather lack what speaks for storing. */
const STORE_SHIFT = 0.25
/**
 * A memory that is wrongly taken for lasting does more harm than one that is not. With it the harder fresh examples reach
 * a precision of 0.89.
 */
const SEMANTIC_SHIFT = -0.7
const FOLDS = 3
const UNCALIBRATED: Calibration = { store: 1, semantic: 1, storeShift: [0, 0], semanticShift: [0, 0] }

const at = process.argv.indexOf('--data')
const data = at < 0 ? '../shared/data' : (process.argv[at + 1] ?? '')
const folder = `${data}/extraction-dev`
const { first, secondSeen, secondUnseen } = await labelledGroups(folder)
const real = realSentences(data)
const pool = [
  ...first,
  ...secondSeen,
  ...(await ownMessages(OWN_TO_LEARN_FROM)),
  ...(await freshExamples()),
  ...real.filter(({ measured }) => !measured),
]
const examples = await ownExamples()

// Messages that nobody looked at decide nothing but the last weights.
const odds = Array.from({ length: FOLDS }, (_, fold) => {
  const seen = pool.filter((_, number) => number % FOLDS !== fold)
  return heldOutOdds(
    seen,
    pool.filter((_, number) => number % FOLDS === fold),
  )
}).flat()
const labelled = odds.filter(({ message }) => !message.id.includes('fresh') && !message.isWhole)
const store = bestScale(labelled.map(({ store, message }) => [store, message.store]))
const semantic = bestScale(labelled.map(({ semantic, message }) => [semantic, message.semantic]))
const calibration: Calibration = {
  store,
  semantic,
  storeShift: [STORE_SHIFT, STORE_SHIFT],
  semanticShift: [SEMANTIC_SHIFT, SEMANTIC_SHIFT],
}
const { digits, scales } = encodeWeights(
  fitWeights([...pool, ...secondUnseen, ...real.filter(({ measured }) => measured), ...examples]),
  HEADS,
  headOf,
)
const file: WriteDecisionWeights = { scales, calibration, weights: digits }
await writeFile(
  new URL('../../data/weights/write-decision.json', import.meta.url),
  `${JSON.stringify(file, null, 1)}\n`,
)
process.stdout.write(`${digits.length} weights, calibration ${JSON.stringify(calibration)}\n`)
for (const lang of ['en', 'zh']) {
  const mine = labelled.filter(({ message }) => message.lang === lang && message.code === undefined)
  const right = mine.filter(({ store, message }) => store > 0 === message.store)
  process.stdout.write(`${lang}, left out: ${((100 * right.length) / mine.length).toFixed(1)} % of ${mine.length}\n`)
}

/** The verdicts on messages of a model trained on others. */
function heldOutOdds(seen: readonly LabelledMessage[], unseen: readonly LabelledMessage[]) {
  const table = fitWeights([...seen, ...examples], 1)
  return unseen.map((message) => ({ message, ...judgeWith(table, featuresOf(message.text), UNCALIBRATED) }))
}

/** The factor under which the log-odds explain the truth best (least log loss), from 0.05 to 2. */
function bestScale(pairs: readonly (readonly [number, boolean])[]): number {
  let best = 1
  let least = Number.POSITIVE_INFINITY
  for (let scale = 0.05; scale <= 2; scale += 0.05) {
    let loss = 0
    for (const [sum, truth] of pairs) loss += Math.log(1 + Math.exp(truth ? -scale * sum : scale * sum))
    if (loss < least) [least, best] = [loss, scale]
  }
  return Number(best.toFixed(2))
}
