/**
 * `node bench/training/change.ts [--data DIR]`: trains the weights of `src/thinking/change/judge-change.ts` and prints what was found
 * in folds that were left out. Its pairs:
 *
 * our own stories and chats, where it is known which statement no longer holds
 * BEAM's messages as read by hand (`new-values.tsv`)
 * real chats and unrelated messages, where nearly nothing changes anything
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { waysOf } from '../../src/thinking/change/judge-change.ts'
import { overlapOf } from '../../src/thinking/change/overlap.ts'
import type { Quantity } from '../../src/thinking/change/quantities.ts'
import { readingOf, type Statement } from '../../src/thinking/change/statement-reading.ts'
import { statementOf } from '../../src/usecases/think/related-memories.ts'
import { thinkByRules } from '../../src/usecases/think/think-by-rules.ts'
import { chatsOf } from './chats.ts'

const FOLDS = 5
const EPOCHS = 20
const STEP = 0.1
const PENALTY = 2e-4
/** How much a row counts: one that changes, one read by hand, a value and a whole of our own, one that nobody read. */
const WEIGHTS = { change: 3, read: 1, ownValue: 0.4, own: 2, unread: 0.5 }
const OTHERS_OF_STORY = 20
const OTHERS_OF_MESSAGE = 12
/** The others were said within the half year before, in milliseconds. */
const SPREAD = 180 * 86_400_000
const SEED = 11
/** Real chats that are told to the end of so many messages each; of so many earlier statements that share most with a new one. */
const REAL_SETS = ['beam-dev', 'realtalk-dev', 'halumem-dev', 'lifebench-dev', 'locomo-turns-dev']
const MOST_MESSAGES = 1000
const MOST_ALIKE = 20
/** Statements that are remembered of a term. */
const MOST_OF_TERM = 60
/** One speaks this often in a chat; milliseconds. */
const BETWEEN_LINES = 120_000
const DAY = 86_400_000
/** How a table of pairs names a change of the older statement as a whole. */
const WHOLE = 'whole\t\t'
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

type Kind = 'story' | 'beside' | 'chat' | 'own' | 'read' | 'unread' | 'message'

/** One way in which one statement might change another. */
interface Row {
  readonly features: Readonly<Record<string, number>>
  readonly changes: boolean
  readonly kind: Kind
  /** The story or chat that it is of, as all its rows are left out together. */
  readonly group: string
  readonly weight: number
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
const told = await tellStories()
const rows: Row[] = [...ofStories(), ...(await ofChats()), ...ofOwn(), ...(await ofRealChats())]
for (const file of ['en-1', 'zh-1']) rows.push(...(await ofMessages(file)))
const names = [...new Set(rows.flatMap(({ features }) => Object.keys(features)))]
report()
write(train(rows))

/** Every way in which the newer statement might change the older one. */
function rowsOf(
  newer: Statement,
  older: Statement,
  kind: Kind,
  group: string,
  changes: (value: Quantity | null, before: Quantity | null) => boolean | null,
): readonly Row[] {
  const [mine, theirs] = [readingOf(newer), readingOf(older)]
  const ways = waysOf(
    { statement: newer, reading: mine },
    { statement: older, reading: theirs },
    overlapOf(mine, theirs),
  )
  return ways.flatMap(({ features, value }) => {
    const answer = changes(value?.newer ?? null, value?.older ?? null)
    if (answer === null) return []
    const weight =
      kind === 'own'
        ? value === null
          ? WEIGHTS.own
          : WEIGHTS.ownValue
        : kind === 'unread'
          ? WEIGHTS.unread
          : answer
            ? WEIGHTS.change
            : WEIGHTS.read
    return [{ features, changes: answer, kind, group, weight }]
  })
}

/** Statements of one story, and of others beside it. */
function ofStories(): readonly Row[] {
  const found: Row[] = []
  for (const [number, { story, said }] of told.entries()) {
    const { kind, messages, current_contains: current, not_current: gone, suspect_contains: resting = [] } = story
    const isIn = (items: readonly string[], { text }: Statement, { at, length }: Quantity): boolean =>
      items.some((item) => holds(item, text.slice(at, at + length)) || holds(text.slice(at, at + length), item))
    for (const [later, news] of said.entries())
      for (const newer of news)
        for (const older of said.slice(0, later).flat()) {
          // A statement that rests on a changed one is no change of its own.
          if (resting.some((item) => holds(older.text, item))) continue
          const changes = CHANGING.has(kind) && gone.some((item) => holds(older.text, item))
          const isNews = current.some((item) => holds(messages[later]!.text, item))
          // A statement in between that it is over is neither.
          if (changes && (!isNews || holds(older.text, current[0]!))) continue
          found.push(
            ...rowsOf(newer, older, 'story', `s${number}`, (value, before) =>
              value === null || before === null
                ? changes
                : changes && isIn(gone, older, before) && isIn(current, newer, value),
            ),
          )
        }
    const others = told.filter((other) => other.story !== story && other.story.lang === story.lang)
    for (const newer of said.at(-1)!)
      for (let count = 0; count < OTHERS_OF_STORY; count++) {
        const older = pick(pick(others).said.flat())
        if (older !== undefined)
          found.push(...rowsOf(newer, earlier(older, newer), 'beside', `s${number}`, () => false))
      }
  }
  return found
}

/** Every line of a chat with every line before it. */
async function ofChats(): Promise<readonly Row[]> {
  const found: Row[] = []
  for (const [number, chat] of [...chatsOf('en'), ...chatsOf('zh')].entries()) {
    const said = await Promise.all(
      chat.map(({ text }, at) => statementsOf(text, Date.UTC(2026, 4, 1) + at * BETWEEN_LINES, true)),
    )
    for (const [later, news] of said.entries())
      for (const [earlier, olds] of said.slice(0, later).entries())
        for (const newer of news)
          for (const older of olds) {
            const changes = chat[later]!.changes.includes(earlier + 1)
            found.push(
              ...rowsOf(newer, older, 'chat', `c${number}`, (value) => (value === null || !changes ? changes : null)),
            )
          }
  }
  return found
}

/** Short statements of our own, told and heard. */
function ofOwn(): readonly Row[] {
  return table(new URL('own-changes.tsv', import.meta.url)).flatMap(([before = '', after = '', changes], number) =>
    [true, false].flatMap((heard) => {
      const said = (text: string, occurredAt: number): Statement => ({
        text,
        who: 'user',
        occurredAt,
        key: null,
        heard,
      })
      return rowsOf(said(after, 2 * DAY), said(before, 0), 'own', `o${number}`, (value) =>
        value === null && changes === '1' ? null : changes === (value === null ? '2' : '1'),
      )
    }),
  )
}

/**
 * Statements of users of real chats, each with earlier ones that share most words. They tell no change, but for those
 * that were read by hand or that a question about updated knowledge asks for.
 */
async function ofRealChats(): Promise<readonly Row[]> {
  const found: Row[] = []
  const values = new Map(
    table(new URL('new-values.tsv', import.meta.url)).map((row) => [row.slice(0, -1).join('\t'), row.at(-1) === '1']),
  )
  const pairs = new Map<string, boolean>()
  for (const key of values.keys()) pairs.set(key.split('\t', 2).join('\t'), false)
  for (const [key, changes] of values) if (changes) pairs.set(key.split('\t', 2).join('\t'), true)
  const labelled = new Set([...pairs.keys()].flatMap((pair) => pair.split('\t')))
  for (const path of REAL_SETS.map((set) => `${data}/${set}.json`).filter(existsSync)) {
    const { users } = JSON.parse(readFileSync(path, 'utf8')) as RealSet
    for (const [user, { turns, questions = [] }] of users.entries()) {
      const order = new Map(turns.map(({ externalId }, place) => [externalId, place]))
      const changed = new Set<string>()
      for (const { category, gold } of questions.filter((one) => one.category === 'knowledge_update')) {
        const ids = gold.toSorted((a, b) => order.get(a)! - order.get(b)!)
        if (category !== undefined) for (const id of ids.slice(0, -1)) changed.add(`${id}\t${ids.at(-1)}`)
      }
      const before: { readonly id: string; readonly statement: Statement }[] = []
      const byTerm = new Map<string, number[]>()
      for (const { externalId, content, createdAt } of turns
        .filter(({ role }) => role === 'user')
        .filter(({ externalId }, place) => place < MOST_MESSAGES || labelled.has(externalId))) {
        const said = await statementsOf(content, Date.parse(createdAt), true)
        for (const statement of said) {
          const shared = new Map<number, number>()
          for (const term of readingOf(statement).terms)
            for (const place of byTerm.get(term) ?? [])
              shared.set(place, (shared.get(place) ?? 0) + 1 / byTerm.get(term)!.length)
          const alike = new Set(
            [...shared]
              .sort((a, b) => b[1] - a[1])
              .slice(0, MOST_ALIKE)
              .map(([place]) => place),
          )
          for (const [place, { id, statement: older }] of before.entries()) {
            const pair = `${id}\t${externalId}`
            const read = pairs.get(pair)
            if (read === undefined && (!alike.has(place) || changed.has(pair))) continue
            found.push(
              ...rowsOf(statement, older, read === undefined ? 'unread' : 'read', `${path} ${user}`, (value, old) => {
                const way =
                  value === null ? WHOLE : [value.kind, old!.value + old!.unit, value.value + value.unit].join('\t')
                return values.get(`${pair}\t${way}`) ?? (read === true ? null : false)
              }),
            )
          }
        }
        for (const statement of said) {
          for (const term of readingOf(statement).terms)
            byTerm.set(term, [...(byTerm.get(term) ?? []), before.length].slice(-MOST_OF_TERM))
          before.push({ id: externalId, statement })
        }
      }
    }
  }
  return found
}

async function ofMessages(file: string): Promise<readonly Row[]> {
  const kept = lines<{ text: string; store: boolean }>(`${folder}/${file}.jsonl`).filter(({ store }) => store)
  const said = (await Promise.all(kept.map(({ text }) => statementsOf(text, Date.UTC(2026, 4, 1))))).flat()
  return said.flatMap((newer, number) =>
    Array.from({ length: OTHERS_OF_MESSAGE }, () => pick(said)).flatMap((older) =>
      older === newer ? [] : rowsOf(newer, earlier(older, newer), 'message', `${file} ${number}`, () => false),
    ),
  )
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

async function statementsOf(content: string, createdAt: number, heard = false): Promise<readonly Statement[]> {
  const message = { role: 'user' as const, content, speaker: null, turnId: null, createdAt }
  const { drafts } = await thinkByRules(
    { userId: 'teller', conversationId: null, messages: [message], injected: [], now: createdAt, maxCharacters: 2_000 },
    false,
  )
  return drafts.map(({ memory }) => ({ ...statementOf({ ...memory, id: '' }), heard }))
}

/** The findings at several limits among rows of folds that were left out. */
function report(): void {
  const odds = rows.map(() => 0)
  const groups = new Map(
    [...new Set(rows.map(({ group }) => group))].map((group) => [group, Math.floor(random() * FOLDS)]),
  )
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = train(rows.filter(({ group }) => groups.get(group) !== fold))
    for (const [at, { group, features }] of rows.entries())
      if (groups.get(group) === fold) odds[at] = oddsOf(weights, features)
  }
  for (const limit of [-1, -0.5, 0, 0.5, 1, 2])
    process.stdout.write(
      `from ${limit}: ${[...new Set(rows.map(({ kind }) => kind))]
        .map((kind) => {
          const [right, wrong] = [true, false].map((changes) => {
            const those = rows.flatMap((row, at) => (row.kind === kind && row.changes === changes ? [odds[at]!] : []))
            return `${those.filter((value) => value >= limit).length} of ${those.length}`
          })
          return `${kind} ${right}, wrongly ${wrong}`
        })
        .join('; ')}\n`,
    )
}

/** Logistic regression by stochastic gradient descent with AdaGrad steps and an L2 penalty. */
function train(those: readonly Row[]): ReadonlyMap<string, number> {
  const place = new Map(names.map((name, at) => [name, at]))
  const read = those.map(({ features, changes, weight }) => ({
    at: Object.keys(features).map((name) => place.get(name)!),
    values: Object.values(features),
    changes: changes ? 1 : 0,
    weight,
  }))
  const weights = new Float64Array(names.length)
  const squares = new Float64Array(names.length).fill(1e-6)
  const draw = randomNumbers(SEED)
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    for (let at = read.length - 1; at > 0; at--) {
      const other = Math.floor(draw() * (at + 1))
      ;[read[at], read[other]] = [read[other]!, read[at]!]
    }
    for (const { at, values, changes, weight } of read) {
      const sum = at.reduce((all, index, n) => all + weights[index]! * values[n]!, 0)
      const slope = 1 / (1 + Math.exp(-sum)) - changes
      for (const [n, index] of at.entries()) {
        const gradient = slope * weight * values[n]! + PENALTY * weights[index]!
        squares[index]! += gradient * gradient
        weights[index]! -= (STEP * gradient) / Math.sqrt(squares[index]!)
      }
    }
  }
  return new Map(names.map((name, at) => [name, weights[at]!]))
}

function oddsOf(weights: ReadonlyMap<string, number>, features: Row['features']): number {
  return Object.entries(features).reduce((sum, [name, value]) => sum + value * weights.get(name)!, 0)
}

/** Puts the weights in the place of those in the judge. */
function write(weights: ReadonlyMap<string, number>): void {
  const file = new URL('../../src/thinking/change/judge-change.ts', import.meta.url)
  const lines = [...weights].map(
    ([name, weight]) => `  ${/^\w+$/.test(name) ? name : `'${name}'`}: ${Number(weight.toFixed(2))},\n`,
  )
  const written = readFileSync(file, 'utf8').replace(
    /(?<=const JUDGE_WEIGHTS: Readonly<Record<string, number>> = \{\n)[^}]*/,
    lines.join(''),
  )
  writeFileSync(file, written)
}

/** The rows of a table, without its first line, each in its cells. */
function table(path: string | URL): readonly (readonly string[])[] {
  const [, ...all] = readFileSync(path, 'utf8').trim().split('\n')
  return all.map((row) => row.split('\t'))
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
