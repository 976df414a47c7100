/** Log lines of a server: JSON on stderr, one a line. */
import pino from 'pino'
import type { Logger } from '../../domain/logger.ts'
import type { LogLevel } from './log-to-stderr.ts'

/** A logger that drops what is less urgent than `least`. */
export function pinoLogger(least: LogLevel): Logger {
  const log = pino(
    { level: least, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ fd: 2, sync: true }),
  )
  const line =
    (level: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, details: Record<string, unknown> = {}) =>
      log[level](details, message)
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
}
