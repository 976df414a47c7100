/**
 * What becomes of a capable model's answers? Recorded exchanges are told to a memory whose model gives the recorded answer.
 *
 * `--answers FILE`: others, one JSON object a line: `{id, user, conversation, today, exchange, answer, shown}`; where
 * `answer` is null the rules think, `shown` has the texts of known memories by the ids that the answer uses
 * `--show 1`: what did not end as meant; `--show all`: also what is stored
 */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { LanguageModel, ModelMessage } from '../../src/domain/contracts/models.ts'
import { MnemeError } from '../../src/domain/errors.ts'
import { type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import type { BenchOptions, Figure } from '../figure.ts'
import { requireData } from './data-folder.ts'

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly speaker?: string
  readonly at: string
  readonly text: string
}
/** A request and its answer as they were recorded. */
interface Recorded {
  readonly id: string
  readonly request: { readonly messages: readonly ModelMessage[] }
  readonly answer: Answer
}
/** One exchange to tell. */
interface Told {
  readonly id: string
  readonly user: string
  readonly conversation: string
  readonly today: string
  readonly exchange: readonly Turn[]
  /** null: the model fails, so that the rules think. */
  readonly answer: Answer | null
  /** Texts of the memories that the answer names, by the ids in it. */
  readonly shown?: Readonly<Record<string, string>>
  /** Tokens of the request as it was recorded. */
  readonly asked?: number
}
interface Meant {
  readonly text?: string
  readonly key?: string
  readonly value?: unknown
  readonly standing?: string
  readonly replaces?: readonly string[]
}
interface Named {
  readonly id: string
}
interface Answer {
  readonly statements?: readonly Meant[]
  readonly ends?: readonly Named[]
  readonly confirms?: readonly (string | Named)[]
  readonly doubts?: readonly (string | Named)[]
  readonly records?: readonly Meant[]
  readonly memory_update?: { readonly items?: readonly Meant[] }
  readonly [part: string]: unknown
}
type Stored = Awaited<ReturnType<OpenMemory['getAll']>>['items'][number]
/** An answer's verdict on a memory that it was shown. */
type Verdict = 'ends' | 'doubts' | 'confirms'
type Known = readonly { readonly id: string; readonly text: string }[]

/** Answers about exchanges of our own writing. */
const OWN = fileURLToPath(new URL('./model-answers-own.jsonl', import.meta.url))

/** Flags: `--show 1|all`, `--answers FILE`. */
export async function run({ data, flags }: BenchOptions): Promise<readonly Figure[]> {
  const { show = '', answers } = flags
  if (answers !== undefined) return measure('answers', (await linesOf(answers)) as readonly Told[], show)
  const folder = requireData(`${data}/model-answers`)
  const recorded = (await linesOf(`${folder}/exchanges.jsonl`)) as readonly Recorded[]
  const statements = JSON.parse(await readFile(`${folder}/statements-zh.json`, 'utf8')) as readonly Answer[]
  const chinese = recorded.filter(({ id }) => id.startsWith('zh'))
  // `m3` in these is the third statement of all.
  const shown = Object.fromEntries(
    statements.flatMap((one) => one.statements ?? []).map(({ text = '' }, at) => [`m${at + 1}`, text]),
  )
  const asNow = chinese.map((one, at) => ({ ...one, answer: { ...statements[at]!, working_memory: {} } }))
  return [
    ...(await measure('recorded', toldOf(recorded), show)),
    ...(await measure('zh, recorded', toldOf(chinese), show)),
    ...(await measure(
      'zh, new shape',
      toldOf(asNow).map((one) => ({ ...one, shown })),
      show,
    )),
    ...(await measure('own', (await linesOf(OWN)) as readonly Told[], show)),
  ]
}

async function linesOf(file: string): Promise<readonly unknown[]> {
  return (await readFile(file, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Each group is a user of its own, and an exchange without earlier ones begins a conversation. */
function toldOf(recorded: readonly Recorded[]): readonly Told[] {
  let conversation = 0
  return recorded.map(({ id, request, answer }) => {
    const { today, earlier, exchange } = dataOf(request.messages)
    if (earlier.length === 0) conversation += 1
    const user = id.split('-')[0]!
    return {
      id,
      user,
      conversation: `${user}-${conversation}`,
      today,
      exchange,
      answer,
      asked: tokensOf(request.messages),
    }
  })
}

async function measure(title: string, exchanges: readonly Told[], show: string): Promise<readonly Figure[]> {
  const played = await play(exchanges)
  const { asMeant, current, endings, named, requests, problems } = played
  const answers = exchanges.flatMap(({ answer }) => (answer === null ? [] : [answer]))
  const asked = exchanges.flatMap(({ asked = null }) => asked ?? [])
  const doubted = current.filter(({ suspect }) => suspect !== null)
  const bySibling = endings.filter(({ older, newer }) => older.createdAt === newer?.createdAt)
  const figure = (name: string, value: number, unit: string, n: number): Figure => ({
    bench: 'model-answers',
    figure: `${title}: ${name}`,
    value,
    unit,
    n,
  })
  const say = (what: string): boolean => process.stderr.write(`${title} ${what}\n`)
  if (show !== '') {
    for (const { id, meant, became } of asMeant)
      if (became !== 'as meant') say(`${id}: ${became}: ${JSON.stringify(meant)}`)
    for (const { text, suspect } of doubted) say(`in doubt: ${text} (${suspect?.reason})`)
    for (const { older, newer } of endings) say(`ended: ${older.text} <- ${newer?.text}`)
    for (const { id, verdict, text, became } of named)
      if (became !== 'as meant') say(`${id}: ${verdict} ${text}: ${became}`)
    for (const problem of problems) say(`problem: ${problem}`)
  }
  if (show === 'all') for (const { text, source, confidence } of current) say(`holds, ${source} ${confidence}: ${text}`)
  return [
    figure(
      'statements stored as meant',
      share(asMeant, ({ became }) => became === 'as meant'),
      '%',
      asMeant.length,
    ),
    figure('current memories in doubt', (100 * doubted.length) / Math.max(1, current.length), '%', current.length),
    figure('endings', endings.length, 'memories', current.length + endings.length),
    figure('endings by a sibling of the same answer', bySibling.length, 'memories', endings.length),
    ...(['ends', 'doubts', 'confirms'] as const).map((verdict) => {
      const here = named.filter((one) => one.verdict === verdict)
      return figure(
        `what it ${verdict}: done`,
        share(here, ({ became }) => became === 'as meant'),
        '%',
        here.length,
      )
    }),
    figure(
      'statements and verdicts together: as meant',
      share([...asMeant, ...named], ({ became }) => became === 'as meant'),
      '%',
      asMeant.length + named.length,
    ),
    {
      ...figure('request, mean', mean(requests), 'tokens', requests.length),
      ...(asked.length === 0 ? {} : { reference: 'request of November 2026', ratio: mean(requests) / mean(asked) }),
    },
    figure(
      'answer, mean',
      mean(answers.map((answer) => countTokens(JSON.stringify(answer)))),
      'tokens',
      answers.length,
    ),
  ]
}

/** Tells the exchanges, and looks after each what was stored of its answer. */
async function play(exchanges: readonly Told[]) {
  let now = 0
  let told: Told | null = null
  let at = ''
  const requests: number[] = []
  const problems: string[] = []
  const model: LanguageModel = {
    model: 'recorded',
    ask: async ({ step, messages }) => {
      if (step !== 'exchange') return { ...NOTHING, text: '{}' }
      if (told?.answer === null) throw new MnemeError('model_failed', 'Nothing was recorded.', { remedy: 'None.' })
      requests.push(tokensOf(messages))
      const text = JSON.stringify(told === null ? { statements: [] } : withShownIds(told, dataOf(messages).known ?? []))
      told = null
      return { ...NOTHING, text }
    },
    stream: () => {
      throw new Error('not asked here')
    },
    close: async () => undefined,
  }
  const noted = (_message: string, details?: Readonly<Record<string, unknown>>): void => {
    if (Array.isArray(details?.problems)) problems.push(...details.problems.map((problem) => `${at}: ${problem}`))
  }
  const quiet = (): void => undefined
  const logger = { debug: quiet, info: quiet, warn: noted, error: noted }
  await using memory = await openMemory({ path: ':memory:', llm: model, logger, clock: () => new Date(now) })
  const asMeant: { readonly id: string; readonly meant: Meant; readonly became: string }[] = []
  const named: { readonly id: string; readonly verdict: Verdict; readonly text: string; readonly became: string }[] = []
  for (const one of exchanges) {
    const { id, user: userId, conversation: conversationId, answer, exchange } = one
    now = Date.parse(one.today)
    at = id
    told = one
    const turns = exchange.map(({ role, speaker, at: saidAt, text }) => ({
      role,
      content: text,
      createdAt: new Date(saidAt),
      ...(speaker === undefined ? {} : { speaker }),
    }))
    await memory.conversations.store({ userId, conversationId, turns })
    await memory.idle()
    if (answer === null) continue
    const stored = await all(memory, userId)
    const meantHere = [...(answer.statements ?? []), ...(answer.records ?? []), ...(answer.memory_update?.items ?? [])]
    for (const meant of meantHere) asMeant.push({ id, meant, became: becameOf(meant, stored, now) })
    const idOf = (one: string | Named): string => (typeof one === 'string' ? one : one.id)
    const over = [
      ...(answer.statements ?? []).flatMap(({ replaces = [] }) => replaces),
      ...(answer.ends ?? []).map(idOf),
    ]
    const verdicts: Readonly<Record<Verdict, readonly string[]>> = {
      ends: over,
      doubts: (answer.doubts ?? []).map(idOf),
      confirms: (answer.confirms ?? []).map(idOf),
    }
    for (const verdict of ['ends', 'doubts', 'confirms'] as const)
      for (const text of new Set(verdicts[verdict].map((name) => one.shown?.[name] ?? name))) {
        const found = stored.filter((memory) => memory.text === text)
        named.push({ id, verdict, text, became: verdictBecame(verdict, found) })
      }
  }
  const lastOf = new Map(exchanges.map(({ user, today }) => [user, Date.parse(today)]))
  const perUser = await Promise.all([...lastOf].map(async ([user, last]) => ({ last, items: await all(memory, user) })))
  const stored = perUser.flatMap(({ items }) => items)
  const byId = new Map(stored.map((one) => [one.id, one]))
  const current = perUser.flatMap(({ items, last }) => items.filter((one) => holds(one, last)))
  const endings = stored
    .filter(({ supersededBy }) => supersededBy !== null)
    .map((older) => ({ older, newer: byId.get(older.supersededBy!) }))
  return { asMeant, current, endings, named, requests, problems }
}

/** The answer with the ids under which the memories that it names are shown now. */
function withShownIds({ answer, shown = {} }: Told, known: Known): Answer {
  if (answer?.statements === undefined) return answer ?? {}
  const idNow = (id: string): string => known.find(({ text }) => text === shown[id])?.id ?? id
  const namedNow = (one: string | Named): string | Named =>
    typeof one === 'string' ? idNow(one) : { ...one, id: idNow(one.id) }
  return {
    ...answer,
    statements: answer.statements.map((one) => ({ ...one, replaces: (one.replaces ?? []).map(idNow) })),
    ends: answer.ends?.map((one) => ({ ...one, id: idNow(one.id) })) ?? [],
    confirms: answer.confirms?.map(namedNow) ?? [],
    doubts: answer.doubts?.map(namedNow) ?? [],
  }
}

/** Whether it has not ended yet. */
function holds({ validTo }: Stored, now: number): boolean {
  return validTo === null || Date.parse(validTo) > now
}

function becameOf(meant: Meant, stored: readonly Stored[], now: number): string {
  const key = meant.key?.toLowerCase()
  const found = stored.filter((one) =>
    key === undefined
      ? one.text === meant.text
      : one.key === key && JSON.stringify(one.value) === JSON.stringify(meant.value),
  )
  if (meant.standing === 'ended') return found.every(({ validTo }) => validTo !== null) ? 'as meant' : 'still current'
  const holding = found.find((one) => holds(one, now) && one.suspect === null)
  if (holding !== undefined) return 'as meant'
  return found.length === 0 ? 'not stored' : found.some(({ suspect }) => suspect !== null) ? 'in doubt' : 'ended'
}

/** `found`: the memories with the text that the verdict is about. */
function verdictBecame(verdict: Verdict, found: readonly Stored[]): string {
  const isDone = ({ validTo, suspect }: Stored): boolean =>
    verdict === 'ends' ? validTo !== null : validTo === null && (suspect !== null) === (verdict === 'doubts')
  return found.length === 0 ? 'not found' : found.some(isDone) ? 'as meant' : 'not done'
}

const NOTHING = {
  model: 'recorded',
  usage: { promptTokens: 0, completionTokens: 0, cost: null },
  attempts: 1,
  latencyMs: 0,
} as const

async function all(memory: OpenMemory, userId: string): Promise<readonly Stored[]> {
  return (await memory.getAll({ userId, limit: 1000, includePast: true, includeBuried: true })).items
}

function dataOf(messages: readonly ModelMessage[]): {
  readonly today: string
  readonly earlier: readonly unknown[]
  readonly exchange: readonly Turn[]
  readonly known?: Known
} {
  const { content } = messages.at(-1)!
  return JSON.parse(content.slice(content.indexOf('{')))
}

function tokensOf(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, { content }) => sum + countTokens(content), 0)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
}

function share<T>(list: readonly T[], holds: (one: T) => boolean): number {
  return (100 * list.filter(holds).length) / Math.max(1, list.length)
}
