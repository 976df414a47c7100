/** The process that reads hostile texts by rules and doors; its parent ends it where a text holds it, and goes on behind. */
import { rmSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { MnemeError, openMemory } from '../../src/doors/library/index.ts'
import { freshPath } from '../speed/fill.ts'
import { hostileTexts } from './hostile-texts.ts'
import { exponentOf, MOST_EXPONENT } from './text-cost.ts'
import { textRules } from './text-rules.ts'

/** One measured pair of a rule or door and a text. */
export interface Measured {
  readonly reader: string
  readonly text: string
  /** Sizes in characters and the milliseconds that each took. */
  readonly times: readonly (readonly [characters: number, ms: number])[]
  /** Longest work of a door without a pause for other users, in milliseconds. */
  readonly held?: number
}

const SMALL = 4 * 1024
const MIDDLE = 32 * 1024
const MEGABYTE = 1024 * 1024
/** Growth of a rule from SMALL to MIDDLE, and its time there, above which it is looked at closely. */
const SUSPECT_RATIO = 12
const SUSPECT_MS = 20
const LEAST_MS = 1

const [mode, seed, mixtures, from, only] = process.argv.slice(2)
const texts = hostileTexts(Number(seed), Number(mixtures))
/** Milliseconds of this thread at work, whoever else keeps the machine busy. */
const atWork = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
/** Waits until it is heard: a process that never pauses fills its pipe, and would seem to be held. */
const say = (message: object): Promise<void> => new Promise((heard) => process.send!(message, () => heard()))
/** Lets the look come. */
const pause = (): Promise<void> => setTimeout(4)
let at = -1

if (mode === 'rules') await readByRules()
else await readByDoors()
await say({ done: true })
process.disconnect()

async function readByRules(): Promise<void> {
  const rules = (await textRules()).filter(({ name }) => only === '' || name.includes(only!))
  await say({ all: rules.length * texts.length })
  for (const rule of rules) {
    for (const text of texts) {
      if (await isBehind(rule.name, text.name)) continue
      const timed = async (characters: number, runs = 2): Promise<number> => {
        const whole = text.ofLength(characters)
        let best = Number.POSITIVE_INFINITY
        for (let run = 0; run < runs && (run === 0 || (best > LEAST_MS && best < 100)); run += 1) {
          const begun = atWork()
          try {
            await rule.read(whole)
          } catch {
            // A refusal is an answer too.
          }
          best = Math.min(best, atWork() - begun)
        }
        return best
      }
      const middle = await timed(MIDDLE)
      const small = middle > LEAST_MS ? await timed(SMALL) : 0
      const times: [number, number][] = [
        [SMALL, small],
        [MIDDLE, middle],
      ]
      if (middle > SUSPECT_MS || (middle > LEAST_MS && middle / small > SUSPECT_RATIO)) {
        for (const size of [MIDDLE * 4, MEGABYTE / 4, MEGABYTE])
          if (times.at(-1)![1] < 1500) times.push([size, await timed(size, 3)])
        // A steep cost is timed again until it is certain: on a busy machine a single time says little.
        for (let again = 0; again < 4 && exponentOf(times) > MOST_EXPONENT; again += 1)
          for (const [place, [size, ms]] of times.entries()) times[place] = [size, Math.min(ms, await timed(size, 3))]
      }
      await say({ measured: { reader: rule.name, text: text.name, times } satisfies Measured })
    }
  }
}

/** Each text is stored and thought about; then it is asked, and searched for by a plain question. */
async function readByDoors(): Promise<void> {
  let looked = atWork()
  let longest = 0
  const look = (): void => {
    longest = Math.max(longest, atWork() - looked)
    looked = atWork()
  }
  setInterval(look, 2).unref()
  const mine = texts.filter(({ name }) => only === '' || name.includes(only!))
  await say({ all: mine.length })
  for (const text of mine) {
    if (await isBehind('doors', text.name)) continue
    const times = new Map<string, [number, number][]>()
    const holds = new Map<string, number>()
    for (const size of [SMALL, MIDDLE * 4, MEGABYTE]) {
      if ([...times.values()].some((known) => known.at(-1)![1] > 3000)) break
      const path = freshPath()
      const content = ofBytes(text.ofLength(size), size)
      const question = content.slice(0, 64 * 1024)
      await using memory = await openMemory({ path, userId: 'ana' })
      const timed = async (door: string, call: () => Promise<unknown>): Promise<void> => {
        await say({ on: `${door}, ${size}` })
        await pause()
        longest = 0
        const begun = atWork()
        try {
          await call()
        } catch (error) {
          if (!(error instanceof MnemeError)) throw error
          await say({ refused: `${door}: ${error.message.replace(/\d+/g, 'N')}` })
        }
        times.set(door, [...(times.get(door) ?? []), [size, atWork() - begun]])
        await pause()
        holds.set(door, Math.max(holds.get(door) ?? 0, longest))
      }
      await timed('store', () =>
        memory.conversations.store({ conversationId: 'a', turns: [{ role: 'user', content }] }),
      )
      await timed('think', () => memory.idle())
      await timed('add as it is', () => memory.add(content, { infer: false }))
      await timed('add again', () => memory.add(`${content.slice(0, -20)} once more`, { infer: false }))
      await timed('add and think', () => memory.add(content))
      await timed('search that meets it', () => memory.search(`${content.slice(0, 40)} build Porto 杭州`))
      await timed('search it', () => memory.search(question))
      await timed('recall it', () => memory.recall(question))
      await timed('recall that meets it', () => memory.recall(`${content.slice(0, 40)} build Porto 杭州`))
      await timed('recall turns', () => memory.conversations.recall(question))
      await timed('context', () => memory.context.build(content, { conversationId: 'b', tokenBudget: 2_000_000 }))
      await timed('profile', () => memory.profile.set({ text: content }))
      await timed('list', () => memory.getAll())
      await timed('summarize', () => memory.conversations.summarize('a', { fromTurn: 1, toTurn: 1 }))
      await timed('consolidate', () => memory.maintenance.consolidate())
      await timed('digest', () => memory.memoryFile.digest())
      await memory.close()
      rmSync(path.replace(/[^/]+$/, ''), { recursive: true, force: true })
      // Told after every size: the time may be over before the next.
      for (const [reader, measured] of times)
        await say({ measured: { reader, text: text.name, times: measured, held: holds.get(reader)! } })
    }
  }
}

/** The beginning of a text of so many bytes: the doors refuse more than a megabyte. */
function ofBytes(text: string, bytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes))
  return text.slice(0, read)
}

/** True for what an earlier process has tried. */
async function isBehind(reader: string, text: string): Promise<boolean> {
  at += 1
  if (at < Number(from)) return true
  await say({ at, on: `${reader} × ${text}` })
  return false
}
