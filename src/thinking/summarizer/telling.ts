/**
 * How much does a statement tell to a reader of it alone? Rare matters that others take up count for it; leaning on
 * other sentences, asking back and repeating a question count against it.
 */
import { isQuestion } from '../../language/questions.ts'
import { rarityOf, tellingWords } from '../topic/common-words.ts'
import { refersBack } from '../write-decision/refers-back.ts'

/** The facts about a statement besides its words. */
export interface StatementPlace {
  /** Telling words of the turns around it. */
  readonly around: ReadonlySet<string>
  /** Whether it is the first sentence of its turn. */
  readonly opens: boolean
  /** A person said it, not the assistant. */
  readonly byPerson: boolean
  /** The people have names: they talk to each other, and ask back without wanting anything. */
  readonly amongPeople: boolean
}

/** The weight of each word, the most words that count, and the share of an answer's word that was said already. */
const TERM_WEIGHT = 0.15
const MOST_TOLD = 7
const REPEATED_SHARE = 0.3
const SHARED_WEIGHT = 0.1
const MOST_SHARED = 5
const PLACE_WEIGHT = 0.25
const DETAIL_WEIGHT = 0.2
const LEANING = 0.5
/** The share left to a statement that needs another one to be understood. */
const POINTING_SHARE = 0.15
/** A figure, a name, a title. */
const DETAIL = /\d|[^.!?。\s] \p{Lu}\p{Ll}|[《“"]/u
/** The close of the first clause: words behind it may point into it. */
const CLAUSE_CLOSE = /[,，;；:：]|\s(?:and|but|so|because|when|which|if|while)\s/i
/** Words that point to earlier talk from a first clause: no owner and no name stands in front. */
const POINTS =
  /\b(?:it(?!['’]?s? (?:\S{1,20} ){1,4}(?:to|that)\b)|its|these|those|this(?! (?:week|month|year|morning|afternoon|evening|weekend|time|spring|summer|autumn|fall|winter)\b)|that(?:['’]s|(?= (?:is|was|would|sounds|one|way)\b))|there(?! (?:is|are|was|were|will)\b))(?![\p{L}\p{N}])|[它他她]|[这那](?![周年天么边次里]|个?月|几天|会儿|一?段)|^(?:some|others?|most|many|both)\b(?= (?:is|are|was|were|have|had|even|of)\b)|^(?:比如|例如|特别是|尤其|像|或者|一方面|另一|同样|此|其)/iu
const SOMEBODY = /\b(?:they|them|theirs?|he|she|him|hers?|his)\b/i
const NAMED = /\b(?:my|our)\s|(?<=\S\s)(?!I\b)\p{Lu}/u
const MIRRORS = /\byou(?:r|['’]\w{1,40})?\b|[你您]/i
/** The assistant writes in somebody's place: a draft, an example. */
const DRAFTS = /^["“]|\b(?:I|I['’]m|I['’]ve|my|me|we|our)\b/
/** Hypotheses and played parts: nothing that somebody reads up on later. */
const UNREAL =
  /^(?:if (?:i|we) (?:won|had|were|was|could|ever|only)\b.{0,200}\b(?:i|we)(?:['’]d| would| could)\b|(?:let['’]?s )?pretend\b|i dream(?:t|ed)\b|imagine\b)|^(?:要是|假如|如果|万一)(?=.{0,60}(?:就|早).{0,60}(?:哈|算了|了吧))|做梦|梦到|梦见|下辈子/i

/** 0 for a statement that tells nothing; otherwise larger tells more. Weights: ours, by reading. */
export function tellingScore(statement: string, { around, opens, byPerson, amongPeople }: StatementPlace): number {
  const words = tellingWords(statement)
  const asks = isQuestion(statement)
  if (words.length === 0 || UNREAL.test(statement) || (!byPerson && (asks || DRAFTS.test(statement)))) return 0
  const shared = words.filter((word) => around.has(word))
  const told = words.reduce(
    (sum, word) => sum + rarityOf(word) * (!byPerson && around.has(word) ? REPEATED_SHARE : 1),
    0,
  )
  let score = TERM_WEIGHT * Math.min(told, MOST_TOLD)
  if (byPerson)
    score +=
      SHARED_WEIGHT *
      Math.min(
        shared.reduce((sum, word) => sum + rarityOf(word), 0),
        MOST_SHARED,
      )
  if (opens && byPerson && !amongPeople) score += PLACE_WEIGHT
  if (DETAIL.test(statement)) score += DETAIL_WEIGHT
  if (byPerson && !amongPeople) score += PLACE_WEIGHT
  // An answer about the user repeats the user's words.
  else if (MIRRORS.test(statement)) score -= LEANING
  if (pointsBack(statement)) score *= POINTING_SHARE
  // A statement about the other one, among people, is a reply.
  if (amongPeople && MIRRORS.test(statement)) score *= POINTING_SHARE
  if (amongPeople && asks) score -= PLACE_WEIGHT
  return Math.max(0, score)
}

/** Whether a sentence needs another one: "My favourite is the one in it", 这个主意很好. */
function pointsBack(statement: string): boolean {
  if (refersBack(statement)) return true
  const first = statement.split(CLAUSE_CLOSE, 1)[0]!
  if (POINTS.test(first)) return true
  const somebody = first.search(SOMEBODY)
  return somebody !== -1 && !NAMED.test(first.slice(0, somebody))
}
