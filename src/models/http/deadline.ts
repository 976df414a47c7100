/**
 * Until when may a call take? One signal combines all that can end it, and the deadline says whether time was the
 * cause.
 */

/** The time limit of one call. */
export interface Deadline {
  /** Aborts when the time is out, the call has ended, or one of the other signals aborts. */
  readonly signal: AbortSignal
  /** Limits the call to so many more milliseconds from now; null: no limit for now. */
  expect(within: number | null): void
  /** Milliseconds that are left; Infinity without a limit. */
  timeLeft(): number
  /** The time was out before the call ended. */
  passed(): boolean
  /** Ends the call: no timer runs any more, and the rest of the answer is dropped. */
  end(): void
}

/** A deadline without a limit yet. */
export function openDeadline(others: readonly AbortSignal[]): Deadline {
  const ending = new AbortController()
  const signal = AbortSignal.any([ending.signal, ...others])
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let passed = false

  function expect(within: number | null): void {
    clearTimeout(timer)
    dueAt = within === null ? Number.POSITIVE_INFINITY : performance.now() + within
    if (within === null || signal.aborted) return
    timer = setTimeout(() => {
      passed = true
      ending.abort()
    }, within)
  }

  // A timer that runs on would keep the process from ending.
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  return {
    signal,
    expect,
    timeLeft: () => dueAt - performance.now(),
    passed: () => passed,
    end() {
      expect(null)
      ending.abort()
    },
  }
}
