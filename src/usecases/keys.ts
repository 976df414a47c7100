/** Who may come in at a listening door, and is the request new? Keys are random, shown once, and kept as hashes. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { check, type InputOf, orElse } from '../domain/checks.ts'
import { DAY_MS } from '../domain/clock.ts'
import type { ApiKey, KeyScope, KnownReply, RequestName } from '../domain/contracts/small-stores.ts'
import { MnemeError, notFound } from '../domain/errors.ts'
import type { Opened } from './open-options.ts'

/** All scopes, each good for those before it. */
export const KEY_SCOPES: readonly KeyScope[] = ['read', 'write', 'admin']

const FIELDS = {
  /** The owner's name for it. */
  name: check.id,
  /** Default `write`. */
  scope: orElse('write', check.oneOf<KeyScope>, KEY_SCOPES),
  /** The only user that it is good for. Default: every user. */
  userId: check.optionalId,
}
/** A key that is to be made. */
export type CreateKeyInput = InputOf<typeof FIELDS, 'name'>

/** A new key; `key` is shown here and never again. */
export interface CreatedKey extends ApiKey {
  readonly key: string
}

/** 32 random bytes, more than anybody can try. */
const KEY_BYTES = 32

export async function createKey({ store, options }: Opened, input: CreateKeyInput): Promise<CreatedKey> {
  const given = check.fields('', input, FIELDS)
  const key = `mneme_${randomBytes(KEY_BYTES).toString('base64url')}`
  const made: ApiKey = { id: randomUUID(), ...given, createdAt: options.clock().getTime() }
  await store.keys.add(made, hashOf(key))
  return { ...made, key }
}

/** The key that a caller shows, or null. It is looked up by its hash, so that the time tells nothing. */
export async function findKey({ store }: Opened, key: string): Promise<ApiKey | null> {
  return store.keys.find(hashOf(key))
}

/** Takes a key back at once; not_found when there is none of this id. */
export async function revokeKey({ store }: Opened, id: string): Promise<void> {
  if (!(await store.keys.remove(check.id('id', id)))) throw notFound('key', id, 'List the keys to see their ids.')
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

export interface RepeatableRequest {
  readonly userId: string
  /** The caller's Idempotency-Key. */
  readonly key: string
  /** The whole request: method, path, input. */
  readonly asked: string
  /** false: the answer holds no stored words, such as counts of a removal. Default true. */
  readonly quotes?: boolean
}

/** An answer that is kept for the next time. */
export interface KeptReply {
  readonly status: number
  readonly body: string
}

/** How long an answer is kept. */
const KEPT_MS = DAY_MS
/** A request that was not renewed for so long died with its process. */
const LEASE_MS = 30_000
const RENEW_MS = 10_000

/** Answers a request once, and repeats that answer later. Rejects `conflict` where it cannot be told. */
export async function answerOnce(
  { store: { replies }, options: { clock } }: Opened,
  { userId, key, asked, quotes = true }: RepeatableRequest,
  answer: () => Promise<KeptReply>,
): Promise<KeptReply & { readonly repeated: boolean }> {
  check.id('userId', userId)
  const request: RequestName = { userId, key: hashOf(check.id('Idempotency-Key', key)), fingerprint: hashOf(asked) }
  const at = clock().getTime()
  const known = await replies.begin(request, { at, staleBefore: at - LEASE_MS, forgetBefore: at - KEPT_MS })
  if (known.state === 'answered') return { status: known.status, body: known.body, repeated: true }
  if (known.state !== 'new') throw refusalOf(known.state)
  let reply: KeptReply
  // A failed renewal is repeated the next time.
  const renewing = setInterval(() => replies.renew(request, clock().getTime()).catch(() => undefined), RENEW_MS)
  try {
    reply = await replies.doing(request, answer)
  } catch (error) {
    await replies.abandon(request)
    throw error
  } finally {
    clearInterval(renewing)
  }
  await replies.finish(request, { ...reply, quotes })
  return { ...reply, repeated: false }
}

function refusalOf(state: Exclude<KnownReply['state'], 'new' | 'answered'>): MnemeError {
  const [message, remedy] = {
    running: ['This request is being worked on.', 'Wait for its answer, then ask again.'],
    unanswered: [
      'Something was done for this request, and its server ended before it could answer.',
      'Look at what there is; use a new key to do it again.',
    ],
    other: ['This Idempotency-Key was used for another request.', 'Use a new key for every request.'],
    erased: [
      'This request was done, and what it answered was changed or removed since.',
      'Look at what there is; use a new key to do it again.',
    ],
  }[state] as [string, string]
  return new MnemeError('conflict', message, { remedy })
}
