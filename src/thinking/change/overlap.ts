/** How much do two statements speak of the same thing? Shared topics, shared content words, shared names; 0 for nothing. */
import { slotNamed } from '../facts/topics.ts'
import { isPerson, type Profile } from './statement-parts.ts'

/** The overlap of two statements. */
export interface Overlap {
  /** Topics that both name, the one of the newer statement first. */
  readonly topics: readonly string[]
  /** Topics that at least one of them only hints at. */
  readonly hints: readonly string[]
  /** Whether one of them has one value at a time. */
  readonly single: boolean
  readonly terms: readonly string[]
  /** A name that both mention. */
  readonly names: readonly string[]
  /** How plainly the newer one names things that go with the older one's subject, 0 to 2. */
  readonly propScore: number
  readonly topicScore: number
  readonly termScore: number
}

/** The weight of a shared content word; two or three make a subject. */
const ENGLISH_TERM = 0.3
/** Long words are rare ones: each letter of a stem beyond four adds this, up to four letters. */
const RARER_PER_LETTER = 0.1
const HAN_PAIR = 0.4
/** A Latin word in a Chinese sentence is a name: Redis, Copilot. */
const LATIN_AMONG_HAN = 0.8
const TRANSLATED = 0.4
const NAME = 0.8
/** The least weight of a topic that is not only touched on. */
const NAMED_TOPIC = 1
/** The weight of a shared topic: both give its value, one does, both only name it, one only hints at it. */
const TOPIC = { both: 1, one: 0.8, named: 0.6, hinted: 0.25 } as const
/** The weight of naming one's wife or child: it tells the person, not a fact about them. */
const PERSON_NAMED = 0.3
const FEW_TOPICS = 3
/** Attributes that very many words speak of: to name them is little. */
const BROAD: ReadonlySet<string> = new Set(
  'backend job monitoring deploy_tool diet home branch accessory employer environment scripts programming_language'.split(
    ' ',
  ),
)
const BROADLY_NAMED = 0.4
/** Each further shared topic adds this much of its own. */
const FURTHER_TOPIC = 0.4

/** Compares two profiles. */
export function overlapOf(newer: Profile, older: Profile): Overlap {
  const shared = [...newer.topics].filter(([topic]) => older.topics.has(topic))
  // An attribute whose value either gives is spoken of; others are only words of it.
  const given = shared.filter(([topic]) => [...newer.facts, ...older.facts].some(({ key }) => key === topic))
  const topics = shared.filter(([topic, weight]) => Math.min(weight, older.topics.get(topic)!) >= NAMED_TOPIC)
  const terms = inBoth(newer.terms, older.terms)
  const translated = inBoth(newer.translated, older.terms).filter((term) => !newer.terms.has(term))
  // Names are often typed small.
  const isNamed = (name: string): boolean => newer.people.names.has(name) || newer.terms.has(name)
  const names = [...older.people.names].filter(isNamed)
  const titles = [...newer.titles].filter((title) => older.text.includes(title)).length
  const named = [...older.titles].filter((title) => newer.text.includes(title)).length
  const amongHan = newer.han && older.han
  const evidence = shared.map(([topic, weight]) => topicEvidence(topic, weight, newer, older)).sort((a, b) => b - a)
  const termScore =
    terms.reduce((sum, term) => sum + termWeight(term, amongHan), 0) +
    translated.length * TRANSLATED +
    names.length * (NAME - ENGLISH_TERM) +
    Math.max(titles, named) * NAME
  return {
    topics: topics.map(([topic]) => topic),
    hints: shared.map(([topic]) => topic).filter((topic) => !topics.some(([named]) => named === topic)),
    single: (given.length > 0 ? given : shared).some(([topic]) => slotNamed(topic)?.single ?? true),
    terms: [...terms, ...translated],
    names,
    propScore: propEvidence(newer, older),
    topicScore: evidence.reduce((sum, value, index) => sum + value * (index === 0 ? 1 : FURTHER_TOPIC), 0),
    termScore,
  }
}

/** As `intersection`, in the order of the first. */
function inBoth(mine: ReadonlySet<string>, theirs: ReadonlySet<string>): string[] {
  const both: string[] = []
  for (const one of mine) if (theirs.has(one)) both.push(one)
  return both
}

/** Log-odds of a change from which several things named may tell of it, and from which one may. */
export const PERHAPS_CHANGE = -1.6
const LIKELY_CHANGE = -0.5
const SEVERAL_THINGS = 2

/** Only a changeable topic is told by its things. */
function propEvidence(newer: Profile, { topics, stated }: Profile): number {
  const { ends, replaces, begins, change } = newer.stance
  if (newer.props.size === 0 || (!ends && !replaces && !begins && change < PERHAPS_CHANGE)) return 0
  let most = 0
  // A statement of many things is not changed by one that it only touches on.
  const few = [...topics.values()].filter((weight) => weight >= NAMED_TOPIC).length <= FEW_TOPICS
  const least = ends || replaces || begins || change >= LIKELY_CHANGE ? 0 : SEVERAL_THINGS
  for (const [topic, weight] of newer.props)
    if (weight >= least && (topics.get(topic) ?? 0) >= NAMED_TOPIC && (few || stated.has(topic)))
      most = Math.max(most, weight)
  return most
}

function topicEvidence(topic: string, weight: number, newer: Profile, older: Profile): number {
  if (Math.min(weight, older.topics.get(topic)!) < NAMED_TOPIC) return TOPIC.hinted
  if (isPerson(topic) && !older.stated.has(topic)) return PERSON_NAMED
  const stating = Number(newer.stated.has(topic)) + Number(older.stated.has(topic))
  if (stating === 0) return BROAD.has(topic) ? BROADLY_NAMED : TOPIC.named
  return stating === 2 ? TOPIC.both : TOPIC.one
}

function termWeight(term: string, amongHan: boolean): number {
  if (/^\p{Script=Han}/u.test(term)) return HAN_PAIR
  if (amongHan && term.length > 2) return LATIN_AMONG_HAN
  return ENGLISH_TERM + RARER_PER_LETTER * Math.max(0, Math.min(4, term.length - 4))
}
