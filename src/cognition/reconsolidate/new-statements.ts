/** Which sentences of a message tell something new about the event of a memory? */
import type { ThinkMessage } from '../../domain/thought.ts'
import { isGenericTerm } from '../../text/generic-words.ts'
import { isQuestion } from '../../text/questions.ts'
import { splitSentences } from '../../text/sentences.ts'
import { indexTerms } from '../../text/tokens.ts'
import { SPECULATION, STYLE } from '../semantic-facts/cues.ts'

/** Telling words that a message shares with the memory when it speaks of the same event. */
const SHARED_WORDS = 2
/** The same for a message that only points back ("it was cancelled") and the turns before it. */
const SHARED_BEFORE = 3
/** And the least share of the memory's own telling words: two common words of a long memory are no event. */
const SHARE_OF_MEMORY = 0.2
const MOST_NEEDED = 4
/** A Han pair is half a word: most words bring two pairs, one with each neighbour. */
const WEIGHT_OF_PAIR = 0.5
const TURNS_BEFORE = 4
/** A sentence with this share of its terms in the memory says nothing new. */
const KNOWN_SHARE = 0.85
const MOST_STATEMENTS = 4
const SHORTEST_TERMS = 2
const LONGEST_STATEMENT = 300

const POINTS_BACK =
  /^(?:(?:and|but|so|well|update|ps)[,:\s]+)*(?:it|they|she|he|that|this|we|the (?:whole )?thing|turns? out|in the end|finally|meanwhile|since then|by the way)\b|^(?:后来|结果|最后|最终|原来|它|他|她|他们|那(?:个|次|件事|边)?|这(?:个|次|件事)|我们|顺便|补充|对了)/i
const ASKS_OR_ORDERS =
  /^(?:(?:ok|okay|so|and|hey|hi|well|please|now|then)[,\s]+)*(?:please|can you|could you|would you|will you|do you|remind me|tell me|show me|give me|help|write|draft|list|explain|summari[sz]e|translate|find|search|remember when|what|when|where|who|why|how|which|any idea|i(?:['’]d| would) like (?:to know|you)|i (?:want|need) (?:you )?to know|let me know)\b|^(?:请|帮我?|麻烦|能不能|可不可以|可以帮|给我|告诉我|写|列|翻译|总结|解释|查一?下|提醒我|还记得|你记得|我想知道|想问)/i
const POLITE =
  /^(?:thanks?|thank you|ok(?:ay)?|great|perfect|nice|cool|got it|hi|hello|hey|bye|yes|no|right|sure|谢谢|多谢|好的?|嗯|行|可以|没错|对的?|是的|你好|再见)[\s,.!。！，~]*$/i

/** true for a message that goes on about what was spoken of just before: "It was cancelled.", 后来……. */
export function pointsBack(message: string): boolean {
  return splitSentences(message).some((text) => POINTS_BACK.test(text))
}

/** Statements about the event that the memory does not hold yet, in order; `before`: the turns before the message. */
export function newStatements(memory: string, message: string, before: readonly ThinkMessage[]): readonly string[] {
  const known = indexTerms(memory)
  const telling = (text: string): readonly string[] =>
    [...indexTerms(text).keys()].filter((term) => !isGenericTerm(term))
  const shares = (text: string): number => weightOf(telling(text).filter((term) => known.has(term)))
  const enough = Math.min(MOST_NEEDED, SHARE_OF_MEMORY * weightOf(telling(memory)))
  const sentences = splitSentences(message)
  const direct = shares(message) >= Math.max(SHARED_WORDS, enough)
  const earlier = before
    .slice(-TURNS_BEFORE)
    .map(({ content }) => content)
    .join('\n')
  const continued = !direct && pointsBack(message) && shares(earlier) >= Math.max(SHARED_BEFORE, enough)
  if (!direct && !continued) return []
  const statements: string[] = []
  let about = false
  for (const text of sentences) {
    // A sentence belongs to the event when it names something of it or goes on from one that does.
    about = shares(text) > 0 || ((about || continued) && POINTS_BACK.test(text))
    if (!about || text.length > LONGEST_STATEMENT || !isStatement(text)) continue
    const terms = telling(text)
    const said = terms.filter((term) => known.has(term)).length
    if (terms.length < SHORTEST_TERMS || said >= KNOWN_SHARE * terms.length) continue
    statements.push(text)
    if (statements.length === MOST_STATEMENTS) break
  }
  return statements
}

function weightOf(terms: readonly string[]): number {
  return terms.reduce((sum, term) => sum + (/\p{Script=Han}/u.test(term) ? WEIGHT_OF_PAIR : 1), 0)
}

function isStatement(text: string): boolean {
  return !isQuestion(text) && ![ASKS_OR_ORDERS, POLITE, SPECULATION, STYLE].some((pattern) => pattern.test(text))
}
