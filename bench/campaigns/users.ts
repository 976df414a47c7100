/** Does one user ever see, change or count what is another's? Every operation with odd ids, by users that look alike. */

import { createApp } from '../../src/doors/http/app.ts'
import { type OpenMemory, openMemory } from '../../src/doors/library/index.ts'
import { OPERATIONS } from '../../src/doors/operations/table.ts'
import { seeded } from '../speed/synthetic.ts'
import { type CampaignOptions, type Finding, rounds, Tally } from './campaign.ts'

/** Users whose names are alike to whoever folds, trims or escapes them. */
const USERS = ['ana', 'Ana', 'ana%', 'a_a', "ana' OR '1'='1", 'ana/..', 'аna', '*', '__proto__']

export async function run({ seconds, seed }: CampaignOptions): Promise<readonly Finding[]> {
  const random = seeded(seed)
  const seen = new Tally('answers that show what is another user’s')
  const changed = new Tally('users who lost something by the calls of others')
  const memory = await openMemory({ path: ':memory:', userId: 'local' })
  const app = createApp({ memory }, '0')
  try {
    const secrets = new Map(USERS.map((user, at) => [user, `hatstand${at}x`]))
    const known: string[] = []
    for (const [userId, word] of secrets) {
      const turns = [{ role: 'user' as const, content: `I live beside the ${word}.`, externalId: 'e1' }]
      await memory.conversations.store({ userId, conversationId: `c${known.length}`, turns })
      const { results } = await memory.add(`The ${word} is mine.`, { userId, infer: false })
      await memory.profile.set({ userId, text: `Owns a ${word}.` })
      known.push(results[0]!.id, `c${known.length}`)
    }
    await memory.idle()
    const held = new Map(
      await Promise.all(USERS.map(async (userId) => [userId, await heldBy(memory, userId, known)] as const)),
    )
    const operations = OPERATIONS.filter(
      ({ rest, scope }) =>
        rest !== undefined && scope !== 'admin' && (rest.own === undefined || rest.path === '/export'),
    )
    await rounds(seconds, async () => {
      for (const { rest, input } of operations) {
        if (rest === undefined) continue
        const caller = USERS[Math.floor(random() * USERS.length)]!
        const id = known[Math.floor(random() * known.length)]!
        // A caller may do with its own what it likes; that is no attempt.
        if (known.indexOf(id) >> 1 === USERS.indexOf(caller)) continue
        const path = rest.path.replace(/\{(\w+)\}/g, (_, name) => (name === 'turn_id' ? '1' : encodeURIComponent(id)))
        const names = Object.keys(input.shape)
        if (rest.method === 'delete' && !path.includes(encodeURIComponent(id))) continue
        const body: Record<string, unknown> = { query: id, message: 'hatstand', keyword: 'hatstand', ids: [id] }
        const sent = Object.fromEntries(
          ['conversation_id', 'session_id', 'id', 'query', 'message', 'keyword', 'ids', 'title', 'content', 'text']
            .filter((name) => names.includes(name) && !rest.path.includes(`{${name}}`))
            .map((name) => [name, body[name] ?? id]),
        )
        const init = ['get', 'delete'].includes(rest.method)
          ? { method: rest.method.toUpperCase() }
          : { method: rest.method.toUpperCase(), body: JSON.stringify(sent) }
        const headers = { 'x-user-id': encodeURIComponent(caller), 'content-type': 'application/json' }
        const response = await app.fetch(new Request(`http://localhost${path}`, { ...init, headers }))
        const text = (await response.text()).replaceAll(id, '')
        for (const [user, word] of secrets)
          if (user !== caller) seen.check(!text.includes(word), `${caller} by ${rest.method} ${path}: ${word}`)
      }
    })
    for (const userId of USERS) {
      const left = await heldBy(memory, userId, known)
      changed.check(left === held.get(userId), `${userId}: ${held.get(userId)} is now ${left}`)
    }
  } finally {
    await memory.close()
  }
  return [seen.finding, changed.finding]
}

/** What the calls of others might change of a user's conversation, turn and memory; counts of own searches are left out. */
async function heldBy(memory: OpenMemory, userId: string, known: readonly string[]): Promise<string> {
  const [memoryId = '', conversationId = ''] = known.slice(2 * USERS.indexOf(userId))
  const missing = (): null => null
  const [conversation, turns, kept] = await Promise.all([
    memory.conversations.get(conversationId, { userId }).catch(missing),
    memory.conversations.turns(conversationId, { userId }).catch(missing),
    memory.get(memoryId, { userId }).catch(missing),
  ])
  const { lastAccessed: _, accessCount: __, updatedAt: ___, ...stays } = kept ?? {}
  return JSON.stringify([conversation, turns?.items ?? null, stays])
}
