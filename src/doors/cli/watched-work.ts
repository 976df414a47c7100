/** Long work with a progress bar on a terminal; Ctrl-C stops it between two pieces. */
import type { Work } from '../../domain/contracts/conversation-log.ts'
import { EXIT_INTERRUPTED } from './report-error.ts'

/** How the progress is shown. */
export interface ProgressText {
  /** The name of the work: `importing`. */
  readonly doing: string
  /** The unit of progress: `turns`. */
  readonly unit: string
}

const BAR_WIDTH = 28

/** Runs `task` with a signal and progress; the bar disappears at the end. A second Ctrl-C ends the process at once. */
export async function watchedWork<T>(
  text: ProgressText,
  task: (work: Work & { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(EXIT_INTERRUPTED)
    controller.abort()
  }
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt)
  const bar = process.stderr.isTTY ? await progressBar(text) : undefined
  try {
    return await task({
      signal: controller.signal,
      onProgress: (done, total) => bar?.show(done, total),
    })
  } finally {
    bar?.stop()
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}

interface Bar {
  show(done: number, total: number | null): void
  stop(): void
}

async function progressBar({ doing, unit }: ProgressText): Promise<Bar> {
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
    show: (done, total) => {
      bar.setTotal(total ?? 0)
      bar.update(done)
    },
    stop: () => bar.stop(),
  }
}
