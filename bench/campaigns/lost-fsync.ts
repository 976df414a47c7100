/**
 * What does a power cut leave? The file and its log are copied while it is written to, and the log is cut anywhere behind
 * the last sync: the rest must be a beginning of what was written, and agree.
 */
import { copyFileSync, existsSync, statSync, truncateSync } from 'node:fs'
import { openMemory } from '../../src/doors/library/index.ts'
import { seeded } from '../speed/synthetic.ts'
import { type CampaignOptions, type Finding, inFolder, rounds, Tally } from './campaign.ts'

export async function run({ seconds, seed }: CampaignOptions): Promise<readonly Finding[]> {
  const random = seeded(seed)
  const opened = new Tally('files that do not open or agree after the cut')
  const prefix = new Tally('files with a hole in what was written')
  let most = 0
  await rounds(seconds, () =>
    inFolder(async (path) => {
      const memory = await openMemory({ path, userId: 'one' })
      const written = 1 + Math.floor(random() * 60)
      for (let at = 0; at < written; at += 1) {
        const turns = [
          { role: 'user' as const, content: `Line ${at} about the pump. ${'wet '.repeat(random() * 300)}` },
        ]
        await memory.conversations.store({ conversationId: 'c', turns })
      }
      const cut = `${path}.cut`
      copyFileSync(path, cut)
      if (existsSync(`${path}-wal`)) {
        copyFileSync(`${path}-wal`, `${cut}-wal`)
        truncateSync(`${cut}-wal`, Math.floor(random() * statSync(`${cut}-wal`).size))
      }
      await memory.close()
      try {
        await using left = await openMemory({ path: cut, userId: 'one' })
        const wrong = (await left.maintenance.verify()).filter(({ ok }) => !ok)
        opened.check(wrong.length === 0, JSON.stringify(wrong))
        const there = (await left.conversations.list()).total === 0
        const items = there ? [] : (await left.conversations.turns('c', { limit: 100 })).items
        prefix.check(
          items.every(({ content }, at) => content.startsWith(`Line ${at} `)),
          `${items.length} of ${written}`,
        )
        most = Math.max(most, written - items.length)
      } catch (error) {
        opened.check(false, String(error))
      }
    }),
  )
  return [opened.finding, prefix.finding, { tried: 'most turns that a cut took', value: most, unit: 'turns', n: 1 }]
}
