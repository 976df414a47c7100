/** What are secrets called? The names of `data/words/secret-names.txt` as expressions over small letters. */
import { atOnce } from '../../domain/scheduling.ts'
import { bothCases, inSmallLetters } from '../character-class.ts'
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

const HINTS_AT_ANY_KEY = [
  anyOfNames('key'),
  'secret',
  'oauth',
  'csrf',
  '[?&](?:x-amz-)?sig',
  'sess(?:ion)?[_ ]?id',
  'cookie',
]
/** Names of secrets that are words in a row. */
export const PHRASE_NAMES = `(?:${namesOf('phrase')})`
/** Names of numbers that states give their people. */
export const PERSON_NAMES = `(?:${namesOf('person')})`

/** What makes a name another thing, as in "password policy" and 密码策略. */
export const ABOUT = `${anyOfNames('about')}(?:s|es)?(?![a-zà-ÿ])`
/** The end of a whole name, of several too: no letter follows a Latin one. */
const NAME_END = `(?:(?<=[a-z])s)?(?!(?<=[a-zà-ÿ])[a-zà-ÿ]|[_-]?${ABOUT}| ${ABOUT}(?!=["']))`
/** Which of several a name means: "password 2", "token_1", "密码#2", "password[1]". */
export const WHICH = '(?:[_ ]?#?\\d{1,2}(?!\\w)|\\[\\d{1,2}\\])?'

/** Cheap hints at the names of a kind: the longest part of each. */
function hintsAt(kind: string): readonly string[] {
  return LINES.flatMap(([of, names]) => {
    if (of !== kind) return []
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
}

/** An expression for any of the hints. */
function anyHint(all: readonly string[]): string {
  const least = [...new Set(all)].filter((one) => !all.some((other) => other !== one && one.includes(other)))
  // Those that are mere words come first: side by side they are read as one.
  return least.toSorted((one, other) => Number(/[([]/.test(one)) - Number(/[([]/.test(other))).join('|')
}

/** The kinds of names; the first that fits counts. None is a part of a longer word, but may end an identifier. */
const KINDS = (['password', 'key', 'token', 'pin', 'cvv', 'person', 'secret', 'any key'] as const).map((name) => {
  const words = name === 'any key' ? ANY_KEY : namesOf(name)
  const hints = name === 'any key' ? HINTS_AT_ANY_KEY : hintsAt(name)
  return {
    name,
    hints,
    hint: new RegExp(anyHint(hints)),
    pattern: new RegExp(`(?:${words})${NAME_END}`, 'g'),
  }
})

/** A search in small letters for hints at names of all kinds, and for the words of headers. */
const HINT = new RegExp(anyHint([...KINDS.flatMap(({ hints }) => hints), ...hintsAt('phrase'), 'bearer', 'basic ']))
const HINTS = new RegExp(HINT.source, 'g')
/** Kinds whose expressions are made, which takes up to some ten milliseconds each. */
const made = new Set<SecretName>()

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
  const kinds = KINDS.filter(({ hint }) => hint.test(text))
  const names: Named[] = yield* namesOfParts(original, text)
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
      for (const { name, pattern } of kinds) {
        if (!made.has(name)) yield
        made.add(name)
        for (let at = Math.max(from, hint.index - NAME_REACH); at < until; ) {
          pattern.lastIndex = at
          const match = pattern.exec(near)
          if (match === null || match.index >= until) break
          names.push({ name, at: begin + match.index, end: begin + pattern.lastIndex })
          at = match.index + 1
          if (names.length % NAMES_A_PIECE === 0) yield
        }
      }
      from = Math.max(from, until)
      next = Math.max(next, until - NAME_REACH)
    }
  }
  const ordered = names.toSorted((one, other) => one.at - other.at)
  return ordered.filter(({ at }, index) => ordered[index - 1]?.at !== at)
}

/** The ends of hints with a capital behind them, as in dbPasswordProd. */
const ENDS_PART = new RegExp(
  `[a-z](?=[A-Z][a-z\\d])(?<=${HINT.source
    .split('|')
    .filter((hint) => /^[a-z]+$/.test(hint))
    .map((hint) => hint.replace(/[a-z]/g, (letter) => `[${bothCases(letter)}]`))
    .join('|')})`,
  'g',
)

const WHICH_ALONE = new RegExp(`^${WHICH}$`)

/** Where a name begins with which the text, in small letters, ends; null for none. */
function endingAt(pattern: RegExp, small: string): number | null {
  for (let at = 0; ; ) {
    pattern.lastIndex = at
    const match = pattern.exec(small)
    if (match === null || WHICH_ALONE.test(small.slice(pattern.lastIndex))) return match?.index ?? null
    at = match.index + 1
  }
}

/** The names inside identifiers that go on with a capital. */
function* namesOfParts(original: string, text: string): Generator<void, Named[]> {
  const names: Named[] = []
  yield* eachMatch(original, ENDS_PART, ({ index }) => {
    const begin = Math.max(0, index + 1 - NAME_REACH)
    const part = text.slice(begin, index + 1)
    for (const { name, pattern } of KINDS) {
      const at = endingAt(pattern, part)
      if (at !== null) names.push({ name, at: begin + at, end: index + 1 })
    }
  })
  return names
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
  if (HOW.test(small) && UNLOCKS.test(small)) return true
  const isAny = (at: number): boolean => OF_ANY.test(small.slice(Math.max(0, at - NAME_REACH), at))
  // "Social security" alone is no number.
  const isMeant = ({ name, at, end }: Named): boolean =>
    name !== 'any key' && (name !== 'person' || /ssn|itin|num|id|号/.test(small.slice(at, end)))
  return mayNameSecret(small) && atOnce(namesIn(small, small)).some((one) => isMeant(one) && !isAny(one.at))
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
  const small = inSmallLetters(field.slice(-LONGEST_FIELD))
  return KINDS.find(({ hint, pattern }) => hint.test(small) && endingAt(pattern, small) !== null)?.name ?? null
}

const LONGEST_FIELD = 200
/** A key of any kind is none: "the key points"; nor is any secret: "hash a password", "a password field". */
const OF_ANY = /\b(?:an?|any|no|some|every) (?:[a-z]{1,20} ){0,2}$/
