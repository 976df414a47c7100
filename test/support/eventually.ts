import { vi } from 'vitest'

/** Waits until a check no longer throws, and returns its result; only what hangs meets the limit. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 120_000, interval: 20 })
}
