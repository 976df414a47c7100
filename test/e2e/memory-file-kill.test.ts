/**
 * A process killed while it writes the memory file leaves the old file or the new one, whole. MNEME_KILLS=200 kills so
 * often, half the time in the moments of the exchange.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openMemory } from '../../src/doors/library/index.ts'
import { freshFolder } from '../support/folder.ts'
import { seeded } from '../support/random.ts'

const KILLS = Number(process.env.MNEME_KILLS ?? 5)
const LONGEST_MS = 60
/** So long the making of a small file takes, about. */
const LONGEST_WRITE_MS = 3
const PERSONS = 'What the person wrote at the end stays.\n'

test(`after ${KILLS} kills the file is whole and no edit was made up`, {
  timeout: 120_000 + KILLS * 20_000,
}, async () => {
  const folder = freshFolder()
  const path = join(folder, 'memory.db')
  const file = join(folder, 'MEMORY.md')
  writeFileSync(file, `# Mine\n\n${PERSONS}`)
  const random = seeded(17)
  let midway = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    const child = fork(new URL('../support/digest-process.ts', import.meta.url), [path, String(kill)])
    const exited = once(child, 'exit')
    await once(child, 'message')
    if (kill % 2 === 0) await setTimeout(random() * LONGEST_MS)
    else await midwayThrough(`${file}.backups`, random() * LONGEST_WRITE_MS)
    child.kill('SIGKILL')
    await exited
    const text = readFileSync(file, 'utf8')
    expect(text).toContain(PERSONS)
    expect(text.endsWith('\n')).toBe(true)
    for (const line of text.split('\n').filter((one) => one.startsWith('- ')))
      expect(line).toMatch(/^- \[\d{4}-\d\d-\d\d\] Run \d+ notes number \d+:.* <!-- mneme:[0-9a-f]{12} -->$/)
    if (existsSync(`${file}.backups`) && readdirSync(`${file}.backups`).includes('unfinished')) midway += 1
  }
  await using memory = await openMemory({
    path,
    userId: 'ana',
    memoryFile: { dedupThreshold: 1, maxEntries: 100_000 },
  })
  const { edits, conflicts, repairs } = await memory.memoryFile.digest()
  expect([...edits, ...conflicts, ...repairs]).toEqual([])
  const { entries, text } = await memory.memoryFile.read()
  expect(text).toContain(PERSONS)
  expect(new Set(entries.map(({ memoryId }) => memoryId)).size).toBe(entries.length)
  expect(entries.length).toBeGreaterThanOrEqual(KILLS)
  // Memories that never reached the file come in with the digest.
  expect((await memory.getAll({ limit: 1 })).total).toBe(entries.length)
  expect(readdirSync(`${file}.backups`)).not.toContain('unfinished')
  if (process.env.MNEME_KILLS !== undefined)
    process.stderr.write(`killed in the middle of writing: ${midway} of ${KILLS}\n`)
})

/** Waits until a new file is begun in the folder, and then so many milliseconds more: timers are too coarse for that. */
async function midwayThrough(folder: string, milliseconds: number): Promise<void> {
  const watcher = watch(folder)
  try {
    for (;;) {
      const [, name] = await once(watcher, 'change')
      if (name === 'unfinished') break
    }
  } finally {
    watcher.close()
  }
  const from = performance.now()
  while (performance.now() - from < milliseconds);
}
