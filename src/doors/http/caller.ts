/** Who calls, and with which rights? Keys are compared by hash; a key of one user is valid for no other. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { check } from '../../domain/checks.ts'
import type { KeyScope } from '../../domain/contracts/small-stores.ts'
import { invalid, MnemeError } from '../../domain/errors.ts'
import { KEY_SCOPES } from '../../usecases/keys.ts'
import { decodeUtf8 } from '../import-export/read-stream.ts'
import { DoorError } from './problem.ts'
import type { ResolvedAppOptions } from './server-options.ts'

export interface Caller {
  /** Name for limits and logs; never the key. */
  readonly name: string
  readonly scope: KeyScope
  /** The only user of the key; null for every user. */
  readonly userId: string | null
  readonly hasKey: boolean
  /** true: the caller may see and change what belongs to all users. */
  readonly isOperator: boolean
}

export const USER_HEADER = 'x-user-id'

const ANYONE: Caller = { name: 'anyone', scope: 'admin', userId: null, hasKey: false, isOperator: true }

/** Whether this server requires a key. Rejects where that cannot be read, so that nobody who may need one gets in. */
export type KeyCheck = (shown: string | undefined) => Promise<boolean>

/** A key is required from the first one on, until the server restarts: revoking the last key must not open it to all. */
export function createKeyCheck({ memory, apiKey, keyRequired }: ResolvedAppOptions): KeyCheck {
  let asks = keyRequired || apiKey !== null
  let wereNone = false
  return async (shown) => {
    if (asks) return true
    try {
      // Checked at each request: a key may have been created since the last one.
      asks = await memory.keys.exist()
      wereNone = !asks
    } catch (error) {
      if (shown !== undefined || !wereNone) throw unreadable(error)
    }
    return asks
  }
}

export async function identify(
  context: Context,
  { memory, apiKey }: ResolvedAppOptions,
  asksForKey: KeyCheck,
): Promise<Caller> {
  const [, bearer] = /^(?:Bearer|Token)\s+(\S+)\s*$/i.exec(context.req.header('authorization') ?? '') ?? []
  const shown = bearer ?? context.req.header('x-api-key')
  if (!(await asksForKey(shown))) return ANYONE
  if (shown !== undefined) {
    if (apiKey !== null && isSame(shown, apiKey)) return { ...ANYONE, name: 'MNEME_API_KEY', hasKey: true }
    const key = await memory.keys.find(shown).catch((error) => {
      throw unreadable(error)
    })
    if (key !== null) {
      const { id: name, scope, userId } = key
      return { name, scope, userId, hasKey: true, isOperator: scope === 'admin' && userId === null }
    }
  }
  throw new DoorError(
    401,
    shown === undefined ? 'This server asks for a key.' : 'This key is not known here.',
    'Send Authorization: Bearer <key>, or X-API-Key. `mneme keys add` makes one.',
    { 'www-authenticate': 'Bearer' },
  )
}

function unreadable(error: unknown): MnemeError {
  if (error instanceof MnemeError) return error
  const remedy = 'Run `mneme verify`, and put the database back from a backup where it is damaged.'
  return new MnemeError('storage_failed', 'The keys of this server cannot be read.', { remedy, cause: error })
}

/** Throws `forbidden` for a key of insufficient scope; `admin` concerns every user, so a key of one does not suffice. */
export function requireScope({ scope, isOperator }: Pick<Caller, 'scope' | 'isOperator'>, needed: KeyScope): void {
  if (KEY_SCOPES.indexOf(scope) < KEY_SCOPES.indexOf(needed))
    throw new DoorError(403, `This key may only ${scope}.`, `Use a key of the scope ${needed}.`)
  if (needed === 'admin' && !isOperator)
    throw new DoorError(
      403,
      'This key belongs to one user, and this is about every user.',
      'Use a key of the scope admin for every user: `mneme keys add NAME --scope admin --every-user`.',
    )
}

/** The user of a request: the key's user, else the named one, else the default where no key is required. */
export function userOf(context: Context, caller: Caller, parameter: unknown, defaultUser: string): string {
  const header = context.req.header(USER_HEADER)
  if (header?.includes(',') && isSentTwice(context, USER_HEADER))
    throw invalid('X-User-Id', 'is sent twice', 'Name one user.')
  const inHeader = header === undefined ? undefined : decodedHeader('X-User-Id', header)
  if (parameter !== undefined && inHeader !== undefined && parameter !== inHeader)
    throw invalid('user_id', 'and the header X-User-Id name two users', 'Name one.')
  const named = parameter === undefined ? inHeader : parameter
  if (named !== undefined) check.id('user_id', named)
  if (caller.userId !== null) {
    if (named !== undefined && named !== caller.userId)
      throw new DoorError(403, 'This key belongs to one user.', 'Leave the user out, or use another key.')
    return caller.userId
  }
  if (named !== undefined) return named as string
  if (caller.hasKey) throw invalid('user_id', 'is missing', 'Send the header X-User-Id, or the parameter user_id.')
  return defaultUser
}

function isSentTwice({ env }: Context, name: string): boolean {
  const { incoming } = (env ?? {}) as { readonly incoming?: { readonly rawHeaders?: readonly string[] } }
  const isName = (text: string, at: number): boolean => at % 2 === 0 && text.toLowerCase() === name
  return (incoming?.rawHeaders?.filter(isName).length ?? 0) > 1
}

/** A header's text: UTF-8, percent-encoded or raw. Throws `invalid` for other bytes, which could name another user. */
export function decodedHeader(name: string, value: string): string {
  const text = decodeUtf8(Buffer.from(value, 'latin1'))
  if (text === null) throw invalid(name, 'is not valid UTF-8', 'Send its bytes as UTF-8, or percent-encoded.')
  try {
    return text.replace(/(?:%[\da-f]{2})+/gi, decodeURIComponent)
  } catch {
    return text
  }
}

/** A text encoded for a header: percent signs and everything but visible ASCII are percent-encoded. */
export function encodedHeader(text: string): string {
  return text.toWellFormed().replace(/[^ !-$&-~]+|^ | $/g, encodeURIComponent)
}

function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}

/** Host names of loopback. A foreign page can send requests there under its own name, so Host and Origin must be ours. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

export function checkHost(context: Context, allowedHosts: readonly string[], allowedOrigins: readonly string[]): void {
  const sent = context.req.header('host')
  const authority = sent ?? new URL(context.req.url).host
  const host = /^(\[[0-9a-f:.]+\]|[^:/?#@]+)(?::\d+)?$/i.exec(authority)?.[1]?.toLowerCase()
  if (host === undefined || !(LOOPBACK.has(host) || allowedHosts.includes(host)))
    throw new DoorError(403, 'This host name is not ours.', 'Allow it with --allow-host, or use 127.0.0.1.')
  const origin = context.req.header('origin')
  if (origin === undefined || allowedOrigins.includes(origin)) return
  const { protocol = '', host: from = '' } = URL.parse(origin) ?? {}
  if (!['http:', 'https:'].includes(protocol) || from !== sent?.toLowerCase())
    throw new DoorError(403, 'A page of another site may not call.', 'Allow it with --allow-origin.')
}
