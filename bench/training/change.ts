/**
 * `node bench/training/change.ts [--data DIR] [--values]`: trains the weights of `src/thinking/change/certainty.ts` on pairs of
 * statements: from stories, where it is known which statement no longer holds, from one story each, from chats, where most
 * of what is said minutes apart about one matter changes nothing, and from unrelated messages. Writes
 * `certainty-weights.ts`, and what was reached on stories and chats that it left out; then the weights of new values
 * (`--values`: these alone).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { newValueFeatures } from '../../src/thinking/change/new-value.ts'
import { profileOf } from '../../src/thinking/change/profile.ts'
import type { Quantity } from '../../src/thinking/change/quantities.ts'
import { weighedOf } from '../../src/thinking/change/relate.ts'
import type { Statement } from '../../src/thinking/change/statement.ts'
import { statementOf } from '../../src/usecases/think/related-memories.ts'
import { thinkByRules } from '../../src/usecases/think/think-by-rules.ts'
import { chatsOf } from './chats.ts'

const FOLDS = 5
const EPOCHS = 30
const STEP = 0.1
const PENALTY = 1e-4
const PENALTY_OF_VALUES = 2e-4
/** Of the pairs of values that nobody read so many are left out; what each of the others counts. */
const LEFT_OUT = 0.4
const WEIGHT_OF_UNREAD = 0.5
const WEIGHT_OF_OWN = 0.4
const EPOCHS_OF_VALUES = 300
/** There are few pairs that change; each counts as much as so many that do not. */
const WEIGHT_OF_CHANGE = 3
const OTHERS_OF_STORY = 20
const OTHERS_OF_MESSAGE = 12
/** The others were said within the half year before, in milliseconds. */
const SPREAD = 180 * 86_400_000
const SEED = 11
/** Real chats that are told to the end of so many messages each; of so many earlier statements that share most with a new one. */
const REAL_SETS = ['beam-dev', 'realtalk-dev', 'halumem-dev', 'lifebench-dev']
const MOST_MESSAGES = 1000
const MOST_ALIKE = 20
/** Statements that are remembered of a term. */
const MOST_OF_TERM = 60
/** One speaks this often in a chat; milliseconds. */
const BETWEEN_LINES = 120_000
const DAY = 86_400_000
const CHANGING: ReadonlySet<string> = new Set(['replace', 'correct', 'end', 'dependent'])

interface Story {
  readonly lang: string
  readonly kind: string
  readonly messages: readonly { readonly date: string; readonly text: string }[]
  readonly current_contains: readonly string[]
  readonly not_current: readonly string[]
  readonly suspect_contains?: readonly string[]
}

interface RealSet {
  readonly users: readonly {
    readonly turns: readonly {
      readonly externalId: string
      readonly role: string
      readonly content: string
      readonly createdAt: string
    }[]
    readonly questions?: readonly { readonly category?: string; readonly gold: readonly string[] }[]
  }[]
}

interface Pair {
  readonly names: readonly string[]
  readonly values: readonly number[]
  readonly changes: boolean
  /** Number of the story, or of the chat behind them; -1 for messages. */
  readonly story: number
  readonly within: boolean
  readonly ofChat?: boolean
  readonly ofOwn?: boolean
  /** Of a real chat, where nearly nothing that is said changes what was said before. */
  readonly ofReal?: boolean
  /** How much it counts; by default those that change count as `WEIGHT_OF_CHANGE` says, others 1. */
  readonly weight?: number
}

const at = process.argv.indexOf('--data')
const data = at < 0 ? '../shared/data' : (process.argv[at + 1] ?? '')
const folder = `${data}/extraction-dev`
const random = randomNumbers(SEED)
const quality = new URL('../quality/', import.meta.url)
const even = (_: unknown, at: number): boolean => at % 2 === 1
const stories = [
  ...lines<Story>(new URL('updates-own.jsonl', quality)),
  ...lines<Story>(new URL('updates-own-2.jsonl', quality)).filter(even),
  ...lines<Story>(new URL('updates-own-3.jsonl', quality)).filter(even),
  ...lines<Story>(new URL('updates-own-4.jsonl', quality)),
  ...lines<Story>(new URL('updates-own-5.jsonl', quality)).filter(even),
  ...lines<Story>(new URL('updates-own-7.jsonl', quality)).filter(even),
  ...lines<Story>(new URL('updates-own-8.jsonl', quality)).filter(even),
  ...lines<Story>(new URL('updates-own-9.jsonl', quality)).filter(even),
  ...lines<Story>(`${folder}/updates.jsonl`).filter(even),
]
const chats = [...chatsOf('en'), ...chatsOf('zh')]
const told = await tellStories()
const pairs = process.argv.includes('--values')
  ? []
  : [
      ...ofStories(),
      ...(await ofChats()),
      ...(await ofMessages('en-1')),
      ...(await ofMessages('zh-1')),
      ...(await ofRealChats()),
    ]
const left = pairs.map(() => 0)
if (pairs.length > 0) {
  const folds = [...stories, ...chats].map(() => Math.floor(random() * FOLDS))
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = fitWeights(pairs.filter(({ story }) => story < 0 || folds[story] !== fold))
    for (const [at, { story, values }] of pairs.entries())
      if (story < 0 ? at % FOLDS === fold : folds[story] === fold) left[at] = dot(weights, values)
  }
  report()
  write('certainty-weights', 'CERTAINTY_WEIGHTS', 'of how certain a change is', pairs[0]!.names, fitWeights(pairs))
}
const values = [...valuesOfStories(), ...valuesOfOwn(), ...(await valuesOfChats())]
if (values.some(({ ofReal }) => ofReal === true)) {
  reportValues()
  const named = values[0]!.names
  const fitted = fitWeights(values, PENALTY_OF_VALUES, 1, EPOCHS_OF_VALUES)
  write('new-value-weights', 'NEW_VALUE_WEIGHTS', "of how likely a value takes another one's place", named, fitted)
}

function write(file: string, name: string, what: string, features: readonly string[], weights: Float64Array): void {
  writeFileSync(
    new URL(`../../src/thinking/change/${file}.ts`, import.meta.url),
    `/** Weights ${what}, made by bench/training/change.ts: do not edit. */
export const ${name}: Readonly<Record<string, number>> = {
${features.map((feature, at) => `  ${/^\w+$/.test(feature) ? feature : `'${feature}'`}: ${Number(weights[at]!.toFixed(2))},`).join('\n')}
}
`,
  )
}

/** Values of one scale in one story: that which holds no more before that which holds. */
function valuesOfStories(): readonly Pair[] {
  return told.flatMap(({ story, said }, number) =>
    said.flatMap((news, later) =>
      news.flatMap((newer) =>
        said.slice(0, later).flatMap((olds) =>
          olds.flatMap((older) => {
            const isIn = (items: readonly string[], { text }: Statement, { at, length }: Quantity): boolean =>
              items.some((item) => holds(item, text.slice(at, at + length)) || holds(text.slice(at, at + length), item))
            return valuePairs(
              newer,
              older,
              (value, before) =>
                CHANGING.has(story.kind) &&
                isIn(story.not_current, older, before) &&
                isIn(story.current_contains, newer, value),
            ).map((pair) => ({ ...pair, story: number }))
          }),
        ),
      ),
    ),
  )
}

/** Values of short statements of our own. */
function valuesOfOwn(): readonly Pair[] {
  const rows = readFileSync(new URL('own-values.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
  return rows.flatMap((row, number) => {
    const [before = '', after = '', changes] = row.split('\t')
    const said = (text: string, occurredAt: number): Statement => ({
      text,
      who: 'user',
      occurredAt,
      key: null,
      value: null,
    })
    return valuePairs(said(after, 2 * DAY), said(before, 0), () => changes === '1').map((pair) => ({
      ...pair,
      story: number,
      ofOwn: true,
      weight: WEIGHT_OF_OWN,
    }))
  })
}

/** Every pair of values of BEAM's users that share a word: as read by hand, else one of `LEFT_OUT` and for little. */
async function valuesOfChats(): Promise<readonly Pair[]> {
  const path = `${data}/beam-dev.json`
  if (!existsSync(path)) return []
  const { users } = JSON.parse(readFileSync(path, 'utf8')) as RealSet
  const read = new Map(
    readFileSync(new URL('new-values.tsv', import.meta.url), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((row) => [row.slice(0, row.lastIndexOf('\t')), row.endsWith('1')] as const),
  )
  const found: Pair[] = []
  for (const [chat, { turns }] of users.entries()) {
    const before: { readonly id: string; readonly statement: Statement }[] = []
    for (const { externalId, content, createdAt } of turns.filter(({ role }) => role === 'user')) {
      const said = await statementsOf(content, Date.parse(createdAt))
      for (const statement of said)
        for (const { id, statement: older } of before)
          for (const pair of valuePairs(statement, older, () => false)) {
            const label = read.get([id, externalId, pair.kind, pair.older, pair.newer].join('\t'))
            if (label === undefined && (pair.values[1] === 0 || random() < LEFT_OUT)) continue
            const others = label === undefined ? { weight: WEIGHT_OF_UNREAD } : { ofReal: true }
            found.push({ ...pair, ...others, changes: label === true, story: stories.length + (chat % FOLDS) })
          }
      before.push(...said.map((statement) => ({ id: externalId, statement })))
    }
  }
  return found
}

interface ValuePair extends Pair {
  readonly kind: string
  readonly newer: string
  readonly older: string
}

function valuePairs(
  newer: Statement,
  older: Statement,
  changes: (value: Quantity, before: Quantity) => boolean,
): readonly ValuePair[] {
  const [mine, theirs] = [profileOf(newer), profileOf(older)]
  return mine.values.flatMap((value, at) =>
    theirs.values.flatMap((before, place) => {
      const features = newValueFeatures(mine, at, theirs, place, newer.occurredAt - older.occurredAt)
      if (features === null) return []
      return [
        {
          names: Object.keys(features),
          values: Object.values(features),
          changes: changes(value, before),
          story: -1,
          within: true,
          kind: value.kind,
          newer: value.value,
          older: before.value,
        },
      ]
    }),
  )
}

/** What the odds of a new value find at several limits among values that they were not fitted on. */
function reportValues(): void {
  const fold = ({ story }: Pair, at: number): number => (story < 0 ? at : story) % FOLDS
  const odds = values.map(() => 0)
  for (let left = 0; left < FOLDS; left++) {
    const weights = fitWeights(
      values.filter((pair, at) => fold(pair, at) !== left),
      PENALTY_OF_VALUES,
      1,
      EPOCHS_OF_VALUES,
    )
    for (const [at, pair] of values.entries()) if (fold(pair, at) === left) odds[at] = dot(weights, pair.values)
  }
  for (const limit of [-1, -0.5, 0, 0.5, 1]) {
    const found = (belongs: (pair: Pair) => boolean): number =>
      values.filter((pair, at) => belongs(pair) && odds[at]! > limit).length
    const all = (belongs: (pair: Pair) => boolean): number => values.filter(belongs).length
    const isUnread = ({ changes, ofReal, weight }: Pair): boolean =>
      !changes && ofReal !== true && weight === WEIGHT_OF_UNREAD
    const isNew = ({ changes, ofReal }: Pair): boolean => changes && ofReal === true
    const isOld = ({ changes, ofReal }: Pair): boolean => !changes && ofReal === true
    const inStory = ({ changes, ofReal, ofOwn }: Pair): boolean => changes && ofReal !== true && ofOwn !== true
    const isOwn = ({ changes, ofOwn }: Pair): boolean => changes && ofOwn === true
    process.stdout.write(
      `values from ${limit}: read ${found(isNew)} of ${all(isNew)}, wrongly ${found(isOld)} of ${all(isOld)}; in stories ${found(inStory)} of ${all(inStory)}, wrongly ${found((pair) => !pair.changes && pair.ofReal !== true && pair.weight === undefined)}; own ${found(isOwn)} of ${all(isOwn)}, wrongly ${found(({ changes, ofOwn }) => !changes && ofOwn === true)}; unread ${found(isUnread)} of ${all(isUnread)}\n`,
    )
  }
}

async function tellStories(): Promise<readonly { story: Story; said: (readonly Statement[])[] }[]> {
  return Promise.all(
    stories.map(async (story) => ({
      story,
      said: await Promise.all(
        story.messages.map(({ text, date }) => statementsOf(text, Date.parse(`${date}T12:00:00Z`))),
      ),
    })),
  )
}

function ofStories(): readonly Pair[] {
  const found: Pair[] = []
  for (const [number, { story, said }] of told.entries()) {
    const { kind, messages, current_contains: current, not_current: gone, suspect_contains: resting = [] } = story
    for (const [later, news] of said.entries())
      for (const newer of news)
        for (const older of said.slice(0, later).flat()) {
          // What rests on that which has changed is no change of its own.
          if (resting.some((item) => holds(older.text, item))) continue
          const changes = gone.some((item) => holds(older.text, item))
          const isNews = current.some((item) => holds(messages[later]!.text, item))
          // Who says in between that it is over is neither.
          if (CHANGING.has(kind) && changes && (!isNews || holds(older.text, current[0]!))) continue
          found.push(pairOf(newer, older, CHANGING.has(kind) && changes, number, true))
        }
    const others = told.filter((other) => other.story !== story && other.story.lang === story.lang)
    for (const newer of said.at(-1)!)
      for (let count = 0; count < OTHERS_OF_STORY; count++) {
        const older = pick(pick(others).said.flat())
        if (older !== undefined) found.push(pairOf(newer, earlier(older, newer), false, number, false))
      }
  }
  return found
}

/** Every line of a chat with every line before it. */
async function ofChats(): Promise<readonly Pair[]> {
  const found: Pair[] = []
  for (const [number, chat] of chats.entries()) {
    const said = await Promise.all(
      chat.map(({ text }, at) => statementsOf(text, Date.UTC(2026, 4, 1) + at * BETWEEN_LINES)),
    )
    for (const [later, news] of said.entries())
      for (const [earlier, olds] of said.slice(0, later).entries())
        for (const newer of news)
          for (const older of olds) {
            const changes = chat[later]!.changes.includes(earlier + 1)
            found.push({ ...pairOf(newer, older, changes, stories.length + number, !changes), ofChat: true })
          }
  }
  return found
}

/** What users of real chats say, each statement with those before it that share most words: but for those about which a question about updated knowledge asks, no change. */
async function ofRealChats(): Promise<readonly Pair[]> {
  const found: Pair[] = []
  for (const path of REAL_SETS.map((set) => `${data}/${set}.json`).filter(existsSync)) {
    const { users } = JSON.parse(readFileSync(path, 'utf8')) as RealSet
    for (const { turns, questions = [] } of users) {
      const order = new Map(turns.map(({ externalId }, place) => [externalId, place]))
      const changed = new Set<string>()
      for (const { category, gold } of questions.filter((one) => one.category === 'knowledge_update')) {
        const ids = gold.toSorted((a, b) => order.get(a)! - order.get(b)!)
        if (category !== undefined) for (const id of ids.slice(0, -1)) changed.add(`${id} ${ids.at(-1)}`)
      }
      const before: { readonly id: string; readonly statement: Statement }[] = []
      const byTerm = new Map<string, number[]>()
      for (const { externalId, content, createdAt } of turns
        .filter(({ role }) => role === 'user')
        .slice(0, MOST_MESSAGES))
        for (const statement of await statementsOf(content, Date.parse(createdAt))) {
          const shared = new Map<number, number>()
          for (const term of profileOf(statement).terms)
            for (const place of byTerm.get(term) ?? [])
              shared.set(place, (shared.get(place) ?? 0) + 1 / byTerm.get(term)!.length)
          const alike = [...shared].sort((a, b) => b[1] - a[1]).slice(0, MOST_ALIKE)
          for (const [place] of alike) {
            const older = before[place]!
            if (changed.has(`${older.id} ${externalId}`)) continue
            found.push({ ...pairOf(statement, older.statement, false, -1, false), ofReal: true })
          }
          for (const term of profileOf(statement).terms)
            byTerm.set(term, [...(byTerm.get(term) ?? []), before.length].slice(-MOST_OF_TERM))
          before.push({ id: externalId, statement })
        }
    }
  }
  return found
}

async function ofMessages(file: string): Promise<readonly Pair[]> {
  const kept = lines<{ text: string; store: boolean }>(`${folder}/${file}.jsonl`).filter(({ store }) => store)
  const said = (await Promise.all(kept.map(({ text }) => statementsOf(text, Date.UTC(2026, 4, 1))))).flat()
  return said.flatMap((newer) =>
    Array.from({ length: OTHERS_OF_MESSAGE }, () => pick(said)).flatMap((older) =>
      older === newer ? [] : [pairOf(newer, earlier(older, newer), false, -1, false)],
    ),
  )
}

function pairOf(newer: Statement, older: Statement, changes: boolean, story: number, within: boolean): Pair {
  const features = weighedOf(newer, older)
  return { names: Object.keys(features), values: Object.values(features), changes, story, within }
}

async function statementsOf(content: string, createdAt: number): Promise<readonly Statement[]> {
  const message = { role: 'user' as const, content, speaker: null, turnId: null, createdAt }
  const { drafts } = await thinkByRules(
    { userId: 'teller', conversationId: null, messages: [message], injected: [], now: createdAt, maxCharacters: 2_000 },
    false,
  )
  return drafts.map(({ memory }) => statementOf({ ...memory, id: '' }))
}

/** What certainty finds at several limits on what it was not trained on. */
function report(): void {
  const show = (name: string, holds: (pair: Pair, at: number) => boolean): void => {
    const share = (belongs: (pair: Pair) => boolean): string => {
      const those = pairs.flatMap((pair, at) => (belongs(pair) ? [{ pair, at }] : []))
      const found = those.filter(({ pair, at }) => holds(pair, at)).length
      return `${found} of ${those.length} (${((100 * found) / those.length).toFixed(2)} %)`
    }
    process.stdout.write(
      `${name}: changes ${share(({ changes }) => changes)}, none within a story ${share(({ changes, within, ofChat }) => within && !changes && ofChat !== true)}, none within a chat ${share(({ changes, ofChat }) => ofChat === true && !changes)}, changes in chats ${share(({ changes, ofChat }) => ofChat === true && changes)}, real chats ${share(({ ofReal }) => ofReal === true)}, none between stories ${share(({ story, within, ofChat }) => story >= 0 && !within && ofChat !== true)}, messages ${share(({ story, ofReal }) => story < 0 && ofReal !== true)}\n`,
    )
  }
  for (const limit of [-3, -2, -1, 0, 1, 2, 3]) show(`from ${limit}`, (_, at) => left[at]! > limit)
}

/** Logistic regression by stochastic gradient descent with AdaGrad steps and an L2 penalty. */
function fitWeights(
  rows: readonly Pair[],
  penalty = PENALTY,
  weightOfChange = WEIGHT_OF_CHANGE,
  epochs = EPOCHS,
): Float64Array {
  const weights = new Float64Array(rows[0]!.names.length)
  const squares = new Float64Array(weights.length).fill(1e-6)
  const draw = randomNumbers(SEED)
  const order = rows.map((_, at) => at)
  for (let epoch = 0; epoch < epochs; epoch++) {
    for (let at = order.length - 1; at > 0; at--) {
      const other = Math.floor(draw() * (at + 1))
      ;[order[at], order[other]] = [order[other]!, order[at]!]
    }
    for (const at of order) {
      const { values, changes, weight = changes ? weightOfChange : 1 } = rows[at]!
      const slope = 1 / (1 + Math.exp(-dot(weights, values))) - (changes ? 1 : 0)
      for (let place = 0; place < weights.length; place++) {
        const gradient = slope * weight * values[place]! + penalty * weights[place]!
        squares[place]! += gradient * gradient
        weights[place]! -= (STEP * gradient) / Math.sqrt(squares[place]!)
      }
    }
  }
  return weights
}

function dot(weights: Float64Array, values: readonly number[]): number {
  return values.reduce((sum, value, at) => sum + value * weights[at]!, 0)
}

function earlier(older: Statement, newer: Statement): Statement {
  return { ...older, occurredAt: newer.occurredAt - Math.floor(random() * SPREAD) }
}

function pick<T>(items: readonly T[]): T {
  return items[Math.floor(random() * items.length)]!
}

/** Every alternative of `a|b` counts, without regard to case. */
function holds(text: string, item: string): boolean {
  return item.split('|').some((part) => text.toLowerCase().includes(part.toLowerCase()))
}

function lines<T>(path: string | URL): readonly T[] {
  return readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as T)
}

/** Numerical Recipes' linear congruential generator, 0 to 1. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
