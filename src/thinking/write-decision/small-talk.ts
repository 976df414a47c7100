/** Whether a message is a greeting, thanks, laughter or the like, and names nothing to search for. A question is judged elsewhere. */
import { queryTerms } from '../../language/tokens.ts'
import { MEANINGS, walkMeanings } from './lexicon.ts'
import { decideByRules } from './rules.ts'
import { cutWords, plain } from './words.ts'

const SMALL = new Set(['greeting', 'thanks', 'laughter', 'fragment'].map((name) => MEANINGS.indexOf(name)))
/** A message in several parts or with an emoji; a few bare words are searched for. */
const PARTED = /[,.!?~;，。！？；…\p{Extended_Pictographic}]|\p{Script=Han} \p{Script=Han}/u

export function isSmallTalk(message: string): boolean {
  const { words } = cutWords(plain(message))
  const rest = [...words]
  walkMeanings(words, (meaning, start, end) => {
    if (SMALL.has(meaning)) rest.fill('', start, end)
  })
  if (words.every((word, at) => word === rest[at])) return false
  const isBare = !PARTED.test(message) && queryTerms(rest.join(' ')).length > 0
  return !isBare && decideByRules({ content: message }).reason === 'chitchat'
}
