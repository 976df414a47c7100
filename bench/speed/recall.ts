/**
 * How long does a recall take? 100k turns of one user, 10k among 100 users, and 1M with hot words (`--million yes`); with
 * sentences that people said, also a search of 10k memories and a context.
 */
import { openMemory } from '../../src/doors/library/index.ts'
import { splitSentences } from '../../src/language/sentences.ts'
import { type BenchOptions, type Figure, processorMs, quantile } from '../figure.ts'
import { readChats } from '../quality/chats.ts'
import { fill, freshPath } from './fill.ts'
import { hotQuery, query, seeded, turnText } from './synthetic.ts'

const QUESTIONS = 400
const WARM_UP = 50
const TOKENS = 2000
const SETS = ['locomo', 'realtalk', 'beam']
const TURN_CHARACTERS = 140

type Text = (random: () => number) => string

interface Texts {
  readonly say: Text
  readonly ask: Text
}

interface Case {
  readonly name: string
  readonly users: number
  readonly turns: number
  readonly memories: number
  readonly texts: (options: BenchOptions) => Texts | Promise<Texts>
}

const madeUp: Texts = { say: turnText, ask: query }
const hot: Texts = { say: turnText, ask: hotQuery }

const CASES: readonly Case[] = [
  { name: '100k turns of one user', users: 1, turns: 100_000, memories: 0, texts: () => madeUp },
  { name: '10k turns among 100 users', users: 100, turns: 10_000, memories: 0, texts: () => madeUp },
  { name: '100k real turns, 10k memories', users: 1, turns: 100_000, memories: 10_000, texts: realTalk },
]
const MILLION: Case = {
  name: '1M turns of one user, hot words',
  users: 1,
  turns: 1_000_000,
  memories: 0,
  texts: () => hot,
}

/** Measures each case; `--case 0|1|2|3` picks one. */
export async function run(options: BenchOptions): Promise<readonly Figure[]> {
  const { flags } = options
  const cases = flags.million === undefined ? CASES : [...CASES, MILLION]
  const chosen = flags.case === undefined ? cases : [[...CASES, MILLION][Number(flags.case)]!]
  const figures: Figure[] = []
  for (const one of chosen) figures.push(...(await measure(one, await one.texts(options))))
  return figures
}

/** Sentences of the development chats, put together anew, and the questions about them. */
async function realTalk(options: BenchOptions): Promise<Texts> {
  const chats = (await Promise.all(SETS.map((set) => readChats(set, options)))).flat()
  const sentences = chats.flatMap(({ turns }) => turns.flatMap(({ content }) => splitSentences(content)))
  const questions = chats.flatMap((chat) => chat.questions.map(({ q }) => q))
  const any = (texts: readonly string[], random: () => number): string => texts[Math.floor(random() * texts.length)]!
  return {
    say: (random) => {
      let text = any(sentences, random)
      while (text.length < TURN_CHARACTERS) text += ` ${any(sentences, random)}`
      return text
    },
    ask: (random) => any(questions, random),
  }
}

async function measure({ name, users, turns, memories }: Case, { say, ask }: Texts): Promise<readonly Figure[]> {
  await using memory = await openMemory({ path: freshPath(), thinking: false })
  const names = Array.from({ length: users }, (_, index) => `user-${index}`)
  await fill(memory, names, turns, say)
  const random = seeded(11)
  for (let made = 0; made < memories; made += 1) await memory.add(say(random), { userId: names[0]!, infer: false })
  const figures: Figure[] = []
  const time = async (what: string, work: (question: string, userId: string) => Promise<unknown>): Promise<void> => {
    const taken: number[] = []
    const worked: number[] = []
    for (let asked = -WARM_UP; asked < QUESTIONS; asked += 1) {
      const question = ask(random)
      const userId = names[Math.floor(random() * users)]!
      const [started, before] = [performance.now(), process.cpuUsage()]
      await work(question, userId)
      if (asked < 0) continue
      taken.push(performance.now() - started)
      worked.push(processorMs(before))
    }
    const figure = (part: string, value: number): Figure => ({
      bench: 'recall',
      figure: `${what}${part}, ${name}`,
      value,
      unit: 'ms',
      n: QUESTIONS,
    })
    figures.push(
      figure('p50', quantile(taken, 0.5)),
      figure('p99', quantile(taken, 0.99)),
      figure('p50 of processor time', quantile(worked, 0.5)),
    )
  }
  if (memories > 0)
    await time('memory.search right after adding, ', (query, userId) => memory.search(query, { userId }))
  await memory.idle()
  await time('', (question, userId) => memory.conversations.recall(question, { userId, limit: 10 }))
  if (memories > 0)
    await time(`context of ${TOKENS} tokens, `, (question, userId) =>
      memory.context.build(question, { userId, tokenBudget: TOKENS, count: false }),
    )
  return figures
}
