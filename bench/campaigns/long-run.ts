/** Does anything grow that should not? One day is repeated again and again: memory, handles and the log, after a fifth and at the end. */
import { statSync } from 'node:fs'
import { openMemory } from '../../src/doors/library/index.ts'
import { seeded, turnText } from '../speed/synthetic.ts'
import { type CampaignOptions, type Finding, inFolder, rounds } from './campaign.ts'

interface Sample {
  readonly resident: number
  readonly handles: number
  readonly log: number
}

const WARMING_DAYS = 1000

export async function run({ seconds, seed }: CampaignOptions): Promise<readonly Finding[]> {
  const random = seeded(seed)
  const samples: Sample[] = []
  await inFolder(async (path) => {
    await using memory = await openMemory({ path, userId: 'one' })
    await rounds(seconds, async (day) => {
      const conversationId = `c${day % 5}`
      const turns = Array.from({ length: 10 }, () => ({ role: 'user' as const, content: turnText(random) }))
      await memory.conversations.store({ conversationId, turns })
      await memory.recall(turnText(random))
      await memory.context.build(turnText(random), { conversationId })
      await memory.idle()
      // The database stays of one size: the day before goes.
      if (day >= 4) await memory.conversations.delete({ conversationId: `c${(day + 1) % 5}` })
      samples.push({
        resident: process.memoryUsage().rss,
        handles: process.getActiveResourcesInfo().length,
        log: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      })
    })
  })
  // Caches fill in the first days: growth counts behind them, where as many days follow.
  const isLong = samples.length >= 2 * WARMING_DAYS
  const counted = isLong ? samples.slice(WARMING_DAYS) : samples
  const fifth = counted.slice(Math.floor(counted.length / 5), Math.max(1, Math.floor((counted.length * 2) / 5)))
  const last = counted.slice(Math.floor((counted.length * 4) / 5))
  const mean = (some: readonly Sample[], of: keyof Sample): number =>
    some.reduce((sum, one) => sum + one[of], 0) / Math.max(1, some.length)
  const most = isLong ? { most: 1.1 } : {}
  return (['resident', 'handles', 'log'] as const).map((of) => ({
    tried: `${of}: last fifth against the second`,
    value: mean(last, of) / Math.max(1, mean(fifth, of)),
    unit: '×',
    n: counted.length,
    ...(of === 'log' ? {} : most),
  }))
}
