/**
 * How certain is it that a newer statement changes an older one? A small linear model weighs their overlap, the newer
 * one's words of change, and whether the older one is of a kind that can end.
 */
import { readOnce } from '../../domain/read-once.ts'
import { happenedOnce } from '../facts/happened.ts'
import { CERTAINTY_WEIGHTS } from './certainty-weights.ts'
import type { Overlap } from './overlap.ts'
import type { Profile } from './profile.ts'
import { conflicting } from './quantities.ts'

/** The weighed features by name; each is between -2 and 3. */
export type CertaintyFeatures = Readonly<Record<string, number>>

const DAY = 86_400_000
/** The days in which people go on about a matter without naming it. */
const LATELY = 7
/** The number from which everything is many. */
const MANY = 6
const LONG = 20
const MOST_SENTENCES = 4
/** Plans are not so yet, and requests are no state that could end. */
const PLANS =
  /\b(?:i['’]ll|i will|let['’]s|i['’]m (?:going|planning|trying|thinking|looking)|i(?:['’]d| would) like|i (?:want|need|should|hope|plan)|going to|gonna)\b|打算|准备|我想|计划|[要会]去/i
const ASKS =
  /[?？]|\b(?:can|could|would) you\b|\bhelp me\b|\bwhat (?:are|is|should)\b|\bhow (?:can|do|should)\b|怎么|如何|能不能|帮我/i
/** States: being, having or doing something, and the state of one's own things. */
const STATES =
  /\b(?:i|we)(?:['’]m| am| are|['’]re)? (?:\w{1,40}ly )?(?:work|live|use|drive|play|go|take|have|own|run|drink|eat|write|read|study|train|rent|keep|share|pay|wear|speak|am|do|teach|sing|bank|shop|cook|sleep|commute|walk|cycle|ride|wake|get up|start|host|deploy|store)\b|\b(?:my|our) [\w' -]{2,30} (?:is|are|runs?|lives?|works?|goes|costs?|starts?)\b|^我/i
const SENTENCE = /[.!?。！？]+\s*/

/** The features of a pair; `between`: milliseconds from the one to the other. */
export function certaintyFeatures(
  newer: Profile,
  older: Profile,
  overlap: Overlap,
  between: number,
): CertaintyFeatures {
  const { stance } = newer
  const change = clamped(stance.change)
  const age = Math.log1p(Math.max(0, between) / DAY) / 5
  const [mine, theirs] = [kindsOf(newer.text), kindsOf(older.text)]
  return {
    bias: 1,
    topics: Math.min(2, overlap.topicScore),
    terms: Math.min(2, overlap.termScore),
    'long term': flag(overlap.terms.some((term) => term.length > MANY || /\p{Script=Han}/u.test(term))),
    names: flag(overlap.names.length > 0),
    props: overlap.propScore,
    conflict: flag(conflicting(newer.values, older.values)),
    stated: flag(overlap.topics.some((topic) => older.stated.has(topic))),
    lately: Math.exp(-Math.max(0, between) / DAY / LATELY),
    age,
    change,
    ends: flag(stance.ends),
    corrects: flag(stance.corrects),
    'correction soon': flag(stance.corrects) * (1 - age),
    chinese: flag(newer.han),
    'names nothing': flag(newer.topics.size === 0) * change,
    'words of newer': Math.min(LONG, newer.terms.size) / LONG,
    'words of older': Math.min(LONG, older.terms.size) / LONG,
    plans: mine.plans,
    asks: mine.asks,
    sentences: mine.sentences,
    'older states': theirs.states,
    'older happened': theirs.happened,
    'older plans': theirs.plans,
    'older asks': theirs.asks,
    'older sentences': theirs.sentences,
  }
}

/** Log-odds that the older statement no longer holds as it was said, among the pairs of the trainer. */
export function certaintyOf(features: CertaintyFeatures): number {
  let sum = 0
  for (const name in features) sum += features[name]! * (CERTAINTY_WEIGHTS[name] ?? 0)
  return sum
}

interface Kinds {
  readonly plans: number
  readonly asks: number
  readonly states: number
  readonly happened: number
  readonly sentences: number
}

const kindsOf = readOnce(
  'kinds',
  (text): Kinds => ({
    plans: flag(PLANS.test(text)),
    asks: flag(ASKS.test(text)),
    states: flag(STATES.test(text)),
    happened: flag(happenedOnce(text)),
    sentences: Math.min(MOST_SENTENCES, text.split(SENTENCE).filter((part) => part.length > 1).length) / 2,
  }),
)

function clamped(change: number): number {
  return Math.max(-1.5, Math.min(1.5, change / 2))
}

function flag(value: boolean): number {
  return value ? 1 : 0
}
