/** What happens on a disk that is full, read-only or failing? Needs the right to mount a file system of a few megabytes. */
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MnemeError, openMemory } from '../../src/doors/library/index.ts'
import { seeded } from '../speed/synthetic.ts'
import { type CampaignOptions, type Finding, inFolder, rounds, Tally } from './campaign.ts'
import { failCalls } from './io-errors.ts'

const SAID = new Set(['storage_full', 'storage_failed', 'storage_read_only'])

export async function run({ seconds, seed }: CampaignOptions): Promise<readonly Finding[]> {
  const random = seeded(seed)
  const said = new Tally('refusals that do not say what is wrong with the disk')
  const kept = new Tally('acknowledged turns that are gone')
  const gone = new Tally('removals that a full disk refuses')
  const again = new Tally('files that do not work once there is room')
  let mounted = 0
  await rounds(seconds / 2, () =>
    inFolder(async (place) => {
      const [disk, still] = [join(dirname(place), 'disk'), join(dirname(place), 'still')]
      for (const folder of [disk, still]) mkdirSync(folder)
      const mount = (...words: string[]): void => void execFileSync('mount', words, { stdio: 'ignore' })
      try {
        mount('-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk)
      } catch {
        return
      }
      mounted += 1
      try {
        const path = join(disk, 'memory.db')
        const memory = await openMemory({ path, userId: 'one' })
        writeFileSync(join(disk, 'ballast'), Buffer.alloc(1_000_000))
        const acknowledged: string[] = []
        const ids = await Promise.all(
          ['green', 'blue', 'red'].map((colour) => memory.add(`The gate is ${colour}.`, { infer: false })),
        )
        await memory.conversations.store({ conversationId: 'short', turns: [{ role: 'user', content: 'Gone soon.' }] })
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
        const fillUp = (): void => {
          try {
            for (;;) appendFileSync(join(disk, 'ballast'), Buffer.alloc(4096, 1))
          } catch {
            // There is no more room.
          }
        }
        const removals = [
          ...ids.map(
            ({ results }) =>
              () =>
                memory.delete(results[0]!.id),
          ),
          () => memory.conversations.delete({ conversationId: 'short' }),
          () => memory.deleteAll(),
        ]
        for (const [at, remove] of removals.entries()) {
          fillUp()
          gone.check(!(await refused(remove)), `removal ${at}`)
        }
        rmSync(join(disk, 'ballast'))
        again.check(!(await refused(store('after'))), 'a turn is refused')
        const there = (await memory.conversations.turns('c', { limit: 10_000 })).items.map(
          ({ externalId }) => externalId,
        )
        for (const id of acknowledged) kept.check(there.includes(id), id)
        const wrong = (await memory.maintenance.verify()).filter(({ ok }) => !ok)
        again.check(wrong.length === 0, JSON.stringify(wrong))
        await memory.close()
        mount('--bind', disk, still)
        mount('-o', 'remount,ro,bind', still)
        const readOnly = { path: join(still, 'memory.db'), userId: 'one' }
        const opened = await refused(async () => (await openMemory(readOnly)).close())
        again.check(opened, 'a read-only disk is opened for writing')
      } finally {
        for (const folder of [still, disk]) spawnSync('umount', ['-l', folder])
      }
    }),
  )
  return [
    { tried: 'disks that were filled (0: mounting is not permitted)', value: mounted, unit: '', n: mounted },
    ...(mounted === 0 ? [] : [said.finding, kept.finding, gone.finding, again.finding]),
    ...(await failCalls(seconds / 2, random)),
  ]
}
