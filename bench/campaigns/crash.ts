/** Does a kill lose what was acknowledged, or leave half of anything? Every writing call is killed at random moments. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { openMemory } from '../../src/doors/library/index.ts'
import { seeded } from '../speed/synthetic.ts'
import { type CampaignOptions, type Finding, inFolder, rounds, Tally } from './campaign.ts'

const LONGEST_MS = 150
const PAGE = 1000
/** For so long a request counts as being worked on, though its process was killed. */
const LEASE_MS = 31_000
const LANES = 3
/** After so many the file is looked through, and another begun: a long file makes each call slower, not more likely to lose. */
const KILLS_A_FILE = 240
/** The work of a process until it is killed. It tells each acknowledgement before it goes on. */
export const parts = ['store', 'rest', 'add', 'import', 'edit', 'delete', 'consolidate', 'digest'] as const

/** A request that may have been answered, with the time when it was sent. */
interface Sent {
  readonly key: string
  readonly at: number
}

export async function run({ seconds, seed, only }: CampaignOptions): Promise<readonly Finding[]> {
  const random = seeded(seed)
  const calls = parts.filter((call) => only === null || call.includes(only))
  const lost = new Tally('acknowledged writes lost')
  const twice = new Tally('writes of one external id that are there twice')
  const whole = new Tally('files that do not agree after a kill')
  const kills = new Map<string, number>()
  const until = Date.now() + seconds * 1000
  await rounds(seconds, () =>
    inFolder(async (path) => {
      await (await openMemory({ path })).close()
      const told = new Map<string, string>()
      // Processes of several kinds write into one file, and each is killed beside others that go on.
      const killAll = async (lane: number): Promise<void> => {
        const mine = calls.filter((_, at) => at % LANES === lane)
        let unanswered: readonly Sent[] = []
        for (let number = 0; number < KILLS_A_FILE / LANES && mine.length > 0; number += 1) {
          if (number > 0 && Date.now() > until) return
          const call = mine[number % mine.length]!
          const due = unanswered.filter(({ at }) => at < Date.now() - LEASE_MS)
          const ask = [path, call, String(number), ...(call === 'rest' ? due.map(({ key }) => key) : [])]
          const sent = await killOne(ask, random() * LONGEST_MS, told)
          if (sent !== null) unanswered = [...unanswered, sent].filter(({ key }) => !told.has(`Sent once: ${key}`))
          kills.set(call, (kills.get(call) ?? 0) + 1)
        }
      }
      await Promise.all(Array.from({ length: LANES }, (_, lane) => killAll(lane)))
      await using memory = await openMemory({ path, userId: 'one' })
      const found = new Map<string, string[]>()
      const note = (id: string | null | undefined, content: string): void =>
        void (id != null && found.set(id, [...(found.get(id) ?? []), content]))
      for await (const { conversationId } of all((page) => memory.conversations.list(page)))
        for await (const turn of all((page) => memory.conversations.turns(conversationId, page)))
          note(turn.externalId ?? turn.content, turn.content)
      for await (const { externalId, text } of all((page) => memory.getAll({ ...page, includePast: true })))
        note(externalId, text)
      for (const [id, content] of told) {
        const there = found.get(id) ?? []
        lost.check(content === '' ? there.length === 0 : there.includes(content), id)
        twice.check(there.length < 2, id)
      }
      for (const { check, ok, detail } of await memory.maintenance.verify()) whole.check(ok, `${check}: ${detail}`)
    }),
  )
  const tried = [...kills].map(([call, n]) => ({ tried: `kills inside ${call}`, value: n, unit: '', n }))
  return [...tried, lost.finding, twice.finding, whole.finding]
}

/** Kills one process so long after its first acknowledgement; the last request that it sent with a key. */
async function killOne(ask: readonly string[], afterMs: number, told: Map<string, string>): Promise<Sent | null> {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(dirname(ask[0]!), 'compiled') }
  const child = fork(new URL('./crash-process.ts', import.meta.url), ask, { env })
  const exited = once(child, 'exit')
  let sent: Sent | null = null
  child.on('message', ([id, content]: [string, string]) => {
    if (id === 'tried') sent = { key: content, at: Date.now() }
    else {
      told.set(id, content)
      child.emit('told')
    }
  })
  await Promise.race([once(child, 'told'), exited])
  setTimeout(() => child.kill('SIGKILL'), afterMs)
  await exited
  return sent
}

/** Every item of a list that answers in pages. */
async function* all<T>(
  list: (page: { limit: number; offset: number }) => Promise<{ items: readonly T[] }>,
): AsyncGenerator<T> {
  for (let offset = 0; ; offset += PAGE) {
    const { items } = await list({ limit: PAGE, offset })
    yield* items
    if (items.length < PAGE) return
  }
}
