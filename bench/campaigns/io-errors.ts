/** What happens when the disk fails a single read, write or sync, or each from one on? Needs a C compiler. */
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openMemory } from '../../src/doors/library/index.ts'
import { type Finding, inFolder, rounds, Tally } from './campaign.ts'
import type { Told } from './io-errors-process.ts'

/** Calls of a whole run by their kind, in powers of two: the failing one is chosen among them, early ones more often. */
const KINDS = [
  ['read', 10],
  ['write', 12],
  ['sync', 6],
] as const

/** Fails calls of a process until the time is over. */
export async function failCalls(seconds: number, random: () => number): Promise<readonly Finding[]> {
  const said = new Tally('refusals by a failing disk that are no error of ours')
  const kept = new Tally('acknowledged turns that are gone after I/O errors')
  const gone = new Tally('removed turns that are back after I/O errors')
  const ended = new Tally('processes that an I/O error ends or holds')
  const again = new Tally('files that do not work once the disk does')
  let failing = 0
  await inFolder(async (place) => {
    const shim = join(dirname(place), 'io-errors.so')
    try {
      const source = fileURLToPath(new URL('./io-errors.c', import.meta.url))
      execFileSync('cc', ['-shared', '-fPIC', '-o', shim, source, '-ldl'], { stdio: 'ignore' })
    } catch {
      return
    }
    await rounds(seconds, (round) =>
      inFolder(async (path) => {
        const [kind, most] = KINDS[round % KINDS.length]!
        const from = Math.floor(2 ** (random() * most))
        const fault = `${kind} ${from}${random() < 0.5 ? ' and on' : ''}`
        const there = new Set<string>()
        const removed = new Set<string>()
        // A disk that was written to before, as most are.
        if (random() < 0.5) await (await openMemory({ path, userId: 'one' })).close()
        const env = {
          ...process.env,
          LD_PRELOAD: shim,
          FAILING_FOLDER: dirname(path),
          FAILING_CALLS: kind,
          FAILING_FROM: String(from),
          ...(fault.endsWith('on') ? { FAILING_ON: '1' } : {}),
        }
        const worker = fork(new URL('./io-errors-process.ts', import.meta.url), [path, String(round)], { env })
        const over = setTimeout(() => worker.kill('SIGKILL'), LONGEST_MS)
        worker.on('message', (told: Told) => {
          if ('stored' in told) there.add(told.stored)
          else if ('removing' in told) there.delete(told.removing)
          else if ('removed' in told) removed.add(told.removed)
          else {
            failing += 1
            said.check(told.isOurs, `${fault}: ${told.refused}`)
          }
        })
        const [code, signal] = await once(worker, 'exit')
        clearTimeout(over)
        ended.check(code === 0, `${fault}: ${signal ?? code}`)
        if (!existsSync(path)) return
        try {
          await using memory = await openMemory({ path, userId: 'one' })
          const { items } = await memory.conversations.list({ limit: 1000 })
          const found = new Set(items.map(({ conversationId }) => conversationId))
          for (const id of there) kept.check(found.has(id), `${fault}: ${id}`)
          for (const id of removed) gone.check(!found.has(id), `${fault}: ${id}`)
          const wrong = (await memory.maintenance.verify()).filter(({ ok }) => !ok)
          again.check(wrong.length === 0, `${fault}: ${JSON.stringify(wrong)}`)
          await memory.conversations.store({ conversationId: 'after', turns: [{ role: 'user', content: 'It works.' }] })
          await memory.memoryFile.digest()
        } catch (error) {
          again.check(false, `${fault}: ${String(error)}`)
        }
      }),
    )
  })
  return [
    { tried: 'calls refused by a failing disk (0: there is no C compiler)', value: failing, unit: '', n: failing },
    ...(failing === 0 ? [] : [said.finding, kept.finding, gone.finding, ended.finding, again.finding]),
  ]
}

const LONGEST_MS = 60_000
