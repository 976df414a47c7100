/** What does thinking by rules cost a turn, and an addition beside many memories? Processor time, on the development chats. */
import { splitSentences } from '../../src/language/sentences.ts'
import { type BenchOptions, type Figure, processorMs, quantile } from '../figure.ts'
import { CHAT_SETS, type Chat, chosenSets, inFreshMemory, readChats, storeChat } from '../quality/chats.ts'
import { seeded } from './synthetic.ts'

const MEMORIES = 10_000
const ADDED = 200
/** Additions that load and compile what all later ones use. */
const WARM_UP = 100

/**
 * Flags: `--sets a,b` (default all), `--every N` (one chat of N), `--turns N` of each chat, `--memories N` beside which
 * sentences are added.
 */
export async function run(options: BenchOptions): Promise<readonly Figure[]> {
  const { flags } = options
  const figures: Figure[] = []
  const push = (figure: string, value: number, n: number): void => {
    figures.push({ bench: 'think', figure, value, unit: 'ms', n })
  }
  const said: string[] = []
  for (const set of chosenSets(flags, Object.keys(CHAT_SETS))) {
    const chats = (await readChats(set, options)).map(
      (chat): Chat => ({ ...chat, turns: chat.turns.slice(0, Number(flags.turns ?? chat.turns.length)) }),
    )
    for (const { turns } of chats) for (const { content } of turns) said.push(...splitSentences(content))
    // The first chat is thought about twice: once to load and compile what all later ones use.
    await thinkingTime(chats[0]!)
    let milliseconds = 0
    for (const chat of chats) milliseconds += await thinkingTime(chat)
    const turns = chats.reduce((sum, chat) => sum + chat.turns.length, 0)
    push(`thinking about a turn, ${set}`, milliseconds / turns, turns)
  }
  const memories = Number(flags.memories ?? MEMORIES)
  await inFreshMemory({ userId: 'one', thinking: false }, async (memory) => {
    const random = seeded(11)
    const any = (): string => said[Math.floor(random() * said.length)]!
    for (let made = 0; made < memories; made += 1) await memory.add(any(), { infer: false })
    await memory.idle()
    const [kept, refused]: [number[], number[]] = [[], []]
    for (let added = -WARM_UP; added < ADDED; added += 1) {
      const before = process.cpuUsage()
      const { results } = await memory.add(any())
      if (added >= 0) (results.length > 0 ? kept : refused).push(processorMs(before))
    }
    push(`adding a sentence beside ${memories} memories, kept, p50`, quantile(kept, 0.5), kept.length)
    push(`adding a sentence beside ${memories} memories, refused, p50`, quantile(refused, 0.5), refused.length)
  })
  return figures
}

/** Milliseconds of the processor for thinking about a whole chat. */
function thinkingTime(chat: Chat): Promise<number> {
  return inFreshMemory({ background: false }, async (memory) => {
    await storeChat(memory, chat)
    const before = process.cpuUsage()
    await memory.maintenance.think({ userId: chat.userId })
    await memory.idle()
    return processorMs(before)
  })
}
