/** Does a kill lose what was acknowledged, or leave half of anything? Every writing call is killed at random moments. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { openMemory } from '../../src/doors/library/index.ts'
import { seeded } from '../speed/synthetic.ts'
import { type CampaignOptions, type Finding, inFolder, rounds, Tally } from './campaign.ts'

const LONGEST_MS = 150
const PAGE = 1000
/** The work of a process until it is killed. It tells each acknowledgement before it goes on. */
export const CALLS = ['store', 'rest', 'add', 'import', 'edit', 'delete', 'consolidate', 'digest'] as const

export async function run({ seconds, seed, only }: CampaignOptions): Promise<readonly Finding[]> {
  const random = seeded(seed)
  const calls = CALLS.filter((call) => only === null || call.includes(only))
  const lost = new Tally('acknowledged writes lost')
  const twice = new Tally('writes of one external id that are there twice')
  const whole = new Tally('files that do not agree after a kill')
  const kills = new Map<string, number>()
  await inFolder(async (path) => {
    await (await openMemory({ path })).close()
    const told = new Map<string, string>()
    let unanswered = ''
    await rounds(seconds, async (number) => {
      const call = calls[number % calls.length]!
      const child = fork(new URL('./crash-process.ts', import.meta.url), [path, call, String(number), unanswered])
      const exited = once(child, 'exit')
      child.on('message', ([id, content]: [string, string]) => {
        if (id === 'tried') unanswered = content
        else {
          told.set(id, content)
          child.emit('told')
        }
      })
      await Promise.race([once(child, 'told'), exited])
      setTimeout(() => child.kill('SIGKILL'), random() * LONGEST_MS)
      await exited
      kills.set(call, (kills.get(call) ?? 0) + 1)
    })
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
  })
  const tried = [...kills].map(([call, n]) => ({ tried: `kills inside ${call}`, value: n, unit: '', n }))
  return [...tried, lost.finding, twice.finding, whole.finding]
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
