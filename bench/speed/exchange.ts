/** A large export and its import: how quick, and in how much memory? Each runs in a process of its own. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, statSync } from 'node:fs'
import { openMemory } from '../../src/doors/library/index.ts'
import type { BenchOptions, Figure } from '../figure.ts'
import { freshPath } from './fill.ts'
import { seeded, turnText } from './synthetic.ts'

const TURNS_A_CONVERSATION = 500
const MIB = 1024 * 1024

/** 200 MB (`--megabytes N` for another size). */
export async function run({ flags }: BenchOptions): Promise<readonly Figure[]> {
  const megabytes = Number(flags.megabytes ?? 200)
  const path = freshPath()
  await fillWith(path, megabytes * MIB)
  const figures: Figure[] = []
  const file = freshPath('export.json')
  for (const task of ['export', 'import']) {
    const target = task === 'export' ? path : freshPath()
    const { seconds, peakMb } = await measured(task, target, file)
    const size = statSync(file).size / MIB
    const figure = (name: string, value: number, unit: string): Figure => ({
      bench: 'exchange',
      figure: `${task}, ${name}`,
      value,
      unit,
      n: Math.round(size),
    })
    figures.push(figure('peak of memory', peakMb, 'MB'), figure('speed', size / seconds, 'MB/s'))
    if (task === 'import') rmSync(target)
  }
  rmSync(file)
  return figures
}

async function fillWith(path: string, bytes: number): Promise<void> {
  await using memory = await openMemory({ path, userId: 'one' })
  const random = seeded(11)
  const text = Array.from({ length: 40 }, () => turnText(random)).join(' ')
  const turns = Math.ceil(bytes / Buffer.byteLength(text))
  for (let first = 0; first < turns; first += TURNS_A_CONVERSATION)
    await memory.conversations.restore({
      conversationId: `chat-${first}`,
      turns: Array.from({ length: Math.min(TURNS_A_CONVERSATION, turns - first) }, (_, at) => ({
        role: at % 2 === 0 ? 'user' : 'assistant',
        content: `${first + at} ${text}`,
      })),
    })
}

async function measured(task: string, path: string, file: string): Promise<{ seconds: number; peakMb: number }> {
  const child = fork(new URL('./exchange-process.ts', import.meta.url), [task, path, file])
  const exited = once(child, 'exit')
  const [answer] = await once(child, 'message')
  await exited
  return answer
}
