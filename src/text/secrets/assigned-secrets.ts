/**
 * Which values does this text call a password, a secret, a key? `password = …`, `"api_key": "…"`, "my password is …",
 * 密码是……; the value must look like one. Every repetition in a pattern is bounded, so the time stays linear.
 */
import type { Secret } from './secret.ts'
import { looksSecret, type SecretName } from './value-shape.ts'

/** Names by what they name; the first that fits counts. None is a part of a longer word, but may end an identifier. */
const NAMES: readonly (readonly [SecretName, string])[] = [
  ['password', 'pass(?:word|wd|phrase|code)|(?<![a-z])p(?:wd|swd)|(?<![a-z])pass|密码|密碼|口令|暗号'],
  [
    'key',
    '(?:api|access|secret|account|auth|encryption|signing|private|master|licen[cs]e|app|service|shared|client|consumer|storage)[_ -]?key(?:[_ -]?id)?|密钥|密鑰|金鑰|私钥',
  ],
  ['token', 'token|令牌'],
  ['secret', 'secret|credentials?'],
  ['pin', '(?<![a-z])pin(?:[_ -]?(?:code|number))?|pin码'],
]

/** Whether a text may name a secret at all; far cheaper than the search. */
const HINT = /pass|pwd|pswd|secret|token|key|credential|(?<![a-z])pin|bearer|basic |密|口令|暗号|金鑰|令牌|私钥/i

const MARK = '["\'`*\\])]{0,3}'
const SAID_OF = '(?: (?:for|to|of|on|at|in|from) [^\\n.!?;:=,，。]{1,40}?)?'
const CHINESE_BETWEEN =
  '(?:现在|目前|已经|应该|一直|设置|更新|重置|修改|统一|默认|还|就|也|都|已|改|换|设|用|填|写|的){0,3}'
/** What stands between a name and its value. */
const BETWEEN = [
  `\\\\?${MARK}[ \\t]{0,4}(?::=|=>|[:：＝]|=(?![=~>]))[ \\t]{0,4}`,
  `${SAID_OF} (?:is|was|are|will be|(?:has been |is |was |got )?(?:changed|set|reset) to|becomes?|became)(?: now| still| actually| just)? {1,2}`,
  ` ?${CHINESE_BETWEEN}(?:是|为|成了?|叫|到)[ ：:]{0,2}`,
  '(?<=[码碼令钥鑰牌号])[ \\t]{1,2}',
  '(?<=--[a-z-]{0,20}) ',
].join('|')
/** In quotes of any kind, escaped ones of JSON in JSON too, or a run without white space. */
const VALUE =
  "\\\\?\"([^\"\\n\\\\]{1,300})|'([^'\\n]{1,300})'|`([^`\\n]{1,300})`|[“「『‘]([^”」』’\\n]{1,300})[”」』’]|((?:[^\\s\"'`“”‘’「」『』,;，。；、！？（）<>&\\u3400-\\u9fff]|&(?![\\w.-]{0,40}=)(?=\\S)){1,300})"
const ASSIGNED = new RegExp(
  `(?:${NAMES.map(([, words]) => `(${words})`).join('|')})(?![a-z])(?:${BETWEEN})(?:${VALUE})`,
  'dgi',
)
const FIRST_VALUE = NAMES.length + 1
const BARE = FIRST_VALUE + 4

/** `Authorization: Bearer …`, `Basic …`. */
const AUTHORIZATION = /\b(?:bearer|basic)[ \t]{1,2}([\w.~+/=-]{16,2000})/dgi

/** A colon, an equals sign or a flag: it was written down as a setting, not said in a sentence. */
const WRITTEN = /[:：=＝]|--[a-z-]{0,20} $/i

/** After such a word a number is a measure, and a name of letters a procedure. */
const MEASURED =
  /^[ \t]?(?:characters?|chars?|bits?|bytes?|digits?|letters?|days?|hours?|minutes?|seconds?|times?|years?|or |加密|哈希|散列|算法|编码|存储|格式|类型|字段|签名|认证|位|次|天|个|长|字符|年|月)/i
const END_OF_SENTENCE = /[.:?)\]}|\\]+$/

/** Values that are named as secrets and look like them. */
export function assignedSecrets(text: string): readonly Secret[] {
  if (!HINT.test(text)) return []
  const found: Secret[] = []
  for (const match of text.matchAll(ASSIGNED)) {
    const at = match.findIndex((group, index) => index >= FIRST_VALUE && group !== undefined)
    const [from] = match.indices![at]!
    const name = NAMES[match.findIndex((group, index) => index > 0 && group !== undefined) - 1]![0]
    const quoted = at !== BARE
    const value = quoted ? match[at]! : withoutEnd(match[at]!)
    const to = from + value.length
    if (!quoted && MEASURED.test(text.slice(to, to + 20))) continue
    const foreign = /[\u3400-\u9fff]/.test(match[0].slice(0, -value.length))
    const isSaid = !WRITTEN.test(match[0].slice(0, from - match.index))
    if (looksSecret(value, { name, quoted, foreign }))
      found.push({ from, to, shown: '', ...(isSaid ? { isSaid } : {}) })
  }
  for (const match of text.matchAll(AUTHORIZATION)) {
    const [from, to] = match.indices![1]!
    if (looksSecret(match[1]!, { name: 'key', quoted: true, foreign: false })) found.push({ from, to, shown: '' })
  }
  return found
}

/** Whether a text speaks of passwords, keys and the like by name: who asks so wants to see them. */
export function namesSecret(text: string): boolean {
  return HINT.test(text) && NAMED_ANYWHERE.test(text)
}

/** What the name of a field calls its value: `db_password` → password; null for any other name. */
export function secretNameOf(field: string): SecretName | null {
  const known = NAMED.get(field)
  if (known !== undefined) return known
  const name = nameIn(field)
  if (NAMED.size >= MOST_NAMED) NAMED.clear()
  NAMED.set(field, name)
  return name
}

/** The same few fields come again with every record. */
const NAMED = new Map<string, SecretName | null>()
const MOST_NAMED = 500

function nameIn(field: string): SecretName | null {
  if (!HINT.test(field)) return null
  const end = field.slice(-LONGEST_FIELD)
  return ENDINGS.find(([, ending]) => ending.test(end))?.[0] ?? null
}

const LONGEST_FIELD = 200
const NAMED_ANYWHERE = new RegExp(`(?:${NAMES.map(([, words]) => words).join('|')})s?(?![a-z])`, 'i')
const ENDINGS = NAMES.map(([name, words]) => [name, new RegExp(`(?:${words})$`, 'i')] as const)

function withoutEnd(value: string): string {
  return value.replace(END_OF_SENTENCE, '')
}
