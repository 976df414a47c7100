/** Log lines of a server: JSON on stderr, one a line. */
import pino from 'pino'
import type { Logger } from '../../domain/logger.ts'
import type { LogLevel } from './log-to-stderr.ts'

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
