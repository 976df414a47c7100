/**
 * `node bench/training/standing.ts [--data DIR]`: trains which texts stand by themselves, on judged memories of real chats,
 * and writes `data/weights/standing.json`. A fit on half of the conversations is measured on the others, the weights are
 * those of all. `judged-memories.tsv` holds set, id of the turn, the place of the text in it and a verdict (g good, j junk,
 * x not understood), never a text.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { recordOf } from '../../src/thinking/summarizer/prose.ts'
import { rowOf } from '../../src/thinking/write-decision/decide-by-rules.ts'
import { type Features, featuresOf, HASHED_FEATURES } from '../../src/thinking/write-decision/features.ts'
import { writeJudgement } from '../../src/thinking/write-decision/linear-model.ts'
import { type StandingWeights, standingInputs, weighHashed } from '../../src/thinking/write-decision/self-contained.ts'
import { digitOf } from './encode.ts'
import { labelledGroups } from './write-decision/messages.ts'

const EPOCHS = 6
const STEP = 0.03
const PENALTY = 3e-2
/** For the few numbers, which are fitted by steps down the whole slope. */
const DESCENTS = 4000

interface Turn {
  readonly externalId: string
  readonly conversationId: string
  readonly role: string
  readonly content: string
}

interface Judged {
  readonly features: Features
  readonly inputs: readonly number[]
  readonly good: 0 | 1
  /** Of the half of the conversations that only measures. */
  readonly measured: boolean
}

const at = process.argv.indexOf('--data')
const data = at < 0 ? '../shared/data' : (process.argv[at + 1] ?? '')
const judged = readJudged()
const alone = await messages()
report(fitted([...judged.filter(({ measured }) => !measured), ...alone]))
const { inputs, table } = fitted([...judged, ...alone])
const scale = Number(table.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0).toPrecision(6))
const weights = Array.from(table, (weight) => digitOf(weight, scale)).join('')
const file: StandingWeights = { inputs: inputs.map((weight) => Number(weight.toFixed(3))), scale, weights }
writeFileSync(new URL('../../data/weights/standing.json', import.meta.url), `${JSON.stringify(file, null, 1)}\n`)

function readJudged(): readonly Judged[] {
  const lines = readFileSync(new URL('write-decision/judged-memories.tsv', import.meta.url), 'utf8')
  const rows = lines
    .trim()
    .split('\n')
    .map((line) => line.split('\t') as [string, string, string, string])
  return [...Map.groupBy(rows, ([set]) => set)].flatMap(([set, labels]) => {
    const { users } = JSON.parse(readFileSync(`${data}/${set}.json`, 'utf8')) as { users: { turns: Turn[] }[] }
    const turns = users.flatMap((user) => user.turns)
    const places = new Map(turns.map(({ externalId }, place) => [externalId, place]))
    return labels.map(([, id, span, verdict]): Judged => {
      const { content, conversationId } = turns[places.get(id)!]!
      const before = turns[places.get(id)! - 1]
      const heard = before?.conversationId === conversationId && before.role === 'assistant' ? before.content : ''
      const [from, to] = span.split('-').map(Number)
      const text = span === 'row' ? rowOf(recordOf(content)!) : content.slice(from, to).replace(/\s+/g, ' ')
      const features = featuresOf(text)
      const measured = (createHash('md5').update(conversationId).digest()[0]! & 1) === 1
      const inputs = standingInputs(text, features, writeJudgement(text), heard)
      return { features, inputs, good: verdict === 'g' ? 1 : 0, measured }
    })
  })
}

/** Messages that stand alone, which chats hardly have: "I like tea." One of three, lest they outweigh the chats. */
async function messages(): Promise<readonly Judged[]> {
  const { first, secondSeen } = await labelledGroups(`${data}/extraction-dev`)
  return [...first, ...secondSeen]
    .filter((_, n) => n % 3 === 0)
    .flatMap(({ text, store }) => {
      const features = featuresOf(text)
      const judgement = writeJudgement(text)
      if (judgement.store < 0) return []
      const inputs = standingInputs(text, features, judgement, '')
      return [{ features, inputs, good: store ? 1 : 0, measured: false }]
    })
}

interface Fit {
  readonly inputs: readonly number[]
  readonly table: Float32Array
}

function fitted(rows: readonly Judged[]): Fit {
  const inputs = fitInputs(rows)
  return { inputs, table: fitHashed(rows, inputs) }
}

function fitInputs(rows: readonly Judged[]): readonly number[] {
  const weights = rows[0]!.inputs.map(() => 0)
  for (let turn = 0; turn < DESCENTS; turn++) {
    const slopes = weights.map((weight, one) => (one === 0 ? 0 : weight))
    for (const { inputs, good } of rows) {
      const miss = share(product(inputs, weights)) - good
      for (const [one, input] of inputs.entries()) slopes[one]! += miss * input
    }
    for (const [one, slope] of slopes.entries()) weights[one]! -= (0.2 * slope) / rows.length
  }
  return weights
}

/** Letters and words explain what the few numbers leave: AdaGrad steps with an L2 penalty. */
function fitHashed(rows: readonly Judged[], inputs: readonly number[]): Float32Array {
  const table = new Float32Array(HASHED_FEATURES)
  const squares = new Float32Array(HASHED_FEATURES).fill(1e-2)
  for (let step = 0; step < EPOCHS * rows.length; step++) {
    const { features, good, inputs: numbers } = rows[(step * 7919) % rows.length]!
    const miss = share(product(numbers, inputs) + weighHashed(table, features)) - good
    for (let position = features.hashedFrom; position < features.at.length; position++) {
      const place = features.at[position]!
      const slope = miss * features.value[position]! + PENALTY * table[place]!
      squares[place]! += slope * slope
      table[place]! -= (STEP * slope) / Math.sqrt(squares[place]!)
    }
  }
  return table
}

function share(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds))
}

function product(numbers: readonly number[], weights: readonly number[]): number {
  return numbers.reduce((sum, number, one) => sum + number * weights[one]!, 0)
}

/** Of the measured half: how often a good text stands better than another, and how many of those that fall are none. */
function report({ inputs, table }: Fit): void {
  const weighed = judged
    .filter(({ measured }) => measured)
    .map((row) => ({ ...row, stands: product(row.inputs, inputs) + weighHashed(table, row.features) }))
  const [good, bad] = [weighed.filter(({ good }) => good === 1), weighed.filter(({ good }) => good === 0)]
  const above = good.map(({ stands }) => bad.filter((one) => one.stands < stands).length)
  const right = above.reduce((sum, count) => sum + count, 0) / (good.length * bad.length)
  const falls = (some: typeof weighed): number => some.filter(({ stands }) => stands < 0).length
  process.stdout.write(
    `${weighed.length} memories, ${good.length} good: order right ${right.toFixed(3)}, fall ${falls(good)} good, ${falls(bad)} others\n`,
  )
}
