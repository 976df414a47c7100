/** Where does Mneme report its work? To the logger it is given; without one the library is silent. */

/** A sink for log lines with plain values as `details`. Secrets in both are masked before they get here. */
export interface Logger {
  debug(message: string, details?: Record<string, unknown>): void
  info(message: string, details?: Record<string, unknown>): void
  warn(message: string, details?: Record<string, unknown>): void
  error(message: string, details?: Record<string, unknown>): void
}

const ignore = (): void => {}

export const silentLogger: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore }
