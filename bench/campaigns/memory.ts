/** How much does a server hold with every place full? Large bodies at every door at once, while its memory is read. */

import { silentLogger } from '../../src/domain/logger.ts'
import { serve } from '../../src/doors/cli/commands/serve.ts'
import { keepHeapSteady } from '../../src/doors/cli/small-heap.ts'
import { createBackground } from '../../src/doors/http/background-thread.ts'
import { openMemory } from '../../src/doors/library/index.ts'
import { type CampaignOptions, type Finding, inFolder, rounds } from './campaign.ts'

const MOST_MB = 600
const MEGABYTE = 1024 * 1024
const AT_ONCE = 64

export async function run({ seconds }: CampaignOptions): Promise<readonly Finding[]> {
  keepHeapSteady()
  let most = 0
  let asked = 0
  let failed = 0
  await inFolder(async (path) => {
    const elsewhere = createBackground({ path, userId: 'local' }, silentLogger)
    const memory = elsewhere.over(await openMemory({ path, userId: 'local', elsewhere }))
    const server = await serve({ memory, port: 0, version: '0', requestsPerMinute: 1_000_000 })
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss)
    }, 20)
    const post = async (place: string, body: string, type = 'application/json'): Promise<void> => {
      const answer = await fetch(server.url + place, { method: 'POST', headers: { 'content-type': type }, body })
      await answer.text()
      asked += 1
      if (answer.status >= 500 && answer.status !== 503) failed += 1
    }
    const text = 'The pump of the well was repaired on Monday. '.repeat(20_000)
    const lines = Array.from({ length: 2000 }, (_, at) =>
      JSON.stringify({ role: 'user', content: `Line ${at} ${'x'.repeat(400)}` }),
    )
    try {
      await rounds(seconds, async (round) => {
        const calls = Array.from({ length: AT_ONCE }, (_, at) => {
          if (at % 4 === 0) return post('/memory/search', JSON.stringify({ query: text.slice(0, 60_000) }))
          if (at % 4 === 1) return post('/context', JSON.stringify({ message: text.slice(0, 60_000) }))
          if (at % 4 === 2)
            return post(
              `/conversations/c${round}-${at}/turns`,
              JSON.stringify({ turns: [{ role: 'user', content: text.slice(0, 90_000) }] }),
            )
          return post('/import', lines.join('\n'), 'application/x-ndjson')
        })
        await Promise.allSettled(calls)
      })
    } finally {
      clearInterval(watch)
      await server.close(100)
      await elsewhere.close()
      await memory.close()
    }
  })
  return [
    {
      tried: `requests, ${AT_ONCE} at once, that ended with a fault of the server`,
      value: failed,
      unit: '',
      n: asked,
      most: 0,
    },
    { tried: 'most resident memory', value: most / MEGABYTE, unit: 'MB', n: asked, most: MOST_MB },
  ]
}
