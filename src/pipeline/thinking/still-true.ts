/**
 * What of an older memory still holds when a part of it has changed? Who moves to another city has not lost the cat that
 * was mentioned together with the old one: clauses that speak of something else stay in the user's own words, and facts
 * inside the clause that is over stay as key and value.
 */
import { deniedIn, givesValue } from '../../cognition/change/denied-values.ts'
import { conflicting, typedValues } from '../../cognition/change/typed-values.ts'
import { clausesOf } from '../../cognition/facts/clauses.ts'
import { extractFacts } from '../../cognition/facts/extract-facts.ts'
import { OWN_SUBJECT, withSubject } from '../../cognition/facts/own-subject.ts'
import { peopleOf } from '../../cognition/facts/people.ts'
import { plainTopics, topicsOf } from '../../cognition/facts/topics.ts'
import { clippedThing } from '../../cognition/reconsolidate/told-again.ts'
import type { Memory } from '../../domain/memory.ts'
import type { Fact } from '../../domain/thought.ts'

/** Field of a memory's metadata: id of the memory of which it is what still holds. */
export const DERIVED_FROM = 'derived_from'

/** What is left of a memory, as memories to be stored; empty when all of it is over. `touched`: the subjects that changed. */
export function stillTrue(older: Memory, touched: ReadonlySet<string>): readonly Omit<Memory, 'id'>[] {
  const isTouched = (subjects: readonly string[]): boolean => subjects.some((subject) => touched.has(subject))
  const clauses = cut(older).map((text) => ({
    text,
    facts: factsOf(text, older),
    subjects: subjectsOf(text, older),
  }))
  const over = clauses.filter(({ subjects }) => isTouched(subjects))
  // Where nothing of it was touched by name, the whole of it is over.
  if (over.length === 0) return []
  const left = clauses
    .filter(({ subjects }) => !isTouched(subjects))
    .map(({ text, facts, subjects }) => remainder(older, withSubject(text, older.text), facts[0] ?? null, subjects))
  const told = over
    .flatMap(({ facts }) => facts.filter((fact) => isAnotherValue(fact, facts, touched)))
    .filter(({ standing }) => standing === 'holds')
    .map((fact) => remainder(older, `${fact.key.replaceAll('_', ' ')}: ${fact.value}`, fact, [fact.key]))
  return [...left, ...told]
}

/** The clauses that can stand alone, each with the subject that was said before it. */
export function clausesIn(said: Spoken): readonly string[] {
  return cut(said).map((clause) => withSubject(clause, said.text))
}

/** A text, who it is about, and when it was said. */
type Spoken = Pick<Memory, 'text' | 'who' | 'createdAt'>

function cut(said: Spoken): readonly string[] {
  return clausesOf(said.text, (next, before) => standsAlone(next, before, said))
}

/**
 * What is left of a memory when a correction puts one value in it right: all but the clauses that give that value, as one
 * memory in the user's words. null when no clause gives it, or every one does.
 */
export function besideCorrected(older: Memory, correction: Memory['text']): readonly Omit<Memory, 'id'>[] | null {
  const marks = clausesOf(older.text, () => true)
  const [values, denied] = [typedValues(correction), deniedIn(correction)]
  const isOver = (clause: string): boolean =>
    conflicting(values, typedValues(clause)) || denied.some((value) => givesValue(clause, value))
  const over = marks.filter(isOver)
  if (over.length === 0 || over.length === marks.length) return null
  let text = older.text
  for (const clause of over) text = text.replace(clause, '')
  const left = text.replace(/^[\s,，;；.。]+|([,，;；。])[\s,，;；。]*(?=[,，;；。])|[\s,，;；]+$/gu, '').trim()
  return [remainder(older, left, factsOf(left, older)[0] ?? null, subjectsOf(left, older))]
}

/** Beside the value that is over: the same words under a second key say nothing more, nor does a value where none is over. */
function isAnotherValue({ key, value }: Fact, facts: readonly Fact[], touched: ReadonlySet<string>): boolean {
  if (touched.has(key)) return false
  const over = facts.filter((fact) => touched.has(fact.key))
  return over.length > 0 && over.every((fact) => !fact.value.includes(value) && !value.includes(fact.value))
}

/** A clause without a person of its own belongs to the one before it, unless both plainly speak of different things. */
function standsAlone(next: string, before: string, older: Spoken): boolean {
  if (OWN_SUBJECT.test(next) || peopleOf(next).mentioned.size > 0) return true
  // 女朋友是护士，三班倒: it goes on about her.
  if (/\p{Script=Han}/u.test(next) && !peopleOf(before).subjects.has('user')) return false
  const [mine, theirs] = [subjectsOf(next, older), subjectsOf(before, older)]
  return mine.length > 0 && theirs.length > 0 && !mine.some((subject) => theirs.includes(subject))
}

function factsOf(text: string, { who, createdAt }: Spoken): readonly Fact[] {
  return extractFacts(text, { who: who ?? 'user', now: createdAt })
}

/** What a clause plainly speaks of. */
function subjectsOf(text: string, older: Spoken): readonly string[] {
  const named = plainTopics(topicsOf(text))
  return [...new Set([...factsOf(text, older).map(({ key }) => key), ...named])]
}

function remainder(older: Memory, text: string, fact: Fact | null, subjects: readonly string[]): Omit<Memory, 'id'> {
  return {
    ...older,
    memoryType: 'semantic',
    text,
    category: fact?.category ?? older.category,
    key: fact?.key ?? null,
    value: fact?.value ?? null,
    tags: subjects,
    who: fact?.about ?? older.who,
    accessCount: 0,
    lastAccessed: null,
    externalId: null,
    suspect: null,
    // What it is about is told in its own words: those of the other clause may be deleted.
    metadata: {
      ...older.metadata,
      ...(typeof older.metadata?.thing === 'string' ? { thing: clippedThing(text) } : {}),
      [DERIVED_FROM]: older.id,
    },
  }
}
