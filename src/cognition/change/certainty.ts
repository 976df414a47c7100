/**
 * How certain is it that a newer statement changes an older one? A small linear model over what both show: what the words
 * said (`relate.ts`), how much they share, how likely the newer one tells of a change. Rules find who may be meant; this
 * weighs it, so that faint likeness alone ends nothing and plain news is not passed over.
 */
import { relativesOf } from '../facts/families.ts'
import { plainTopics, slotNamed } from '../facts/topics.ts'
import { CERTAINTY_WEIGHTS } from './certainty-weights.ts'
import { differentNames } from './compare-values.ts'
import { countedOtherwise, numberBeside } from './counts.ts'
import { givesOne, givesValue } from './denied-values.ts'
import { restingOn } from './dependents.ts'
import type { Overlap } from './overlap.ts'
import { isPerson, type Profile } from './profile.ts'
import { samePerson } from './same-person.ts'
import type { Relation } from './statement.ts'
import { conflicting } from './typed-values.ts'

/** What is weighed, by name; each is between -2 and 3. */
export type CertaintyFeatures = Readonly<Record<string, number>>

const CHANGES: ReadonlySet<Relation> = new Set(['supersedes', 'ends', 'corrects'])
const GOES_ON = /\b(?:it|she|he|they|them|her|him)\b|[他她它]|人家/i
const DAY = 86_400_000
/** Of what was said so lately one goes on to speak without naming it; days. */
const LATELY = 7
/** What was said in the same sitting is rarely over already; days. */
const SITTING = 1 / 24
/** Beyond this many everything is many. */
const MANY = 6
const LONG = 20

/** The features of a pair; `days`: milliseconds between the statements. */
export function certaintyFeatures(
  newer: Profile,
  older: Profile,
  overlap: Overlap,
  relation: Relation,
  between: number,
): CertaintyFeatures {
  const { stance } = newer
  const change = Math.max(-1.5, Math.min(1.5, stance.change / 2))
  const topics = Math.min(2, overlap.topicScore)
  const terms = Math.min(2, overlap.termScore)
  const age = Math.log1p(Math.max(0, between) / DAY) / 5
  const related = flag(areRelatives(newer, older))
  const lately = Math.exp(-Math.max(0, between) / DAY / LATELY)
  const justNow = Math.exp(-Math.max(0, between) / DAY / SITTING)
  const otherName = flag(differentNames(newer, older))
  const denies = flag(newer.denied.some((value) => givesValue(older.text, value)))
  const named = flag(overlap.names.length > 0)
  const begins = flag(stance.begins)
  const ends = flag(stance.ends)
  const gives = flag(givesOne(newer.text))
  const value = flag([...older.valueTerms].some((term) => newer.terms.has(term)))
  const beside = flag(numberBeside(newer, older))
  const counted = flag(countedOtherwise(newer, older))
  const shared = overlap.terms.some((term) => term.length > MANY || /\p{Script=Han}/u.test(term))
  return {
    bias: 1,
    chinese: flag(newer.han),
    change,
    topics,
    terms,
    'long term': flag(shared),
    'some terms': Math.min(3, overlap.terms.length) / 3,
    names: named,
    'change of names': change * named,
    'end of names': ends * named,
    'props of names': overlap.propScore * Math.max(named, Math.min(1, terms)),
    'its value': value,
    'change of its value': change * value,
    'end of its value': ends * value,
    'other number beside': beside,
    'counted otherwise': counted,
    'change of count': change * counted,
    'change of hints': change * Math.min(2, overlap.hints.length),
    relatives: related,
    props: overlap.propScore,
    rests: flag([...newer.topics.keys()].some((topic) => restingOn(topic, older.topics.keys()) !== null)),
    'topics of newer': Math.min(MANY, newer.topics.size) / MANY,
    'topics of older': Math.min(MANY, older.topics.size) / MANY,
    hints: Math.min(2, overlap.hints.length) / 2,
    'goes on': flag(GOES_ON.test(newer.text)),
    age,
    begins,
    replaces: flag(stance.replaces),
    ends,
    corrects: flag(stance.corrects),
    mistaken: flag(stance.mistaken),
    past: flag(stance.past),
    adds: flag(stance.adds),
    hedged: flag(stance.hedged),
    'older past': flag(older.stance.past),
    'older changes': Math.max(-1.5, Math.min(1.5, older.stance.change / 2)),
    'change of topics': change * topics,
    'change of terms': change * terms,
    'change of relatives': change * related,
    'other name': otherName,
    'change to other name': change * otherName,
    'begin of terms': begins * terms,
    'another person': flag(!samePerson(newer, older, overlap)),
    lately,
    'change lately': change * lately,
    'just now': justNow,
    'change just now': change * justNow,
    'end just now': ends * justNow,
    'replaces just now': flag(stance.replaces) * justNow,
    'corrects just now': flag(stance.corrects) * justNow,
    'said to change just now': flag(CHANGES.has(relation)) * justNow,
    'said to be in doubt just now': flag(relation === 'doubts') * justNow,
    denies,
    'denies lately': denies * lately,
    'gives one': gives,
    'gives one lately': gives * lately,
    'names nothing': flag(newer.topics.size === 0) * change,
    'change of props': change * overlap.propScore,
    'end of props': ends * overlap.propScore,
    'end of terms': ends * terms,
    'begin of topics': begins * topics,
    'correction soon': flag(stance.corrects) * (1 - age),
    conflict: flag(conflicting(newer.values, older.values)),
    single: flag(overlap.topics.some((topic) => !isPerson(topic) && (slotNamed(topic)?.single ?? false))),
    stated: flag(overlap.topics.some((topic) => older.stated.has(topic))),
    'both stated': flag(overlap.topics.some((topic) => older.stated.has(topic) && newer.stated.has(topic))),
    'words of newer': Math.min(LONG, newer.terms.size) / LONG,
    'words of older': Math.min(LONG, older.terms.size) / LONG,
    'said to change': flag(CHANGES.has(relation)),
    'said to be in doubt': flag(relation === 'doubts'),
    'said to add': flag(relation === 'adds'),
  }
}

/** Log-odds that the older statement no longer holds as it was said, among the pairs of the trainer. */
export function certaintyOf(features: CertaintyFeatures): number {
  let sum = 0
  for (const name in features) sum += features[name]! * (CERTAINTY_WEIGHTS[name] ?? 0)
  return sum
}

function areRelatives({ topics }: Profile, older: Profile): boolean {
  const relatives = relativesOf(plainTopics(topics))
  return relatives.some((topic) => (older.topics.get(topic) ?? 0) >= 1)
}

function flag(value: boolean): number {
  return value ? 1 : 0
}
