/**
 * How much does a statement tell to a reader of it alone? The write decider weighs a person's words; a request counts
 * by its names, an answer by new details.
 */
import { isQuestion } from '../../language/questions.ts'
import { tellingWords, weightOf } from '../topic/common-words.ts'
import { KINDS, writeJudgement } from '../write-decision/linear-model.ts'

/** Least weights of a request, of a statement to an assistant, and of one to people; the words that all need. */
const ASKED = 0.7
const STATED = 0.5
const TOLD = 0.25
const MOST_TOLD = 4
const ENOUGH_TOLD = 1.5
/** Weight of a telling sentence of an answer. */
const ANSWERED = 0.4
/** Factor among people, where much more is small talk. */
const AMONG_PEOPLE = 0.75
/** Extra weight where others take up its words. */
const SHARED = 0.5
/** An answer in the first person is written in somebody's place; one about the user repeats the user's words. */
const FIRST_PERSON = /\b(?:I|me|my|we|our)\b/i
const ABOUT_USER = /\byour?\b|[你您]/i
/** Words of advice, and the least weight and share of what an answer brings. */
const ADVISES =
  /建议|推荐|可以|试试|不妨|优先|\byou (?:can|could|might|may|should)\b|\b(?:consider|try|start with|I (?:recommend|suggest))\b/i
const LEAST_NEW = 2
/** A figure or a name of code: what nobody asked for tells where it brings one. */
const SPECIFIC = /\d|\p{Ll}\p{Lu}|_/u
const LEAST_SHARE_NEW = 0.5
/** The close of the first clause: words behind it may point into it. */
const CLAUSE_CLOSE = /[,，;；:：]|\s(?:and|but|so|because|when|which|while)\s/i
/** Words that point to earlier talk from a first clause: no owner and no name stands in front. */
const POINTS =
  /\b(?:it(?!['’]?s? (?:\S{1,20} ){1,2}(?:to|that)\b)|its|these|those|this(?! (?:week|month|year|morning|afternoon|evening|weekend|time|spring|summer|autumn|fall|winter)\b)|that(?:['’]s|(?= (?:is|was|would|sounds|one|way)\b))|there(?!['’]s| (?:is|are|was|were|will)\b))(?![\p{L}\p{N}])|[它他她]|[这那](?![周年天么边次里]|个?月|[几两]天|会儿|一?段)|^then\b|^(?:some|others?|most|many|both)\b(?= (?:is|are|was|were|have|had|even|of)\b)|^(?:比如|例如|特别是|尤其|像|或者|一方面|另一|同样|此|其)/iu
const SOMEBODY = /\b(?:they|them|theirs?|he|she|him|hers?|his)\b/i
const NAMED = /\b(?:[Mm]y|[Oo]ur)\s|(?<=\S\s)(?!I\b)\p{Lu}/u

const WISH = KINDS.findIndex(({ reason, store }) => reason === 'style_wish' && store)

/** The worth of a person's statement, from 0; `around` holds the words that others take up, `said` the whole sentence. */
export function worthOf(
  statement: string,
  amongPeople: boolean,
  around?: ReadonlySet<string>,
  said = statement,
): number {
  const { store, kinds } = writeJudgement(said)
  // How answers are to be is in no account of a talk.
  const kept = (1 - kinds[WISH]!) / (1 + Math.exp(-store))
  const [share, least] = amongPeople ? [AMONG_PEOPLE, TOLD] : [1, isQuestion(statement) ? ASKED : STATED]
  const weight = weightOf(tellingWords(statement))
  // "We had a blast!" is worth keeping to a friend, and tells others nothing.
  const named = amongPeople ? Math.min(1, weight / ENOUGH_TOLD) : 1
  return Math.max(share * kept * named, least * Math.min(1, weight / MOST_TOLD)) * takenUp(statement, around)
}

/**
 * The worth of a sentence of the assistant's: advice, or what was asked for (`isAsked`). It must not be in `before`,
 * unless the answer is short.
 */
export function worthOfAnswer(
  statement: string,
  isShort: boolean,
  isAsked: boolean,
  before: string,
  around: ReadonlySet<string>,
): number {
  const advises = ADVISES.test(statement)
  const isAbout = FIRST_PERSON.test(statement) || ABOUT_USER.test(statement)
  if (isQuestion(statement) || (!advises && (isAbout || (!isAsked && !SPECIFIC.test(statement))))) return 0
  const words = tellingWords(statement)
  const added = weightOf(words.filter((word) => !before.includes(word)))
  const isNew = added >= LEAST_NEW && (advises || added >= LEAST_SHARE_NEW * weightOf(words))
  return isShort || isNew ? ANSWERED * takenUp(statement, around) : 0
}

function takenUp(statement: string, around: ReadonlySet<string> = new Set()): number {
  const shared = weightOf(tellingWords(statement).filter((word) => around.has(word)))
  return 1 + SHARED * Math.min(1, shared / MOST_TOLD)
}

/** Words within a clause that mean something of earlier talk, or a close that leaves it out: "keep that in mind", "I have not been." */
const LEFT_OUT =
  /^(?:i|we|you|he|she)(?:['’]\w{1,2}| am| have| will)? also\b|^[^，。]{0,20}也|\bthat(?=[.,!?]|$| (?:in|for|to|with|too|as|up|out|over|at|on)\b)|\b(?:at|with|of|about|in|on|for|from|to) that\b|\bthe (?:ones?|same|others?|rest|latter|former)\b(?=[.,!?]|$)|\b(?:been|have|did|do|so|too|either|above|below)[.!]?$|\bthen\?$/i

/** Whether a sentence needs another one: "My favourite is the one in it", 这个主意很好. */
export function needsAnother(statement: string): boolean {
  if (LEFT_OUT.test(statement)) return true
  const first = statement.split(CLAUSE_CLOSE, 1)[0]!
  if (POINTS.test(first)) return true
  const somebody = first.search(SOMEBODY)
  return somebody !== -1 && !NAMED.test(first.slice(0, somebody))
}
