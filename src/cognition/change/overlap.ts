/** How much do two statements speak of the same thing? Shared topics, shared content words, shared names; 0 for nothing. */
import { slotNamed } from '../facts/topics.ts'
import type { Profile } from './profile.ts'

/** What two statements share. */
export interface Overlap {
  /** Topics that both name, the one of the newer statement first. */
  readonly topics: readonly string[]
  /** Topics that at least one of them only hints at. */
  readonly hints: readonly string[]
  /** One of them has one value at a time. */
  readonly single: boolean
  readonly terms: readonly string[]
  /** A name that both mention. */
  readonly names: readonly string[]
  readonly topicScore: number
  readonly termScore: number
}

/** What a shared content word counts; two make a subject. */
const ENGLISH_TERM = 0.5
/** Long words are rare ones: each letter of a stem beyond four adds this, up to four letters. */
const RARER_PER_LETTER = 0.1
const HAN_PAIR = 0.45
const TRANSLATED = 0.4
const NAME = 0.8
/** Below this a shared topic is only touched on. */
const NAMED_TOPIC = 1

/** Compares two profiles. */
export function overlapOf(newer: Profile, older: Profile): Overlap {
  const shared = [...newer.topics].filter(([topic]) => older.topics.has(topic))
  const topics = shared.filter(([topic, weight]) => Math.min(weight, older.topics.get(topic)!) >= NAMED_TOPIC)
  const terms = [...newer.terms].filter((term) => older.terms.has(term))
  const translated = [...newer.translated].filter((term) => older.terms.has(term) && !newer.terms.has(term))
  const names = [...newer.people.names].filter((name) => older.people.names.has(name))
  const termScore =
    terms.reduce((sum, term) => sum + termWeight(term), 0) +
    translated.length * TRANSLATED +
    names.length * (NAME - ENGLISH_TERM)
  return {
    topics: topics.map(([topic]) => topic),
    hints: shared.map(([topic]) => topic).filter((topic) => !topics.some(([named]) => named === topic)),
    single: shared.some(([topic]) => slotNamed(topic)?.single ?? true),
    terms: [...terms, ...translated],
    names,
    topicScore: shared.reduce((sum, [topic, weight]) => sum + Math.min(weight, older.topics.get(topic)!), 0),
    termScore,
  }
}

function termWeight(term: string): number {
  if (/^\p{Script=Han}/u.test(term)) return HAN_PAIR
  return ENGLISH_TERM + RARER_PER_LETTER * Math.max(0, Math.min(4, term.length - 4))
}
