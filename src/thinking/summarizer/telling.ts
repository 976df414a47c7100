/**
 * How much does a statement tell to someone who reads only it? What few chats speak of and others take up counts for it;
 * what leans on a sentence before it, asks somebody back or repeats what was asked counts against it.
 */
import { isQuestion } from '../../language/questions.ts'
import { rarityOf } from '../topic/common-words.ts'
import { tellingWords } from '../topic/phrases.ts'

/** What is known about a statement besides its words. */
export interface StatementPlace {
  /** Telling words of the turns around it. */
  readonly around: ReadonlySet<string>
  /** It is the first sentence of its turn. */
  readonly opens: boolean
  /** A person said it, not the assistant. */
  readonly byPerson: boolean
  /** The people have names: they talk to each other, and ask back without wanting anything. */
  readonly amongPeople: boolean
}

/** What each word adds, with the most that all may; what an answer's word counts that was said already. */
const TERM_WEIGHT = 0.15
const MOST_TOLD = 7
const REPEATED_SHARE = 0.3
const SHARED_WEIGHT = 0.1
const MOST_SHARED = 5
const PLACE_WEIGHT = 0.25
const DETAIL_WEIGHT = 0.2
const LEANING = 0.5
/** A figure, a name, a title. */
const DETAIL = /\d|[^.!?。\s] \p{Lu}\p{Ll}|[《“"]/u
/** A pronoun that stands for what was said before. */
const LEANS =
  /^(?:it|its|it['’]s|that|that['’]s|this|these|those|they|they['’]re|them|he|she|his|her|there|both|one|another|either|which|who|the (?:same|first|second|other|former|latter))\b|^(?:它|他|她|这|那|其|比如|例如|特别是|尤其是|或者|一方面|另一|同样|此|其中|前者|后者|两者|都)/i
const MIRRORS = /\byou(?:r|['’]\w{1,40})?\b|[你您]/i
/** The assistant writes in somebody's place: a draft, an example. */
const DRAFTS = /^["“]|\b(?:I|I['’]m|I['’]ve|my|me|we|our)\b/
/** What would be, and parts that are played: nothing that somebody reads up on later. */
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
  if (byPerson) score += PLACE_WEIGHT
  // What an answer says of the user, the user said.
  else if (MIRRORS.test(statement)) score -= LEANING
  if (LEANS.test(statement)) score -= LEANING
  if (amongPeople && asks) score -= PLACE_WEIGHT
  return Math.max(0, score)
}
