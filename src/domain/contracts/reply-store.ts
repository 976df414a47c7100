/**
 * The contract of a store of answers, so that a repeated request is done once. An answer quotes stored text, so its
 * words go when something of the user is removed.
 */

/** A request that may come again. */
export interface RequestName {
  readonly userId: string
  /** SHA-256 of the caller's key. */
  readonly key: string
  /** SHA-256 of the request: another request under the same key is a mistake. */
  readonly fingerprint: string
}

/**
 * A `new` request is the caller's, a `running` one another's, an `unanswered` one wrote something and broke off. An
 * `other` one has the key of another request, and an `erased` one has lost its answer's words.
 */
export type KnownReply =
  | { readonly state: 'new' | 'running' | 'unanswered' | 'other' | 'erased' }
  | { readonly state: 'answered'; readonly status: number; readonly body: string }

export interface ReplyStore {
  /**
   * Times are milliseconds since the epoch; requests older than `forgetBefore` are forgotten. One not renewed since
   * `staleBefore` is abandoned, hence `new` where nothing was written for it, else `unanswered`.
   */
  begin(
    request: RequestName,
    times: { readonly at: number; readonly staleBefore: number; readonly forgetBefore: number },
  ): Promise<KnownReply>
  /**
   * Does the work of a begun request. Its transactions note that something was written, so that nothing is done twice
   * after a crash.
   */
  doing<T>(request: RequestName, work: () => Promise<T>): Promise<T>
  /** Notes that the request is still in work. */
  renew(request: RequestName, at: number): Promise<void>
  /**
   * Notes the answer. One that `quotes` stored text loses its words if something of the user was removed since the
   * request began.
   */
  finish(
    request: RequestName,
    reply: { readonly status: number; readonly body: string; readonly quotes: boolean },
  ): Promise<void>
  /** Forgets that it was begun: it failed, and may be tried again. */
  abandon(request: RequestName): Promise<void>
}
