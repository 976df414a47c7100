/**
 * Which passwords does a sentence tell in another order ("use X as the password", 用 X 作密码) or as a mere word
 * ("swordfish")? Only text near a name is examined, so the time stays linear.
 */
import type { Secret } from './secret.ts'
import { NAME_END, SECRET_NAMES } from './secret-names.ts'
import { isPasswordWord, isUnlikeWords, looksSecret } from './value-shape.ts'

const NAME = new RegExp(`(?:${SECRET_NAMES.map(([, words]) => `(${words})`).join('|')})${NAME_END}`, 'gi')
/** Characters behind a name that are read. */
const NEAR = 160
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

/** The values, in a text that may name a secret; a value told in two ways may come twice. */
export function spokenSecrets(text: string): readonly Secret[] {
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
    const behind = text.slice(end, end + NEAR)
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
