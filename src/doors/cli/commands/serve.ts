/** `mneme serve`: the REST door and the page, until it is told to stop; what was accepted is finished first. */
import { spawn } from 'node:child_process'
import pino from 'pino'
import type { Logger } from '../../../domain/logger.ts'
import { packageFile, packageVersion } from '../../../language/package-file.ts'
import type { Environment } from '../../config/options.ts'
import type { Mount } from '../../http/app.ts'
import { createBackground } from '../../http/background-thread.ts'
import { createReaders, usualReaders } from '../../http/reader-threads.ts'
import { type Listening, type ServeOptions, serve as serveRest } from '../../http/serve.ts'
import { startTimedWork, type TimedWork } from '../../http/timed-work.ts'
import { mcpRoute } from '../../mcp/http.ts'
import { mem0Routes } from '../../mem0/mount.ts'
import { type CommandDefinition, modelOptions, openOptions } from '../command-context.ts'
import { optionFlags } from '../flags.ts'
import { endBySignal } from '../report-error.ts'
import {
  inWordsOfCaller,
  modelSwitch,
  optionsOf,
  resolveServer,
  type Settings,
  vectorStoreOptions,
} from '../resolve-options.ts'
import { keepHeapSteady } from '../small-heap.ts'
import type { LogLevel } from '../standard-streams.ts'

/** The program that opens an address, with its first arguments; null in CI, or where nobody sits at a terminal and a screen. */
export function browserCommand(
  platform: NodeJS.Platform,
  { CI, DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION }: Environment,
  isWatched: boolean,
): readonly [string, ...string[]] | null {
  if (CI !== undefined || !isWatched) return null
  const isApple = platform === 'darwin'
  // Over SSH a display that is named is that of the person; another screen is far from them.
  if (!isApple && platform !== 'win32') return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : null
  if (SSH_CONNECTION !== undefined) return null
  return isApple ? ['open'] : ['cmd', '/c', 'start', '']
}

export const serveCommand: CommandDefinition = {
  everyProject: true,
  fields: {
    describe: (command) =>
      optionFlags(command, 'server.host', 'server.port', 'server.allowed_hosts', 'server.allowed_origins').option(
        '--open',
        'open the page in a browser, where there is one',
      ),
    read: () => undefined,
  },
  run: async (context, _, flags) => {
    keepHeapSteady()
    const { settings } = context
    const { environment } = settings
    const server = resolveServer(flags, settings)
    const logger = pinoLogger(settings.log_level.source === 'default' ? 'info' : settings.log_level.value)
    const elsewhere = isWorkApart(settings)
      ? createBackground({ ...openOptions(settings), ...modelOptions(settings) }, logger)
      : undefined
    const opened = await context.memory({ models: true, background: true, elsewhere, logger })
    const memory = elsewhere?.over(opened) ?? opened
    const asked = server['server.readers'].value ?? usualReaders()
    // Further threads give the server's answers where no model of meaning is used either.
    const isReadAlone = elsewhere !== undefined && !modelSwitch(settings, 'embedding').value
    const readers = isReadAlone ? createReaders(openOptions(settings), asked, logger) : undefined
    const timer = (name: keyof TimedWork): string | null => server[`server.${name}`].value || null
    const evict = settings.eviction_threshold.value === null ? null : timer('evict')
    const timedWork = { expire: timer('expire'), consolidate: timer('consolidate'), digest: timer('digest'), evict }
    let stopTimers: (() => Promise<void>) | undefined
    try {
      stopTimers = startTimedWork(memory, timedWork, logger, context.userId)
      const listening = await serve({
        ...optionsOf(server, 'server'),
        apiKey: environment.MNEME_API_KEY,
        memory,
        logger,
        readers,
        defaultUser: context.userId,
        page: packageFile('dist/web'),
        version: packageVersion(),
      })
      await context.print({ url: listening.url, database: settings.db.value, pid: process.pid })
      if (process.stdout.isTTY) process.stderr.write(`Mneme is open at ${listening.url}/\n`)
      const browser = flags.open === true && browserCommand(process.platform, environment, process.stdout.isTTY)
      if (browser) {
        const [program, ...words] = browser
        const how = { detached: true, stdio: 'ignore', windowsHide: true } as const
        spawn(program, [...words, listening.url], how)
          .on('error', () => {})
          .unref()
      }
      await toldToStop(logger)
      await Promise.all([stopTimers(), listening.close()])
    } catch (error) {
      await stopTimers?.()
      throw inWordsOfCaller(server, error)
    } finally {
      await Promise.all([readers?.close(), elsewhere?.close()])
    }
  },
}

/** Whether a second thread writes and thinks: the database is a file, and neither a local model nor a vector store is used. */
function isWorkApart(settings: Settings): boolean {
  const isLocal = settings['embedding.provider'].value === 'local'
  return settings.db.value !== ':memory:' && !isLocal && vectorStoreOptions(settings) === undefined
}

/** Resolves on SIGINT or SIGTERM; a second one ends the process at once. */
async function toldToStop(logger: Logger): Promise<void> {
  await new Promise<void>((resolve) => {
    let told = false
    const stop = (signal: NodeJS.Signals): void => {
      if (told) endBySignal(signal)
      told = true
      logger.info('stopping; what was accepted is finished', { signal })
      resolve()
    }
    process.on('SIGINT', stop).on('SIGTERM', stop)
  })
}

/** Lines are written in batches: at this many characters, or after this many milliseconds. */
const TOGETHER = 4096
const LATEST_MS = 100
/** Most buffered characters when the log is not read; further lines are dropped. */
const WAITING = 4_000_000

/**
 * A logger that drops entries less urgent than `least`. Warnings and errors are written at once with all before them;
 * other entries within 0.1 s and at exit.
 */
export function pinoLogger(least: LogLevel): Logger {
  const stderr = pino.destination({
    fd: 2,
    sync: false,
    minLength: TOGETHER,
    periodicFlush: LATEST_MS,
    maxLength: WAITING,
  })
  const log = pino({ level: least, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stderr)
  const line =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, details: Record<string, unknown> = {}) => {
      log[level](details, message)
      if (level === 'warn' || level === 'error') stderr.flush()
    }
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
}

export const MOUNTS: readonly Mount[] = [mem0Routes, mcpRoute]

export function serve(options: Omit<ServeOptions, 'mounts'>): Promise<Listening> {
  return serveRest({ ...options, mounts: MOUNTS })
}
