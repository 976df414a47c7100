/** Counts the requests of each caller, and refuses those beyond the number of a minute. */
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { DoorError } from './problem.ts'

export type RateLimit = (caller: string) => Promise<void>

export function createRateLimit(perMinute: number): RateLimit {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  return async (caller) => {
    try {
      await limiter.consume(caller)
    } catch (refused) {
      const seconds = Math.max(1, Math.ceil((refused as RateLimiterRes).msBeforeNext / 1000))
      const detail = `More than ${perMinute} requests in a minute.`
      const headers = { 'retry-after': String(seconds) }
      throw new DoorError('rate_limited', 429, detail, `Wait ${seconds} seconds.`, headers)
    }
  }
}
