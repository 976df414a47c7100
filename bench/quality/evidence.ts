/**
 * Which gold turns does a context show, within a token budget, for every question about the development chats? Compared
 * with a plain packer over FTS5, and with runs without thinking, memories or marks.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { OpenMemory } from '../../src/doors/library/index.ts'
import { type BenchOptions, type Figure, quantile } from '../figure.ts'
import { CHAT_SETS, type Chat, chosenSets, inFreshMemory, isCore, lastSaid, readChats, storeChat } from './chats.ts'
import { type Embedding, withModel } from './configured-model.ts'
import { requireData } from './data-folder.ts'
import { packPlainly, plainSearch } from './plain-search.ts'
import { contentWords, saidTwice, shownIn } from './shown-in.ts'

const BUDGETS = '500,1000,2000,4000'
const AS_IT_IS = 'as it is'
/** Turns, and what needs no thinking: before anything was thought about. */
const UNTHOUGHT = 'nothing thought yet'
/** `memory.rag_top_n` is 0. */
const NO_MEMORIES = 'without memories'
/** A new file with this export, in which no memory is ended, replaced or in doubt. */
const NO_MARKS = 'without marks'
const PLAIN = 'plain packer'
const PLAIN_USER_FIRST = 'plain packer, user first'
const VARIANTS = [AS_IT_IS, UNTHOUGHT, NO_MEMORIES, NO_MARKS, PLAIN, PLAIN_USER_FIRST]
/** Grounds of labelled messages that no memory can answer. */
const NEEDS_NOTHING: ReadonlySet<string> = new Set(['knowledge_question', 'code_paste', 'chitchat'])
const MOST_TOKENS_FOR_NOTHING = 400
/** Chats of each set that such messages are put to. */
const CHATS_FOR_NOTHING = 3

/** One context, measured. */
interface Built {
  readonly variant: string
  readonly budget: number
  readonly category: string
  /** Share of the gold turns that it shows. */
  readonly shown: number
  readonly tokens: number
  readonly milliseconds: number
  readonly saysTwice: boolean
}

/** Tokens of evidence shown for a message that needs none. */
interface Unneeded {
  readonly lang: string
  readonly tokens: number
}

type Build = (question: string, budget: number) => Promise<{ readonly text: string; readonly tokens: number }>

/** Marks that memories of a set carry. */
interface Marks {
  readonly memories: number
  readonly marked: number
}

/**
 * Flags: `--sets a,b` of `locomo, realtalk, beam, lifebench` (default all), `--budgets a,b` in tokens (default 500, 1,000,
 * 2,000 and 4,000), `--every N` (one chat of N), and those of `withModel`.
 */
export async function run(options: BenchOptions): Promise<readonly Figure[]> {
  return withModel(options.flags, (embedding) => measureSets(options, embedding ?? 'none'))
}

async function measureSets(options: BenchOptions, embedding: Embedding | 'none'): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  const budgets = budgetsOf(options.flags)
  for (const set of chosenSets(options.flags, Object.keys(CHAT_SETS))) {
    const built: Built[] = []
    const marks: Marks[] = []
    const unneeded: Unneeded[] = []
    for (const [at, chat] of (await readChats(set, options)).entries()) {
      built.push(...(await plainly(chat, budgets)))
      await inFreshMemory({ background: false, embedding }, async (memory) => {
        await storeChat(memory, chat)
        await memory.maintenance.embed()
        built.push(...(await buildEach(chat, UNTHOUGHT, builder(memory, chat), budgets)))
        await memory.maintenance.think({ userId: chat.userId })
        await memory.idle()
        await memory.maintenance.embed()
        built.push(...(await buildEach(chat, AS_IT_IS, builder(memory, chat), budgets)))
        if (at < CHATS_FOR_NOTHING) unneeded.push(...(await forNothing(memory, chat, options.data)))
        await memory.settings.set({ 'memory.rag_top_n': 0 })
        built.push(...(await buildEach(chat, NO_MEMORIES, builder(memory, chat), budgets)))
        await inFreshMemory({ background: false, embedding }, async (unmarked) => {
          marks.push(await copyWithoutMarks(memory, unmarked, chat.userId))
          await unmarked.maintenance.embed()
          built.push(...(await buildEach(chat, NO_MARKS, builder(unmarked, chat), budgets)))
        })
      })
    }
    figures.push(...figuresOf(set, built, budgets), markedFigure(set, marks), ...unneededFigures(set, unneeded))
  }
  return figures
}

function budgetsOf({ budgets = BUDGETS }: BenchOptions['flags']): readonly number[] {
  const numbers = budgets.split(',').map(Number)
  if (numbers.every((budget) => Number.isSafeInteger(budget) && budget > 0)) return numbers
  throw new Error(`--budgets takes numbers of tokens with commas between them, such as ${BUDGETS}; not ${budgets}`)
}

function builder(memory: OpenMemory, chat: Chat): Build {
  const now = lastSaid(chat)
  return async (question, tokenBudget) => {
    const asked = { userId: chat.userId, tokenBudget, now, count: false }
    const { messages, tokens, warnings } = await memory.context.build(question, asked)
    if (warnings?.[0] !== undefined) throw new Error(warnings[0])
    const system = messages.filter(({ role }) => role === 'system')
    return { text: system.map(({ content }) => content).join('\n'), tokens }
  }
}

async function plainly(chat: Chat, budgets: readonly number[]): Promise<readonly Built[]> {
  const search = plainSearch(chat.turns)
  const found = new Map(chat.questions.map(({ q }) => [q, search(q)]))
  const pack =
    (userFirst: boolean): Build =>
    async (question, budget) =>
      packPlainly(found.get(question) ?? [], question, budget, userFirst)
  return [
    ...(await buildEach(chat, PLAIN, pack(false), budgets)),
    ...(await buildEach(chat, PLAIN_USER_FIRST, pack(true), budgets)),
  ]
}

async function buildEach(
  { turns, questions }: Chat,
  variant: string,
  build: Build,
  budgets: readonly number[],
): Promise<readonly Built[]> {
  const texts = new Map(turns.map(({ externalId, content }) => [externalId, content]))
  const built: Built[] = []
  // The first loads what every later one uses.
  await build(questions[0]!.q, budgets[0]!)
  for (const { q, gold, category } of questions)
    for (const budget of budgets) {
      const started = performance.now()
      const { text, tokens } = await build(q, budget)
      const milliseconds = performance.now() - started
      const words = contentWords(text)
      const shown = gold.filter((id) => shownIn(words, texts.get(id) ?? '')).length / gold.length
      const saysTwice = variant === AS_IT_IS && saidTwice(text).length > 0
      built.push({ variant, budget, category, shown, tokens, milliseconds, saysTwice })
    }
  return built
}

/** Copies everything of the user by export and import. */
async function copyWithoutMarks(from: OpenMemory, to: OpenMemory, userId: string): Promise<Marks> {
  let text = ''
  for await (const piece of from.conversations.export({ userId, withSecrets: true })) text += piece
  const exported = JSON.parse(text) as { readonly memories: readonly Readonly<Record<string, unknown>>[] }
  const memories = exported.memories.map((one) => ({ ...one, valid_to: null, superseded_by: null, suspect: null }))
  const marked = exported.memories.filter((one) => one.valid_to !== null || one.suspect !== null).length
  const bytes = (async function* () {
    yield Buffer.from(JSON.stringify({ ...exported, memories }))
  })()
  const { complete, refused } = await to.conversations.import(bytes, { userId })
  if (!complete || refused.length > 0) throw new Error(`the copy is not whole: ${JSON.stringify(refused[0])}`)
  await to.idle()
  return { memories: memories.length, marked }
}

/** Puts what needs no memory to somebody else's chat. */
async function forNothing(memory: OpenMemory, chat: Chat, data: string): Promise<readonly Unneeded[]> {
  const folder = requireData(join(data, 'extraction-dev'))
  const messages = readdirSync(folder)
    .filter((name) => /^(?:en|zh)-\d+\.jsonl$/.test(name))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as { text: string; lang: string; store: boolean; reason: string })
    .filter(({ store, reason }) => !store && NEEDS_NOTHING.has(reason))
  const shown: Unneeded[] = []
  for (const { text, lang } of messages) {
    const { layers } = await memory.context.build(text, { userId: chat.userId, now: lastSaid(chat), count: false })
    shown.push({ lang, tokens: layers.find(({ level }) => level === 3)?.tokens ?? 0 })
  }
  return shown
}

function unneededFigures(set: string, shown: readonly Unneeded[]): readonly Figure[] {
  return ['en', 'zh'].flatMap((lang) => {
    const of = shown.filter((one) => one.lang === lang).map((one) => one.tokens)
    const share = (more: number): number => (100 * of.filter((one) => one > more).length) / of.length
    const figure = (name: string, value: number, unit: string, reference: string): Figure => ({
      bench: 'evidence',
      figure: `${set}, ${lang} small talk and general questions, ${name}`,
      value,
      unit,
      n: of.length,
      reference,
    })
    return [
      figure('evidence p50', quantile(of, 0.5), 'tokens', 'aim 0'),
      figure('evidence p90', quantile(of, 0.9), 'tokens', `aim ${MOST_TOKENS_FOR_NOTHING} at most`),
      figure('with any evidence', share(0), '%', 'aim 0'),
      figure('with more than a little', share(MOST_TOKENS_FOR_NOTHING), '%', 'aim 0'),
    ]
  })
}

/** A row for each variant, each category beside the better plain packer's, and what a context takes. */
function figuresOf(set: string, all: readonly Built[], budgets: readonly number[]): readonly Figure[] {
  const figures: Figure[] = []
  for (const budget of budgets) {
    const within = all.filter((one) => one.budget === budget)
    const of = (variant: string, category?: string): readonly Built[] =>
      within.filter(
        (one) => one.variant === variant && (category === undefined ? isCore(one.category) : one.category === category),
      )
    const push = (name: string, value: number, unit: string, n: number, reference?: number): void => {
      figures.push({
        bench: 'evidence',
        figure: `${set}, ${name}`,
        column: `${budget} tokens`,
        value,
        unit,
        n,
        ...(reference === undefined ? {} : { reference: reference.toFixed(1) }),
      })
    }
    for (const variant of VARIANTS) push(variant, shownOf(of(variant)), '%', of(variant).length)
    for (const category of new Set(within.map((one) => one.category))) {
      const mine = of(AS_IT_IS, category)
      const plain = Math.max(shownOf(of(PLAIN, category)), shownOf(of(PLAIN_USER_FIRST, category)))
      push(`${category} (plain)`, shownOf(mine), '%', mine.length, plain)
    }
    const contexts = within.filter(({ variant }) => variant === AS_IT_IS)
    const middle = (field: 'tokens' | 'milliseconds', part = 0.5): number =>
      quantile(
        contexts.map((one) => one[field]),
        part,
      )
    const n = contexts.length
    push('context p50', middle('tokens'), 'tokens', n)
    push('build p50', middle('milliseconds'), 'ms', n)
    push('build p99', middle('milliseconds', 0.99), 'ms', n)
    push('contexts that say something twice (aim 0)', contexts.filter((one) => one.saysTwice).length, '', n)
  }
  return figures
}

/** Mean share of gold turns shown, in per cent. */
function shownOf(built: readonly Built[]): number {
  return (100 * built.reduce((sum, { shown }) => sum + shown, 0)) / built.length
}

function markedFigure(set: string, marks: readonly Marks[]): Figure {
  const memories = marks.reduce((sum, one) => sum + one.memories, 0)
  const marked = marks.reduce((sum, one) => sum + one.marked, 0)
  const value = (100 * marked) / Math.max(1, memories)
  return { bench: 'evidence', figure: `${set}, memories ended or in doubt`, value, unit: '%', n: memories }
}
