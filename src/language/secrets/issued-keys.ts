/** Issued keys: a table of beginnings, each with its continuation, finds them in linear time. */
import { countBelow } from '../../domain/binary-search.ts'
import { lazy } from '../../domain/scheduling.ts'
import { eachMatch } from '../each-match.ts'
import { wordTable } from '../word-lists.ts'
import { isMixed, isPlaceholder } from './value-shape.ts'

/** A kind of issued key: `begins` is shown, and `pattern` finds the whole. */
interface IssuedKey {
  /** Stands in every such key; that which others share is not looked for. */
  readonly holds: string
  /** Whether that stands in a long word. */
  readonly isLong: boolean
  readonly begins: string
  readonly pattern: RegExp
}

/** The signs that `data/words/issued-keys.txt` names. */
const SIGNS: Readonly<Record<string, string>> = {
  word: '[A-Za-z0-9_-]',
  letter: '[A-Za-z0-9]',
  hex: '[a-f0-9]',
  uuid: '[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}',
  end: '(?![A-Za-z0-9])',
}

/** The kinds of the table, in its order. */
export const issuedKinds = lazy((): readonly IssuedKey[] =>
  wordTable('issued-keys').flatMap((line) => {
    const [named = '', written = ''] = line.split('\t')
    const rest = written.replace(/<(\w{1,8})>/g, (_, sign: string) => SIGNS[sign] ?? '')
    const [first, mark] = named.split(' ')
    const kind = (holds: string, begins: string, source: string): IssuedKey => {
      const pattern = new RegExp(`(?<![A-Za-z0-9_-])${source}`, 'g')
      return { holds, begins, pattern, isLong: !OTHER_SIGN.test(holds) }
    }
    if (first === '*') return [kind(mark ?? '', '', `${rest}(?![A-Za-z0-9_-])`)]
    return named.split(' ').map((begins) => kind(begins, begins, RegExp.escape(begins) + rest))
  }),
)

/** The form of most keys: small words tied to what chance made, in no path and no check sum. */
const PREFIXED =
  /(?<![A-Za-z0-9_/.-])(?!sha\d)((?:[a-z][a-z0-9]{1,9}[_-]){1,3})([A-Za-z0-9_-]{20,200})(?![A-Za-z0-9_+/=-])/g
/** Signs of a word of that form, each looked for by itself: one look ahead for all reads a long word over and over. */
const SIGNS_OF_PREFIXED = [/[a-z\d][_-]/, /\d/, /[A-Z]/]
/** Forms that people write: words by themselves or with a capital, and dates. */
const WRITTEN = /(?<![A-Za-z0-9])[A-Za-z]{1,12}(?![A-Za-z0-9])|[A-Z]?[a-z]{3,}|[A-Z]{4,}|\d{5,}/g
/** The most of a key that may look like words, which chance makes, too. */
const MOST_WRITTEN = 0.4

/** true for digits and letters of both cases, several of each, that make no words. */
function isByChance(value: string): boolean {
  const isMixture = [/\d/g, /[a-z]/g, /[A-Z]/g].every((sign) => (value.match(sign)?.length ?? 0) > 1)
  return isMixture && value.length * MOST_WRITTEN > (value.match(WRITTEN) ?? []).join('').length
}

/** AWS secret keys have no beginning of their own, but stand near their id. */
const AWS_SECRET = /(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/g
const NEAR = 300
/** Characters of a key id. */
const ID_LENGTH = 20
/** So many of their signs stand together in every key and token, and in few other words. */
const LONG_WORD = 16
const OTHER_SIGN = /[^\w.~+/=-]/
const IS_SIGN = Array.from({ length: 128 }, (_, code) => !OTHER_SIGN.test(String.fromCharCode(code)))

/** The keys by their beginnings; overlapping ones may come twice. With `pauses`, others may run between two kinds. */
export function* issuedKeys(text: string, _small: string, pauses: boolean): Generator<void, readonly Secret[]> {
  const words = longWords(text).filter(mayBeKey)
  if (words.length === 0) return []
  const long = words.join(' ')
  const found: Secret[] = []
  for (const { holds, isLong, begins, pattern } of issuedKinds()) {
    if (pauses) yield
    if (!(isLong ? long : text).includes(holds)) continue
    yield* eachMatch(text, pattern, ({ 0: key, index }) => {
      if (isMixed(key.slice(begins.length)) && !isPlaceholder(key))
        found.push({ from: index, to: index + key.length, shown: begins })
    })
  }
  if (words.some(mayBePrefixed))
    yield* eachMatch(text, PREFIXED, ({ 0: key, 1: shown = '', 2: value = '', index }) => {
      if (isByChance(value)) found.push({ from: index, to: index + key.length, shown })
    })
  const ids = found.filter(({ shown }) => shown === 'AKIA' || shown === 'ASIA')
  return ids.length === 0 ? found : [...found, ...(yield* secretKeysNear(text, ids))]
}

/** The runs of at least LONG_WORD signs; each has one at a multiple of that length, so that few others are looked at. */
function longWords(text: string): readonly string[] {
  const words: string[] = []
  const isSign = (at: number): boolean => IS_SIGN[text.charCodeAt(at)] === true
  for (let at = LONG_WORD - 1; at < text.length; at += LONG_WORD) {
    if (!isSign(at)) continue
    let [from, to] = [at, at + 1]
    while (from > 0 && isSign(from - 1)) from -= 1
    while (isSign(to)) to += 1
    if (to - from < LONG_WORD) continue
    words.push(text.slice(from, to))
    at = to - (to % LONG_WORD) - 1
  }
  return words
}

function mayBePrefixed(word: string): boolean {
  return SIGNS_OF_PREFIXED.every((sign) => sign.test(word))
}

/** A ruler, a path or a name in words has nothing of a key. */
function mayBeKey(word: string): boolean {
  return /\d|[A-Za-z]{30}/.test(word) || (/[a-z]/.test(word) && /[A-Z]/.test(word))
}

/** AWS secret keys: strings of their shape within some lines of a key id. */
function* secretKeysNear(text: string, ids: readonly Secret[]): Generator<void, readonly Secret[]> {
  const found: Secret[] = []
  const begins = ids.map((id) => id.from).toSorted((a, b) => a - b)
  yield* eachMatch(text, AWS_SECRET, ({ 0: key, index: from }) => {
    const to = from + key.length
    const isNear = countBelow(begins, to + NEAR + 1) > countBelow(begins, from - NEAR - ID_LENGTH)
    if (isNear && /\d/.test(key) && /[a-z]/.test(key) && /[A-Z]/.test(key)) found.push({ from, to, shown: '' })
  })
  return found
}

/** A stretch of a text that nobody should read by accident; `from` and `to` count UTF-16 units, `to` is not part of it. */
export interface Secret {
  readonly from: number
  readonly to: number
  /** The part of its beginning that tells only the issuer, such as "sk-"; '' when nothing may be shown. */
  readonly shown: string
  /** true: a sentence says it ("the gate code is 4471", 密码是4471), as people tell what they want remembered. */
  readonly isSaid?: true
}
