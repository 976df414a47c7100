/** Does a clock that jumps leave jobs waiting, spans that end before they begin, or an old fact above a newer one? */
import { openMemory } from '../../src/doors/library/index.ts'
import { seeded } from '../speed/synthetic.ts'
import { type CampaignOptions, type Finding, inFolder, rounds, Tally } from './campaign.ts'

const START = Date.parse('2026-05-07T09:30:00Z')
const DAY = 86_400_000
const LARGEST_JUMPS = [20, 2000, 2 * DAY, 3000 * DAY]
const HOMES = ['I live in Genoa.', 'I moved to Turin.', '我住在苏州。', '我搬到杭州了。']
const SAID = [...HOMES, 'My dog Biscuit is four.', 'I quit my job.']

export async function run({ seconds, seed }: CampaignOptions): Promise<readonly Finding[]> {
  const random = seeded(seed)
  const spans = new Tally('memories that end before they begin')
  const jobs = new Tally('jobs that are left after idle')
  const working = new Tally('living working memories that are not of the last conversation')
  const newest = new Tally('homes that are asked for and are not the one told last')
  await rounds(seconds, () =>
    inFolder(async (path) => {
      let now = START
      let [home, waits] = ['', false]
      const began = performance.now()
      // It runs on between the jumps, as clocks do.
      const clock = (): Date => new Date(now + performance.now() - began)
      await using memory = await openMemory({ path, userId: 'one', clock })
      for (let step = 0; step < 12; step += 1) {
        const jump = Math.round((random() - 0.5) * LARGEST_JUMPS[Math.floor(random() * 4)]!)
        // Of what waits to be thought about while the clock is set right again, only its time tells when it was told.
        now += waits ? -Math.abs(jump) : jump
        const content = SAID[Math.floor(random() * SAID.length)]!
        await memory.conversations.store({ conversationId: `c${step}`, turns: [{ role: 'user', content }] })
        if (HOMES.includes(content)) home = content
        // What was told before a jump may still wait to be thought about.
        waits = !waits && random() < 0.5
        if (waits) continue
        await memory.idle()
        const asked = home === '' ? [] : (await memory.search('Where do I live? 我住在哪里？')).results
        if (home !== '') newest.check(asked[0]?.text === home, `${asked[0]?.text} for ${home}`)
        const { total } = await memory.maintenance.jobs()
        jobs.check(total === 0, `${total} at ${new Date(now).toISOString()}`)
        working.check(
          (await memory.workingMemory.list()).some(({ sessionId }) => sessionId === `c${step}`),
          `c${step} at ${new Date(now).toISOString()}`,
        )
      }
      for (const { validFrom, validTo, text } of (await memory.getAll({ includePast: true, limit: 1000 })).items)
        spans.check(validTo === null || validFrom <= validTo, `${text} ${validFrom} ${validTo}`)
    }),
  )
  return [spans.finding, newest.finding, jobs.finding, working.finding]
}
