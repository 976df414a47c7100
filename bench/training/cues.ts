/**
 * Fits weights of cues (`src/thinking/topic/cue-model.ts`) on graded rows: logistic regression with a penalty, which also
 * learns to order the rows of one talk (by Adam). Measured on fifths of the talks that were left out.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import type { CueFile, TakeCue } from '../../src/thinking/topic/cue-model.ts'

const FEWEST_OF_A_CUE = 3
/** How much it counts that the better of two rows of one talk comes first. */
const ORDER = 0.5
const STEPS = 300
const PARTS = 5
const SMALLEST = 0.02
const BIAS = 'all\tbias'

type Cues = readonly (readonly [string, number])[]

/** A graded row of a talk. */
export interface Row {
  readonly conversation: string
  readonly chinese: boolean
  readonly cues: Cues
  readonly grade: number
}

/** A row that took no part in its fit, with its log-odds. */
export interface Scored extends Row {
  readonly score: number
}

/** The grades of a file beside this one, by the digest of what is graded, by the conversation. */
export function gradesIn(file: string): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const lines = readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t') as [string, string, string])
  return new Map(
    [...Map.groupBy(lines, ([conversation]) => conversation)].map(([conversation, all]) => [
      conversation,
      new Map(all.map(([, digest, grade]) => [digest, Number(grade)])),
    ]),
  )
}

/** The turns of development chats by conversation; `--data DIR` says where they lie. */
export function talksOf<Turn extends { conversationId: string }>(
  sets: readonly string[],
): readonly [string, readonly Turn[]][] {
  const option = process.argv.indexOf('--data')
  const data = option < 0 ? '../shared/data' : (process.argv[option + 1] ?? '')
  return sets.flatMap((set) => {
    const { users } = JSON.parse(readFileSync(`${data}/${set}-dev.json`, 'utf8')) as { users: { turns: Turn[] }[] }
    return [
      ...Map.groupBy(
        users.flatMap(({ turns }) => turns),
        ({ conversationId }) => conversationId,
      ),
    ]
  })
}

/** What stands for a graded text in a file. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10)
}

/** The cues that are told, with kind and name as one. */
export function cuesOf(tellCues: (tell: TakeCue) => void): Cues {
  const cues: [string, number][] = []
  tellCues((kind, name, value) => void cues.push([`${kind}\t${name}`, value]))
  return cues
}

/** Fits all rows by language and writes `data/weights`; the rows with the scores of those who did not see them. `penalty` keeps weights small. */
export function fitFile(
  file: string,
  rows: readonly Row[],
  worth: readonly number[],
  penalty: number,
): readonly (readonly [string, readonly Scored[]])[] {
  const fitted = (['english', 'chinese'] as const).map((language) => {
    const mine = rows.filter(({ chinese }) => chinese === (language === 'chinese'))
    const conversations = [...new Set(mine.map(({ conversation }) => conversation))].sort()
    const partOf = new Map(conversations.map((id, at) => [id, at % PARTS]))
    const scored = Array.from({ length: PARTS }, (_, part) => {
      const weights = learn(
        mine.filter(({ conversation }) => partOf.get(conversation) !== part),
        worth,
        penalty,
      )
      return mine
        .filter(({ conversation }) => partOf.get(conversation) === part)
        .map((row) => ({ ...row, score: sumOf(row.cues, weights) }))
    }).flat()
    const kept = [...learn(mine, worth, penalty)].filter(([, weight]) => Math.abs(weight) >= SMALLEST)
    const byKind = Map.groupBy(kept, ([cue]) => cue.split('\t', 1)[0]!)
    const kinds = [...byKind].map(([kind, cues]) => [
      kind,
      Object.fromEntries(cues.map(([cue, weight]) => [cue.slice(kind.length + 1), Number(weight.toFixed(2))])),
    ])
    return [language, scored, Object.fromEntries(kinds)] as const
  })
  const written = Object.fromEntries(fitted.map(([language, , kinds]) => [language, kinds])) as unknown as CueFile
  writeFileSync(new URL(`../../data/weights/${file}.json`, import.meta.url), `${JSON.stringify(written, null, 1)}\n`)
  return fitted.map(([language, scored]) => [language, scored])
}

function sumOf(cues: Cues, weights: ReadonlyMap<string, number>): number {
  return cues.reduce((sum, [cue, value]) => sum + (weights.get(cue) ?? 0) * value, 0)
}

function learn(learnt: readonly Row[], worth: readonly number[], penalty: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const [cue] of learnt.flatMap(({ cues }) => cues)) counts.set(cue, (counts.get(cue) ?? 0) + 1)
  const fitted = new Map(
    [...counts].flatMap(([cue, count]) => (count < FEWEST_OF_A_CUE ? [] : [[cue, 0] as [string, number]])),
  )
  const [means, squares] = [new Map<string, number>(), new Map<string, number>()]
  const talks = [...Map.groupBy(learnt, ({ conversation }) => conversation).values()]
  for (let step = 1; step <= STEPS; step++) {
    const slope = new Map([...fitted].map(([cue, weight]) => [cue, cue === BIAS ? 0 : penalty * weight]))
    for (const talk of talks) {
      const sums = talk.map(({ cues }) => sumOf(cues, fitted))
      const errors = talk.map(({ grade }, at) => 1 / (1 + Math.exp(-sums[at]!)) - worth[grade]!)
      for (const [at, one] of talk.entries())
        for (const [beside, other] of talk.entries()) {
          const gap = worth[one.grade]! - worth[other.grade]!
          if (gap <= 0) continue
          const push = (ORDER * gap) / (1 + Math.exp(sums[at]! - sums[beside]!))
          errors[at]! -= push
          errors[beside]! += push
        }
      for (const [at, { cues }] of talk.entries())
        for (const [cue, value] of cues) if (slope.has(cue)) slope.set(cue, slope.get(cue)! + errors[at]! * value)
    }
    const pace = 0.05 * (1 - step / STEPS) + 0.002
    for (const [cue, down] of slope) {
      means.set(cue, 0.9 * (means.get(cue) ?? 0) + 0.1 * down)
      squares.set(cue, 0.99 * (squares.get(cue) ?? 0) + 0.01 * down * down)
      const [mean, square] = [means.get(cue)! / (1 - 0.9 ** step), squares.get(cue)! / (1 - 0.99 ** step)]
      fitted.set(cue, fitted.get(cue)! - (pace * mean) / (Math.sqrt(square) + 1e-6))
    }
  }
  return fitted
}
