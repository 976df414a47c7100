/** Which sentences of a message tell something new about the event of a memory? */
import type { DecisionReason, ThinkMessage } from '../../domain/thought.ts'
import { isGenericTerm } from '../../language/generic-words.ts'
import { isQuestion } from '../../language/questions.ts'
import { splitSentences } from '../../language/sentences.ts'
import { tenseAt } from '../../language/tense.ts'
import { indexTerms } from '../../language/tokens.ts'
import { isHan } from '../merge/episode-metadata.ts'
import { SPECULATION, STYLE } from '../semantic-facts/cues.ts'
import { rarityOf } from '../topic/common-words.ts'
import { decideByRules } from '../write-decision/rules.ts'

/** Least weight of the telling words that a sentence shares with the memory when it speaks of the same event. */
const SHARED_WEIGHT = 2
/** And least share of the weight of the shorter of the two: a common matter is no event. Han pairs share less. */
const SHARE_OF_SHORTER = 0.5
const SHARE_OF_HAN = 0.3
/** The kinds of sentence that are no news of an event, whatever words they share with it. */
const NO_NEWS: ReadonlySet<DecisionReason> = new Set([
  'chitchat',
  'style_wish',
  'preference',
  'habit',
  'problem_solution',
])
/** A Han pair is half a word: most words bring two pairs, one with each neighbour. */
const WEIGHT_OF_PAIR = 0.5
const TURNS_BEFORE = 2
/** A sentence with this share of its terms in the memory says nothing new. */
const KNOWN_SHARE = 0.85
const MOST_STATEMENTS = 4
const SHORTEST_TERMS = 2
const LONGEST_STATEMENT = 300

const POINTS_BACK =
  /^(?:(?:and|but|so|well|update|ps)[,:\s]+)*(?:it|they|turns? out|in the end|finally|since then)\b|^(?:后来|结果|最后|最终|原来|它)/i
const ASKS_OR_ORDERS =
  /^(?:(?:ok|okay|so|and|hey|hi|well|please|now|then)[,\s]+)*(?:please|can you|could you|would you|will you|do you|remind me|tell me|show me|give me|help|write|draft|list|explain|summari[sz]e|translate|find|search|remember when|what|when|where|who|why|how|which|any idea|i(?:['’]d| would) like (?:to know|you)|i (?:want|need) (?:you )?to know|let me know)\b|^(?:请|帮我?|麻烦|能不能|可不可以|可以帮|给我|告诉我|写|列|翻译|总结|解释|查一?下|提醒我|还记得|你记得|我想知道|想问)/i
const POLITE =
  /^(?:thanks?|thank you|ok(?:ay)?|great|perfect|nice|cool|got it|hi|hello|hey|bye|yes|no|right|sure|谢谢|多谢|好的?|嗯|行|可以|没错|对的?|是的|你好|再见)[\s,.!。！，~]*$/i

/** true for a message that goes on about the talk just before: "It was cancelled.", 后来……. */
export function pointsBack(message: string): boolean {
  return splitSentences(message).some((text) => POINTS_BACK.test(text))
}

/**
 * Statements about the event that the memory does not hold yet, in order; `own`: its words before anything was added to
 * them, `before`: the turns before the message.
 */
export function newStatements(
  memory: string,
  own: string,
  message: string,
  before: readonly ThinkMessage[],
): readonly string[] {
  const event = tellingOf(own)
  const known = indexTerms(memory)
  const least = isHan(own) ? SHARE_OF_HAN : SHARE_OF_SHORTER
  const isAbout = (text: string): boolean => {
    const terms = tellingOf(text)
    const shared = weightOf(terms.filter((term) => event.includes(term)))
    return shared >= SHARED_WEIGHT && shared >= least * Math.min(weightOf(event), weightOf(terms))
  }
  const earlier = before.slice(-TURNS_BEFORE).flatMap(({ content }) => splitSentences(content))
  // A sentence belongs to the event when it tells of it or goes on from one that does.
  let about = earlier.some(isAbout)
  const statements: string[] = []
  for (const text of splitSentences(message)) {
    const isDirect = isAbout(text)
    about = isDirect || (about && POINTS_BACK.test(text))
    if (!about || text.length > LONGEST_STATEMENT || !isStatement(text) || !isNews(text, isDirect)) continue
    const terms = tellingOf(text)
    const said = terms.filter((term) => known.has(term)).length
    if (terms.length < SHORTEST_TERMS || said >= KNOWN_SHARE * terms.length) continue
    statements.push(text)
    if (statements.length === MOST_STATEMENTS) break
  }
  return statements
}

function tellingOf(text: string): readonly string[] {
  return [...indexTerms(text).keys()].filter((term) => !isGenericTerm(term))
}

/** Words of many chats weigh less, such as "feel" and "plan". */
function weightOf(terms: readonly string[]): number {
  return terms.reduce((sum, term) => sum + rarityOf(term) * (/\p{Script=Han}/u.test(term) ? WEIGHT_OF_PAIR : 1), 0)
}

function isStatement(text: string): boolean {
  return !isQuestion(text) && ![ASKS_OR_ORDERS, POLITE, SPECULATION, STYLE].some((pattern) => pattern.test(text))
}

/** A sentence that only goes on tells how it went: "It was cancelled.", not "It is a pity." */
function isNews(text: string, isDirect: boolean): boolean {
  const { store, reason } = decideByRules({ content: text })
  return isDirect ? !NO_NEWS.has(reason) : (store && !NO_NEWS.has(reason)) || tenseAt(text, 0, 0) === 'past'
}
