/**
 * `node bench/training/titles.ts [--data DIR]`: learns which words of a talk a person would write above it and writes
 * `data/weights/title.json`. `titles.tsv` holds the conversation, a digest of the words and a grade (2 a good title, 1 a
 * side matter or badly cut, 0 none), never a text. It is fitted on all, and measured on fifths that were left out.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { hasHan } from '../../src/language/character-class.ts'
import { type NamingMessage, saidIn } from '../../src/thinking/session-summary/rules.ts'
import { withoutSecretsIn } from '../../src/thinking/summarizer/prose.ts'
import { type Candidate, type Talk, type TitleWeights, tellCues } from '../../src/thinking/topic/naming.ts'
import { candidatesIn } from '../../src/thinking/topic/topic.ts'

const SETS = ['beam', 'realtalk', 'locomo-turns', 'halumem', 'lifebench']
/** What a grade is worth. */
const WORTH = [0, 0.3, 1]
/** Turns after which a title is made anew, the latest first. */
const LOOKED_AT_AGAIN = [32, 8]
const FEWEST_OF_A_CUE = 3
const PENALTY = 1
/** How much it counts that the better of two words of one talk comes first. */
const ORDER = 0.5
const STEPS = 300
const PARTS = 5
const SMALLEST = 0.02
const BIAS = 'all\tbias'

type Cues = readonly (readonly [string, number])[]

interface Row {
  readonly conversation: string
  readonly chinese: boolean
  readonly cues: Cues
  readonly grade: number
}

interface Turn extends NamingMessage {
  readonly conversationId: string
}

const option = process.argv.indexOf('--data')
const data = option < 0 ? '../shared/data' : (process.argv[option + 1] ?? '')
const rows = readRows()
const weights = (['english', 'chinese'] as const).map((language) => {
  const mine = rows.filter(({ chinese }) => chinese === (language === 'chinese'))
  const conversations = [...new Set(mine.map(({ conversation }) => conversation))].sort()
  const partOf = new Map(conversations.map((id, at) => [id, at % PARTS]))
  const left = Array.from({ length: PARTS }, (_, part) => {
    const fitted = learn(mine.filter(({ conversation }) => partOf.get(conversation) !== part))
    return mine
      .filter(({ conversation }) => partOf.get(conversation) === part)
      .map((row) => ({ ...row, score: sumOf(row.cues, fitted) }))
  }).flat()
  const firsts = [...Map.groupBy(left, ({ conversation }) => conversation).values()].map((all) =>
    all.reduce((best, one) => (one.score > best.score ? one : best)),
  )
  const shareOf = (grade: number): string =>
    ((100 * firsts.filter((row) => row.grade === grade).length) / firsts.length).toFixed(1)
  console.log(
    `${language}: ${mine.length} rows of ${conversations.length} talks; first of those left out good ${shareOf(2)} %, half ${shareOf(1)} %`,
  )
  const kept = [...learn(mine)].filter(([, weight]) => Math.abs(weight) >= SMALLEST)
  const byKind = Map.groupBy(kept, ([cue]) => cue.split('\t', 1)[0]!)
  return [
    language,
    Object.fromEntries(
      [...byKind].map(([kind, cues]) => [
        kind,
        Object.fromEntries(cues.map(([cue, weight]) => [cue.slice(kind.length + 1), Number(weight.toFixed(2))])),
      ]),
    ),
  ] as const
})
const file: TitleWeights = Object.fromEntries(weights) as unknown as TitleWeights
writeFileSync(new URL('../../data/weights/title.json', import.meta.url), `${JSON.stringify(file, null, 1)}\n`)

function readRows(): readonly Row[] {
  const lines = readFileSync(new URL('titles.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  const labels = Map.groupBy(
    lines.map((line) => line.split('\t') as [string, string, string]),
    ([conversation]) => conversation,
  )
  const talks = SETS.flatMap((set) => {
    const { users } = JSON.parse(readFileSync(`${data}/${set}-dev.json`, 'utf8')) as { users: { turns: Turn[] }[] }
    return [
      ...Map.groupBy(
        users.flatMap(({ turns }) => turns),
        ({ conversationId }) => conversationId,
      ),
    ]
  })
  return talks.flatMap(([conversation, turns]) => {
    const graded = labels.get(conversation)
    if (graded === undefined) return []
    const most = LOOKED_AT_AGAIN.find((many) => turns.length >= many) ?? turns.length
    const { said, people } = saidIn(withoutSecretsIn(turns.slice(0, most)))
    const { candidates, talk } = candidatesIn(said, people)
    const known = new Map(candidates.map((candidate) => [digestOf(candidate.span.key), candidate]))
    return graded.flatMap(([, digest, grade]) => {
      const candidate = known.get(digest)
      if (candidate === undefined) return []
      const [chinese, cues] = [hasHan(candidate.span.text), cuesOf(candidate, talk)]
      return { conversation, chinese, cues, grade: Number(grade) }
    })
  })
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 10)
}

/** The cues with kind and name as one. */
function cuesOf(candidate: Candidate, talk: Talk): Cues {
  const cues: [string, number][] = []
  tellCues(candidate, talk, (kind, name, value) => void cues.push([`${kind}\t${name}`, value]))
  return cues
}

function sumOf(cues: Cues, fitted: ReadonlyMap<string, number>): number {
  return cues.reduce((sum, [cue, value]) => sum + (fitted.get(cue) ?? 0) * value, 0)
}

/** Logistic regression with a penalty, which also learns to order the rows of one talk (by Adam). */
function learn(learnt: readonly Row[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const [cue] of learnt.flatMap(({ cues }) => cues)) counts.set(cue, (counts.get(cue) ?? 0) + 1)
  const fitted = new Map(
    [...counts].flatMap(([cue, count]) => (count < FEWEST_OF_A_CUE ? [] : [[cue, 0] as [string, number]])),
  )
  const [means, squares] = [new Map<string, number>(), new Map<string, number>()]
  const talks = [...Map.groupBy(learnt, ({ conversation }) => conversation).values()]
  for (let step = 1; step <= STEPS; step++) {
    const slope = new Map([...fitted].map(([cue, weight]) => [cue, cue === BIAS ? 0 : PENALTY * weight]))
    for (const talk of talks) {
      const sums = talk.map(({ cues }) => sumOf(cues, fitted))
      const errors = talk.map(({ grade }, at) => 1 / (1 + Math.exp(-sums[at]!)) - WORTH[grade]!)
      for (const [at, one] of talk.entries())
        for (const [beside, other] of talk.entries()) {
          const gap = WORTH[one.grade]! - WORTH[other.grade]!
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
