/** `mneme serve`: the REST door and the page, until it is told to stop; what was accepted is finished first. */

import { spawn } from 'node:child_process'
import type { Logger } from '../../../domain/logger.ts'
import { type Environment, readEnvironment } from '../../config/environment.ts'
import type { CommandDefinition } from '../command.ts'
import { databaseOptions } from '../context.ts'
import { inWordsOfCaller } from '../in-words-of-caller.ts'
import { packageFile, packageVersion } from '../package-root.ts'
import { resolveServerSettings } from '../server-settings.ts'
import type { Settings } from '../settings.ts'
import { keepHeapSteady } from '../small-heap.ts'

/** The program that opens an address, with its first arguments; null in CI, or without a terminal or display. */
export function browserCommand(
  platform: NodeJS.Platform,
  { CI, DISPLAY, WAYLAND_DISPLAY }: Pick<Environment, 'CI' | 'DISPLAY' | 'WAYLAND_DISPLAY'>,
  isWatched: boolean,
): readonly [string, ...string[]] | null {
  if (CI !== undefined || !isWatched) return null
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['cmd', '/c', 'start', '']
  return DISPLAY === undefined && WAYLAND_DISPLAY === undefined ? null : ['xdg-open']
}

/** Opens the address, and goes on whether that worked or not. */
function openBrowser([program, ...words]: readonly [string, ...string[]], url: string): void {
  spawn(program, [...words, url], { detached: true, stdio: 'ignore' })
    .on('error', () => {})
    .unref()
}

export const serveCommand: CommandDefinition = {
  everyProject: true,
  configure: (command) =>
    command
      .option('--host <address>', 'where to listen (else MNEME_HOST, else 127.0.0.1)')
      .option('--port <number>', 'the port (else MNEME_PORT, else 7077); 0 takes a free one')
      .option('--allow-host <names>', 'host names that requests may be sent to, separated by commas')
      .option('--allow-origin <origins>', 'pages of other sites that may call, separated by commas')
      .option('--open', 'open the page in a browser, where there is one'),
  run: async (context, flags) => {
    keepHeapSteady()
    const { settings } = context
    const environment = readEnvironment()
    const { names, ...server } = resolveServerSettings(flags, environment, settings.server)
    const [{ serve }, { createReaders, usualReaders }, { startTimedWork }, { pinoLogger }] = await Promise.all([
      import('../serve-doors.ts'),
      import('../../http/readers.ts'),
      import('../../http/timed-work.ts'),
      import('../pino-logger.ts'),
    ])
    const logger = pinoLogger(settings.log_level.source === 'default' ? 'info' : settings.log_level.value)
    const memory = await context.memory({ models: true, background: true, logger })
    const { timedWork, readers: asked, ...options } = server
    const readers = isReadAlone(settings)
      ? createReaders(databaseOptions(settings), asked ?? usualReaders(), logger)
      : undefined
    const evict = settings.eviction_threshold.value === null ? null : timedWork.evict
    let stopTimers: (() => Promise<void>) | undefined
    try {
      stopTimers = startTimedWork(memory, { ...timedWork, evict }, logger, context.userId)
      const defaultUser = context.userId
      const page = packageFile('dist/web')
      const version = packageVersion()
      const listening = await serve({ ...options, memory, logger, readers, defaultUser, page, version })
      await context.print({ url: listening.url, database: settings.db.value, pid: process.pid })
      if (process.stdout.isTTY) process.stderr.write(`Mneme is open at ${listening.url}/\n`)
      const browser = flags.open === true && browserCommand(process.platform, environment, process.stdout.isTTY)
      if (browser) openBrowser(browser, listening.url)
      await toldToStop(logger)
      await Promise.all([stopTimers(), listening.close()])
    } catch (error) {
      await stopTimers?.()
      throw inWordsOfCaller(names, error)
    } finally {
      await readers?.close()
    }
    return undefined
  },
}

/** Whether a second thread gives the server's answers: the database is a file, and no model or vector store is used. */
function isReadAlone({ db, models, vector_store }: Settings): boolean {
  return db.value !== ':memory:' && models.embedding.options() === undefined && vector_store.options === undefined
}

/** Resolves on SIGINT or SIGTERM; a second one ends the process at once. */
async function toldToStop(logger: Logger): Promise<void> {
  await new Promise<void>((resolve) => {
    let told = false
    const stop = (signal: NodeJS.Signals): void => {
      if (told) process.exit(1)
      told = true
      logger.info('stopping; what was accepted is finished', { signal })
      resolve()
    }
    process.on('SIGINT', stop).on('SIGTERM', stop)
  })
}
