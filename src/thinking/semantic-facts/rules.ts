/**
 * Which sentences of an episode say something lasting about the user (SemanticWriter without a model, 002 R6)? Each is
 * judged for itself; one that may pass, be unreal, or be of somebody else gives nothing.
 */
import { DAY_MS } from '../../domain/clock.ts'
import type { Category, Memory } from '../../domain/memory.ts'
import type { DecisionReason } from '../../domain/thought.ts'
import { speaksOfPreference } from '../../language/preference.ts'
import { isQuestion } from '../../language/questions.ts'
import { splitSentences } from '../../language/sentences.ts'
import { tenseAt } from '../../language/tense.ts'
import { indexTerms, isGenericTerm } from '../../language/tokens.ts'
import { clausesOf } from '../facts/clauses.ts'
import { extractFacts } from '../facts/extract-facts.ts'
import { withoutUnreal } from '../facts/unreal.ts'
import { rarityOf, tellingWords } from '../topic/common-words.ts'
import { decideByRules } from '../write-decision/rules.ts'
import {
  HABIT,
  IDENTITY,
  OMITTED_SUBJECT,
  OTHER_SUBJECT,
  OWN_SUBJECT,
  PLAN,
  SPECULATION,
  STABLE_STATEMENT,
  STYLE,
  TASTE_ONCE,
  TEMPORARY,
} from './cues.ts'
import type { SemanticAnswer, SemanticFact, SemanticGround, SemanticRefusal } from './types.ts'

/** 002 R6.4: used more often than this, a stable attribute is a fact. */
export const OFTEN_USED = 10
/** Facts taken from one episode at most, and the longest sentence that is one. */
const MOST_FACTS = 5
const LONGEST_FACT = 400
/** The confidence of an episode's fact, below that of a stated fact. */
const CONFIDENCE: Readonly<Record<SemanticGround, number>> = {
  identity: 0.9,
  habit: 0.85,
  often_used: 0.8,
  ordered: 0.95,
}
/** The decider knows more words than the rules, and errs more often. */
const CONFIDENCE_OF_DECIDER = 0.75
/** Reasons of the decider that are grounds of R6. */
const GROUNDS: Readonly<Partial<Record<DecisionReason, SemanticGround>>> = {
  identity: 'identity',
  habit: 'habit',
  preference: 'habit',
  explicit_remember: 'ordered',
}
const JOINED = /^(?:and|but|so|while)\b\s{0,40}|^(?:而且|但是?|不过|所以)/i
/** Which refusal is told when sentences were refused for several reasons. */
const REFUSALS: readonly SemanticRefusal[] = [
  'speculation',
  'short_term_plan',
  'temporary_state',
  'style_preference',
  'about_other',
]

/** An episode as far as its facts are concerned. */
export type Episode = Pick<
  Memory,
  'id' | 'text' | 'who' | 'conversationId' | 'occurredAt' | 'accessCount' | 'confidence'
>

/** The lasting facts of an episode. `others`: similar episodes, for facts that only count when repeated. */
export function semanticFactsByRules(episode: Episode, others: readonly Episode[] = []): SemanticAnswer {
  // Another person's acts and words are no fact about the user.
  if (episode.who !== null && episode.who.toLowerCase() !== 'user') return { facts: [], refusal: 'about_other' }
  const facts: SemanticFact[] = []
  const refused = new Set<SemanticRefusal>()
  const open: string[] = []
  for (const sentence of splitSentences(episode.text).flatMap(unmixed)) {
    if (facts.length >= MOST_FACTS || sentence.length > LONGEST_FACT || isQuestion(sentence)) continue
    const ground = groundOf(sentence, episode.accessCount)
    const repeat = ground === null ? repeatOf(sentence, episode, others) : undefined
    if (ground !== null) facts.push(factOf(sentence, ground, [episode]))
    else if (repeat !== undefined) facts.push(factOf(sentence, 'habit', [episode, repeat]))
    else {
      const refusal = refusalOf(sentence)
      refused.add(refusal ?? 'nothing_lasting')
      // One pleasure is no taste yet, in any sentence (R6.3: repeated preferences).
      if (refusal === null && !TASTE_ONCE.test(sentence) && isOwn(sentence)) open.push(sentence)
    }
  }
  for (const { text, ground } of lastingParts(open).slice(0, MOST_FACTS - facts.length))
    facts.push(factOf(text, ground, [episode], CONFIDENCE_OF_DECIDER))
  if (facts.length > 0) return { facts, refusal: null }
  return { facts, refusal: REFUSALS.find((reason) => refused.has(reason)) ?? 'nothing_lasting' }
}

/** "I work as a diver, and this week is hectic": the clause that lasts beside one that passes is judged for itself. */
function unmixed(sentence: string): readonly string[] {
  if (!isPassing(sentence)) return [sentence]
  return clausesOf(sentence, (next, before, mark) => {
    // "Sales and marketing this week" are one clause: what a word joins has a verb of its own.
    if (/[a-z]/i.test(mark) && tenseAt(next, 0, 0) === null) return false
    if (isPassing(next)) return !isPassing(before) && saysMoreThanWhen(next)
    return isPassing(before) && saysMoreThanWhen(before) && isOwn(next.replace(JOINED, ''))
  }).map((clause) => clause.replace(JOINED, ''))
}

function isPassing(text: string): boolean {
  const refusal = refusalOf(text.replace(JOINED, ''))
  return refusal === 'temporary_state' || refusal === 'short_term_plan'
}

function saysMoreThanWhen(text: string): boolean {
  return tenseAt(text, 0, 0) !== null || tellingWords(text.replace(TEMPORARY, ' ')).length > 0
}

/** The ground on which one sentence is a lasting fact about the user; null when it is none. */
export function groundOf(sentence: string, accessCount = 0): SemanticGround | null {
  if (refusalOf(sentence) !== null) return null
  const { text } = withoutUnreal(sentence)
  if (!isOwn(text)) return null
  if (IDENTITY.test(text)) return 'identity'
  if (HABIT.test(text)) return 'habit'
  return accessCount > OFTEN_USED && STABLE_STATEMENT.test(text) ? 'often_used' : null
}

/** The user is spoken of, in the first person or as notes do. */
function isOwn(sentence: string): boolean {
  return OWN_SUBJECT.test(sentence) || OMITTED_SUBJECT.test(sentence)
}

/** The reason to refuse a sentence (R6.5); null when no rule refuses it. */
export function refusalOf(sentence: string): SemanticRefusal | null {
  if (STYLE.test(sentence)) return 'style_preference'
  // A dream, a song, a story or a quotation is no more than a maybe.
  if (!/[\p{L}\p{N}]/u.test(withoutUnreal(sentence).text)) return 'speculation'
  if (SPECULATION.test(sentence)) return 'speculation'
  if (OTHER_SUBJECT.test(sentence)) return 'about_other'
  if (PLAN.test(sentence)) return 'short_term_plan'
  return TEMPORARY.test(sentence) ? 'temporary_state' : null
}

/** The parts that the write decider takes for lasting, among sentences that no rule here refuses or knows. */
function lastingParts(open: readonly string[]): readonly { text: string; ground: SemanticGround }[] {
  return open.flatMap((text) => {
    const { store, reason, parts } = decideByRules({ content: text })
    const ground = GROUNDS[reason]
    return store && ground !== undefined && parts.some(({ semantic }) => semantic) ? [{ text, ground }] : []
  })
}

/** An episode of another day with this taste (R6.3: repeated preferences). */
function repeatOf(sentence: string, episode: Episode, others: readonly Episode[]): Episode | undefined {
  if (!showsTaste(sentence)) return undefined
  const about = contentTerms(sentence)
  return others.find(
    (other) =>
      other.id !== episode.id &&
      other.who === episode.who &&
      Math.floor(other.occurredAt / DAY_MS) !== Math.floor(episode.occurredAt / DAY_MS) &&
      splitSentences(other.text).some((text) => showsTaste(text) && isAbout(contentTerms(text), about)),
  )
}

function showsTaste(sentence: string): boolean {
  return (
    (TASTE_ONCE.test(sentence) || speaksOfPreference(sentence)) && !STYLE.test(sentence) && !SPECULATION.test(sentence)
  )
}

/** The terms of a sentence's subject, without the words of liking. */
function contentTerms(sentence: string): readonly string[] {
  const bare = sentence
    .replace(new RegExp(TASTE_ONCE.source, 'gi'), ' ')
    .replace(new RegExp(TEMPORARY.source, 'gi'), ' ')
  return [...indexTerms(bare).keys()].filter((term) => !isGenericTerm(term) && term.length > 1)
}

/** The share of the shorter sentence's subject from which two are about one taste: "happy" and 今天 weigh nothing. */
const SAME_TASTE = 0.3

function isAbout(a: readonly string[], b: readonly string[]): boolean {
  const weightOf = (terms: readonly string[]): number => terms.reduce((sum, term) => sum + rarityOf(term), 0)
  const shared = weightOf(a.filter((term) => b.includes(term)))
  return shared >= 1 && shared >= SAME_TASTE * Math.min(weightOf(a), weightOf(b))
}

function factOf(
  text: string,
  ground: SemanticGround,
  sources: readonly Episode[],
  confidence: number = CONFIDENCE[ground],
): SemanticFact {
  return sourcedFact({ text, category: categoryOf(text, ground), ...keyed(text), confidence, ground }, sources)
}

/** The fact with its first source, and no surer than that. */
export function sourcedFact(
  fact: Omit<SemanticFact, 'metadata' | 'sourceIds'>,
  sources: readonly Episode[],
): SemanticFact {
  const inOrder = sources.toSorted((a, b) => a.occurredAt - b.occurredAt)
  const { conversationId, occurredAt } = inOrder[0]!
  return {
    ...fact,
    confidence: Math.min(fact.confidence, ...sources.map(({ confidence }) => confidence)),
    metadata: { fact: fact.text, source_chatid: conversationId, first_seen: new Date(occurredAt).toISOString() },
    sourceIds: inOrder.map(({ id }) => id),
  }
}

/** Key and value when the sentence states exactly one fact of the user's that holds. */
function keyed(text: string): Pick<SemanticFact, 'key' | 'value'> {
  const facts = extractFacts(text, { who: 'user', now: 0 }).filter(({ about }) => about === 'user')
  const [fact] = facts
  return facts.length === 1 && fact?.standing === 'holds'
    ? { key: fact.key, value: fact.value }
    : { key: null, value: null }
}

function categoryOf(text: string, ground: SemanticGround): Category {
  if (ground === 'identity') return 'fact'
  if (speaksOfPreference(text)) return 'preference'
  return ground === 'habit' ? 'pattern' : 'fact'
}
