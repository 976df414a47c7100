/**
 * How likely would a person write these words above a talk? Cues of how often and where they are said,
 * how rare they are and how they begin and end are weighed by `data/weights/title.json` (`bench/training/titles.ts`).
 */
import { cueModel, type TakeCue } from './cue-model.ts'
import { isStop, type Span } from './title-spans.ts'
import { rarityOf } from './word-rarity.ts'

/** A span with what the whole talk says of it. */
export interface Candidate {
  readonly span: Span
  /** Its telling terms without names of speakers. */
  readonly terms: readonly string[]
  /** Their weight in the talk. */
  readonly weight: number
  /** The turns that say it, and the last of them. */
  turns: number
  lastTurn: number
  /** The words beside it, where it is said more than once. */
  beside: { readonly before: Set<string>; readonly after: Set<string> } | null
  /** The sentence and clause that say it first. */
  readonly at: string
  /** Whether it is said in the first turn that may name the topic, and the share of the turns before it. */
  readonly opens: boolean
  readonly late: number
  /** The answers that say it, too. */
  echoes: number
}

/** The counts of terms in a talk. */
export interface Talk {
  /** The most that words could weigh in it. */
  readonly most: number
  /** The turns that say anything. */
  readonly turns: number
  /** The turns that say a term. */
  readonly turnsOf: (term: string) => number
  /** How often two characters side by side are one word here, up to 1. */
  readonly sticks: (one: string, other: string) => number
}

/** Columns from which a span is longer, and counts beyond which nothing more is told. */
const WIDTHS = [7, 11, 17, 25, 35]
/** How much a single word is told: there are very many of them, and each was graded seldom. */
const A_WORD = 0.5
const MOST_WORDS = 6
const MOST_TERMS = 4
const MOST_CLAUSES = 3
const MOST_BORDERS = 3

/** Words that point at something that another sentence names. */
export const POINTS = /\b(?:its?|this|that|these|those|s?he|they|them|him|hers?|his|their)\b|[这那它他她]/i

/** Words of a kind in a span. */
const ENGLISH_CUES: readonly (readonly [string, RegExp])[] = [
  ['I', /\b(?:i|we|me|us)\b/i],
  ['my', /\b(?:my|our)\b/i],
  ['you', /\byour?\b/i],
  ['points', POINTS],
  ['verb', /\b(?:is|are|was|were|be|been|am|ha[sd]|have|do|does|did|will|would|can|could|should)\b|n['’]t\b/i],
  ['question', /\b(?:how|what|why|which|when|where|who|whether)\b/i],
]
const CHINESE_CUES: readonly (readonly [string, RegExp])[] = [
  ['I', /我|咱/],
  ['you', /[你您]/],
  ['points', POINTS],
  ['question', /怎么|如何|什么|哪|吗|是否|有没有/],
  ['counts', /^(?:[一两几][个些款张份场次种位件条篇]|这|那|什么|哪)/],
  ['degree', /[很太更最]|特别|非常|比较|挺|真的|有点/],
  ['modal', /[是会能要想让把被]|应该|可以|需要|觉得|感觉/],
  ['owns', /的/],
]
/** The form of an English word. */
const FORMS: readonly (readonly [string, RegExp])[] = [
  ['number', /\d/],
  ['ing', /ing$/],
  ['noun', /(?:tion|ment|ness|ity|ance|ence|ship|ism|age|ure)s?$/],
  ['ed', /[^e]ed$/],
  ['ly', /ly$/],
  ['er', /(?:er|or|ist)s?$/],
  ['adjective', /(?:ful|ous|ive|al|ic|able|ible|less|ish|y)$/],
  ['s', /[^s]s$/],
]

/** Tells what speaks for and against a candidate. */
export function tellCues(candidate: Candidate, talk: Talk, tell: TakeCue): void {
  const { span, terms, weight, beside } = candidate
  const { text, words, isChinese, cutBefore, cutAfter } = span
  const [first, last] = [words[0]!, words.at(-1)!]
  tell('all', 'bias', 1)
  tell('all', 'covers', weight / talk.most)
  tell('all', 'turns', Math.log2(candidate.turns))
  tell('all', 'term turns', Math.log2(1 + meanOf(terms, talk.turnsOf)))
  tell('all', 'share', meanOf(terms, talk.turnsOf) / talk.turns)
  tell('all', 'echoes', Math.log2(1 + candidate.echoes))
  tell('all', 'rarity', meanOf(terms, rarityOf))
  tell('all', 'opens', Number(candidate.opens))
  tell('all', 'late', candidate.late)
  tell('all', 'clause', Math.min(MOST_CLAUSES, span.clause))
  if (beside !== null) tell('all', 'borders', Math.min(MOST_BORDERS, Math.log2(beside.before.size * beside.after.size)))
  tell('width', WIDTHS.findLastIndex((width) => span.width >= width) + 1, 1)
  tell('words', Math.min(MOST_WORDS, words.length), 1)
  tell('terms', Math.min(MOST_TERMS, terms.length), 1)
  tell('before', span.before, A_WORD)
  tell('first', first, A_WORD)
  tell('last', last, A_WORD)
  tell('after', span.after, A_WORD)
  for (const [name, said] of isChinese ? CHINESE_CUES : ENGLISH_CUES) if (said.test(text)) tell('says', name, 1)
  if (cutBefore) tell('cut', 'before', 1)
  if (cutAfter) tell('cut', 'after', 1)
  if (!isChinese) {
    tell('first form', formOf(first), 1)
    tell('last form', formOf(last), 1)
    return
  }
  tell('first letter', text[0]!, A_WORD)
  tell('last letter', text.at(-1)!, A_WORD)
  tell('all', 'letters', words.filter((word) => word.length === 1 && !isStop(word)).length / words.length)
  if (cutBefore) {
    tell('cut', 'in a word before', talk.sticks(span.before.at(-1)!, text[0]!))
    if (span.before.length === 1 || first.length === 1) tell('cut', 'at a letter before', 1)
  }
  if (cutAfter) {
    tell('cut', 'in a word after', talk.sticks(text.at(-1)!, span.after[0]!))
    if (span.after.length === 1 || last.length === 1) tell('cut', 'at a letter after', 1)
  }
}

/** The mean of what each term has. */
export function meanOf(terms: readonly string[], of: (term: string) => number): number {
  return terms.reduce((sum, term) => sum + of(term), 0) / terms.length
}

function formOf(word: string): string {
  return FORMS.find(([, form]) => form.test(word))?.[0] ?? 'plain'
}

const model = cueModel('title')

/** Log-odds that a person would write the candidate above the talk. */
export function likelihoodOf(candidate: Candidate, talk: Talk): number {
  return model(candidate.span.isChinese, (tell) => tellCues(candidate, talk, tell))
}
