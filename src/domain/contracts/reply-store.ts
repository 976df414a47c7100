/**
 * What a store of answers must be able to do, so that a request that comes twice is done once. An answer quotes what was
 * stored: when something of the user is removed, the words of the user's answers go with it.
 */

/** A request that may come again. */
export interface RequestName {
  readonly userId: string
  /** SHA-256 of the caller's key. */
  readonly key: string
  /** SHA-256 of what is asked: another request under the same key is a mistake. */
  readonly fingerprint: string
}

/**
 * What is known of it. `new`: it is the caller's to answer, and noted as being worked on. `running`: somebody works on it.
 * `unanswered`: something was written for it, and whoever worked on it ended before it could answer. `other`: the key was
 * used for another request. `erased`: it was answered, and the words are gone.
 */
export type KnownReply =
  | { readonly state: 'new' | 'running' | 'unanswered' | 'other' | 'erased' }
  | { readonly state: 'answered'; readonly status: number; readonly body: string }

export interface ReplyStore {
  /**
   * Times in milliseconds since the epoch. What was last renewed before `staleBefore` is worked on by nobody any more: it is
   * `new` where nothing was written for it, else `unanswered`. What is older than `forgetBefore` is forgotten.
   */
  begin(
    request: RequestName,
    times: { readonly at: number; readonly staleBefore: number; readonly forgetBefore: number },
  ): Promise<KnownReply>
  /**
   * Does the work of a request that was begun. Whatever transaction the work commits notes in itself that something was
   * written: after a crash nothing is done twice.
   */
  doing<T>(request: RequestName, work: () => Promise<T>): Promise<T>
  /** It is still worked on. */
  renew(request: RequestName, at: number): Promise<void>
  /** Notes the answer; one that `quotes` what is stored loses its words if something of the user was removed since it was begun. */
  finish(
    request: RequestName,
    reply: { readonly status: number; readonly body: string; readonly quotes: boolean },
  ): Promise<void>
  /** Forgets that it was begun: it failed, and may be tried again. */
  abandon(request: RequestName): Promise<void>
}
