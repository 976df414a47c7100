/**
 * What becomes of a capable model's answers? Forty recorded exchanges, in their order, are told to a memory whose model
 * gives the recorded answer: which statements are stored as they were meant, what stands in doubt or was ended afterwards,
 * and what a request costs. The answers are in the shapes of 000 and 002; eight Chinese ones are also given in the shape
 * that is asked for now. `--show 1` prints what did not end as meant.
 */
import { readFile } from 'node:fs/promises'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { LanguageModel, ModelMessage } from '../../src/contracts/language-model.ts'
import { type OpenMemory, openMemory } from '../../src/interfaces/library/index.ts'
import type { BenchOptions, Figure } from '../figure.ts'
import { requireData } from './data-folder.ts'

interface Turn {
  readonly role: 'user' | 'assistant'
  readonly speaker?: string
  readonly at: string
  readonly text: string
}
interface Asked {
  readonly today: string
  readonly earlier: readonly unknown[]
  readonly exchange: readonly Turn[]
}
interface Recorded {
  readonly id: string
  readonly request: { readonly messages: readonly ModelMessage[] }
  readonly answer: Answer
}
interface Meant {
  readonly text?: string
  readonly key?: string
  readonly value?: unknown
  readonly standing?: string
  readonly replaces?: readonly string[]
}
interface Answer {
  readonly statements?: readonly Meant[]
  readonly records?: readonly Meant[]
  readonly memory_update?: { readonly items?: readonly Meant[] }
  readonly [part: string]: unknown
}
type Stored = Awaited<ReturnType<OpenMemory['getAll']>>['items'][number]

/** Flags: `--show 1`. */
export async function run({ data, flags }: BenchOptions): Promise<readonly Figure[]> {
  const folder = requireData(`${data}/model-answers`)
  const recorded = (await readFile(`${folder}/exchanges.jsonl`, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded)
  const statements = JSON.parse(await readFile(`${folder}/statements-zh.json`, 'utf8')) as readonly Answer[]
  const chinese = recorded.filter(({ id }) => id.startsWith('zh'))
  const asNow = chinese.map((one, at) => ({ ...one, answer: { ...statements[at]!, working_memory: {} } }))
  const show = flags.show !== undefined
  return [
    ...(await measure('recorded', recorded, show)),
    ...(await measure('zh, recorded', chinese, show)),
    ...(await measure('zh, new shape', asNow, show)),
  ]
}

async function measure(title: string, exchanges: readonly Recorded[], show: boolean): Promise<readonly Figure[]> {
  const played = await play(exchanges)
  const { asMeant, current, endings, requests } = played
  const before = mean(exchanges.map(({ request }) => tokensOf(request.messages)))
  const doubted = current.filter(({ suspect }) => suspect !== null)
  const bySibling = endings.filter(({ older, newer }) => older.createdAt === newer?.createdAt)
  const figure = (name: string, value: number, unit: string, n: number): Figure => ({
    bench: 'model-answers',
    figure: `${title}: ${name}`,
    value,
    unit,
    n,
  })
  if (show) {
    for (const { id, meant, became } of asMeant)
      if (became !== 'as meant') process.stderr.write(`${title} ${id}: ${became}: ${JSON.stringify(meant)}\n`)
    for (const { text, suspect } of doubted) process.stderr.write(`${title} in doubt: ${text} (${suspect?.reason})\n`)
    for (const { older, newer } of endings) process.stderr.write(`${title} ended: ${older.text} <- ${newer?.text}\n`)
    for (const problem of played.problems) process.stderr.write(`${title} problem: ${problem}\n`)
  }
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
    {
      ...figure('request, mean', mean(requests), 'tokens', requests.length),
      reference: 'request of November 2026',
      ratio: mean(requests) / before,
    },
    figure(
      'answer, mean',
      mean(exchanges.map(({ answer }) => countTokens(JSON.stringify(answer)))),
      'tokens',
      exchanges.length,
    ),
  ]
}

/** Tells the exchanges, each group to a user of its own, and looks after each what was stored of its answer. */
async function play(exchanges: readonly Recorded[]) {
  let now = 0
  let at = ''
  let answer: Answer | null = null
  const named: string[] = []
  const requests: number[] = []
  const problems: string[] = []
  const model: LanguageModel = {
    model: 'recorded',
    ask: async ({ step, messages }) => {
      if (step !== 'exchange') return { ...NOTHING, text: '{}' }
      requests.push(tokensOf(messages))
      const text = JSON.stringify(answer === null ? { statements: [] } : withShownIds(answer, named, dataOf(messages)))
      answer = null
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
  let conversation = 0
  for (const { id, request, answer: given } of exchanges) {
    const userId = id.split('-')[0]!
    const { today, earlier, exchange } = dataOf(request.messages)
    if (earlier.length === 0) conversation += 1
    now = Date.parse(today)
    at = id
    answer = given
    const turns = exchange.map(({ role, speaker, at: saidAt, text }) => ({
      role,
      content: text,
      createdAt: new Date(saidAt),
      ...(speaker === undefined ? {} : { speaker }),
    }))
    await memory.conversations.store({ userId, conversationId: `${userId}-${conversation}`, turns })
    await memory.idle()
    const stored = await all(memory, userId)
    const meantHere = [...(given.statements ?? []), ...(given.records ?? []), ...(given.memory_update?.items ?? [])]
    for (const meant of meantHere) asMeant.push({ id, meant, became: becameOf(meant, stored) })
    for (const { text = '' } of given.statements ?? []) named.push(text)
  }
  const users = [...new Set(exchanges.map(({ id }) => id.split('-')[0]!))]
  const stored = (await Promise.all(users.map((userId) => all(memory, userId)))).flat()
  const byId = new Map(stored.map((one) => [one.id, one]))
  const current = stored.filter(({ validTo }) => validTo === null || Date.parse(validTo) > now)
  const endings = stored
    .filter(({ supersededBy }) => supersededBy !== null)
    .map((older) => ({ older, newer: byId.get(older.supersededBy!) }))
  return { asMeant, current, endings, requests, problems }
}

/** `m3` in an answer is the third statement of all; the model is shown it under an id of its own. */
function withShownIds(
  answer: Answer,
  named: readonly string[],
  data: { readonly known?: readonly { id: string; text: string }[] },
): Answer {
  const shown = (id: string): string => {
    const text = named[Number(id.slice(1)) - 1]
    return data.known?.find((one) => one.text === text)?.id ?? id
  }
  const statements = answer.statements?.map((one) => ({ ...one, replaces: one.replaces?.map(shown) ?? [] }))
  return statements === undefined ? answer : { ...answer, statements }
}

function becameOf(meant: Meant, stored: readonly Stored[]): string {
  const key = meant.key?.toLowerCase()
  const found = stored.filter((one) =>
    key === undefined
      ? one.text === meant.text
      : one.key === key && JSON.stringify(one.value) === JSON.stringify(meant.value),
  )
  if (meant.standing === 'ended') return found.every(({ validTo }) => validTo !== null) ? 'as meant' : 'still current'
  const holding = found.find(({ validTo, suspect }) => validTo === null && suspect === null)
  if (holding !== undefined) return 'as meant'
  return found.length === 0 ? 'not stored' : found.some(({ suspect }) => suspect !== null) ? 'in doubt' : 'ended'
}

const NOTHING = {
  model: 'recorded',
  usage: { promptTokens: 0, completionTokens: 0, cost: null },
  attempts: 1,
  latencyMs: 0,
} as const

async function all(memory: OpenMemory, userId: string): Promise<readonly Stored[]> {
  return (await memory.getAll({ userId, limit: 1000, includePast: true })).items
}

function dataOf(
  messages: readonly ModelMessage[],
): Asked & { readonly known?: readonly { id: string; text: string }[] } {
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
