/**
 * What do people and programs call a secret, as `db_password`, "PIN", 密码? A table of names by kind, with tests for a
 * text and for a field.
 */
import type { SecretName } from './value-shape.ts'

/** Names by what they name; the first that fits counts. None is a part of a longer word, but may end an identifier. */
export const SECRET_NAMES: readonly (readonly [SecretName, string])[] = [
  ['password', 'pass(?:word|wd|phrase|code)|(?<![a-z])p(?:wd|swd)|(?<![a-z])pass|密码|密碼|口令|暗号'],
  [
    'key',
    '(?:api|access|secret|account|auth|encryption|signing|private|master|licen[cs]e|app|service|shared|client|consumer|storage)[_ -]?key(?:[_ -]?id)?|密钥|密鑰|金鑰|私钥',
  ],
  ['token', 'token|令牌'],
  ['secret', 'secret|credentials?'],
  [
    'pin',
    '(?<![a-z])pin(?:[_ -]?(?:code|number))?|pin码|(?:verification|one-time|2fa|otp)[_ -]?code|验证码|驗證碼|校验码|动态码',
  ],
  ['cvv', '(?<![a-z])cv[vc]2?(?![a-z0-9])|安全码'],
]

/** The end of a whole name: no letter follows a Latin one. */
export const NAME_END = '(?!(?<=[a-z])[a-z])'

/** A cheap test for names of secrets, far cheaper than the search. */
const HINT =
  /pass|pwd|pswd|secret|token|key|credential|pin|bearer|basic |[ _-]code|cv[vc]|密|口令|暗号|金鑰|令牌|私钥|证码|證碼|验码|动态码|安全码/i

/** false: the text names no secret. */
export function mayNameSecret(text: string): boolean {
  return HINT.test(text)
}

/** true when a text names passwords, keys and the like: such a question wants to see them. */
export function namesSecret(text: string): boolean {
  return HINT.test(text) && NAMED_ANYWHERE.test(text)
}

/** The secret that a field's name announces: `db_password` → password; null for any other name. */
export function secretNameOf(field: string): SecretName | null {
  const known = NAMED.get(field)
  if (known !== undefined) return known
  const name = nameIn(field)
  if (NAMED.size >= MOST_NAMED) NAMED.clear()
  NAMED.set(field, name)
  return name
}

/** Cached results by field name, as few fields recur with every record. */
const NAMED = new Map<string, SecretName | null>()
const MOST_NAMED = 500

function nameIn(field: string): SecretName | null {
  if (!HINT.test(field)) return null
  const end = field.slice(-LONGEST_FIELD)
  return ENDINGS.find(([, ending]) => ending.test(end))?.[0] ?? null
}

const LONGEST_FIELD = 200
const NAMED_ANYWHERE = new RegExp(`(?:${SECRET_NAMES.map(([, words]) => words).join('|')})s?(?![a-z])`, 'i')
const ENDINGS = SECRET_NAMES.map(([name, words]) => [name, new RegExp(`(?:${words})$`, 'i')] as const)
