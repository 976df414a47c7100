/** Secrets in a text by their shape, in linear time: issued keys, private keys, passwords, named values. */
import { readInPieces } from '../../domain/read-once.ts'
import type { Secret } from './issued-keys.ts'
import { issuedKeys } from './issued-keys.ts'
import { cardNumbers, numbersOfPersons } from './numbers.ts'
import { phrases } from './phrases.ts'
import { anyOfNames, inSmallLetters, mayNameSecret, NAME_END, SECRET_NAMES } from './secret-names.ts'
import {
  isMaskedValue,
  isPasswordWord,
  isPlaceholder,
  isUnlikeWords,
  looksSecret,
  repeatsPattern,
  type SecretName,
} from './value-shape.ts'

/** scheme://user:password@host; the user may be missing. */
const ADDRESS = /(?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{1,24}:\/\/[^\s:@/'"<>]{0,100}:([^\s/'"`<>]{1,200})@(?=[\w[])/dgi
/** Where commands take a password, each behind a word that stands in it; and "login: user / password". */
const OF_COMMANDS = [
  ['curl', `\\bcurl\\b[^\\n]{0,200}?\\s(?:-u|--user)[ =]{1,3}["']?[^\\s:'"]{1,100}:([^\\s'"]{3,200})`],
  [
    'sshpass|docker|podman',
    `\\b(?:sshpass|(?:docker|podman) login)\\b[^\\n]{0,100}?\\s-p[ =]{0,3}["']?([^\\s'"]{3,200})`,
  ],
  ['mysql|mariadb', `\\b(?:mysql|mysqldump|mariadb)\\b[^\\n]{0,100}?\\s-p["']?([^\\s'"]{3,200})`],
  ['redis-cli', `\\bredis-cli\\b[^\\n]{0,100}?\\s-a ["']?([^\\s'"]{3,200})`],
  ['zip|7z|rar', `\\b(?:unzip|zip|7z|7za|rar|unrar)\\b[^\\n]{0,100}?\\s-(?:P ?|p)["']?([^\\s'"]{4,200})`],
  ['openssl', `\\bopenssl\\b[^\\n]{0,100}?\\s(?:-k |-pass(?:in|out)? pass:)["']?([^\\s'"]{4,200})`],
  ['htpasswd', `\\bhtpasswd\\s-\\w{0,4}b\\w{0,4}\\s\\S{1,100} \\S{1,60} ["']?([^\\s'"]{4,200})`],
  ['sudo -S', `\\becho ["']?([^\\s'"]{4,200})["']? ?\\| ?sudo -S`],
  ['identified', `\\bidentified (?:with \\S{1,40} )?by ["']([^\\s'"]{4,200})["']`],
  ['net use', `\\bnet use\\b[^\\n]{0,100}?\\s([^\\s:\\\\/]{6,200}) \\/user:`],
  [
    'login|log-in|credential|creds|account|wi-?fi|zugangsdaten|anmeldedaten|identifiants|credenciales',
    `\\b(?:login|log-in|credentials?|creds|account|wi-?fi|zugangsdaten|anmeldedaten|identifiants|credenciales)(?: is| are)?(?:[:：] {0,2}[\\w.@-]{1,60} ?[/|,，]| [\\w.@-]{1,60}/) ?(?=\\S{0,60}[\\d!#$%^&*])([^\\s'"]{6,200})`,
  ],
].map(([hint, pattern]) => ({ hint: new RegExp(hint!), pattern: new RegExp(pattern!, 'dgi') }))
const COMMAND = new RegExp(OF_COMMANDS.map(({ hint }) => hint.source).join('|'))
const IS = anyOfNames('is')
const PRIVATE_KEY = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|^Private-Lines: \d{1,3}$/gm
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
  const small = inSmallLetters(text)
  const pauses = text.length > LONG_TEXT
  for (const find of KINDS) {
    if (pauses) yield
    const some = find(text, small, pauses)
    found.push('next' in some ? yield* some : some)
  }
  if (mayNameSecret(small)) {
    const names = yield* namesIn(small)
    for (const find of NAMED_KINDS) found.push(yield* find(text, names))
  }
  const all = found.flat()
  return all.length === 0 ? all : joined([...all, ...repeatsOf(text, all)])
})

/** The same values where nothing names them. */
function repeatsOf(text: string, secrets: readonly Secret[]): readonly Secret[] {
  const known = new Map(secrets.map((secret) => [text.slice(secret.from, secret.to), secret]))
  const pattern = repeatsPattern(known.keys())
  if (pattern === null) return []
  return [...text.matchAll(pattern)].map(({ 0: value, index }) => {
    const { shown, isSaid } = known.get(value)!
    return { from: index, to: index + value.length, shown, ...(isSaid ? { isSaid } : {}) }
  })
}

function addressPasswords(text: string, small: string): readonly Secret[] {
  const patterns = COMMAND.test(small)
    ? OF_COMMANDS.flatMap(({ hint, pattern }) => (hint.test(small) ? [pattern] : []))
    : []
  if (text.includes('://')) patterns.push(ADDRESS)
  return patterns
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .flatMap(({ 1: password = '', indices }) => {
      const [from, to] = indices![1]!
      return isPlaceholder(password) || isMaskedValue(password) ? [] : [{ from, to, shown: '' }]
    })
}

function privateKeys(text: string): readonly Secret[] {
  if (!/-----BEGIN |Private-Lines/.test(text)) return []
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

const NAME = new RegExp(`(?:${SECRET_NAMES.map(([, words]) => `(${words})`).join('|')})${NAME_END}`, 'g')

/** A name of a secret in a text; `end` is behind it. */
interface Named {
  readonly name: SecretName
  readonly at: number
  readonly end: number
}

/** Names that are read before others run. */
const NAMES_A_PIECE = 512

/** Characters that are searched before others run, and those on both sides that a name there depends on. */
const [SEARCHED_A_PIECE, AROUND] = [65_536, 256]

/** All names of a text in small letters, in order, also those inside another one. */
function* namesIn(text: string): Generator<void, readonly Named[]> {
  const names: Named[] = []
  for (let first = 0; first < text.length; first += SEARCHED_A_PIECE) {
    if (first > 0) yield
    const begin = Math.max(0, first - AROUND)
    const end = first + SEARCHED_A_PIECE
    const piece = text.slice(begin, end + AROUND)
    for (let from = first - begin; ; ) {
      NAME.lastIndex = from
      const match = NAME.exec(piece)
      if (match === null || begin + match.index >= end) break
      const name = SECRET_NAMES[match.findIndex((group, index) => index > 0 && group !== undefined) - 1]![0]
      names.push({ name, at: begin + match.index, end: begin + NAME.lastIndex })
      from = match.index + 1
      if (names.length % NAMES_A_PIECE === 0) yield
    }
  }
  return names
}

/** Characters behind a name that are read. */
const NAME_REACH = 160
/** Length from which one digit is enough. */
const LONG = 8

const LATIN_VALUE =
  '["\'`“‘「『*]{0,2}([^\\s"\'`“”‘’「」『』*,;，。；：、！？（）()<>\\u3400-\\u9fff]{4,80})["\'`”’」』*]{0,2}'
const OWN = anyOfNames('own')
const OWNER = `(?:(?:${OWN}|this|that|a|an|another) )?(?:[\\w'’à-ÿ-]{1,20} ){0,3}`
const BEGINS = '(?:^|[\\s:：,，。;；(（])'
/** Words before a name that comes last, read backwards from it. */
const BEFORE = [
  `\\b${anyOfNames('use')} ${LATIN_VALUE} (?:${anyOfNames('as')}|(?:when|if|where) (?:\\w{1,20} ){1,4}for) ${OWNER}`,
  `${BEGINS}${LATIN_VALUE} (?:${IS}|will be)(?: now| still)? (?:what (?:\\w{1,20} ){1,4}(?:as|for) )?${OWN} (?:[\\w'’-]{1,20} ){0,3}`,
  `${BEGINS}${LATIN_VALUE}[.,:]? ?(?:[-–—(]|<-)? ?(?:(?:that|this|it|which)(?:['’]?s| is| was| will be) |as )?(?:the|my|our|your|his|her|their|its|a) (?:[\\w'’-]{1,20} ){0,3}`,
  `${BEGINS}${LATIN_VALUE}(?::| <-) (?:[\\w'’-]{1,20} ){0,3}`,
  `(?:用|拿|以|把|将) ?${LATIN_VALUE} ?(?:作为|当作|当成|当|做|作|设为|设成|设置为|设置成)[\\u3400-\\u9fffA-Za-z -]{0,12}`,
  `${LATIN_VALUE}[ ，,（(]{0,2}(?:(?:这|那|它)个?)?(?:就是|还是|是)[\\u3400-\\u9fffA-Za-z -]{0,12}的?`,
  `${LATIN_VALUE} ?[，,（(][ ]?[\\u3400-\\u9fffA-Za-z -]{0,12}的?`,
].map((pattern) => new RegExp(`(?<=${pattern})`, 'diy'))
/** A test that the name ends the phrase, unlike "as the password manager". */
const NAME_IS_LAST = new RegExp(
  `^(?:\\s*$|\\s*[.,;!?)，。；！？）\\n]|\\s{0,3}[:：]\\s{0,3}(?:\\n|$)|\\s+(?:${anyOfNames('of')}|now|and|please|again)\\b|[了吗吧呢啊哦]|就?是(?:这个|它))`,
  'i',
)

/** Behind a name: from one value to another. */
const FROM_TO = [
  `^(?: ${anyOfNames('of')} [^\\n.!?;:=,，。]{1,40}?)?(?: [a-zà-ÿ]{3,14})? (?:from|de|von) ${LATIN_VALUE} (?:to|a|à|en|auf|zu) ${LATIN_VALUE}`,
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
function* spokenSecrets(text: string, names: readonly Named[]): Generator<void, readonly Secret[]> {
  const found: Secret[] = []
  const keep = (match: RegExpExecArray, group: number, start = 0): void => {
    const [from, to] = match.indices![group]!
    found.push({ from: start + from, to: start + to, shown: '', isSaid: true })
  }
  let read = 0
  for (const [number, { name, at, end }] of names.entries()) {
    if (number % NAMES_A_PIECE === NAMES_A_PIECE - 1) yield
    if (at < read) continue
    read = end
    const isSecret = (value: string | undefined): boolean =>
      value !== undefined &&
      (isUnlikeWords(value, name) || (value.length >= LONG && /\d/.test(value))) &&
      looksSecret(value, { name, quoted: false, foreign: false })
    const before = (pattern: RegExp): RegExpExecArray | null => {
      pattern.lastIndex = at
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
const OF = ` (?:${anyOfNames('of')}|that|I|we|you|he|she|they)(?: |(?<=['’]))[^\\n.!?;:=,，。]{1,40}?`
const CHINESE_BETWEEN =
  '(?:现在|目前|已经|应该|一直|设置|更新|更换|重置|修改|统一|默认|还|就|也|都|已|改|换|设|用|填|写|的|我|给|帮){0,3}'
/** Words and signs between a name and its value. */
const BETWEEN = [
  `\\\\?${MARK}(?: ?[(（][^）)\\n]{1,20}[)）])?[ \\t]{0,4}(?::=|[=-]>|→|[.…]{2,12}|[:：＝]\\*{0,2}|=(?![=~>]))[ \\t]{0,4}`,
  '>(?=[^<\\n]{1,200}</)',
  `(?:${OF}|, which)? (?:is|was|are|(?:will|should|would) be|(?:has been |is |was |got )?(?:changed|set|reset) to|used to be|becomes?|became)(?: now| still| actually| just)?:? {1,2}`,
  `${OF} ?(?::|->|→) {1,2}`,
  ` ?(?:[（(][^）)\\n]{1,20}[）)])?${CHINESE_BETWEEN}(?:是|为|成了?|叫|到)(?:以前|之前|原来|老)?的?[ ：:]{0,2}`,
  '(?<=[码碼令钥鑰牌号])[ \\t]{1,2}',
  '(?<=--[a-z-]{0,20}) ',
].join('|')
/** A line break before a value on its own line, behind the name or the place to look. */
const ON_THE_NEXT_LINE = `(?:${OF})?(?: (?:is|was|are))?(?: (?:below|here|this|as follows|the following))?(?:如下|是)?[.:：。*]{0,3}[ \\t]{0,4}(?:\\r?\\n[ \\t>*-]{0,8}(?:\\d{1,2}[.)] )?){1,3}(?=\\S{4,300}(?: [A-Z\\d]{3,6}){0,7}[ \\t]{0,4}(?:\\r?\\n|$))`
/** Looser ties, which occur between words too, so only a value unlike any word is taken. */
const LOOSE = [
  '(?<=[码碼令钥鑰])(?=[a-z\\d])',
  '(?<=[码碼令钥鑰])(?:[啊嘛呢吧哦]?[，, ]{1,2}|[\\u3400-\\u9fff，, ]{1,9}?(?:是|用|叫|为|成))(?:的)?[ ：:]{0,2}',
  '(?<=[码碼令钥鑰])[\\u3400-\\u9fff]{0,8}(?![在到于给跟和])[\\u3400-\\u9fff][ ：:]{1,2}',
  `(?:是什么|是多少|${OF})?[?？] {0,2}(?:it['’]s |it is |是)? ?`,
  '[ \\t]{0,4}[|][ \\t]{0,4}',
  '(?<=\\blogin \\S{1,60} [a-z]{4,8}|\\brequirepass) ',
  `(?<=[a-z])(?:${OF} [-–—]{1,2}|[’']s)?[ \\t](?=\\S{0,30}\\d)`,
  '(?<=\\b(?:chang|set|reset|updat|switch|rotat)[a-z]{0,4} [^\\n.!?;:,]{1,60}) to ',
  `(?<=[码碼令钥鑰])${CHINESE_BETWEEN}(?:用|换了?|改了?)[ ：:]{0,2}`,
  // "is" and "changed to" in all languages, behind an adjective too.
  `(?:${OF}| [a-zà-ÿ]{3,14})?,? ${IS} (?:${OWN} )?`,
  ' (?:a|en|por|auf) | [a-zà-ÿ]{3,14} ?[:：] ?',
  '(?<=ド)は ?|(?<=호)는 ?',
].join('|')
/** A value in quotes of any kind (also escaped ones of JSON in JSON), Han with a number behind them, or a run without white space. */
const VALUE =
  "\\\\?\"([^\"\\n\\\\]{1,300})|'([^'\\n]{1,300})'|`([^`\\n]{1,300})`|[“「『‘]([^”」』’\\n]{1,300})[”」』’]|([\\u3400-\\u9fff]{2,12}[a-z]{0,12}\\d{2,8}(?=\\s|$|[,.，。！；、）])|(?:[^\\s\"'`“”‘’「」『』,;，。；：、！？（）<>&\\u3400-\\u9fff]|&(?![\\w.-]{0,40}=)(?=\\S)){1,300})"
const ASSIGNED = new RegExp(
  `(?:${SECRET_NAMES.map(([, words]) => `(${words})`).join('|')})${NAME_END}(?:(${ON_THE_NEXT_LINE})|${BETWEEN}|(${LOOSE}))(?:${VALUE})`,
  'diy',
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
const MOST_NAMED = 8192

/** Values that are named as secrets and look like them. */
function* assignedSecrets(text: string, names: readonly Named[]): Generator<void, readonly Secret[]> {
  const found: Secret[] = []
  let [named, read] = [0, 0]
  for (const [number, name] of names.entries()) {
    if (number % NAMES_A_PIECE === NAMES_A_PIECE - 1) yield
    if (name.at < read) continue
    ASSIGNED.lastIndex = name.at
    const match = ASSIGNED.exec(text)
    if (match === null) continue
    named += 1
    if (named > MOST_NAMED) {
      found.push({ from: match.index, to: text.length, shown: '' })
      break
    }
    const at = match.findIndex((group, index) => index >= FIRST_VALUE && group !== undefined)
    const secret = assigned(text, match, at)
    // What is no value may be a name: "the door code: password is …".
    read = secret === null ? match.indices![at]![0] : secret.to
    if (secret !== null) found.push(secret, ...moreLike(text, secret))
  }
  for (const match of text.matchAll(AUTHORIZATION)) {
    const [from, to] = match.indices![1]!
    if (looksSecret(match[1]!, { name: 'key', quoted: true, foreign: false })) found.push({ from, to, shown: '' })
  }
  return found
}

/** Groups of one length behind the first, as in "4839 2201" and "JBSW Y3DP EHPK". */
const GROUPS = /(?: [A-Z\d]{3,6}){1,7}(?![\w-])/y
const GROUP = /^[A-Z\d]{3,6}$/

function groupsBehind(text: string, first: string, at: number): string {
  GROUPS.lastIndex = at
  const groups = GROUP.test(first) ? (GROUPS.exec(text)?.[0] ?? '') : ''
  return groups.split(' ').every((group) => group === '' || group.length === first.length) ? groups : ''
}

/** Lengths of values with which a list may go on. */
const SHORTEST_OF_LIST = 8
const LONGEST_OF_LIST = 40

/** The values of the same form that a list goes on with, as of recovery codes. */
function moreLike(text: string, { from, to, shown, isSaid }: Secret): readonly Secret[] {
  const value = text.slice(from, to)
  if (value.length < SHORTEST_OF_LIST || value.length > LONGEST_OF_LIST || !/\d/.test(value)) return []
  const form = value.replace(/./gsu, (sign) => (/[A-Za-z\d]/.test(sign) ? '[A-Za-z\\d]' : RegExp.escape(sign)))
  const next = new RegExp(
    `(?:[,;、，]|\\s(?:and|y|et|und|e)\\b|和){0,2}\\s{0,4}(?:\\d{1,2}[.)] |[*-] )?(?=\\S{0,80}\\d)(${form})(?![\\w-])`,
    'dy',
  )
  const more: Secret[] = []
  next.lastIndex = to
  for (let match = next.exec(text); match !== null; match = next.exec(text)) {
    const [start, end] = match.indices![1]!
    more.push({ from: start, to: end, shown, ...(isSaid ? { isSaid } : {}) })
  }
  return more
}

function assigned(text: string, match: RegExpExecArray, at: number): Secret | null {
  const [from] = match.indices![at]!
  const name = SECRET_NAMES[match.findIndex((group, index) => index > 0 && group !== undefined) - 1]![0]
  const quoted = at !== BARE
  const first = quoted ? match[at]! : withoutEnd(match[at]!)
  const groups = quoted ? '' : groupsBehind(text, first, from + first.length)
  const foreign = /[\u3400-\u9fff]/.test(match[0].slice(0, -match[at]!.length))
  const isSaid = !WRITTEN.test(match[0].slice(0, from - match.index))
  const isPass = OTHER_PASS.test(match[0])
  const isLoose = match[LOOSELY] !== undefined || match[ON_NEXT] !== undefined || isPass
  for (const value of groups === '' ? [first] : [first + groups, first]) {
    const to = from + value.length
    if (!quoted && MEASURED.test(text.slice(to, to + 20))) continue
    const bare = value === first ? value : value.replaceAll(' ', '')
    if (isLoose && (YEAR.test(match[0]) || !(value !== first || isUnlikeWords(value, isPass ? 'secret' : name))))
      continue
    if (looksSecret(bare, { name, quoted, foreign })) return { from, to, shown: '', ...(isSaid ? { isSaid } : {}) }
  }
  return null
}

function withoutEnd(value: string): string {
  return value.replace(END_OF_SENTENCE, '')
}

const KINDS = [privateKeys, issuedKeys, addressPasswords, phrases, cardNumbers, numbersOfPersons] as const
/** The kinds that names announce. */
const NAMED_KINDS = [assignedSecrets, spokenSecrets] as const
