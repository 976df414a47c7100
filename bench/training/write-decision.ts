/**
 * `node bench/training/write-decision.ts [--data DIR]`: trains the weights of the write decision on the labelled messages
 * of `DIR/extraction-dev` and our own examples, and writes `src/cognition/write-decision/weights.ts`.
 */
import { writeFile } from 'node:fs/promises'
import { encodeWeights, judgeWith } from '../../src/cognition/write-decision/linear-model.ts'
import { featuresOf } from '../../src/cognition/write-decision/features.ts'
import { fit } from './write-decision/fit.ts'
import { LABELLED_FILES, type LabelledMessage, labelledMessages, ownExamples } from './write-decision/messages.ts'

const UNCALIBRATED = { store: 1, semantic: 1, semanticShift: 0 }

const at = process.argv.indexOf('--data')
const folder = `${at < 0 ? '../shared/data' : (process.argv[at + 1] ?? '')}/extraction-dev`
const labelled = await Promise.all(LABELLED_FILES.map((name) => labelledMessages(folder, name)))
const examples = await ownExamples()

const odds = [...heldOutOdds('1', '2'), ...heldOutOdds('2', '1')]
const calibration = {
  store: bestScale(odds.map(({ store, message }) => [store, message.store])),
  semantic: bestScale(odds.map(({ semantic, message }) => [semantic, message.semantic])),
  semanticShift: 0,
}
const { digits, scales } = encodeWeights(fit([...labelled.flat(), ...examples]))
await writeFile(
  new URL('../../src/cognition/write-decision/weights.ts', import.meta.url),
  `/** Weights of the write decision, made by bench/training/write-decision.ts: do not edit. */

/** The largest weight of each answer. */
export const SCALES: readonly number[] = ${JSON.stringify(scales)}
/** What turns the model's sums into log-odds that hold on messages it has not seen. */
export const CALIBRATION = ${JSON.stringify(calibration)}
/** One character a weight, feature by feature, the answers side by side. */
export const WEIGHTS =
  '${digits}'
`,
)
process.stdout.write(`${digits.length} weights, calibration ${JSON.stringify(calibration)}\n`)

/** What a model trained on the files of one half holds of the messages of the other. */
function heldOutOdds(seen: string, unseen: string) {
  const half = (number: string): readonly LabelledMessage[] =>
    LABELLED_FILES.flatMap((name, index) => (name.endsWith(number) ? labelled[index]! : []))
  const table = fit([...half(seen), ...examples])
  return half(unseen).map((message) => ({ message, ...judgeWith(table, featuresOf(message.text), UNCALIBRATED) }))
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
