/** Which parts do the kept sentences of a message make? One memory, unless a sentence tells another matter. */
import { CATEGORIES } from '../../domain/memory.ts'
import type { DecisionReason, KeptPart } from '../../domain/thought.ts'
import { hasHan } from '../../language/character-class.ts'
import { statesTaste } from '../../language/preference.ts'
import { tenseAt } from '../../language/tense.ts'
import { extractFacts } from '../facts/extract-facts.ts'
import { tellingWords } from '../topic/common-words.ts'
import { answers, isShort } from './answered.ts'
import { IMPORTANCE, KINDS } from './kinds.ts'
import { type Judgement, writeJudgement } from './linear-model.ts'
import { isOfAnother, namesSubject } from './matters.ts'
import { withoutOrder } from './order-words.ts'
import { ANNOUNCES } from './own-words.ts'
import { namedAt, namesSomething, refersBack } from './refers-back.ts'
import { standingOf } from './standing.ts'

const NAMED_BY_THE_WAY =
  /\b(?:my|our|his|her|their|the (?:new|\w{2,20}ed)) (?:[\w'’-]{1,40} ){0,3}(?:(?:of|to|at|from|for|by|on) )?(?:about |around |only )?[$£€¥]?\d|[我咱][^。！？]{0,20}\d/u
const LASTING_WISH = KINDS.findIndex(({ reason, store }) => reason === 'style_wish' && store)
/** The log-odds of a text that nineteen of twenty people would keep. */
const SURE = 3
/** The log-odds below which a text falls; those for an assistant's chats lose fewer facts. */
export const FALLS = -0.25
/** 001: a memory is three or four sentences. */
const LONGEST_PART = 4
const LONGEST_TEXT = 500
/** Importance of things that the user orders to be remembered (004). */
const ORDER = 3

/** One sentence of a message with the model's verdict on it. */
export interface JudgedSentence {
  /** The place among the sentences of the message. */
  readonly at: number
  readonly sentence: string
  readonly judgement: Judgement
}

/** Whether a sentence states a fact, or names a figure of one's own by the way. */
export function states(sentence: string): boolean {
  return extractFacts(sentence, { who: 'user', now: 0 }).length > 0 || NAMED_BY_THE_WAY.test(sentence)
}

/**
 * The parts that these sentences make, in order. `lasting` says whether an ordered memory lasts, and
 * `question` what was asked before the message.
 */
export function partsOf(
  told: readonly JudgedSentence[],
  all: readonly JudgedSentence[],
  options: PartOptions,
): readonly KeptPart[] {
  const from = orderedFrom(all)
  const { lasting, falls = FALLS, mayFall = false, question = '', heard = '', weigh = writeJudgement } = options
  const groups: JudgedSentence[][] = []
  for (const one of told) {
    const last = groups.at(-1)
    const neighbour = all[one.at - 1]
    if (last !== undefined && last.at(-1) === neighbour && belongs(one, last)) last.push(one)
    else {
      const group = withNamed(one, all)
      const shared = last === undefined ? -1 : group.findIndex(({ at }) => at === last.at(-1)!.at)
      if (shared >= 0 && last!.length + group.length - shared - 1 <= LONGEST_PART)
        last!.push(...group.slice(shared + 1))
      else groups.push(group)
    }
  }
  const isAnswer = ([first]: readonly JudgedSentence[]): boolean =>
    first!.at <= 1 && question !== '' && answers(first!.sentence, question)
  const mostLasting = told.reduce((a, b) => (b.judgement.semantic > a.judgement.semantic ? b : a))
  return groups.flatMap((group) => {
    const answersIt = isAnswer(group)
    const isWeighed = lasting === undefined && (answersIt || mayFall)
    const text = isWeighed ? textOf(group) : ''
    const stands = isWeighed ? standingOf(text, weigh(text), heard) : SURE
    if (stands < falls && (mayFall || !isShort(text)) && !group.some(({ sentence }) => states(sentence))) return []
    const isAsked = answersIt && (stands < SURE || refersBack(group[0]!.sentence))
    return mattersOf(group).map((matter, at) => ({
      ...partOf(matter, lasting !== undefined && matter.at(-1)!.at >= from),
      ...(isAsked && at === 0 ? { asked: true } : {}),
      semantic:
        lasting !== false &&
        ((lasting && matter.includes(mostLasting)) || matter.some(({ judgement }) => judgement.semantic > 0)),
    }))
  })
}

/** The sentences of a part, taken apart where one tells a matter of its own behind another. */
function mattersOf(group: readonly JudgedSentence[]): readonly JudgedSentence[][] {
  const said = group.map(({ sentence }) => sentence)
  const matters: JudgedSentence[][] = []
  for (const [at, one] of group.entries()) {
    const last = matters.at(-1)
    if (last === undefined || (isNewMatter(one, last) && namedAt(said, at, true) < 0)) matters.push([one])
    else last.push(one)
  }
  return matters
}

/** Whether a sentence tells how another matter stands, with its own subject; events and plans go on with the telling. */
function isNewMatter(one: JudgedSentence, group: readonly JudgedSentence[]): boolean {
  if (isWish(one)) return group.some((each) => !isWish(each) && tellsAlone(each))
  const { sentence } = one
  const before = group.map((each) => each.sentence).join(' ')
  if (!namesSubject(sentence, before) || !group.some(tellsAlone)) return false
  const said = tellingWords(before)
  if (tellingWords(sentence).some((word) => said.includes(word))) return false
  if (states(sentence) || isOfAnother(sentence)) return true
  return tellsAlone(one) && (tenseAt(sentence, 0, 0) ?? 'present') === 'present'
}

/** Whether a sentence is understood without its neighbours. */
function tellsAlone({ sentence, judgement }: JudgedSentence): boolean {
  return states(sentence) || isOfAnother(sentence) || standingOf(sentence, judgement, '') > 0
}

/** Whether it most likely is a lasting wish about the assistant's manner. */
function isWish({ judgement }: JudgedSentence): boolean {
  return judgement.kinds[LASTING_WISH]! > 0.5
}

/** The surroundings of the parts. */
interface PartOptions {
  readonly lasting?: boolean
  readonly falls?: number
  /** Whether all may fall, and not only long answers to the question. */
  readonly mayFall?: boolean
  readonly question?: string | undefined
  readonly heard?: string | undefined
  readonly weigh?: (text: string) => Judgement
}

/** The sentences one after the other; one that only announces what is not kept ends as a statement. */
function textOf(group: readonly JudgedSentence[], ordered = false): string {
  const said = group.map(({ sentence }) => (ordered ? withoutOrder(sentence) : sentence))
  const text = said.reduce((before, sentence) => before + gapBehind(before) + sentence)
  return ordered ? text : text.replace(ANNOUNCES, '')
}

/** The mark and space that part a sentence from the next one; a line, or a clause cut off, may have ended without any. */
function gapBehind(sentence: string): string {
  if (/[。！？；，、]["”’」』）]{0,9}$/.test(sentence)) return ''
  return /[\p{L}\p{N}]$/u.test(sentence) ? (hasHan(sentence.slice(-1)) ? '，' : '. ') : ' '
}

/** A sentence behind those of the message that name its referent, with what was said between; "Any tips?" says nothing. */
function withNamed(one: JudgedSentence, all: readonly JudgedSentence[]): JudgedSentence[] {
  const said = all.map(({ sentence }) => sentence)
  let from = one.at
  for (;;) {
    const at = namedAt(said, from, from === one.at)
    if (at < 0 || one.at - at >= LONGEST_PART) break
    from = at
  }
  return [...all.slice(from, one.at).filter(({ at, sentence }) => at === from || namesSomething(sentence)), one]
}

/** The place of the first sentence that orders what it states itself; 0 where a bare order means the whole message. */
export function orderedFrom(all: readonly JudgedSentence[]): number {
  return Math.max(0, all.findIndex(ordersItself))
}

export function ordersItself({ sentence }: JudgedSentence): boolean {
  return withoutOrder(sentence) !== sentence
}

/** Whether a sentence goes on about the matter of those right before it. */
function belongs(one: JudgedSentence, group: readonly JudgedSentence[]): boolean {
  if (group.length >= LONGEST_PART || ordersItself(one)) return false
  const { sentence } = one
  const length = group.reduce((sum, each) => sum + each.sentence.length, sentence.length)
  if (length > LONGEST_TEXT) return false
  if (refersBack(sentence)) return true
  const mine = keysOf(sentence)
  const theirs = group.flatMap((one) => keysOf(one.sentence))
  return mine.length === 0 || theirs.length === 0 || mine.some((key) => theirs.includes(key))
}

/** The likeliest reason to keep it, besides an order. */
function reasonOf({ kinds }: Judgement, text: string): DecisionReason {
  const at = likeliestOf(kinds, (kind) => KINDS[kind]!.store && KINDS[kind]!.reason !== 'explicit_remember')
  return tasteOr(KINDS[at]!.reason, text)
}

/** The reason, unless the text plainly tells a taste and nothing that counts for more. */
export function tasteOr(reason: DecisionReason, text: string): DecisionReason {
  return IMPORTANCE[reason] <= IMPORTANCE.preference && statesTaste(text) ? 'preference' : reason
}

/** The attributes that a sentence states, with their owners. */
function keysOf(sentence: string): readonly string[] {
  return extractFacts(sentence, { who: 'user', now: 0 }).map(({ about, key }) => `${about}: ${key}`)
}

function partOf(group: readonly JudgedSentence[], ordered: boolean): Omit<KeptPart, 'semantic'> {
  const { judgement } = group.reduce((a, b) => (b.judgement.store > a.judgement.store ? b : a))
  const text = textOf(group, ordered)
  return {
    text,
    category: statesTaste(text) ? 'preference' : CATEGORIES[likeliestOf(judgement.categories)]!,
    importance: ordered ? ORDER : IMPORTANCE[reasonOf(judgement, text)],
  }
}

function likeliestOf(shares: Float64Array, mayBe: (at: number) => boolean = () => true): number {
  let best = -1
  for (let at = 0; at < shares.length; at++) if (mayBe(at) && (best < 0 || shares[at]! > shares[best]!)) best = at
  return best
}
