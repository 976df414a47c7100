/**
 * What does a power cut leave? The file and its log are copied while it is written to, and the log is cut anywhere behind
 * the last sync: the rest must be a beginning of what was written, and agree. Where mounting is permitted, a disk is also
 * copied under a process that writes with `durability: 'full'`: what was not synced is not on it.
 */
import { execFileSync, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { openMemory } from '../../src/doors/library/index.ts'
import { seeded } from '../speed/synthetic.ts'
import { type CampaignOptions, type Finding, inFolder, rounds, Tally } from './campaign.ts'

const DISK_BYTES = 64 * 1024 * 1024

export async function run({ seconds, seed }: CampaignOptions): Promise<readonly Finding[]> {
  const random = seeded(seed)
  const opened = new Tally('files that do not open or agree after the cut')
  const prefix = new Tally('files with a hole in what was written')
  const full = new Tally("turns acknowledged by `durability: 'full'` that a power cut took")
  let most = 0
  await rounds(seconds / 2, () => inFolder((path) => cutPower(path, random() * 1500, full, opened)))
  await rounds(seconds / 2, () =>
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
  return [
    opened.finding,
    prefix.finding,
    full.finding,
    { tried: 'most turns that a cut took', value: most, unit: 'turns', n: 1 },
  ]
}

/** Copies a disk of its own so long after the first acknowledgement, with the writer halted, and opens the copy. */
async function cutPower(place: string, afterMs: number, full: Tally, opened: Tally): Promise<void> {
  const [disk, folder] = [join(dirname(place), 'disk'), join(dirname(place), 'mounted')]
  mkdirSync(folder)
  writeFileSync(disk, '')
  truncateSync(disk, DISK_BYTES)
  const mount = (image: string): void => {
    execFileSync('mount', ['-o', 'loop', image, folder], { stdio: 'ignore' })
  }
  const unmount = (): void => void spawnSync('umount', [folder])
  const path = join(folder, 'memory.db')
  try {
    execFileSync('mkfs.ext4', ['-q', '-F', disk], { stdio: 'ignore' })
    mount(disk)
  } catch {
    return
  }
  const writer = fork(new URL('./lost-fsync-process.ts', import.meta.url), [path])
  const gone = once(writer, 'exit')
  let told = -1
  writer.on('message', (at: number) => {
    told = at
    writer.emit('told')
  })
  try {
    await Promise.race([once(writer, 'told'), gone])
    await setTimeout(afterMs)
    writer.kill('SIGSTOP')
    // What was told before is heard by now.
    await setTimeout(20)
    copyFileSync(disk, `${disk}-cut`)
  } finally {
    writer.kill('SIGKILL')
    await gone
    unmount()
  }
  try {
    mount(`${disk}-cut`)
    await using left = await openMemory({ path, userId: 'one' })
    const wrong = (await left.maintenance.verify()).filter(({ ok }) => !ok)
    opened.check(wrong.length === 0, JSON.stringify(wrong))
    const { total } = await left.conversations.turns('c', { limit: 1 })
    for (let at = 0; at <= told; at += 1) full.check(at < total, `${total} of ${told + 1}`)
  } catch (error) {
    opened.check(false, String(error))
  } finally {
    unmount()
  }
}
