/** Contracts of what a listening door keeps: keys, and the replies to requests that may come again. */

/** The scope of a key; each scope includes those before it. */
export type KeyScope = 'read' | 'write' | 'admin'

/** A key, without the key. */
export interface ApiKey {
  readonly id: string
  /** The name that its owner gave it. */
  readonly name: string
  readonly scope: KeyScope
  /** The only user that the key gives access to; null for every user. */
  readonly userId: string | null
  /** Milliseconds since the epoch. */
  readonly createdAt: number
}

export interface KeyStore {
  /** `hash`: SHA-256 of the key, in hexadecimal. */
  add(key: ApiKey, hash: string): Promise<void>
  /** true when any key exists. It is asked with every request, so it must be quick. */
  exist(): Promise<boolean>
  /** Oldest first. */
  list(): Promise<readonly ApiKey[]>
  /** null when no key has this hash. */
  find(hash: string): Promise<ApiKey | null>
  /** false when there was none. */
  remove(id: string): Promise<boolean>
}

/** A request that may come again. */
export interface RequestName {
  readonly userId: string
  /** SHA-256 of the caller's key. */
  readonly key: string
  /** SHA-256 of the request: another request under the same key is a mistake. */
  readonly fingerprint: string
}

/**
 * `running`: in work elsewhere; `unanswered`: wrote and broke off; `other`: the key belongs to another request;
 * `erased`: the answer lost its words.
 */
export type KnownReply =
  | { readonly state: 'new' | 'running' | 'unanswered' | 'other' | 'erased' }
  | { readonly state: 'answered'; readonly status: number; readonly body: string }

export interface ReplyStore {
  /** Forgets requests before `forgetBefore`; one not renewed since `staleBefore` is `new`, or `unanswered`. */
  begin(
    request: RequestName,
    times: { readonly at: number; readonly staleBefore: number; readonly forgetBefore: number },
  ): Promise<KnownReply>
  /** Does the work of a begun request; its transactions note that something was written. */
  doing<T>(request: RequestName, work: () => Promise<T>): Promise<T>
  /** Notes that the request is still in work. */
  renew(request: RequestName, at: number): Promise<void>
  /** Notes the answer; one that `quotes` loses its words if something of the user was removed meanwhile. */
  finish(
    request: RequestName,
    reply: { readonly status: number; readonly body: string; readonly quotes: boolean },
  ): Promise<void>
  /** Forgets that it was begun: it failed, and may be tried again. */
  abandon(request: RequestName): Promise<void>
}
