/** Secrets that are words in a row: those of which a wallet is made again, and passphrases. */
import { eachMatch } from '../each-match.ts'
import type { Secret } from './issued-keys.ts'
import { anyOfNames, PHRASE_NAMES } from './secret-names.ts'

const IS = anyOfNames('is')
/** The number of a word in a list. */
const NUMBER = '(?:\\d{1,2}[.):]? {0,3})?'
/** Words of which a wallet is made again, all of them or as many as a clipped text has left. */
const WORDS_OF_PHRASE = ['[a-zà-ÿ]{3,8}', '[\\u3400-\\u9fff]{1,4}']
  .map((word) => `(?:${word}(?:[ ,，、]{1,2}|[ ,，、]{0,2}\\r?\\n)[ \\t]{0,8}${NUMBER})`)
  .map((word) => `${word}{11,23}[^\\s,，、.。;；"”\`]{1,8}|${word}{2,23}[^\\s,，、.。;；"”\`…]{0,8}(?=…)`)
  .join('|')
/** Such words behind their name, and a passphrase of words behind a colon. */
const PHRASE = new RegExp(
  `${PHRASE_NAMES}(?: ${IS}|是)?(?: ?[:：])?\\s{0,8}${NUMBER}["'“\`]?(${WORDS_OF_PHRASE})|` +
    `\\bpass-?phrase(?: is)?[:：] {0,3}["'“\`]?((?:[a-z]{2,12}[ -]){2,7}[a-z]{2,12})`,
  'dgi',
)
const NAMES_PHRASE = new RegExp(`${PHRASE_NAMES}|pass-?phrase`)

/** The phrases that are named; `small` is the text in small letters. */
export function* passphrases(text: string, small: string): Generator<void, readonly Secret[]> {
  if (!NAMES_PHRASE.test(small)) return []
  const found: Secret[] = []
  yield* eachMatch(text, PHRASE, ({ indices }) => {
    const [from, to] = indices![1] ?? indices![2]!
    found.push({ from, to, shown: '' })
  })
  return found
}
