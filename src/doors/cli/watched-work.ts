/** Long work with a progress bar on a terminal; Ctrl-C stops it between two pieces, a second one at once. */
import { setTimeout } from 'node:timers/promises'
import type { Work } from '../../domain/contracts/conversation-log.ts'
import { messageOf } from '../../domain/errors.ts'
import { within } from '../../domain/scheduling.ts'
import type { OpenMemory } from '../library/index.ts'
import { endBySignal } from './report-error.ts'
import type { Settings } from './resolve-options.ts'
import { modelSwitch } from './resolve-options.ts'
import { stderrLogger } from './standard-streams.ts'

export interface ProgressText {
  readonly doing: string
  readonly unit: string
}

const BAR_WIDTH = 28

export async function watchedWork<T>(
  text: ProgressText,
  task: (work: Work & { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const interrupt = (signal: NodeJS.Signals): void => {
    if (controller.signal.aborted) endBySignal(signal)
    controller.abort()
  }
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  const bar = process.stderr.isTTY ? await progressBar(text) : undefined
  try {
    return await task({ signal: controller.signal, onProgress: (done, total) => bar?.show(done, total) })
  } finally {
    bar?.stop()
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

async function progressBar({ doing, unit }: ProgressText) {
  const { default: cliProgress } = await import('cli-progress')
  const count = (value: number): string => value.toLocaleString('en')
  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
    gracefulExit: false,
    fps: 10,
    format: (_options, { progress, value, total, startTime }) => {
      const rate = value / Math.max(0.001, (Date.now() - Number(startTime)) / 1000)
      if (total === 0) return `${doing} ${count(value)} ${unit}  ${count(Math.round(rate))}/s`
      const left = Math.ceil((total - value) / Math.max(1, rate))
      const filled = Math.round(progress * BAR_WIDTH)
      const drawn = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled)
      return `${doing} ${drawn} ${Math.floor(progress * 100)} %  ${count(value)} of ${count(total)} ${unit}  ${count(Math.round(rate))}/s  ${left < 90 ? `${left} s` : `${Math.round(left / 60)} min`} left`
    },
  })
  bar.start(0, 0)
  return {
    show: (done: number, total: number | null): void => {
      bar.setTotal(total ?? 0)
      bar.update(done)
    },
    stop: () => bar.stop(),
  }
}

const MOST_MS = 10_000

/** Thinks about stored turns for at most MOST_MS; work for a model stays queued. Never rejects. */
export async function thinkForAMoment(settings: Settings, memory: OpenMemory): Promise<void> {
  if (modelSwitch(settings, 'llm').value) return
  try {
    const { total } = await memory.maintenance.jobs({ limit: 1, state: 'waiting' })
    if (total > 0) await within(memory.idle(), MOST_MS)
  } catch (error) {
    stderrLogger(settings.log_level.value).info('what was stored will be thought about later', {
      reason: messageOf(error),
    })
  }
}

const LOOK_MS = 500

/** Resolves when no job is due; with `wait` when none waits or runs. Permanently failed jobs remain. */
export async function thinkAboutAll(
  memory: OpenMemory,
  { wait = false }: { readonly wait?: boolean } = {},
): Promise<void> {
  await watchedWork({ doing: 'thinking', unit: 'jobs' }, async ({ signal, onProgress }) => {
    const before = await unfinished(memory)
    const show = async (): Promise<void> => onProgress?.(Math.max(0, before - (await unfinished(memory))), before)
    const interrupted = aborted(signal)
    const watch = setInterval(() => void show().catch(() => undefined), LOOK_MS)
    try {
      for (;;) {
        await Promise.race([memory.idle(), interrupted])
        if (!wait || (await unfinished(memory)) === 0) return
        await setTimeout(LOOK_MS, undefined, { signal })
      }
    } finally {
      clearInterval(watch)
    }
  })
}

export async function jobCount(memory: OpenMemory, state: 'waiting' | 'running' | 'dead'): Promise<number> {
  return (await memory.maintenance.jobs({ state, limit: 1, allUsers: true })).total
}

async function unfinished(memory: OpenMemory): Promise<number> {
  return (await jobCount(memory, 'waiting')) + (await jobCount(memory, 'running'))
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
