/** Does a server grow? A day's worth of mixed requests replayed at speed; its memory after a tenth of them, and at the end. */
import type { BenchOptions, Figure } from '../figure.ts'
import { freshPath } from './fill.ts'
import { type Client, client, startServer } from './rest-client.ts'
import { query, seeded, turnText } from './synthetic.ts'

const REQUESTS = 200_000
const CONNECTIONS = 16
const USERS = 50
/** Conversations that a user has; they are used again, so that what is stored stays of one size. */
const CONVERSATIONS = 5
const MEGABYTE = 1024 * 1024
const TENTHS = 10

/** `--requests N` for a shorter day. */
export async function run({ flags }: BenchOptions): Promise<readonly Figure[]> {
  const requests = Number(flags.requests ?? REQUESTS)
  const server = await startServer(freshPath())
  const connection = client(server.url, CONNECTIONS)
  const random = seeded(17)
  const resident: number[] = []
  // From one tenth to the next: a memory that was forgotten here would stay in the database for good.
  const lastIds = Array.from({ length: CONNECTIONS }, () => new Map<string, string>())
  const begun = performance.now()
  for (let tenth = 0; tenth < TENTHS; tenth += 1) {
    await replay(connection, requests / TENTHS, random, lastIds)
    resident.push((await server.used()).resident)
  }
  const seconds = (performance.now() - begun) / 1000
  connection.close()
  await server.stop()
  const [first = 0, last = 0] = [resident[0], resident.at(-1)]
  const all = resident.map((bytes) => (bytes / MEGABYTE).toFixed(0)).join(' ')
  return [
    {
      bench: 'soak',
      figure: `memory after ${requests} requests`,
      value: last / MEGABYTE,
      unit: 'MB',
      n: requests,
      reference: `after a tenth; all tenths: ${all}`,
      ratio: last / first,
    },
    { bench: 'soak', figure: 'requests a second', value: requests / seconds, unit: '/s', n: requests },
  ]
}

/** `lastIds`: of every connection, the memory that each user added last. */
async function replay(
  { send }: Client,
  count: number,
  random: () => number,
  lastIds: readonly Map<string, string>[],
): Promise<void> {
  let left = count
  const pick = (most: number): number => Math.floor(random() * most)
  const worker = async (lastId: Map<string, string>): Promise<void> => {
    while (left > 0) {
      left -= 1
      const user = `user_id=u${pick(USERS)}`
      const kind = random()
      if (kind < 0.35) await send('POST', `/memory/search?${user}`, { query: query(random) })
      else if (kind < 0.55) await send('POST', `/recall?${user}`, { query: query(random), limit: 5 })
      else if (kind < 0.7)
        await send('POST', `/conversations/c${pick(CONVERSATIONS)}/turns?${user}`, {
          turns: [{ role: 'user', content: turnText(random) }],
        })
      else if (kind < 0.8) {
        const answer = JSON.parse(await send('POST', `/memory/long-term?${user}`, { text: turnText(random) }))
        const before = lastId.get(user)
        lastId.set(user, answer.results[0].id)
        // As much goes as comes, so that a larger memory is no larger database.
        if (before !== undefined) await send('DELETE', `/memory/long-term/${before}?${user}`)
      } else if (kind < 0.9) await send('GET', `/memory/long-term?${user}&limit=10`)
      else if (kind < 0.95) await send('POST', `/context?${user}`, { message: query(random) })
      else if (kind < 0.98) await send('GET', `/conversations?${user}&limit=10`)
      else await send('DELETE', `/conversations/c${pick(CONVERSATIONS)}?${user}`)
    }
  }
  await Promise.all(lastIds.map(worker))
}
