/** What do the short spellings of chats stand for? "im", "dont", "pls" are read as "I'm", "don't", "please". */
import { readOnce } from '../domain/read-once.ts'

const NEGATED = 'do|does|did|is|are|was|were|has|have|had|ca|could|wo|would|should'
const SHORT = new RegExp(
  String.raw`(?<![\p{L}\d_'’./@-])(?:(?<be>i|you|we|they|he|she|that|what|there)(?<ending>m|ve|re|s)|(?<verb>${NEGATED})nt|(?<word>u|ur|pls|plz|gf|bf|w/))(?![\p{L}\d_'’@]|\.\w)`,
  'giu',
)
/** "Were", "ill", "shell" and the like are words of their own. */
const PAIRS: ReadonlySet<string> = new Set(
  'im ive youre youve weve theyre theyve hes shes thats whats theres'.split(' '),
)
const WORDS: Readonly<Record<string, string>> = {
  u: 'you',
  ur: 'your',
  pls: 'please',
  plz: 'please',
  gf: 'girlfriend',
  bf: 'boyfriend',
  'w/': 'with',
}

/** The text in full spelling; the same text where nothing is short. */
export const spelledOut = readOnce('spelled out', (text): string =>
  text.replace(SHORT, (found, ...parts) => {
    const { be, ending, verb, word } = parts.at(-1) as Readonly<Record<string, string | undefined>>
    if (word !== undefined) return WORDS[word.toLowerCase()]!
    if (verb !== undefined) return `${verb}n't`
    return PAIRS.has(found.toLowerCase()) ? `${be}'${ending}` : found
  }),
)
