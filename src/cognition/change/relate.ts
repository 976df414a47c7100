/**
 * What does a newer statement do to an older one, or to several? The words decide, a small model weighs whether that is
 * likely, and doubt falls on what rests on that which has changed.
 */
import { bearersApart } from './bearers.ts'
import { type CertaintyFeatures, certaintyFeatures, certaintyOf } from './certainty.ts'
import { countedOtherwise, numberBeside } from './counts.ts'
import { BY_THINGS, decideByWords, isOnlyNamed, subjectOf, tellsElse } from './decide-by-words.ts'
import { givesValue } from './denied-values.ts'
import { restsOnChanged } from './doubts.ts'
import { endsAnotherByName, endsAnotherThing, endsPartOfWhole } from './ends.ts'
import { meantBy } from './meant.ts'
import { happenedAgain } from './occasions.ts'
import { holdsOtherKey } from './other-key.ts'
import { type Overlap, overlapOf } from './overlap.ts'
import { isPerson, type Profile, profileOf } from './profile.ts'
import { samePerson } from './same-person.ts'
import type { Related, Relation, Statement } from './statement.ts'
import { conflicting } from './typed-values.ts'

/** Share of the strength of the plainest change below which another one is not meant. */
const MUCH_LESS = 0.6
/** A statement of more attributes is about none of them alone. */
const FEW = 2
/** Certainty below which a change is not believed; log-odds. Of pairs of real chats 0.3 % are above it (`bench/training/change.ts`). */
const HARDLY = -0.5
/** And below which what names nothing does not mean what was said last. */
const MEANT = 0
/** Where only a name is shared: of a person one tells many things. */
const OF_NAMED = 1
/** Certainty from which it may have changed although no word tells of it. */
const LIKELY = 0.3
/** Log-odds less than those of the likeliest by which another one may be meant as well, and how many of them may be. */
const MARGIN = 0.5
const MOST_ALIKE = 2
/** So much more certain it must be where the words speak of different people. */
const DESPITE_PERSON = 1

/** The relation of two statements; `none` when the newer one says nothing about the older one. */
export function relate(newer: Statement, older: Statement): Related {
  return compare(newer, older).related
}

/**
 * The relations of one newer statement to several older ones, in their order. Doubt falls only on what rests on an
 * attribute that this very statement changed.
 */
export function relateAll(newer: Statement, olders: readonly Statement[]): readonly Related[] {
  const compared = onlyLikeliest(onlyPlainest(olders.map((older) => compare(newer, older))))
  const meant = compared.some(({ related }) => isChange(related.relation) || related.relation === 'corrects')
    ? null
    : meantBy(newer, olders)
  if (meant !== null && certaintyBetween(newer, olders[meant.at]!) > (meant.plainly ? HARDLY : MEANT))
    compared[meant.at] = {
      ...compared[meant.at]!,
      related: {
        relation: meant.plainly ? 'corrects' : 'doubts',
        reason: 'it puts right what was said just before',
        sameMatter: true,
        strength: meant.plainly ? 0.5 : 0.3,
      },
    }
  const replaced = compared.filter(({ related }) => isChange(related.relation))
  const perhaps = profileOf(newer).stance.replaces ? compared.filter(({ related }) => related.sameMatter === true) : []
  // What was only named along the way has not changed: a house rule moves nobody.
  const changed = new Set([...replaced, ...perhaps].flatMap((one) => (one.stated.length > 0 ? one.stated : one.plain)))
  const statedElsewhere = replaced.some(({ stated }) => stated.length > 0)
  return compared.map((one, at) => {
    const { related } = one
    if (related.relation === 'same' || related.relation === 'corrects') return related
    if (isChange(related.relation)) return onlyMentions(one, statedElsewhere) ? mentioned(one) : related
    // Another memory is plainly meant: its things are not those of this one.
    if (related.sameMatter === true && !(replaced.length > 0 && related.strength <= BY_THINGS)) return related
    return restsOnChanged(changed, newer, olders[at]!) ?? (related.sameMatter === true ? ANOTHER_IS_MEANT : related)
  })
}

/** Of several that it might change, those are meant for which much less speaks than for another are not. */
function onlyPlainest(compared: readonly Compared[]): Compared[] {
  const ends = ({ related: { relation } }: Compared): boolean => isChange(relation) || relation === 'corrects'
  const most = Math.max(0, ...compared.filter(ends).map(({ related }) => related.strength))
  return compared.map((one) =>
    ends(one) && one.related.strength < MUCH_LESS * most
      ? { ...one, related: { relation: 'adds', reason: 'another is meant', strength: one.related.strength } }
      : one,
  )
}

/**
 * Of several that it may have changed without a word of it, the likeliest is meant, and those that are hardly less likely; where
 * all that one speaks of is alike, as in a chat about one matter, none is.
 */
function onlyLikeliest(compared: Compared[]): Compared[] {
  const perhaps = compared.filter(({ likely }) => likely !== undefined).sort((a, b) => b.likely! - a.likely!)
  if (perhaps.length < 2) return compared
  const nearly = perhaps.filter(({ likely }) => likely! > perhaps[0]!.likely! - MARGIN)
  const meant = nearly.length > MOST_ALIKE ? [] : nearly
  return compared.map((one) =>
    one.likely === undefined || meant.includes(one) ? one : { ...one, related: ANOTHER_IS_MEANT },
  )
}

/** Another statement gives the value of what has changed; this one only speaks of it. */
function onlyMentions({ related, stated }: Compared, statedElsewhere: boolean): boolean {
  return isChange(related.relation) && stated.length === 0 && statedElsewhere
}

function mentioned({ related, changed }: Compared): Related {
  const reason = `it speaks of what has changed (${changed.map((topic) => topic.replaceAll('_', ' ')).join(', ')})`
  return { relation: 'doubts', reason, strength: related.strength / 2 }
}

function isChange(relation: Relation): boolean {
  return relation === 'supersedes' || relation === 'ends'
}

const OTHER_KEY: Related = { relation: 'none', reason: 'it is the key of another service', strength: 0 }
const ANOTHER_IS_MEANT: Related = { relation: 'none', reason: 'another is meant', strength: 0 }

interface Compared {
  readonly related: Related
  /** Attributes of the older statement that the newer one changed. */
  readonly changed: readonly string[]
  /** Those of them whose value the older statement gives. */
  readonly stated: readonly string[]
  /** Those of them of which it says little else. */
  readonly plain: readonly string[]
  /** Log-odds of the change where nothing but those tells of it. */
  readonly likely?: number
}

/** What is weighed of a pair of statements; for the trainer. */
export function weighedOf(newerStatement: Statement, olderStatement: Statement): CertaintyFeatures {
  const newer = profileOf(newerStatement)
  const older = profileOf(olderStatement)
  const overlap = overlapOf(newer, older)
  const between = newerStatement.occurredAt - olderStatement.occurredAt
  return certaintyFeatures(newer, older, overlap, decideByWords(newer, older, overlap).relation, between)
}

/** How certain it is that the one changes the other. */
function certaintyBetween(newer: Statement, older: Statement): number {
  return certaintyOf(weighedOf(newer, older))
}

function compare(newerStatement: Statement, olderStatement: Statement): Compared {
  const newer = profileOf(newerStatement)
  const older = profileOf(olderStatement)
  const overlap = overlapOf(newer, older)
  const { likely, ...words } = weighed(
    newer,
    older,
    overlap,
    decideByWords(newer, older, overlap),
    newerStatement.occurredAt - olderStatement.occurredAt,
  )
  const decided =
    (isChange(words.relation) || words.relation === 'doubts') && holdsOtherKey(newer.text, older.text)
      ? OTHER_KEY
      : words
  const again = decided.relation === 'same' && happenedAgain(newerStatement, olderStatement)
  const related: Related = again ? { ...decided, relation: 'adds', reason: 'it has happened again' } : decided
  const changed = overlap.topics.length > 0 ? overlap.topics : [...older.topics.keys()]
  const stated = changed.filter(
    (topic) => older.stated.has(topic) && (!isPerson(topic) || overlap.topics.includes(topic)),
  )
  const named = [...older.topics].filter(([topic, weight]) => weight >= 1 && !isPerson(topic))
  return {
    related,
    changed,
    stated,
    plain: named.length <= FEW ? changed : [],
    ...(likely === undefined ? {} : { likely }),
  }
}

/** Something ties the two together: a subject, a word, a name, a thing that goes with it, a value that is denied. */
function isTied(newer: Profile, older: Profile, { topics, hints, terms, names, propScore }: Overlap): boolean {
  return (
    topics.length + hints.length + terms.length + names.length > 0 ||
    propScore > 0 ||
    conflicting(newer.values, older.values) ||
    countedOtherwise(newer, older) ||
    numberBeside(newer, older) ||
    newer.denied.some((value) => givesValue(older.text, value))
  )
}

/** It does not begin with somebody else. */
function opensWithUser({ people }: Profile): boolean {
  return people.clauses[0]?.subjects.has('user') ?? true
}

/** The relation as the words decide it, unless that is hardly, or in spite of them very, likely. */
function weighed(
  newer: Profile,
  older: Profile,
  overlap: Overlap,
  decided: Related,
  between: number,
): Related & { readonly likely?: number } {
  const { relation } = decided
  if (relation === 'same') return decided
  const features = certaintyFeatures(newer, older, overlap, relation, between)
  const certainty = certaintyOf(features)
  if (relation !== 'none' && relation !== 'adds') {
    // Two values of one attribute, each checked by its kind, speak for themselves.
    const plain = features['both stated'] === 1
    return plain || certainty > (isOnlyNamed(overlap) ? OF_NAMED : HARDLY)
      ? decided
      : { ...decided, relation: 'adds', reason: 'it hardly speaks of the same' }
  }
  const { stance } = newer
  if (certainty < LIKELY || stance.past || stance.unreal || older.stance.past) return decided
  // Whom it is about is not always said: only what speaks very plainly of the same is about the same person all the same.
  if (!isTied(newer, older, overlap) || tellsElse(newer, older, overlap)) return decided
  const isOpen = opensWithUser(newer) || stance.corrects
  if (!(isOpen && certainty >= LIKELY + DESPITE_PERSON) && !samePerson(newer, older, overlap)) return decided
  if (bearersApart(newer, older, overlap.topics)) return decided
  if (stance.ends && (endsAnotherByName(newer, older) || endsPartOfWhole(newer, older))) return decided
  if (stance.ends && isOnlyNamed(overlap) && endsAnotherThing(newer, older)) return decided
  return {
    relation: 'doubts',
    reason: `it may have changed${subjectOf(overlap)}`,
    sameMatter: true,
    strength: 0.3,
    likely: certainty,
  }
}
