/**
 * Which values that look like one does this text call a password, a secret, a key, in code, English or Chinese? Every
 * repetition in a pattern is bounded, so the time stays linear.
 */
import type { Secret } from './secret.ts'
import { NAME_END, SECRET_NAMES } from './secret-names.ts'
import { isUnlikeWords, looksSecret } from './value-shape.ts'

const MARK = '["\'`*\\])]{0,3}'
const OF = ' (?:for|to|of|on|at|in|from|that|I|we|you|he|she|they) [^\\n.!?;:=,，。]{1,40}?'
const CHINESE_BETWEEN =
  '(?:现在|目前|已经|应该|一直|设置|更新|更换|重置|修改|统一|默认|还|就|也|都|已|改|换|设|用|填|写|的|我|给|帮){0,3}'
/** Words and signs between a name and its value. */
const BETWEEN = [
  `\\\\?${MARK}[ \\t]{0,4}(?::=|=>|[:：＝]|=(?![=~>]))[ \\t]{0,4}`,
  `(?:${OF})? (?:is|was|are|(?:will|should|would) be|(?:has been |is |was |got )?(?:changed|set|reset) to|becomes?|became)(?: now| still| actually| just)?:? {1,2}`,
  `${OF} ?: {1,2}`,
  ` ?(?:[（(][^）)\\n]{1,20}[）)])?${CHINESE_BETWEEN}(?:是|为|成了?|叫|到)(?:以前|之前|原来|老)?的?[ ：:]{0,2}`,
  '(?<=[码碼令钥鑰牌号])[ \\t]{1,2}',
  '(?<=--[a-z-]{0,20}) ',
].join('|')
/** A line break before a value on its own line, behind the name or the place to look. */
const ON_THE_NEXT_LINE = `(?:${OF})?(?: (?:is|was|are))?(?: (?:below|here|this|as follows|the following))?(?:如下|是)?[.:：。*]{0,3}[ \\t]{0,4}(?:\\r?\\n[ \\t>*-]{0,8}){1,3}(?=\\S{4,300}[ \\t]{0,4}(?:\\r?\\n|$))`
/** Looser ties, which occur between words too, so only a value unlike any word is taken. */
const LOOSE = [
  '(?<=[码碼令钥鑰])(?=[a-z\\d])',
  `(?<=[a-z])(?:${OF} [-–—]{1,2}|[’']s)? (?=\\S{0,30}\\d)`,
  '(?<=\\b(?:chang|set|reset|updat|switch|rotat)[a-z]{0,4} [^\\n.!?;:,]{1,60}) to ',
  `(?<=[码碼令钥鑰])${CHINESE_BETWEEN}(?:用|换了?|改了?)[ ：:]{0,2}`,
].join('|')
/** A value in quotes of any kind (also escaped ones of JSON in JSON) or a run without white space. */
const VALUE =
  "\\\\?\"([^\"\\n\\\\]{1,300})|'([^'\\n]{1,300})'|`([^`\\n]{1,300})`|[“「『‘]([^”」』’\\n]{1,300})[”」』’]|((?:[^\\s\"'`“”‘’「」『』,;，。；、！？（）<>&\\u3400-\\u9fff]|&(?![\\w.-]{0,40}=)(?=\\S)){1,300})"
const ASSIGNED = new RegExp(
  `(?:${SECRET_NAMES.map(([, words]) => `(${words})`).join('|')})${NAME_END}(?:(${ON_THE_NEXT_LINE})|${BETWEEN}|(${LOOSE}))(?:${VALUE})`,
  'dgi',
)
const ON_NEXT = SECRET_NAMES.length + 1
const LOOSELY = ON_NEXT + 1
const FIRST_VALUE = LOOSELY + 1
const BARE = FIRST_VALUE + 4

/** `Authorization: Bearer …`, `Basic …`. */
const AUTHORIZATION = /\b(?:bearer|basic)[ \t]{1,2}([\w.~+/=-]{16,2000})/dgi

/** Signs of a written setting rather than a sentence: a colon, an equals sign or a flag. */
const WRITTEN = /[:：=＝]|--[a-z-]{0,20} $/i

/** Words behind which a number is a measure, and a name of letters a procedure. */
const MEASURED =
  /^[ \t]?(?:characters?|chars?|bits?|bytes?|digits?|letters?|days?|hours?|minutes?|seconds?|times?|years?|(?:[mck]m|m|ft|feet|px|kg)\b|or |加密|哈希|散列|算法|编码|存储|格式|类型|字段|签名|认证|位|次|天|个|长|字符|年|月|号|条|秒|分钟|生成|管理|保存|开头|结尾)/i
/** Another meaning of "pass", such as a bus pass, whose number is no password. */
const OTHER_PASS = /^pass /i
/** A name with a year, such as "PIN 2024". */
const YEAR = /^[a-z]+ (?:19|20)\d\d$/i
const END_OF_SENTENCE = /[.…:?)\]}|\\]{1,40}$/

/** Values that are named as secrets and look like them, in a text that may name one. */
export function assignedSecrets(text: string): readonly Secret[] {
  const found: Secret[] = []
  for (const match of text.matchAll(ASSIGNED)) {
    const at = match.findIndex((group, index) => index >= FIRST_VALUE && group !== undefined)
    const [from] = match.indices![at]!
    const name = SECRET_NAMES[match.findIndex((group, index) => index > 0 && group !== undefined) - 1]![0]
    const quoted = at !== BARE
    const value = quoted ? match[at]! : withoutEnd(match[at]!)
    const to = from + value.length
    if (!quoted && MEASURED.test(text.slice(to, to + 20))) continue
    const isPass = OTHER_PASS.test(match[0])
    if (match[LOOSELY] !== undefined || match[ON_NEXT] !== undefined || isPass) {
      if (!isUnlikeWords(value, isPass ? 'secret' : name) || YEAR.test(match[0])) continue
    }
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

function withoutEnd(value: string): string {
  return value.replace(END_OF_SENTENCE, '')
}
