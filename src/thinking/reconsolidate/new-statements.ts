/** Which sentences of a message tell something new about the event of a memory? */

import type { DecisionReason, ThinkMessage } from '../../domain/thought.ts'
import { asksOrOrders } from '../../language/questions.ts'
import { splitSentences } from '../../language/sentences.ts'
import { tenseAt } from '../../language/tense.ts'
import { SPECULATION, STYLE } from '../semantic-facts/cues.ts'
import { tellingWords, weightOf } from '../topic/common-words.ts'
import { decideByRules } from '../write-decision/rules.ts'

/** Least weight of the telling words that a sentence shares with the memory when it speaks of the same event. */
const SHARED_WEIGHT = 2
/** And least share of the weight of the shorter of the two: a common matter is no event. */
const SHARE_OF_SHORTER = 0.4
/** The kinds of sentence that are no news of an event, whatever words they share with it. */
const NO_NEWS: ReadonlySet<DecisionReason> = new Set([
  'chitchat',
  'style_wish',
  'preference',
  'habit',
  'problem_solution',
])
const TURNS_BEFORE = 2
/** A sentence with this share of its words in the memory says nothing new. */
const KNOWN_SHARE = 0.85
const MOST_STATEMENTS = 4
const SHORTEST = 2
const LONGEST_STATEMENT = 300

const POINTS_BACK =
  /^(?:(?:and|but|so|well|update|ps)[,:\s]+)*(?:it|they|turns? out|in the end|finally|since then)\b|^(?:后来|结果|最后|最终|原来|它)/i
const POLITE =
  /^(?:thanks?|thank you|ok(?:ay)?|great|perfect|nice|cool|got it|hi|hello|hey|bye|yes|no|right|sure|谢谢|多谢|好的?|嗯|行|可以|没错|对的?|是的|你好|再见)[\s,.!。！，~]*$/i

/** true for a message that goes on about the talk just before: "It was cancelled.", 后来……. */
export function pointsBack(message: string): boolean {
  return splitSentences(message).some((text) => POINTS_BACK.test(text))
}

/**
 * Statements about the event that the memory does not hold yet, in order. `own`: its words before any addition;
 * `before`: the turns before the message.
 */
export function newStatements(
  memory: string,
  own: string,
  message: string,
  before: readonly ThinkMessage[],
): readonly string[] {
  const event = tellingWords(own)
  const isAbout = (text: string): boolean => {
    const words = tellingWords(text)
    const shared = weightOf(words.filter((word) => isIn(word, own, event)))
    return shared >= SHARED_WEIGHT && shared >= SHARE_OF_SHORTER * Math.min(weightOf(event), weightOf(words))
  }
  const known = tellingWords(memory)
  const earlier = before.slice(-TURNS_BEFORE).flatMap(({ content }) => splitSentences(content))
  // A sentence belongs to the event when it tells of it or goes on from one that does.
  let about = earlier.some(isAbout)
  const statements: string[] = []
  for (const text of splitSentences(message)) {
    const isDirect = isAbout(text)
    about = isDirect || (about && POINTS_BACK.test(text))
    if (!about || text.length > LONGEST_STATEMENT || !isStatement(text) || !isNews(text, isDirect)) continue
    const words = tellingWords(text)
    const said = words.filter((word) => isIn(word, memory, known)).length
    if (words.length < SHORTEST || said >= KNOWN_SHARE * words.length) continue
    statements.push(text)
    if (statements.length === MOST_STATEMENTS) break
  }
  return statements
}

/** Chinese is cut into words differently in two sentences, so that there a word is looked for in the text. */
function isIn(word: string, text: string, words: readonly string[]): boolean {
  return words.includes(word) || (/^\p{Script=Han}/u.test(word) && text.includes(word))
}

/** Words of many chats weigh less, such as "feel" and "plan". */
function isStatement(text: string): boolean {
  return !asksOrOrders(text) && ![POLITE, SPECULATION, STYLE].some((pattern) => pattern.test(text))
}

/** News has happened; a sentence that only goes on tells how it went, or is kept: not "It is a pity." */
function isNews(text: string, isDirect: boolean): boolean {
  const { store, reason } = decideByRules({ content: text })
  return ((isDirect || store) && !NO_NEWS.has(reason)) || tenseAt(text, 0, 0) === 'past'
}
