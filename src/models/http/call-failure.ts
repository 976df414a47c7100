/** What went wrong with one request, and is it worth sending again? */

/** A request that brought no answer. Its message is ours, masked and short: a log may have it. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  /** HTTP status; null when there was none (network, time). */
  readonly status: number | null
  /** The same request may be answered if it is sent again. */
  readonly transient: boolean
  /** What the server asked for; null when nothing. */
  readonly waitMs: number | null
  /** What the server said, masked and short; null when nothing. It may quote what was asked, so no log may have it. */
  readonly said: string | null

  constructor(
    message: string,
    about: { status?: number | null; transient: boolean; waitMs?: number | null; said?: string | null },
  ) {
    super(message)
    this.status = about.status ?? null
    this.transient = about.transient
    this.waitMs = about.waitMs ?? null
    this.said = about.said || null
  }

  /** The server is there and said no to this request: nothing speaks against asking it something else. */
  get refused(): boolean {
    return !this.transient && this.status !== null && this.status >= 300 && this.status < 500
  }
}

/** Statuses after which the same request may succeed. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500
}
