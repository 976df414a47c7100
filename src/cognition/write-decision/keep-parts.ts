/**
 * Which sentences of a message are kept, and which of them make one memory? Sentences that tell something are kept whole,
 * whatever is asked, greeted or supposed beside them; neighbours are one memory unless they state different attributes, since
 * each of those can change by itself; what refers back is kept with the sentence before it.
 */
import { CATEGORIES } from '../../domain/memory.ts'
import type { KeptPart } from '../../domain/thought.ts'
import { isQuestion } from '../../text/questions.ts'
import { splitSentences } from '../../text/sentences.ts'
import { extractFacts } from '../facts/extract-facts.ts'
import { type Features, featuresOf } from './features.ts'
import { IMPORTANCE, KINDS } from './kinds.ts'
import type { Judgement } from './linear-model.ts'
import { withoutOrder } from './order-words.ts'

/** Sentences judged at most; the rest of a longer message is left to the log. */
const MOST_SENTENCES = 40
/** Log-odds below which a sentence is left out even where it is ordered to be remembered, or stands beside one that is kept. */
const NEARLY_NOTHING = -3
/** 001: a memory is three or four sentences. */
const LONGEST_PART = 4
const LONGEST_TEXT = 500
/** Importance of what the user orders to be remembered (004). */
const ORDER = 3
/** A sentence that begins so is understood by the one before it. */
const REFERS_BACK =
  /^(?:and |but |so |also,? |then |plus,? )*(?:it|its|it['’]s|he|he['’]s|she|she['’]s|they|they['’]re|his|her|their|that|that['’]s|this|these|those|both|there|which)\b|^(?:而且|所以|但是?|不过|然后|于是|因此|也|还)?(?:它|他|她|这|那|此)/iu

/** What is said of the other speaker only, and not of oneself. */
const OF_THE_OTHER = /^(?=.*(?:\byou(?:['’]re|r|rs)?\b|[你您]))(?!.*(?:\b(?:i|i['’]\w+|me|my|we|us|our)\b|[我咱]))/isu

/** One sentence of a message with what the model holds of it. */
export interface JudgedSentence {
  /** Its place among the sentences of the message. */
  readonly at: number
  readonly sentence: string
  readonly judgement: Judgement
}

/** The sentences of a text, each weighed for itself; `whole` is what is held of all of it. */
export function judgeSentences(
  weigh: (features: Features) => Judgement,
  text: string,
  whole: Judgement,
): readonly JudgedSentence[] {
  const sentences = splitSentences(text).slice(0, MOST_SENTENCES)
  if (sentences.length <= 1) return [{ at: 0, sentence: sentences[0] ?? text.trim(), judgement: whole }]
  return sentences.map((sentence, at) => ({ at, sentence, judgement: weigh(featuresOf(sentence)) }))
}

/**
 * With the sentences right beside them that may say what is meant ("The new phone arrived! Moving all my photos over
 * tonight."), and with all of a row that semicolons hold together.
 */
export function withExplained(
  told: readonly JudgedSentence[],
  all: readonly JudgedSentence[],
): readonly JudgedSentence[] {
  const kept = new Set(told.map(({ at }) => at))
  for (const { at, sentence, judgement } of all) {
    const beside = told.some((one) => Math.abs(one.at - at) === 1)
    if (!beside || isQuestion(sentence) || OF_THE_OTHER.test(sentence)) continue
    if (judgement.store > NEARLY_NOTHING || (kept.has(at - 1) && REFERS_BACK.test(sentence))) kept.add(at)
  }
  for (const { at } of all) if (kept.has(at - 1) && goesOn(all[at - 1]!)) kept.add(at)
  for (const { at } of all.toReversed()) if (kept.has(at + 1) && goesOn(all[at]!)) kept.add(at)
  return all.filter(({ at }) => kept.has(at))
}

/** Whether the next sentence belongs to the same row. */
function goesOn({ sentence }: JudgedSentence): boolean {
  return /[；;]$/.test(sentence)
}

/** The parts that these sentences make, in order; `lasting`, where they are ordered to be remembered: whether that lasts. */
export function partsOf(
  told: readonly JudgedSentence[],
  all: readonly JudgedSentence[],
  lasting?: boolean,
): readonly KeptPart[] {
  const groups: JudgedSentence[][] = []
  for (const one of told) {
    const last = groups.at(-1)
    const before = all[one.at - 1]
    if (last !== undefined && last.at(-1) === before && (goesOn(last.at(-1)!) || belongs(one, last))) last.push(one)
    else if (before !== undefined && REFERS_BACK.test(one.sentence) && !isQuestion(before.sentence))
      groups.push([before, one])
    else groups.push([one])
  }
  const mostLasting = told.reduce((a, b) => (b.judgement.semantic > a.judgement.semantic ? b : a))
  return groups.map((group) => ({
    ...partOf(group, lasting !== undefined),
    semantic:
      lasting !== false &&
      ((lasting && group.includes(mostLasting)) || group.some(({ judgement }) => judgement.semantic > 0)),
  }))
}

/** What is ordered to be remembered: hardly any of its sentences is left out. */
export function orderedSentences(all: readonly JudgedSentence[]): readonly JudgedSentence[] {
  const likely = all.filter(({ judgement }) => judgement.store > NEARLY_NOTHING)
  return likely.length === 0 ? all : likely
}

/** Whether a sentence goes on about what those right before it tell. */
function belongs({ sentence }: JudgedSentence, group: readonly JudgedSentence[]): boolean {
  if (group.length >= LONGEST_PART) return false
  const length = group.reduce((sum, one) => sum + one.sentence.length, sentence.length)
  if (length > LONGEST_TEXT) return false
  if (REFERS_BACK.test(sentence)) return true
  const mine = keysOf(sentence)
  const theirs = group.flatMap((one) => keysOf(one.sentence))
  return mine.length === 0 || theirs.length === 0 || mine.some((key) => theirs.includes(key))
}

/** What a sentence states, and of whom. */
function keysOf(sentence: string): readonly string[] {
  return extractFacts(sentence, { who: 'user', now: 0 }).map(({ about, key }) => `${about}: ${key}`)
}

function partOf(group: readonly JudgedSentence[], ordered: boolean): Omit<KeptPart, 'semantic'> {
  const { kinds, categories } = group.reduce((a, b) => (b.judgement.store > a.judgement.store ? b : a)).judgement
  const likeliest = likeliestOf(kinds, (kind) => KINDS[kind]!.store && KINDS[kind]!.reason !== 'explicit_remember')
  const said = group.map(({ sentence }) => (ordered ? withoutOrder(sentence) : sentence))
  return {
    text: said.join(/\p{Script=Han}[。！？；，、]?$/u.test(said[0]!) ? '' : ' '),
    category: CATEGORIES[likeliestOf(categories)]!,
    importance: ordered ? ORDER : IMPORTANCE[KINDS[likeliest]!.reason],
  }
}

function likeliestOf(shares: Float64Array, mayBe: (at: number) => boolean = () => true): number {
  let best = -1
  for (let at = 0; at < shares.length; at++) if (mayBe(at) && (best < 0 || shares[at]! > shares[best]!)) best = at
  return best
}
