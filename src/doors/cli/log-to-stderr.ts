/** Log lines on stderr, so that stdout holds nothing but the answer. */
import type { Logger } from '../../domain/logger.ts'

const LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** Least urgent line that is shown. */
export type LogLevel = (typeof LEVELS)[number]

/** A logger that drops what is less urgent than `least`. */
export function stderrLogger(least: LogLevel): Logger {
  const line = (level: LogLevel) => (message: string, details?: Record<string, unknown>) => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(least)) return
    const rest = details === undefined ? '' : ` ${JSON.stringify(details)}`
    process.stderr.write(`${level}: ${message}${rest}\n`)
  }
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') }
}
