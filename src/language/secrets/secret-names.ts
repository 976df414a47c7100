/** What are secrets called? The names of `data/words/secret-names.txt` as expressions over small letters. */
import { inSmallLetters } from '../character-class.ts'
import { eachMatch } from '../each-match.ts'
import { wordTable } from '../word-lists.ts'
import type { SecretName } from './value-shape.ts'

const LINES = wordTable('secret-names').map((line) => line.split('\t') as [string, string])
const LISTS = new Map(LINES.filter(([name]) => name.startsWith('(')))

/** A source of an expression that matches any word of a list of the table. */
export function anyOfNames(list: string): string {
  const words = LISTS.get(`(${list})`)!.split(', ')
  return `(?:${words.toSorted((a, b) => b.length - a.length).join('|')})`
}

/** Words between the two of a name: "of the", " de l’", "-". */
const BELONGS = `(?:[ -]${anyOfNames('of')} ?(?:${anyOfNames('own')} ?)?|: ?|[ -])`

/** A written name as the source of an expression. */
function sourceOf(name: string): string {
  const pair = /\((\w{1,12})\)\((\w{1,12})\)/
  return name
    .replace('=', '')
    .replace(pair, (_, first: string, second: string) => {
      const [a, b] = [anyOfNames(first), anyOfNames(second)]
      return `(?:${a}(?:['’]s )?_${b}|${b}${BELONGS}${a})`
    })
    .replaceAll('_', '[_ -]?')
}

/** All names of a kind, those of two words before those of one, and longer ones before shorter. */
function namesOf(kind: string): string {
  const names = LINES.filter(([name]) => name === kind).flatMap(([, written]) => written.split(', '))
  const sourcesOf = (some: readonly string[]): string =>
    some
      .map(sourceOf)
      .toSorted((a, b) => b.length - a.length)
      .join('|')
  const [whole, parts] = [names.filter((name) => name.startsWith('=')), names.filter((name) => !name.startsWith('='))]
  return [sourcesOf(parts), ...(whole.length === 0 ? [] : [`(?<![a-zà-ÿ])(?:${sourcesOf(whole)})`])].join('|')
}

/** Names of keys of any sort, as programs write them. */
const ANY_KEY = `(?<![a-zà-ÿ])(?<!public[_ -]?)${anyOfNames('key')}|secret_?id|oauth2?|csrf|(?<=[?&](?:x-amz-)?)sig(?:nature)?|sess(?:ion)?[_ ]?id|(?<=cookie: ?)(?:[a-z_]{0,12}sess(?:ion)?|sid)`

/** Names by what they name; the first that fits counts. None is a part of a longer word, but may end an identifier. */
export const SECRET_NAMES: readonly (readonly [SecretName, string])[] = [
  ...(['password', 'key', 'token', 'pin', 'cvv', 'secret'] as const).map((kind) => [kind, namesOf(kind)] as const),
  ['any key', ANY_KEY],
]
/** Names of secrets that are words in a row. */
export const PHRASE_NAMES = `(?:${namesOf('phrase')})`

/** The end of a whole name, of several too: no letter follows a Latin one. */
export const NAME_END = '(?:(?<=[a-z])s)?(?!(?<=[a-zà-ÿ])[a-zà-ÿ])'
/** Which of several a name means: "password 2", "token_1", "密码#2", "password[1]". */
export const WHICH = '(?:[_ ]?#?\\d{1,2}(?!\\w)|\\[\\d{1,2}\\])?'

const NAME = new RegExp(`(?:${SECRET_NAMES.map(([, words]) => `(${words})`).join('|')})${NAME_END}`, 'g')

/** A name of a secret in a text; `end` is behind it. */
export interface Named {
  readonly name: SecretName
  readonly at: number
  readonly end: number
}

/** Names that are read before others run. */
export const NAMES_A_PIECE = 64

/** Characters that are searched before others run, and those on both sides that a name there depends on. */
const [SEARCHED_A_PIECE, AROUND] = [65_536, 256]

/** Characters that a name takes at most; a part of each is a hint. */
const NAME_REACH = 64

/** All names of a text, in order, also those inside another one; they are looked for around hints, in its small letters. */
export function* namesIn(original: string, text: string): Generator<void, readonly Named[]> {
  const names: Named[] = yield* namesOfParts(original, text)
  const ofParts = names.length
  for (let first = 0; first < text.length; first += SEARCHED_A_PIECE) {
    if (first > 0) yield
    const begin = Math.max(0, first - AROUND)
    const end = first + SEARCHED_A_PIECE
    const piece = text.slice(begin, end + AROUND)
    let from = first - begin
    for (let next = 0; ; ) {
      HINTS.lastIndex = next
      const hint = HINTS.exec(piece)
      if (hint === null) break
      next = HINTS.lastIndex
      const until = Math.min(hint.index + 2 * NAME_REACH, end - begin)
      const near = piece.slice(0, until + NAME_REACH)
      for (from = Math.max(from, hint.index - NAME_REACH); from < until; ) {
        NAME.lastIndex = from
        const match = NAME.exec(near)
        if (match === null || match.index >= until) break
        names.push({ name: nameOfMatch(match), at: begin + match.index, end: begin + NAME.lastIndex })
        from = match.index + 1
        if (names.length % NAMES_A_PIECE === 0) yield
      }
      from = Math.max(from, until)
      next = Math.max(next, until - NAME_REACH)
    }
  }
  return ofParts === 0 ? names : names.toSorted((one, other) => one.at - other.at)
}

/** The ends of hints with a capital behind them, as in dbPasswordProd. */
const ENDS_PART = new RegExp(
  `[a-z](?=[A-Z][a-z\\d])(?<=(?i:${hints()
    .filter((hint) => /^[a-z]+$/.test(hint))
    .join('|')}))`,
  'g',
)

/** The names inside identifiers that go on with a capital. */
function* namesOfParts(original: string, text: string): Generator<void, Named[]> {
  const names: Named[] = []
  yield* eachMatch(original, ENDS_PART, ({ index }) => {
    const end = index + 1
    const begin = Math.max(0, end - NAME_REACH)
    NAME.lastIndex = 0
    for (let match = NAME.exec(text.slice(begin, end)); match !== null; match = NAME.exec(text.slice(begin, end))) {
      if (NAME.lastIndex === end - begin) names.push({ name: nameOfMatch(match), at: begin + match.index, end })
      NAME.lastIndex = match.index + 1
    }
  })
  return names
}

function nameOfMatch(match: RegExpExecArray): SecretName {
  return SECRET_NAMES[match.findIndex((group, index) => index > 0 && group !== undefined) - 1]![0]
}

/** A cheap search in small letters for hints at names of secrets: the longest part of each name. */
const HINT = new RegExp(hints().join('|'))
const HINTS = new RegExp(HINT.source, 'g')

function hints(): readonly string[] {
  const parts = LINES.flatMap(([kind, names]) => {
    if (kind.startsWith('(')) return []
    return names.split(', ').flatMap((name) => {
      const second = /\)\((\w{1,12})\)/.exec(name)?.[1]
      if (second !== undefined) return LISTS.get(`(${second})`)!.split(', ')
      // Short ones are parts of many words.
      if (/^=[a-z]{2,4}$/.test(name)) return `(?<![a-zà-ÿ])${name.slice(1)}`
      return name
        .replace('=', '')
        .split('_')
        .toSorted((a, b) => b.length - a.length)[0]!
    })
  })
  const all = [
    ...new Set([
      ...parts,
      anyOfNames('key'),
      'bearer',
      'basic ',
      '[?&](?:x-amz-)?sig',
      'cookie',
      'oauth',
      'csrf',
      'sess(?:ion)?[_ ]?id',
    ]),
  ]
  const least = all.filter((one) => !all.some((other) => other !== one && one.includes(other)))
  // Those that are mere words come first: side by side they are read as one.
  return least.toSorted((one, other) => Number(/[([]/.test(one)) - Number(/[([]/.test(other)))
}

/** false: the text, in small letters, names no secret. */
export function mayNameSecret(small: string): boolean {
  return HINT.test(small)
}

/** Characters of a text in which names of secrets are looked for: a longer one is no question. */
const LONGEST_QUESTION = 16_384

/** Words for locks and for opening them. */
export const UNLOCKS = new RegExp(
  `(?<![a-zà-ÿ])(?:${anyOfNames('unlocks')}|${anyOfNames('lock')})(?![a-zà-ÿ])|进[门去来楼]|开门|(?<![连封])锁(?!定)|登录|[大元房]门|门[口禁锁]|保险[箱柜]`,
)
const HOW =
  /(?<![a-z])(?:how|what|which|wie|womit|welche[rs]?|comment|quel|avec quoi|cómo|qué|cuál)(?![a-z])|怎么|如何|哪个|什么|多少/

/** true when a text names passwords, keys and the like, or asks how something is opened: such a question wants to see them. */
export function namesSecret(text: string): boolean {
  const small = inSmallLetters(text.slice(0, LONGEST_QUESTION))
  return (mayNameSecret(small) && NAMED_ANYWHERE.test(small)) || (HOW.test(small) && UNLOCKS.test(small))
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
  if (!mayNameSecret(inSmallLetters(field))) return null
  const end = field.slice(-LONGEST_FIELD)
  return NAME_ENDINGS.find(([, ending]) => ending.test(end))?.[0] ?? null
}

const LONGEST_FIELD = 200
/** A key of any kind is none: "the key points"; nor is any secret: "hash a password", "a password field". */
const NAMED_ANYWHERE = new RegExp(
  `(?<!\\b(?:an?|any|no|some|every) (?:[a-z]{1,20} ){0,2})(?:${SECRET_NAMES.flatMap(([name, words]) => (name === 'any key' ? [] : [words])).join('|')})s?(?![a-z])`,
)
const NAME_ENDINGS = SECRET_NAMES.map(([name, words]) => [name, new RegExp(`(?:${words})${WHICH}$`, 'i')] as const)
