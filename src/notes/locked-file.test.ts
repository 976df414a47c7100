import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { freshFolder } from '../../test/support/folder.ts'
import { readNotesFile } from './locked-file.ts'

/** Puts file after file in the place of one; each says how many seconds since the epoch its time is. */
const REPLACING = `const { renameSync, utimesSync, writeFileSync } = require('node:fs')
  const { path } = require('node:worker_threads').workerData
  for (let time = 1_000_000_000; ; time += 1) {
    writeFileSync(path + '.new', String(time))
    utimesSync(path + '.new', time, time)
    renameSync(path + '.new', path)
  }`

test('a file has the time at which its bytes were written, however often another one takes its place', async () => {
  const path = join(freshFolder(), 'MEMORY.md')
  writeFileSync(path, '')
  const worker = new Worker(REPLACING, { eval: true, workerData: { path } })
  onTestFinished(async () => {
    await worker.terminate()
  })
  const seen = new Set<string>()
  while (seen.size < 100) {
    const { bytes, seenAs } = (await readNotesFile(path))!
    const said = new TextDecoder().decode(bytes)
    if (said === '') continue
    expect(seenAs.time).toBe(`${said}000000000`)
    seen.add(said)
  }
})
