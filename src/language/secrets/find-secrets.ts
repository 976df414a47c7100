/** Secrets in a text by their shape, in linear time: issued keys, private keys, passwords, named values. */
import { readInPieces } from '../../domain/read-once.ts'
import type { Secret } from './issued-keys.ts'
import { issuedKeys } from './issued-keys.ts'
import {
  isMaskedValue,
  isPasswordWord,
  isPlaceholder,
  isUnlikeWords,
  looksSecret,
  mayNameSecret,
  NAME_END,
  SECRET_NAMES,
} from './value-shape.ts'

/** scheme://user:password@host; the user may be missing. */
const ADDRESS = /(?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{1,24}:\/\/[^\s:@/'"<>]{0,100}:([^\s/'"`<>]{1,200})@(?=[\w[])/dgi
/** `curl -u user:password`, also where a title begins with it. */
const OF_CURL = /\bcurl\b[^\n]{0,200}?\s(?:-u|--user)[ =]{1,3}["']?[^\s:'"]{1,100}:([^\s'"]{3,200})/dgi
const PHRASE =
  /\b(?:(?:seed|recovery|backup|mnemonic)[ -]?(?:phrase|words?)|mnemonic|助记词)(?: is| are|是)?[:：]? {0,3}["'“`]?((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})|\bpass-?phrase(?: is)?[:：] {0,3}["'“`]?((?:[a-z]{2,12}[ -]){2,7}[a-z]{2,12})/dgi
const PRIVATE_KEY = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g
/** Shortest text that can name a secret, such as "pin 4821". */
const SHORTEST = 6
const KEY_ENDS = '-----END '
const LONGEST_PRIVATE_KEY = 20_000
/** The remaining lines of a key that was cut off, the last one of any length; linear: a line never divides. */
const KEY_LINES = /(?:\s|\\n|[A-Za-z0-9+/=]{16,}(?![A-Za-z0-9+/=]))*(?:(?<=\n)[A-Za-z0-9+/=]{1,15}(?=\s|$))?/y

/** Length from which others may run between two kinds of secrets. */
const LONG_TEXT = 32_768

/** The secrets of a text, in order; none overlaps another. */
export const findSecrets = readInPieces('secrets', function* (text): Generator<void, readonly Secret[]> {
  if (text.length < SHORTEST) return []
  const found: (readonly Secret[])[] = []
  for (const find of KINDS) {
    if (text.length > LONG_TEXT) yield
    found.push(find(text))
  }
  const all = found.flat()
  return all.length < 2 ? all : joined(all)
})

function addressPasswords(text: string): readonly Secret[] {
  if (!/:\/\/|curl/i.test(text)) return []
  return [...text.matchAll(ADDRESS), ...text.matchAll(OF_CURL)].flatMap(({ 1: password = '', indices }) => {
    const [from, to] = indices![1]!
    return isPlaceholder(password) || isMaskedValue(password) ? [] : [{ from, to, shown: '' }]
  })
}

/** The words of which a wallet is made again, and a passphrase of words behind a colon. */
function phrases(text: string): readonly Secret[] {
  // To iterate over a pattern copies it.
  if (text.search(PHRASE) < 0) return []
  return [...text.matchAll(PHRASE)].flatMap(({ indices }) => {
    const [from, to] = indices![1] ?? indices![2]!
    return [{ from, to, shown: '' }]
  })
}

function privateKeys(text: string): readonly Secret[] {
  if (!text.includes('-----BEGIN ')) return []
  const found: Secret[] = []
  let done = 0
  let end = 0
  for (const { 0: begin, index } of text.matchAll(PRIVATE_KEY)) {
    if (index < done) continue
    const from = index + begin.length
    if (end >= 0 && end < from) end = text.indexOf(KEY_ENDS, from)
    const isWhole = end >= 0 && end - from <= LONGEST_PRIVATE_KEY
    done = isWhole ? end : from + linesOfKey(text, from).trimEnd().length
    // A mask between the marks holds no key.
    if (done > from && !isMaskedValue(text.slice(from, from + 40))) found.push({ from, to: done, shown: '' })
  }
  return found
}

function linesOfKey(text: string, from: number): string {
  KEY_LINES.lastIndex = from
  return KEY_LINES.exec(text)?.[0] ?? ''
}

/** Joins overlapping finds; the longest beginning is the part that may be shown. */
function joined(found: readonly Secret[]): readonly Secret[] {
  const ordered = found.toSorted((a, b) => a.from - b.from || b.shown.length - a.shown.length || b.to - a.to)
  const apart: Secret[] = []
  for (const secret of ordered) {
    const last = apart.at(-1)
    if (last === undefined || secret.from >= last.to) apart.push(secret)
    else apart[apart.length - 1] = united(last, secret)
  }
  return apart
}

function united({ from, to, shown, isSaid }: Secret, other: Secret): Secret {
  const bothSaid = isSaid === true && other.isSaid === true
  return { from, to: Math.max(to, other.to), shown, ...(bothSaid ? { isSaid: true as const } : {}) }
}

/** 13 to 19 digits, by themselves or in groups. */
const NUMBER = /(?<![\w.#/=+-]|\d[ ])\d(?:[ -]?\d){12,18}(?![\w/=+-]|[. ]\d)/g
/** A cheap test for possible numbers, far cheaper than the search. */
const HINT = /\d{3}[ -]?\d{3}/
/** Digits at most a few characters behind a word for a card. */
const CALLED =
  /(?:(?:card|account) ?(?:number|no\.?|#)|银行卡号?|信用卡号?|储蓄卡号?|借记卡号?|(?<!会员)卡号|銀行卡號?|信用卡號?|卡號)(?:[ ]?(?:is|was|是|为|[:：=,，])){0,2}[ *`"“]{0,3}$/i
const CARD_NEAR = /(?<![a-z])(?:cards?|visa|master ?card|amex|american express|unionpay|discover)(?![a-z])|卡/i
/** Beginnings and lengths that issuers of cards use (ISO/IEC 7812). */
const ISSUED =
  /^(?:4\d{15}|5[1-5]\d{14}|2(?:2[2-9]|[3-6]\d|7[01])\d{13}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35\d{14}|62\d{14,17})$/
/** Groups as on cards: in fours, or four, six and five. */
const GROUPED = /^(?:\d{4}([ -])\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3})?|\d{4}([ -])\d{6}\2\d{5})$/
/** Words for other numbers, one in ten of which has the check digit by chance. */
const OF_OTHERS =
  /(?:\b(?:id|no|nr|order|ticket|invoice|tracking|number|code|isbn|imei|iccid|sim)\b|[号單单码])\W{0,4}$/i
/** Length from which bare digits are an id. */
const LONGEST_BARE = 16
const CARD_REACH = 40

/** The numbers; none is said in passing, so none carries `isSaid`. */
function cardNumbers(text: string): readonly Secret[] {
  if (!HINT.test(text)) return []
  const found: Secret[] = []
  for (const { 0: number, index } of text.matchAll(NUMBER)) {
    const digits = number.replace(/\D/g, '')
    const before = text.slice(Math.max(0, index - CARD_REACH), index)
    const isCalled = CALLED.test(before)
    const isCard = isCalled || (ISSUED.test(digits) && hasCheckDigit(digits) && isCardByLook(number, before))
    if (isCard && new Set(digits).size > 1) found.push({ from: index, to: index + number.length, shown: '' })
  }
  return found
}

function isCardByLook(number: string, before: string): boolean {
  if (GROUPED.test(number) || CARD_NEAR.test(before)) return true
  return /^\d+$/.test(number) && number.length <= LONGEST_BARE && !OF_OTHERS.test(before)
}

/** Luhn's sum: from the right every second digit counts twice. */
function hasCheckDigit(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at++) {
    const digit = Number(digits[digits.length - 1 - at])
    const doubled = at % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Two letters, two check digits, then groups; ISO 13616. */
const IBAN = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){9,36}(?![A-Za-z0-9])/g
/** Characters of an IBAN in each country of the registry. */
const IBAN_LENGTHS = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BR29 CH21 CY28 CZ24 DE22 DK18 DO28 EE20 EG29 ES24 FI18 FO18 FR27 GB22 ' +
    'GE22 GI23 GL18 GR27 HR21 HU28 IE22 IL23 IS26 IT27 JO30 KW30 KZ20 LB28 LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MR27 ' +
    'MT31 MU30 NL18 NO15 PK24 PL28 PS29 PT25 QA29 RO24 RS22 SA24 SE24 SI19 SK24 SM27 TN24 TR26 UA29 VG24 XK20'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)
const SOCIAL_SECURITY = /(?<![\d-])(?!000|666)\d{3}([- ]?)(?!00)\d{2}\1(?!0000)\d{4}(?![\d-])/g
const CALLED_SO =
  /\b(?:ssn|itin|social security|taxpayer|tax id)\b[^.!?\n]{0,30}$|(?:社会?保(?:障|险)?号|税号)[^。！？\n]{0,12}$/i
/** GB 11643: a region, the day of birth, a number, a check digit. */
const IDENTITY = /(?<![A-Za-z0-9])[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])\d{3}[\dXx](?![A-Za-z0-9])/g
const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const CHECKS = '10X98765432'
/** Characters before a number in which it is called by its name. */
const NUMBER_REACH = 60

/** The numbers, in order of their kinds. */
function numbersOfPersons(text: string): readonly Secret[] {
  if (!/[A-Z]{2}\d{2}|\d{3}[- ]?\d{2}/.test(text)) return []
  const found: Secret[] = []
  const keep = ({ index, 0: number }: RegExpExecArray, length = number.length): void =>
    void found.push({ from: index, to: index + length, shown: '' })
  for (const match of text.matchAll(IBAN)) {
    const length = lengthOfIban(match[0])
    if (length !== null) keep(match, length)
  }
  for (const match of text.matchAll(SOCIAL_SECURITY))
    if (CALLED_SO.test(text.slice(Math.max(0, match.index - NUMBER_REACH), match.index))) keep(match)
  for (const match of text.matchAll(IDENTITY)) if (isIdentity(match[0])) keep(match)
  return found
}

/** The length of the IBAN in the match, as a word in capitals may follow it; null where the check sum fails. */
function lengthOfIban(run: string): number | null {
  const wanted = IBAN_LENGTHS.get(run.slice(0, 2))
  if (wanted === undefined) return null
  let length = 0
  let characters = 0
  for (const character of run) {
    if (characters === wanted) break
    length += 1
    if (/[A-Z0-9]/.test(character)) characters += 1
  }
  if (characters < wanted) return null
  const number = run.slice(0, length).replace(/[ -]/g, '')
  let rest = 0
  for (const character of number.slice(4) + number.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1 ? length : null
}

function isIdentity(number: string): boolean {
  const sum = WEIGHTS.reduce((total, weight, at) => total + weight * Number(number[at]), 0)
  return CHECKS[sum % 11] === number[17]!.toUpperCase()
}

const NAME = new RegExp(`(?:${SECRET_NAMES.map(([, words]) => `(${words})`).join('|')})${NAME_END}`, 'gi')
/** Characters behind a name that are read. */
const NAME_REACH = 160
/** Length from which one digit is enough. */
const LONG = 8

const LATIN_VALUE =
  '["\'`“‘「『*]{0,2}([^\\s"\'`“”‘’「」『』*,;，。；、！？（）()<>\\u3400-\\u9fff]{4,80})["\'`”’」』*]{0,2}'
const OWNER = "(?:(?:the|my|our|your|his|her|their|its|this|that|a|an|another) )?(?:[\\w'’-]{1,20} ){0,3}"
/** Words before a name that comes last, read backwards from it. */
const BEFORE = [
  `\\b(?:us(?:e|es|ed|ing)|enter(?:ed)?|type|typed|pick(?:ed)?|choose|chose|took|set) ${LATIN_VALUE} (?:as|for) ${OWNER}`,
  `(?:^|[\\s:：,，。;；(（])${LATIN_VALUE} (?:is|was|will be)(?: now| still)? (?:the|my|our|your|his|her|their) (?:[\\w'’-]{1,20} ){0,3}`,
  `(?:用|拿|以|把|将) ?${LATIN_VALUE} ?(?:作为|当作|当成|当|做|作|设为|设成|设置为|设置成)[\\u3400-\\u9fffA-Za-z -]{0,12}`,
  `${LATIN_VALUE} ?(?:就是|还是|是)[\\u3400-\\u9fffA-Za-z -]{0,12}的?`,
].map((pattern) => new RegExp(`(?<=${pattern})`, 'diy'))
/** A test that the name ends the phrase, unlike "as the password manager". */
const NAME_IS_LAST =
  /^(?:\s*$|\s*[.,;:!?)，。；：！？）\n]|\s+(?:for|of|on|at|in|to|now|and|from|please|again)\b|[了吗吧呢啊哦])/i

/** Behind a name: from one value to another. */
const FROM_TO = [
  `^(?: (?:for|of|on|at|in) [^\\n.!?;:=,，。]{1,40}?)? from ${LATIN_VALUE} to ${LATIN_VALUE}`,
  `^ ?从 ?${LATIN_VALUE} ?[\\u3400-\\u9fff]{0,4}(?:成|为|到)了? ?${LATIN_VALUE}`,
].map((pattern) => new RegExp(pattern, 'di'))

/** A password that is a word, or some words tied together or in quotes, at the end of the sentence. */
const A_WORD = new RegExp(
  '^(?: (?:for|to|of|on|at|in) [^\\n.!?;:=,，。]{1,40}?)? (?:is|was)(?: now| still| just)? ' +
    '(?:([a-z]{6,40})|([a-z]{3,12}(?:[-_][a-z]{3,12}){3,7})|["“`\']([a-z]{2,12}(?: [a-z]{2,12}){3,11})["”`\'])' +
    '(?=[.!](?:\\s|$)|[。！]|\\s*$)',
  'di',
)
const OF_SOMEBODY = /(?<=\b(?:my|our|your|his|her|their|the)(?: [\w'’-]{1,20}){0,3} )/iy

/** The values in sentences; a value told in two ways may come twice. */
function spokenSecrets(text: string): readonly Secret[] {
  if (!mayNameSecret(text)) return []
  const found: Secret[] = []
  const keep = (match: RegExpExecArray, group: number, start = 0): void => {
    const [from, to] = match.indices![group]!
    found.push({ from: start + from, to: start + to, shown: '', isSaid: true })
  }
  for (const named of text.matchAll(NAME)) {
    const name = SECRET_NAMES[named.findIndex((group, index) => index > 0 && group !== undefined) - 1]![0]
    const end = named.index + named[0].length
    const isSecret = (value: string | undefined): boolean =>
      value !== undefined &&
      (isUnlikeWords(value, name) || (value.length >= LONG && /\d/.test(value))) &&
      looksSecret(value, { name, quoted: false, foreign: false })
    const before = (pattern: RegExp): RegExpExecArray | null => {
      pattern.lastIndex = named.index
      return pattern.exec(text)
    }
    const behind = text.slice(end, end + NAME_REACH)
    if (NAME_IS_LAST.test(behind))
      for (const pattern of BEFORE) {
        const match = before(pattern)
        if (match !== null && isSecret(match[1])) keep(match, 1)
      }
    for (const pattern of FROM_TO) {
      const match = pattern.exec(behind)
      for (const group of [1, 2]) if (match !== null && isSecret(match[group])) keep(match, group, end)
    }
    const word = name === 'password' && before(OF_SOMEBODY) !== null ? A_WORD.exec(behind) : null
    const group = word?.findIndex((value, index) => index > 0 && value !== undefined) ?? 0
    if (word !== null && (group > 1 || isPasswordWord(word[1]!))) keep(word, group, end)
  }
  return found
}

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
  // "is" in the other languages that names of passwords are known in.
  " (?:ist|lautet|hei(?:ß|ss)t|luidt|es|est|c[’']est|é|è|это) ",
  '(?<=ド)は ?|(?<=호)는 ?',
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

/** Values of one text that are looked at; what follows so many is hidden unread. */
const MOST_NAMED = 16_384

/** Values that are named as secrets and look like them. */
function assignedSecrets(text: string): readonly Secret[] {
  if (!mayNameSecret(text)) return []
  const found: Secret[] = []
  ASSIGNED.lastIndex = 0
  let named = 0
  for (let match = ASSIGNED.exec(text); match !== null; match = ASSIGNED.exec(text)) {
    named += 1
    if (named > MOST_NAMED) {
      found.push({ from: match.index, to: text.length, shown: '' })
      break
    }
    const at = match.findIndex((group, index) => index >= FIRST_VALUE && group !== undefined)
    const [from] = match.indices![at]!
    const secret = assigned(text, match, at)
    // What is no value may be a name: "the door code: password is …".
    if (secret === null) ASSIGNED.lastIndex = from
    else found.push(secret)
  }
  for (const match of text.matchAll(AUTHORIZATION)) {
    const [from, to] = match.indices![1]!
    if (looksSecret(match[1]!, { name: 'key', quoted: true, foreign: false })) found.push({ from, to, shown: '' })
  }
  return found
}

function assigned(text: string, match: RegExpExecArray, at: number): Secret | null {
  const [from] = match.indices![at]!
  const name = SECRET_NAMES[match.findIndex((group, index) => index > 0 && group !== undefined) - 1]![0]
  const quoted = at !== BARE
  const value = quoted ? match[at]! : withoutEnd(match[at]!)
  const to = from + value.length
  if (!quoted && MEASURED.test(text.slice(to, to + 20))) return null
  const isPass = OTHER_PASS.test(match[0])
  if (match[LOOSELY] !== undefined || match[ON_NEXT] !== undefined || isPass) {
    if (!isUnlikeWords(value, isPass ? 'secret' : name) || YEAR.test(match[0])) return null
  }
  const foreign = /[\u3400-\u9fff]/.test(match[0].slice(0, -value.length))
  const isSaid = !WRITTEN.test(match[0].slice(0, from - match.index))
  return looksSecret(value, { name, quoted, foreign }) ? { from, to, shown: '', ...(isSaid ? { isSaid } : {}) } : null
}

function withoutEnd(value: string): string {
  return value.replace(END_OF_SENTENCE, '')
}

const KINDS = [
  privateKeys,
  issuedKeys,
  addressPasswords,
  phrases,
  cardNumbers,
  numbersOfPersons,
  assignedSecrets,
  spokenSecrets,
] as const
