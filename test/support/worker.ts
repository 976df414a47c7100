/** Starts another process that works on a memory, and waits for what it says. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'

/** A task of `worker-process.ts` with its arguments. */
export type Task = 'write' | 'acknowledge' | 'recall' | 'clean' | 'open' | 'hold-open' | 'hold-lock'

/** The report of a worker at the end. */
export interface WorkerReport {
  readonly done: number
  readonly failures: readonly string[]
}

/** Starts a worker; it is killed with the test if it still runs. */
export function startWorker(task: Task, ...words: readonly (string | number)[]): ChildProcess {
  const child = fork(new URL('./worker-process.ts', import.meta.url), [task, ...words.map(String)], { execArgv: [] })
  onTestFinished(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  })
  return child
}

/** The worker's report, after it has ended. */
export async function reportOf(child: ChildProcess): Promise<WorkerReport> {
  const exited = once(child, 'exit')
  const [report] = await once(child, 'message')
  await exited
  return report
}

/** Resolves when a process has ended, also where it did before anybody asked. */
export async function exitOf(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

/** Resolves with the next message of the worker. */
export async function nextMessage(child: ChildProcess): Promise<unknown> {
  const [message] = await once(child, 'message')
  return message
}
