/**
 * Do two statements give the same value, another one, or values of different things? Compared by their facts, names and
 * words; that they speak of the same attribute was found before.
 */

import type { Fact } from '../../domain/thought.ts'
import { foldedText } from '../../text/duplicates.ts'
import { inContrast, textProfile } from '../similarity/rules.ts'
import { excludeEachOther } from './exclusive-values.ts'
import type { Overlap } from './overlap.ts'
import type { Profile } from './profile.ts'
import { conflicting } from './typed-values.ts'

/** Share of the newer statement's words that the older one has when it says the same again: what says more is no repetition. */
const REPEATED = 0.7

/** Where both give the same fact it may be said in other words, but not with as much again beside it. */
const BESIDE_FACT = 0.5

/** It says the same again. */
export function isRepeat(newer: Profile, older: Profile, overlap: Overlap): boolean {
  // Who denies it, or names another value beside it, does not say it again.
  if (
    newer.facts.some(({ standing }) => standing === 'ended') &&
    !older.facts.some(({ standing }) => standing === 'ended')
  )
    return false
  if (addsValue(newer, older) || conflicting(newer.values, older.values)) return false
  const repeated = overlap.terms.length / newer.terms.size
  const isSameFact = newer.facts.some((fact) => older.facts.some((other) => sameFact(fact, other)))
  if (isSameFact && !(repeated < BESIDE_FACT)) return true
  const shorter = Math.min(newer.terms.size, older.terms.size)
  if (shorter < 2 || repeated < REPEATED) return false
  if (newer.stance.ends && !older.stance.ends) return false
  const isNew = newer.stance.begins && !older.stance.begins && !newer.stance.past
  return !isNew && !inContrast(textProfile(newer.text), textProfile(older.text))
}

/** Both say it in the same words; case and marks at the end make no others. */
export function isWordForWord(newer: string, older: string): boolean {
  return wordsOnly(newer) === wordsOnly(older)
}

function wordsOnly(text: string): string {
  return foldedText(text).replace(/[\s\p{P}]{1,40}$/u, '')
}

/** Digits with what belongs to them: a telephone number, a version, a time, an address. */
const NUMBER = /\d[\d.:/-]*(?:\s{1,40}\d[\d.:/-]{0,40})*/g

/** The newer one gives a number or a name that the older one does not have: it is no mere repetition. */
function addsValue(newer: Profile, older: Profile): boolean {
  const known = new Set(numbersIn(older.text))
  if (numbersIn(newer.text).some((number) => !known.has(number))) return true
  const names = properNamesOf(newer)
  return [...names].some((name) => !older.text.toLowerCase().includes(name))
}

function numbersIn(text: string): readonly string[] {
  return (text.match(NUMBER) ?? []).map((number) => number.replace(/[^\d]+/g, ' ').trim())
}

function sameFact(a: Fact, b: Fact): boolean {
  return a.key === b.key && a.about === b.about && a.standing === b.standing && fold(a.value) === fold(b.value)
}

/** Each names somebody or something, and none of them both. */
export function differentNames(newer: Profile, older: Profile): boolean {
  const mine = properNamesOf(newer)
  const theirs = properNamesOf(older)
  return mine.size > 0 && theirs.size > 0 && ![...mine].some((name) => theirs.has(name))
}

/** Names with a capital, and Latin words among Chinese ones. */
function properNamesOf({ people, terms, han }: Profile): ReadonlySet<string> {
  return new Set([...people.names, ...(han ? [...terms].filter((term) => /^[a-z][a-z\d.+#-]+$/.test(term)) : [])])
}

/** Another value of the same key that has one value at a time. */
export function otherValue(newer: Profile, older: Profile): boolean {
  return newer.facts.some(
    (fact) =>
      fact.standing !== 'ended' &&
      older.facts.some(
        (other) =>
          other.key === fact.key &&
          isOnePerson(fact.about, other.about, older) &&
          (fact.single ? fold(other.value) !== fold(fact.value) : excludeEachOther(fact.key, fact.value, other.value)),
      ),
  )
}

/** "My brother Sam …", "Sam …": the one names whom the other calls by relation; "she" is whoever it was. */
function isOnePerson(about: string, before: string, { people }: Profile): boolean {
  if (about === before) return true
  return before !== 'user' && (about === 'someone' || people.names.has(about) || people.mentioned.has(about))
}

/** `offsite` and `team_offsite` are one: the same noun, once with what makes it particular. */
export function sameKey(a: string, b: string): boolean {
  return a === b || a.endsWith(`_${b}`) || b.endsWith(`_${a}`)
}

/** "My maths teacher", "my piano teacher": each has a key of its own for the same attribute. */
export function qualifiedApart(newer: readonly Fact[], older: readonly Fact[]): boolean {
  const apart = (fact: Fact, other: Fact): boolean =>
    fact.key !== other.key &&
    fact.key.includes('_') &&
    other.key.includes('_') &&
    lastPart(fact.key) === lastPart(other.key)
  return newer.some((fact) => older.some((other) => apart(fact, other)))
}

function lastPart(key: string): string {
  return key.slice(key.lastIndexOf('_') + 1)
}

function fold(value: string): string {
  return value.toLowerCase().replace(/[\s"'’.-]+/g, '')
}
