/**
 * May another request go out today? Counted in UTC days over all users, from the ledger, so that several processes
 * share one budget; requests of this process that are not in the ledger yet are counted too.
 */

import { type Clock, DAY_MS } from '../../domain/clock.ts'
import type { UsageLedger, UsageRecord } from '../../domain/contracts/usage-ledger.ts'
import { MnemeError } from '../../domain/errors.ts'
import { inTurns } from '../../domain/in-turns.ts'

/** The budget of one day after the other. */
export interface DailyBudget {
  /** Takes one request out of the budget. Rejects `budget_spent`. */
  take(): Promise<void>
  /** Writes down what requests that were taken have used. */
  settle(usage: UsageRecord): Promise<void>
}

/** A budget over this ledger; a bound that is Number.MAX_SAFE_INTEGER is none. */
export function dailyBudget(
  bounds: { readonly calls: number; readonly tokens: number },
  ledger: UsageLedger,
  clock: Clock,
): DailyBudget {
  const bounded = Math.min(bounds.calls, bounds.tokens) < Number.MAX_SAFE_INTEGER
  let taken = 0
  // A request must not slip through between reading the ledger and writing to it.
  const queue = inTurns()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => queue(ledger, 'budget', work)
  return {
    take: () =>
      inTurn(async () => {
        if (bounded) {
          const now = clock().getTime()
          const spent = await ledger.spent(startOfDay(now))
          if (spent.calls + taken >= bounds.calls) throw spentError('calls', bounds.calls, now)
          if (spent.tokens >= bounds.tokens) throw spentError('tokens', bounds.tokens, now)
        }
        taken++
      }),
    settle: (usage) =>
      inTurn(async () => {
        taken = Math.max(0, taken - usage.calls)
        await ledger.record(usage)
      }),
  }
}

/** The beginning of the UTC day, milliseconds since the epoch. */
function startOfDay(at: number): number {
  return Math.floor(at / DAY_MS) * DAY_MS
}

function spentError(what: 'calls' | 'tokens', bound: number, now: number): MnemeError {
  const option = what === 'calls' ? 'llm.dailyCalls' : 'llm.dailyTokens'
  return new MnemeError('budget_spent', `Today's budget of ${bound} ${what} to the model is spent.`, {
    remedy: `Wait for the next day (UTC), or raise ${option}.`,
    field: option,
    retryAfterSeconds: Math.ceil((startOfDay(now) + DAY_MS - now) / 1000),
  })
}
