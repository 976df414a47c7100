/** The contract of a store of API keys. It holds hashes only, so reading it gives nobody access. */

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
