/** Secrets in a text by their shape, in linear time: issued keys, private keys, passwords, named values. */
import { readInPieces } from '../../domain/read-once.ts'
import { inSmallLetters } from '../character-class.ts'
import { eachMatch } from '../each-match.ts'
import { accessCodes } from './access-codes.ts'
import { assignedSecrets } from './assigned-values.ts'
import { cardNumbers, numbersOfPersons } from './card-and-id-numbers.ts'
import type { Secret } from './issued-keys.ts'
import { issuedKeys } from './issued-keys.ts'
import { passphrases } from './passphrases.ts'
import { columnSecrets, listedSecrets } from './secret-columns.ts'
import { ABOUT, anyOfNames, mayNameSecret, NAMES_A_PIECE, type Named, namesIn } from './secret-names.ts'
import {
  isMaskedValue,
  isPasswordWord,
  isPlaceholder,
  isUnlikeWords,
  looksSecret,
  repeatsPattern,
} from './value-shape.ts'

/** scheme://user:password@host; the user may be missing. */
const ADDRESS = /(?<![A-Za-z0-9+.-])[a-z][a-z0-9+.-]{1,24}:\/\/[^\s:@/'"<>]{0,100}:([^\s/'"`<>]{1,200})@(?=[\w[])/dgi
/** A token in the place of the user, and a password behind an address of mail. */
const TOKEN_OF_ADDRESS = /:\/\/((?=[^\s@]{0,60}\d)(?=[^\s@]{0,60}[A-Za-z])[\w-]{20,200})@(?=[\w[])/dg
const BEHIND_MAIL =
  /(?<![\w.+-])(?!git@)[\w.+-]{1,60}@[\w-]{1,60}\.[a-z.]{2,20} ?[:/|;] ?(?=[^\s.,;/\\]{0,60}[A-Za-z])(?=[^\s.,;/\\]{0,60}[\d!#$%^&*])([^\s.,;/\\|'"]{6,60})(?=[.,;]?(?:\s|$))/dgi
/** What stands before the value of a field in a Kubernetes manifest, a field a line. */
const ofManifest = (fields: string): string => {
  const name = '\\n[ \\t]{1,8}[\\w.-]{1,60}:'
  return `(?<=\\b${fields}:(?:${name}[^\\n]{0,900}){0,20}${name} {0,4}["']?)`
}
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
  ['sudo -s', `\\becho ["']?([^\\s'"]{4,200})["']? ?\\| ?sudo -S`],
  ['identified', `\\bidentified (?:with \\S{1,40} )?by ["']([^\\s'"]{4,200})["']`],
  ['-u ', `\\s-u \\S{1,60} -p ["']?(?=\\S{0,60}[\\d!#$%^&*])(?=\\S{0,60}[A-Za-z])([^\\s'"/:]{6,200})`],
  [
    'kind: ?secret',
    `${ofManifest('data')}((?:[\\w+/]{4}){1,900}[\\w+/]{2}(?:==|[\\w+/]=|[\\w+/]{2}))(?=["']?(?:\\s|$))`,
  ],
  ['kind: ?secret', `${ofManifest('stringData')}([^\\s"']{4,900})`],
  ['kty', '["\'](?:d|p|q|dp|dq|qi|k)\\\\?["\'][ \\t]{0,4}:\\s{0,4}\\\\?["\']([\\w-]{20,2000})'],
  // The password stands behind the user in base64 for a registry, and in the last field of a line for PostgreSQL.
  [
    'auth["\'= ]',
    `(?:["']auth["'][ \\t]{0,4}:|\\b_auth[ \\t]{0,4}=)[ \\t]{0,4}["']?((?=\\S{0,60}\\d)(?=\\S{0,60}[a-z])[\\w+/]{12,900}={0,2})(?=["'\\s]|$)`,
  ],
  [
    ':(?:\\d{4,5}|\\*):',
    `(?<![\\w.:/*-])[\\w.*-]{1,200}:(?:\\d{4,5}|\\*):(?!\\d{1,60}:)[\\w.*-]{1,60}:[\\w.*-]{1,60}:(?=\\S{0,60}\\d)(?=\\S{0,60}[a-z])([^\\s:'"]{6,200})(?=[\\s'"]|$)`,
  ],
  ['connect\\.sid', `\\bconnect\\.sid=(s(?::|%3A)[^\\s;"']{16,300})`],
  ['snmp-server', `\\bsnmp-server community ["']?([^\\s"']{4,60})`],
  ['net use', `\\bnet use\\b[^\\n]{0,100}?\\s([^\\s:\\\\/]{6,200}) \\/user:`],
  [
    'login|log-in|credential|creds|account|wi-?fi|zugangsdaten|anmeldedaten|identifiants|credenciales',
    `\\b(?:login|log-in|credentials?|creds|account|wi-?fi|zugangsdaten|anmeldedaten|identifiants|credenciales)(?: is| are)?(?: (?:for|to|für|pour|para) [^\\n:]{1,30}(?=:))?(?:[:：] {0,2}[\\w.@-]{1,60} ?[/|,，]| [\\w.@-]{1,60}/) ?(?=\\S{0,60}[\\d!#$%^&*])([^\\s'"]{6,200})`,
  ],
].map(([hint, pattern]) => ({ hint: new RegExp(hint!), pattern: new RegExp(pattern!, 'dgi') }))
const COMMAND = new RegExp(OF_COMMANDS.map(({ hint }) => hint.source).join('|'))
const IS = anyOfNames('is')
/** What stands before a private key, or its beginning: a version of 0 or 1 in DER, or the mark of OpenSSH. */
const PRIVATE_KEY =
  /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|\bPrivate-Lines: \d{1,3}(?=\s)|(?<![\w+/=])(?:MII[\w+/]{3}IB[AQ]|MI[GH][\w+/]AgE[AB]|M[A-Z][\w+/]CAQ[AE]|b3BlbnNzaC1rZXkt)(?=[A-Za-z\d+/]{30})/g
/** Shortest text that can name a secret, such as "pin 4821". */
const SHORTEST = 6
const KEY_ENDS = '-----END '
const LONGEST_PRIVATE_KEY = 20_000
/** Characters behind the mark in which its line ends. */
const BEHIND_BEGIN = 20
/** The remaining lines of a key that was cut off, quoted or numbered too, the last one of any length. */
const KEY_LINES =
  // linear: what stands behind the repeat cannot fail.
  /(?:\s|\\n|(?:>|(?:[>|+*-]{1,3}|\d{1,5}[:.|)]?)[ \t]{1,8})?(?:[A-Za-z0-9+/=]{16,}(?![A-Za-z0-9+/=])|(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID): ?[^\\\n]{0,120})|>[ \t]{0,8}(?=\r?\n))*(?:(?<=\n[ \t]{0,40}(?:[>|]{1,3}[ \t]{0,8}|\d{1,5}[:.|)]?[ \t]{1,8})?)[A-Za-z0-9+/=]{1,15}(?=[ \t]{0,8}(?:[\r\n]|$)))?/y
/** A line of a key with something before and behind it, as in comments, code and logs. */
const DRESSED_LINE =
  /([^\n]{0,60}?)(?<![A-Za-z0-9+/])(?=[A-Za-z+/]{0,80}\d)(?=[a-z\d+/]{0,80}[A-Z])[A-Za-z0-9+/]{40,80}={0,2}(?![A-Za-z0-9+/=])[^\n]{0,12}\n/y
/** The last line of such a key, behind the place of the others. */
const LAST_DRESSED_LINE = /[A-Za-z0-9+/]{1,80}={0,2}(?![A-Za-z0-9+/=])(?=[^\n]{0,12}(?:\n|$))/y

/** Length from which others may run between two kinds of secrets. */
const LONG_TEXT = 8192

/** Whether the expressions behind names are made: the first text takes some ten milliseconds with each. */
let isReady = false

/** Letters, signs, spaces and line ends that look like those of ASCII, and characters that nobody sees. */
const DRESSED = /[[\p{Cf}\p{DI}\p{Cc}\p{Z}\u2800＃-＆＊＋－-９＝＠-Ｚ＿ａ-ｚ]--[ \t\n\v\f\r]]/gv
const UNSEEN = /[[\p{Cf}\p{DI}\p{Cc}\u2800]--[\t\n\v\f\r\x85]]/gv
const IS_UNSEEN = new RegExp(UNSEEN, 'v')
const FULL_WIDTH = 0xfee0

/** The secrets of a text, in order; none overlaps another. */
export const findSecrets = readInPieces('secrets', function* (text): Generator<void, readonly Secret[]> {
  if (text.length < SHORTEST) return []
  if (text.length <= LONG_TEXT && text.search(DRESSED) < 0) return yield* secretsIn(text)
  const { plain, places } = yield* undressed(text)
  const found = yield* secretsIn(plain)
  if (plain === text || found.length === 0) return found
  return found.map((secret) => ({ ...secret, from: places[secret.from]!, to: places[secret.to - 1]! + 1 }))
})

/** The text in plain letters, signs and spaces, and where each of its characters stands in the text. */
function* undressed(text: string): Generator<void, { readonly plain: string; readonly places: Uint32Array }> {
  const parts: string[] = []
  const places = new Uint32Array(text.length)
  let count = 0
  for (let begin = 0; begin < text.length; begin += LONG_TEXT) {
    if (begin > 0) yield
    const piece = text.slice(begin, begin + LONG_TEXT).replace(DRESSED, plainOf)
    let from = 0
    for (const { 0: unseen, index } of [...piece.matchAll(UNSEEN), { 0: '', index: piece.length }]) {
      parts.push(piece.slice(from, index))
      while (from < index) places[count++] = begin + from++
      from += unseen.length
    }
  }
  return { plain: parts.join(''), places }
}

/** The character of ASCII that one looks like; one that nobody sees stays. */
function plainOf(character: string): string {
  if (IS_UNSEEN.test(character)) return character
  if (/[\x85\p{Zl}\p{Zp}]/u.test(character)) return '\n'
  return /\s/.test(character) ? ' ' : String.fromCharCode(character.charCodeAt(0) - FULL_WIDTH)
}

function* secretsIn(text: string): Generator<void, readonly Secret[]> {
  const found: (readonly Secret[])[] = []
  const small = inSmallLetters(text)
  const pauses = text.length > LONG_TEXT
  for (const find of KINDS) {
    if (pauses) yield
    found.push(yield* find(text, small, pauses))
  }
  if (mayNameSecret(small)) {
    const names = yield* namesIn(text, small)
    for (const find of NAMED_KINDS) {
      if (pauses || !isReady) yield
      found.push(yield* find(text, names))
    }
    isReady = true
  }
  const all = found.flat()
  return all.length === 0 ? all : joined([...all, ...(yield* repeatsOf(text, all))])
}

/** These values where nothing names them. */
function* repeatsOf(text: string, secrets: readonly Secret[]): Generator<void, readonly Secret[]> {
  const known = new Map(secrets.map((secret) => [text.slice(secret.from, secret.to), secret]))
  const pattern = repeatsPattern(known.keys())
  if (pattern === null) return []
  const repeats: Secret[] = []
  yield* eachMatch(text, pattern, ({ 0: value, index }) => {
    const { shown, isSaid } = known.get(value)!
    repeats.push({ from: index, to: index + value.length, shown, ...(isSaid ? { isSaid } : {}) })
  })
  return repeats
}

function* addressPasswords(text: string, small: string): Generator<void, readonly Secret[]> {
  const patterns = COMMAND.test(small)
    ? OF_COMMANDS.flatMap(({ hint, pattern }) => (hint.test(small) ? [pattern] : []))
    : []
  if (text.includes('://')) patterns.push(ADDRESS, TOKEN_OF_ADDRESS)
  if (text.includes('@')) patterns.push(BEHIND_MAIL)
  const found: Secret[] = []
  for (const pattern of patterns)
    yield* eachMatch(text, pattern, ({ 1: password = '', indices }) => {
      const [from, to] = indices![1]!
      if (!isPlaceholder(password) && !isMaskedValue(password)) found.push({ from, to, shown: '' })
    })
  return found
}

function* privateKeys(text: string): Generator<void, readonly Secret[]> {
  const found: Secret[] = []
  let done = 0
  let end = 0
  yield* eachMatch(text, PRIVATE_KEY, ({ 0: begin, index }) => {
    if (index < done) return
    const isMarked = /[- ]/.test(begin)
    const from = isMarked ? index + begin.length : index
    if (end >= 0 && end < from) end = text.indexOf(KEY_ENDS, from)
    const isWhole = isMarked && end >= 0 && end - from <= LONGEST_PRIVATE_KEY
    done = isWhole ? end : endOfLines(text, from)
    // A mask between the marks holds no key.
    if (done > from && !isMaskedValue(text.slice(from, from + 40))) found.push({ from, to: done, shown: '' })
  })
  return found
}

function endOfLines(text: string, from: number): number {
  KEY_LINES.lastIndex = from
  const plain = from + (KEY_LINES.exec(text)?.[0] ?? '').trimEnd().length
  let at = from + text.slice(from, from + BEHIND_BEGIN).indexOf('\n') + 1
  // The end of the line with the mark is far, or bare lines follow it.
  if (at === from || plain > at) return plain
  let before: string | undefined
  for (const first = at; at - first < LONGEST_PRIVATE_KEY; at = DRESSED_LINE.lastIndex) {
    DRESSED_LINE.lastIndex = at
    const line = DRESSED_LINE.exec(text)
    if (line === null) break
    before = line[1]!
  }
  if (before === undefined) return plain
  const shape = (prefix: string): string => prefix.replaceAll(/\d/g, '0')
  LAST_DRESSED_LINE.lastIndex = at + before.length
  const isLast = shape(text.slice(at, at + before.length)) === shape(before) && LAST_DRESSED_LINE.test(text)
  return isLast ? LAST_DRESSED_LINE.lastIndex : at - 1
}

/** Joins overlapping finds; the longest beginning is the part that may be shown. */
export function joined(found: readonly Secret[]): readonly Secret[] {
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

/** Characters behind a name that are read. */
const NAME_REACH = 160
/** Length from which one digit is enough. */
const LONG = 8

const LATIN_VALUE =
  '["\'`“‘「『*]{0,2}([^\\s"\'`“”‘’「」『』*,;，。；：、！？（）()<>\\u3400-\\u9fff]{3,79}[^\\s"\'`“”‘’「」『』*,;:.，。；：、！？（）()<>\\u3400-\\u9fff])["\'`”’」』*]{0,2}'
const OWN = anyOfNames('own')
const OWNER = `(?:(?:${OWN}|this|that|a|an|another) )?(?:[\\w'’à-ÿ-]{1,20} ){0,3}`
const BEGINS = '(?:^|[\\s:：,，。;；(（])'
/** Words before a name that comes last, read backwards from it. */
const BEFORE = [
  `\\b${anyOfNames('use')} ${LATIN_VALUE} (?:${anyOfNames('as')}|(?:when|if|where) (?:\\w{1,20} ){1,4}for) ${OWNER}`,
  `${BEGINS}${LATIN_VALUE} (?:${IS}|will be)(?: now| still)? (?:what (?:\\w{1,20} ){1,4}(?:as|for) )?${OWN} (?:[\\w'’-]{1,20} ){0,3}`,
  `${BEGINS}${LATIN_VALUE}[.,:]? ?(?:[-–—(]|<-)? ?(?:(?:that|this|it|which)(?:['’]?s| is| was| will be) |as )?\\b(?:the|my|our|your|his|her|their|its|a) (?:[\\w'’-]{1,20} ){0,3}`,
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

/** A word of letters, digits and signs between them, as only passwords are. */
const STRONG =
  /(?<![^\s"'“「`:：（(，,])(?=[^\s\d]{0,40}\d)(?=[^\sa-z]{0,40}[a-z])(?=[\w.+-]{0,40}[!#$%^~?@&])([A-Za-z\d](?:[\w.#$%^~@&+-]|[!?](?=\S|\s[a-z])){5,40})(?=["'”」`]?[,;.)，。]?(?:\s|$|[\u3400-\u9fff]))/g
const SENTENCE_ENDS = /[.!?。！？](?=\s)|[。！？\n]/
/** Characters before and behind a name in which a password stands out. */
const STRONG_REACH = 80

/** Words near which somebody tells how to come in, beside the names of passwords. */
const LOGIN = new RegExp(`${anyOfNames('login')}(?!(?<!log-?in)[ _-]?${ABOUT})`, 'g')

/** Strong passwords in the sentences that speak of passwords or of logging in. */
function* strongPasswords(text: string, small: string): Generator<void, readonly Secret[]> {
  if (!/[A-Za-z\d][!#$%^&*~?@]\w|\d[!#$%^&*~?@]/.test(text)) return []
  const found: Secret[] = []
  for (const { from, to } of yield* stretchesAround(small)) {
    let start = from
    for (const sentence of text.slice(from, to).split(SENTENCE_ENDS)) {
      if (small.slice(start, start + sentence.length).search(LOGIN) >= 0)
        for (const { 1: value = '', index } of sentence.matchAll(STRONG))
          if (looksSecret(value, { name: 'password', quoted: false, foreign: false }) && !isMail(value))
            found.push({ from: start + index, to: start + index + value.length, shown: '', isSaid: true })
      start += sentence.length + 1
    }
  }
  return found
}

/** The stretches within reach of such words; none overlaps another. */
function* stretchesAround(small: string): Generator<void, readonly { readonly from: number; readonly to: number }[]> {
  const stretches: { from: number; to: number }[] = []
  yield* eachMatch(small, LOGIN, ({ 0: word, index }) => {
    const [from, to] = [Math.max(0, index - STRONG_REACH), index + word.length + STRONG_REACH]
    const last = stretches.at(-1)
    if (last !== undefined && from <= last.to) last.to = to
    else stretches.push({ from, to })
  })
  return stretches
}

function isMail(value: string): boolean {
  return /@[\w-]{1,40}\./.test(value)
}

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

const KINDS = [
  privateKeys,
  issuedKeys,
  addressPasswords,
  passphrases,
  strongPasswords,
  accessCodes,
  cardNumbers,
  numbersOfPersons,
] as const
/** The kinds that names announce. */
const NAMED_KINDS = [assignedSecrets, spokenSecrets, listedSecrets, columnSecrets] as const
