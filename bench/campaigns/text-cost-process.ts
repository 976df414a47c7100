/** The process that reads hostile texts by rules and doors; its parent ends it where a text holds it, and goes on behind. */
import { rmSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { MnemeError, openMemory } from '../../src/doors/library/index.ts'
import { freshPath } from '../speed/fill.ts'
import { hostileTexts } from './hostile-texts.ts'
import { certain } from './text-cost.ts'
import { textRules } from './text-rules.ts'

const SMALL = 4 * 1024
const MIDDLE = 32 * 1024
const MEGABYTE = 1024 * 1024
/** Growth of a rule from SMALL to MIDDLE, and its time there, above which it is looked at closely. */
const SUSPECT_RATIO = 12
const SUSPECT_MS = 20
const LEAST_MS = 1
/** After one reading of so many milliseconds no longer text is tried. */
const ENOUGH_OF_RULE = 1500
const ENOUGH_OF_DOOR = 3000

const [mode, seed, mixtures, from, only, until] = process.argv.slice(2)
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
/** Texts made so far: each is read anew, since of an earlier one readings are kept. */
let readings = 0

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
        let best = Number.POSITIVE_INFINITY
        for (let run = 0; run < runs && (run === 0 || (best > LEAST_MS && best < 100)); run += 1) {
          const whole = text.ofLength(characters, readings++)
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
      const isSuspect = middle > SUSPECT_MS || (middle > LEAST_MS && middle / small > SUSPECT_RATIO)
      const look = async (size: number) => {
        // A sign of life: on a busy machine several looks together take longer than a held process may be silent.
        await say({ on: String(size) })
        return new Map([[rule.name, { ms: await timed(size, 3) }]])
      }
      const sizes = [MIDDLE, MIDDLE * 4, MEGABYTE / 4, MEGABYTE]
      const known = isSuspect
        ? (await certain(sizes, look, ENOUGH_OF_RULE, Number(until))).get(rule.name)!
        : { times: [[MIDDLE, middle]] }
      await say({ measured: { reader: rule.name, text: text.name, ...known } })
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
    const look = async (size: number) => {
      const taken = new Map<string, { readonly ms: number; readonly held: number }>()
      const path = freshPath()
      const content = ofBytes(text.ofLength(size, readings++), size)
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
        const ms = atWork() - begun
        await pause()
        taken.set(door, { ms, held: longest })
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
      return taken
    }
    for (const [reader, known] of await certain([SMALL, MIDDLE * 4, MEGABYTE], look, ENOUGH_OF_DOOR, Number(until)))
      await say({ measured: { reader, text: text.name, ...known } })
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
