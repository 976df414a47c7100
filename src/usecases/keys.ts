/** Who may come in at a listening door? Holders of keys, which are random, shown once, and kept as hashes only. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { checkId, checkOneOf, checkOptionalId, checkRecord } from '../domain/checks.ts'
import type { Clock } from '../domain/clock.ts'
import type { ApiKey, KeyScope, KeyStore } from '../domain/contracts/documents.ts'
import { notFound } from '../domain/errors.ts'

/** All scopes, each good for those before it. */
export const KEY_SCOPES: readonly KeyScope[] = ['read', 'write', 'admin']

/** A key that is to be made. */
export interface CreateKeyInput {
  /** The owner's name for it. */
  readonly name: string
  /** Default `write`. */
  readonly scope?: KeyScope | undefined
  /** The only user that it is good for. Default: every user. */
  readonly userId?: string | null | undefined
}

/** A new key; `key` is shown here and never again. */
export interface CreatedKey extends ApiKey {
  readonly key: string
}

export interface KeyDependencies {
  readonly keys: KeyStore
  readonly clock: Clock
}

/** 32 random bytes, more than anybody can try. */
const KEY_BYTES = 32

/** Makes a key. */
export async function createKey({ keys, clock }: KeyDependencies, input: CreateKeyInput): Promise<CreatedKey> {
  checkRecord('', input, ['name', 'scope', 'userId'])
  const name = checkId('name', input.name)
  const scope = input.scope === undefined ? 'write' : checkOneOf('scope', input.scope, KEY_SCOPES)
  const userId = checkOptionalId('userId', input.userId)
  const key = `mneme_${randomBytes(KEY_BYTES).toString('base64url')}`
  const made: ApiKey = { id: randomUUID(), name, scope, userId, createdAt: clock().getTime() }
  await keys.add(made, hashOf(key))
  return { ...made, key }
}

/** The key that a caller shows, or null. It is looked up by its hash, so that the time tells nothing. */
export async function findKey({ keys }: KeyDependencies, key: string): Promise<ApiKey | null> {
  return keys.find(hashOf(key))
}

/** Takes a key back at once; not_found when there is none of this id. */
export async function revokeKey({ keys }: KeyDependencies, id: string): Promise<void> {
  if (!(await keys.remove(checkId('id', id)))) throw notFound('key', id, 'List the keys to see their ids.')
}

function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}
