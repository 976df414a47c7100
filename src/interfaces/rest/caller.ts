/** Who calls, and what may they do? Keys are compared by hash; a key that belongs to a user is good for no other. */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Context } from 'hono'
import { checkId } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'
import { KEY_SCOPES, type KeyScope } from '../../engine/engine.ts'
import type { ResolvedAppOptions } from './options.ts'
import { DoorError } from './problem.ts'

/** Who showed which key. */
export interface Caller {
  /** For limits and logs; never the key. */
  readonly name: string
  readonly scope: KeyScope
  /** The only user that the key is good for; null for every user. */
  readonly userId: string | null
  /** false: nobody had to show a key. */
  readonly hasKey: boolean
}

/** Everyone, where no key is asked for: the door is on loopback. */
const ANYONE: Caller = { name: 'anyone', scope: 'admin', userId: null, hasKey: false }

/** The key of a request: `Authorization: Bearer` (or mem0's `Token`), or `X-API-Key`. */
export function shownKey(context: Context): string | undefined {
  const header = context.req.header('authorization')
  const bearer = header === undefined ? undefined : /^(?:Bearer|Token)\s+(\S+)\s*$/i.exec(header)?.[1]
  return bearer ?? context.req.header('x-api-key')
}

/** Who calls. Throws `unauthorized` where a key is asked for and none that is known was shown. */
export async function identify(context: Context, { memory, apiKey }: ResolvedAppOptions): Promise<Caller> {
  const shown = shownKey(context)
  if (apiKey === null && (await memory.keys.list()).length === 0) return ANYONE
  if (shown !== undefined) {
    if (apiKey !== null && isSame(shown, apiKey))
      return { name: 'MNEME_API_KEY', scope: 'admin', userId: null, hasKey: true }
    const key = await memory.keys.find(shown)
    if (key !== null) return { name: key.id, scope: key.scope, userId: key.userId, hasKey: true }
  }
  throw new DoorError(
    'unauthorized',
    401,
    shown === undefined ? 'This server asks for a key.' : 'This key is not known here.',
    'Send Authorization: Bearer <key>, or X-API-Key. `mneme keys add` makes one.',
    { 'www-authenticate': 'Bearer' },
  )
}

/** Throws `forbidden` where the key is good for less. */
export function requireScope({ scope }: Caller, needed: KeyScope): void {
  if (KEY_SCOPES.indexOf(scope) < KEY_SCOPES.indexOf(needed))
    throw new DoorError('forbidden', 403, `This key may only ${scope}.`, `Use a key of the scope ${needed}.`)
}

/** Whose memory it is about: the key's user, else the one named, else the default where no key is asked for. */
export function userOf(context: Context, caller: Caller, parameter: unknown, defaultUser: string): string {
  const header = context.req.header('x-user-id')
  if (parameter !== undefined && header !== undefined && parameter !== decodedHeader(header))
    throw invalid('user_id', 'and the header X-User-Id name two users', 'Name one.')
  const named = parameter === undefined ? (header === undefined ? undefined : decodedHeader(header)) : parameter
  if (named !== undefined) checkId('user_id', named)
  if (caller.userId !== null) {
    if (named !== undefined && named !== caller.userId)
      throw new DoorError('forbidden', 403, 'This key belongs to one user.', 'Leave the user out, or use another key.')
    return caller.userId
  }
  if (named !== undefined) return named as string
  if (caller.hasKey) throw invalid('user_id', 'is missing', 'Send the header X-User-Id, or the parameter user_id.')
  return defaultUser
}

/** Headers hold bytes: what is no Latin-1 arrives percent-encoded, or as the bytes of UTF-8. */
export function decodedHeader(value: string): string {
  const bytes = Buffer.from(value, 'latin1')
  const text = bytes.toString('utf8')
  return text.includes('\uFFFD') ? value : text
}

function isSame(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
