/**
 * `node bench/training/write-decision.ts [--data DIR]`: trains the weights of the write decision on the labelled messages
 * of `DIR/extraction-dev` and our own examples, and writes `src/cognition/write-decision/weights.ts`.
 */
import { writeFile } from 'node:fs/promises'
import { featuresOf } from '../../src/cognition/write-decision/features.ts'
import { type Calibration, encodeWeights, judgeWith } from '../../src/cognition/write-decision/linear-model.ts'
import { fitWeights } from './write-decision/fit.ts'
import {
  type LabelledMessage,
  labelledGroups,
  OWN_TO_LEARN_FROM,
  ownExamples,
  ownMessages,
} from './write-decision/messages.ts'

/**
 * A memory that is wrongly taken for lasting does more harm than one that is not. This is the share of the truth among
 * what is held for lasting that is asked for on messages that the model has not seen, in each language.
 */
const WANTED_PRECISION = 0.91
const UNCALIBRATED: Calibration = { store: 1, semantic: 1, storeShift: [0, 0], semanticShift: [0, 0] }

const at = process.argv.indexOf('--data')
const folder = `${at < 0 ? '../shared/data' : (process.argv[at + 1] ?? '')}/extraction-dev`
const { first, secondSeen, secondUnseen } = await labelledGroups(folder)
const own = await ownMessages(OWN_TO_LEARN_FROM)
const examples = await ownExamples()

// What was never looked at decides nothing but the last weights.
const odds = [...heldOutOdds([...first, ...own], secondSeen), ...heldOutOdds([...secondSeen, ...own], first)]
const store = bestScale(odds.map(({ store, message }) => [store, message.store]))
const semantic = bestScale(odds.map(({ semantic, message }) => [semantic, message.semantic]))
const calibration: Calibration = {
  store,
  semantic,
  storeShift: [0, 0],
  semanticShift: [semanticShift('en'), semanticShift('zh')],
}
const { digits, scales } = encodeWeights(fitWeights([...first, ...secondSeen, ...secondUnseen, ...own, ...examples]))
await writeFile(
  new URL('../../src/cognition/write-decision/weights.ts', import.meta.url),
  `/** Weights of the write decision, made by bench/training/write-decision.ts: do not edit. */
import type { Calibration } from './linear-model.ts'

/** The largest weight of each answer. */
export const SCALES: readonly number[] = ${JSON.stringify(scales)}
/** What turns the model's sums into log-odds that hold on messages it has not seen. */
export const CALIBRATION: Calibration = ${JSON.stringify(calibration)}
/** One character a weight, feature by feature, the answers side by side. */
export const WEIGHTS =
  '${digits}'
`,
)
process.stdout.write(`${digits.length} weights, calibration ${JSON.stringify(calibration)}\n`)

/** What a model trained on some messages holds of others. */
function heldOutOdds(seen: readonly LabelledMessage[], unseen: readonly LabelledMessage[]) {
  const table = fitWeights([...seen, ...examples], 1)
  return unseen.map((message) => ({ message, ...judgeWith(table, featuresOf(message.text), UNCALIBRATED) }))
}

function semanticShift(lang: 'en' | 'zh'): number {
  const pairs = odds.filter(({ message }) => message.lang === lang)
  return shiftFor(
    WANTED_PRECISION,
    pairs.map(({ semantic: sum, message }) => [semantic * sum, message.semantic]),
  )
}

/** What must be added to the log-odds so that the share of the truth among those above 0 is reached; 0 or less. */
function shiftFor(precision: number, pairs: readonly (readonly [number, boolean])[]): number {
  for (let shift = 0; shift > -2; shift -= 0.05) {
    const above = pairs.filter(([odds]) => odds + shift > 0)
    if (above.filter(([, truth]) => truth).length >= precision * above.length) return Number(shift.toFixed(2))
  }
  return -2
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
