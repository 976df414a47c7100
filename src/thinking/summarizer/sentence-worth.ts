/**
 * How likely would a careful person want a sentence in a note about a talk, as it stands? Cues of what it tells,
 * how it opens and ends and where it points are weighed by `data/weights/summary.json` (`bench/training/summaries.ts`).
 */
import { hasHan } from '../../language/character-class.ts'
import { asksOrOrders, isQuestion } from '../../language/questions.ts'
import { cueModel, type TakeCue } from '../topic/cue-model.ts'
import { tellingWords, weightOf, wordsIn } from '../topic/word-rarity.ts'
import { KINDS, writeJudgement } from '../write-decision/linear-model.ts'

/** A sentence as it would stand in a note. */
export interface Statement {
  /** The name in front: a person's, a log's, or what user and assistant are called. */
  readonly who: string
  readonly text: string
  /** Whether it stands in the first turn of the talk. */
  readonly opens: boolean
  /** Words that are said more than once near to it. */
  readonly around: ReadonlySet<string>
}

/** The names of the user and of the assistant in a note. */
const USER = /^(?:User|用户)$/
export const ASSISTANT = /^(?:Assistant|助手)$/

/** Log-odds, opening words and weight of words beyond which nothing more is told. */
const SUREST = 4
const [MOST_EDGES, MOST_TOLD] = [3, 8]

/** Words of a kind in a sentence. */
const SAYS: readonly (readonly [string, RegExp])[] = [
  ['I', /\b(?:I|I['’]\w{1,2}|me|my)\b|我(?!们)/i],
  ['we', /\b(?:we|we['’]\w{1,2}|us|our)\b|我们|咱/i],
  ['you', /\byour?\b|[你您]/i],
  ['points', /\b(?:its?|this|that|these|those|there)\b|[这那它]/i],
  ['somebody', /\b(?:he|she|they|him|hers?|his|them|their)\b|[他她]/i],
  ['name', /(?<=\S\s)(?!I\b)\p{Lu}|[‘“《「]/u],
  ['figure', /\d/],
  ['excited', /!|！/],
  ['let us', /\blet['’]s\b|^(?:keep|wish|hope|thank|glad|sorry)/i],
]

/** Tells what speaks for and against a sentence. */
export function tellCues({ who, text, opens, around }: Statement, tell: TakeCue): void {
  const by = USER.test(who) ? 'user' : ASSISTANT.test(who) ? 'assistant' : 'named'
  const { store, semantic, kinds } = writeJudgement(text)
  const told = tellingWords(text)
  const words = wordsIn(text).map((word) => word.toLowerCase())
  const said: readonly (readonly [string, number])[] = [
    ['bias', 1],
    ['store', bounded(store)],
    ['lasts', bounded(semantic)],
    ['told', Math.min(MOST_TOLD, weightOf(told)) / 4],
    ['words', Math.log2(1 + words.length)],
    ['dense', weightOf(told) / Math.max(1, words.length)],
    ['taken up', told.filter((word) => around.has(word)).length / Math.max(1, told.length)],
    ['opens', Number(opens)],
    ['question', Number(isQuestion(text))],
    ['asks', Number(asksOrOrders(text))],
    ['needs another', Number(needsAnother(text))],
  ]
  for (const [name, value] of said) {
    tell('all', name, value)
    if (value !== 0) tell(by, name, value)
  }
  for (const [at, { reason, store: kept }] of KINDS.entries())
    tell('kind', `${reason} ${kept ? 'kept' : 'refused'}`, kinds[at]!)
  for (const [name, pattern] of SAYS) if (pattern.test(text)) tell('says', name, 1)
  for (const [at, word] of words.slice(0, MOST_EDGES).entries()) tell('opening', `${at} ${word}`, 1)
  tell('last', words.at(-1) ?? '', 1)
}

function bounded(odds: number): number {
  return Math.max(-SUREST, Math.min(SUREST, odds)) / 2
}

const model = cueModel('summary')

/** How much more the opening of a talk with an assistant counts: it says what the talk is about. */
const OPENING = 1.6

/** How likely a careful person would want it in a note, from 0 to 1, and above for the opening of a talk. */
export function worthOf(statement: Statement): number {
  const odds = model(hasHan(statement.text), (tell) => tellCues(statement, tell))
  return (statement.opens && USER.test(statement.who) ? OPENING : 1) / (1 + Math.exp(-odds))
}

/** The close of the first clause: words behind it may point into it. */
const CLAUSE_CLOSE = /[,，;；:：]|\s(?:and|but|so|because|when|which|while)\s/i
/** Words that point to earlier talk from a first clause: no owner and no name stands in front. */
const POINTS =
  /\b(?:it(?!['’]?s? (?:\S{1,20} ){1,2}(?:to|that)\b)|its|these|those|this(?! (?:week|month|year|morning|afternoon|evening|weekend|time|spring|summer|autumn|fall|winter)\b)|that(?:['’]s|(?= (?:is|was|would|sounds|one|way)\b))|there(?!['’]s| (?:is|are|was|were|will)\b))(?![\p{L}\p{N}])|[它他她]|[这那](?![周年天么边次里]|个?月|[几两]天|会儿|一?段)|^then\b|^(?:some|others?|most|many|both)\b(?= (?:is|are|was|were|have|had|even|of)\b)|^(?:比如|例如|特别是|尤其|像|或者|一方面|另一|同样|此|其)/iu
const SOMEBODY = /\b(?:they|them|theirs?|he|she|him|hers?|his)\b/i
const NAMED = /\b(?:[Mm]y|[Oo]ur)\s|(?<=\S\s)(?!I\b)\p{Lu}/u
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
