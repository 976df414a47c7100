/** What happens on a full and on a read-only disk? Needs the right to mount a file system of a few megabytes. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MnemeError, openMemory } from '../../src/doors/library/index.ts'
import { seeded } from '../speed/synthetic.ts'
import { type CampaignOptions, type Finding, inFolder, rounds, Tally } from './campaign.ts'

const SAID = new Set(['storage_full', 'storage_failed', 'storage_read_only'])

export async function run({ seconds, seed }: CampaignOptions): Promise<readonly Finding[]> {
  const random = seeded(seed)
  const said = new Tally('refusals that do not say what is wrong with the disk')
  const kept = new Tally('acknowledged turns that are gone')
  const again = new Tally('files that do not work once there is room')
  let mounted = 0
  await rounds(seconds, () =>
    inFolder(async (place) => {
      const disk = join(dirname(place), 'disk')
      mkdirSync(disk)
      const mount = (...options: string[]): void => void execFileSync('mount', [...options, disk], { stdio: 'ignore' })
      try {
        mount('-t', 'tmpfs', '-o', 'size=3m', 'tmpfs')
      } catch {
        return
      }
      mounted += 1
      try {
        const path = join(disk, 'memory.db')
        const memory = await openMemory({ path, userId: 'one' })
        writeFileSync(join(disk, 'ballast'), Buffer.alloc(1_000_000))
        const acknowledged: string[] = []
        const refused = async (work: () => Promise<unknown>): Promise<boolean> => {
          try {
            await work()
            return false
          } catch (error) {
            said.check(error instanceof MnemeError && SAID.has(error.code) && error.remedy !== '', String(error))
            return true
          }
        }
        const store = (id: string) => async () => {
          const content = `Note ${id} ${'salt '.repeat(random() * 800)}`
          await memory.conversations.store({ conversationId: 'c', turns: [{ role: 'user', content, externalId: id }] })
          acknowledged.push(id)
        }
        for (let at = 0, full = 0; at < 1500 && full < 5; at += 1) if (await refused(store(`t${at}`))) full += 1
        rmSync(join(disk, 'ballast'))
        again.check(!(await refused(store('after'))), 'a turn is refused')
        const there = (await memory.conversations.turns('c', { limit: 10_000 })).items.map(
          ({ externalId }) => externalId,
        )
        for (const id of acknowledged) kept.check(there.includes(id), id)
        const wrong = (await memory.maintenance.verify()).filter(({ ok }) => !ok)
        again.check(wrong.length === 0, JSON.stringify(wrong))
        await memory.close()
        mount('-o', 'remount,ro')
        const opened = await refused(async () => (await openMemory({ path, userId: 'one' })).close())
        again.check(opened, 'a read-only disk is opened for writing')
      } finally {
        execFileSync('umount', ['-l', disk])
      }
    }),
  )
  return [
    { tried: 'disks that were filled (0: mounting is not permitted)', value: mounted, unit: '', n: mounted },
    ...(mounted === 0 ? [] : [said.finding, kept.finding, again.finding]),
  ]
}
