/**
 * Logistic and softmax regression by stochastic gradient descent with AdaGrad steps (Duchi, Hazan, Singer 2011) and an L2
 * penalty, averaged over a few orders of the messages. Equal messages give equal weights.
 */

import { CATEGORIES } from '../../../src/domain/memory.ts'
import { type Features, featuresOf } from '../../../src/thinking/write-decision/features.ts'
import {
  ALL_WEIGHTS,
  HEADS,
  hashedWeight,
  KINDS,
  type Kind,
} from '../../../src/thinking/write-decision/linear-model.ts'
import type { LabelledMessage, SentenceCode } from './messages.ts'

const EPOCHS = 20
const STEP = 0.05
const PENALTY_MEANT = 3e-3
const PENALTY_HASHED = 3e-4
/** A message that careful people label differently teaches half as much. */
const AMBIGUOUS_WEIGHT = 0.5
/** One model for each order of the messages; their weights are averaged, which steadies the answers. */
const SEEDS = [7, 1007] as const
/** Of real sentences no kind is known, only that it is one of some. */
const KINDS_OF_CODE: Readonly<Record<SentenceCode, readonly number[]>> = {
  L: kindsWhere(({ store, semantic }) => store && semantic),
  E: kindsWhere(({ store, semantic }) => store && !semantic),
  I: kindsWhere(({ store, reason }) => store && (reason === 'style_wish' || reason === 'explicit_remember')),
  N: kindsWhere(({ store }) => !store),
}

function kindsWhere(holds: (kind: Kind) => boolean): readonly number[] {
  return KINDS.flatMap((kind, at) => (holds(kind) ? [at] : []))
}

interface Row {
  readonly features: Features
  /** 0 or 1 for a single answer, else the number of the right class; -1 where nothing is known. */
  readonly right: number
  /** Where several classes may be the right one: each of them. */
  readonly among?: readonly number[]
  readonly weight: number
}

const known = new Map<string, Features>()

function features(text: string): Features {
  let found = known.get(text)
  if (found === undefined) {
    found = featuresOf(text)
    known.set(text, found)
  }
  return found
}

/** The table of weights, HEADS for each feature. Fewer `orders` are quicker and a little less steady. */
export function fitWeights(messages: readonly LabelledMessage[], orders: number = SEEDS.length): Float32Array {
  const mean = new Float32Array(ALL_WEIGHTS)
  for (const seed of SEEDS.slice(0, orders)) {
    const table = fitOnce(messages, seed)
    for (let at = 0; at < mean.length; at++) mean[at]! += table[at]! / orders
  }
  return mean
}

function fitOnce(messages: readonly LabelledMessage[], seed: number): Float32Array {
  const table = new Float32Array(ALL_WEIGHTS)
  const rows = (right: (message: LabelledMessage) => number): readonly Row[] =>
    messages.map((message) => ({
      features: features(message.text),
      right: right(message),
      weight: message.ambiguous ? AMBIGUOUS_WEIGHT : 1,
    }))
  descend(
    seed,
    table,
    0,
    1,
    rows(({ store }) => (store ? 1 : 0)),
  )
  descend(
    seed,
    table,
    1,
    1,
    rows(({ semantic, store, id, isWhole }) =>
      isWhole || isLookAlike(id) || (!store && isFresh(id)) ? -1 : semantic ? 1 : 0,
    ),
  )
  descend(
    seed,
    table,
    2,
    KINDS.length,
    rows(kindOf).map((row, at) => {
      const { code, id, isWhole } = messages[at]!
      if (isWhole || isLookAlike(id)) return { ...row, right: -1 }
      return code === undefined ? row : { ...row, right: 0, among: KINDS_OF_CODE[code] }
    }),
  )
  descend(
    seed,
    table,
    2 + KINDS.length,
    CATEGORIES.length,
    rows((message) => (isLookAlike(message.id) ? -1 : categoryOf(message))),
  )
  return table
}

/** An odd, refused message teaches nothing about what lasts: the answer for it is not asked for. */
function isFresh(id: string): boolean {
  return id.includes('-fresh-')
}

/** Look-alikes teach what is worth keeping alone: their kinds are few, and what else the model says would lean to them. */
function isLookAlike(id: string): boolean {
  return id.includes('-contrast-')
}

function kindOf({ reason, store, semantic }: LabelledMessage): number {
  const exact = KINDS.findIndex((kind) => kind.reason === reason && kind.store === store && kind.semantic === semantic)
  return exact >= 0 ? exact : KINDS.findIndex((kind) => kind.reason === reason && kind.store === store)
}

function categoryOf({ facts }: LabelledMessage): number {
  return facts[0] === undefined ? -1 : CATEGORIES.indexOf(facts[0].category)
}

function descend(seed: number, table: Float32Array, first: number, classes: number, rows: readonly Row[]): void {
  const squares = new Float32Array(ALL_WEIGHTS).fill(1e-6)
  const order = rows.flatMap(({ right }, at) => (right < 0 ? [] : [at]))
  const random = randomNumbers(seed)
  const slope = new Float64Array(classes)
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(random() * (at + 1))
      ;[order[at], order[other]] = [order[other]!, order[at]!]
    }
    for (const at of order) {
      const row = rows[at]!
      slopes(table, first, classes, row, slope)
      step(table, squares, first, classes, row, slope)
    }
  }
}

/** The model's answer less the right one, for each class. */
function slopes(table: Float32Array, first: number, classes: number, row: Row, slope: Float64Array): void {
  slope.fill(0)
  const { at, value, hashedFrom } = row.features
  for (let position = 0; position < at.length; position++) {
    const base = position < hashedFrom ? at[position]! * HEADS + first : hashedWeight(at[position]!, first)
    for (let one = 0; one < classes; one++) slope[one]! += table[base + one]! * value[position]!
  }
  if (classes === 1) {
    slope[0] = 1 / (1 + Math.exp(-slope[0]!)) - row.right
    return
  }
  const highest = Math.max(...slope)
  let total = 0
  for (let one = 0; one < classes; one++) {
    slope[one] = Math.exp(slope[one]! - highest)
    total += slope[one]!
  }
  if (row.among === undefined) {
    for (let one = 0; one < classes; one++) slope[one] = slope[one]! / total - (one === row.right ? 1 : 0)
    return
  }
  let held = 0
  for (const one of row.among) held += slope[one]!
  for (let one = 0; one < classes; one++)
    slope[one] = slope[one]! / total - (row.among.includes(one) ? slope[one]! / held : 0)
}

function step(
  table: Float32Array,
  squares: Float32Array,
  first: number,
  classes: number,
  { features: { at, value, hashedFrom }, weight }: Row,
  slope: Float64Array,
): void {
  for (let position = 0; position < at.length; position++) {
    const meant = position < hashedFrom
    const base = meant ? at[position]! * HEADS + first : hashedWeight(at[position]!, first)
    const penalty = meant ? PENALTY_MEANT : PENALTY_HASHED
    for (let one = 0; one < classes; one++) {
      const place = base + one
      const gradient = slope[one]! * value[position]! * weight + penalty * table[place]!
      squares[place]! += gradient * gradient
      table[place]! -= (STEP * gradient) / Math.sqrt(squares[place]!)
    }
  }
}

/** Numerical Recipes' linear congruential generator, 0 to 1. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
