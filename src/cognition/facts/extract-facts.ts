/**
 * What does a user's sentence say as key and value? Forms of known slots first, then generic ones whose key is their
 * own noun. A question, a wish, a hypothesis and hearsay give nothing.
 */
import type { Fact } from '../../domain/thought.ts'
import { splitSentences } from '../../text/sentences.ts'
import { clausesOf } from './clauses.ts'
import { denies } from './denied.ts'
import { FORMS } from './forms.ts'
import { statedIn } from './generic-forms.ts'
import { ownName } from './own-name.ts'
import { PRONOUN_SUBJECT, peopleOf } from './people.ts'
import { isPastClause, isPresentBeside, type Stance, stanceOf } from './stance.ts'
import { slotNamed } from './topics.ts'
import { asWritten, joinMarks } from './whole-values.ts'

/** Who speaks and when. */
export interface ExtractOptions {
  /** Whose words they are: `user`, or the name of a speaker. */
  readonly who: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** 000: what the user states in so many words has at least 0.9. */
const STATED = 0.95
const STATED_LOOSELY = 0.9
const HEDGED = 0.6
/** Facts read from one text; a longer text is no statement of facts. */
const MOST_FACTS = 24
const LONGEST_SENTENCE = 600
/** Attributes that only people have. */
const OF_PEOPLE: ReadonlySet<string> = new Set(['home', 'employer', 'job', 'hometown', 'age', 'school', 'major'])
/** "The owl …", "my office …": a clause about a thing, unless the thing is the attribute itself. */
const THING =
  /^(?:the|an?|this|that|these|those|our|my|in the \w+[^,]*,? the)\s+(?!(?:new |current |old )?(?:name|age|job|home|house|flat|apartment|address|place|employer|work|hometown|school|university|college|major|title|profession|family)\b)/i
/** Attributes of which a denial is the value: who eats no meat says what they eat. */
const SAID_BY_DENIAL: ReadonlySet<string> = new Set(['diet', 'allergy', 'preference', 'dislike', 'religion'])

/** Facts in the order of the text, each key once a sentence. */
export function extractFacts(text: string, { who }: ExtractOptions): readonly Fact[] {
  const facts: Fact[] = []
  for (const sentence of splitSentences(text)) {
    if (sentence.length > LONGEST_SENTENCE || facts.length >= MOST_FACTS) continue
    const stance = stanceOf(sentence)
    if (stance.unreal) continue
    facts.push(...factsOf(joinMarks(sentence), stance, who).map((fact) => ({ ...fact, text: sentence })))
  }
  return facts.slice(0, MOST_FACTS)
}

function factsOf(sentence: string, stance: Stance, who: string): readonly Fact[] {
  const found = new Map<string, Fact>()
  const clauses = clausesOf(sentence)
  const presentBeside = isPresentBeside(sentence)
  const keep = (
    key: string,
    value: string,
    preference: boolean,
    stated: number,
    clause: string,
    about = aboutWhom(sentence, value, who),
  ): void => {
    const cleaned = tidy(asWritten(value))
    const denied = clauses.length > 0 && !SAID_BY_DENIAL.has(key) && denies(clause)
    // What is denied and what holds instead are two facts of one key.
    const name = denied ? `${key} denied` : key
    if (cleaned === '' || found.has(name) || (OF_PEOPLE.has(key) && isAboutThing(clause))) return
    const slot = slotNamed(key)
    found.set(name, {
      category: preference ? 'preference' : (slot?.category ?? 'fact'),
      key,
      value: cleaned,
      about,
      standing: denied
        ? 'ended'
        : presentBeside && isPastClause(clause)
          ? 'held'
          : standingOf(stance, denies(sentence)),
      single: slot?.single ?? key !== 'preference',
      text: sentence,
      confidence: stance.hedged ? HEDGED : stated,
      source: stance.hedged ? 'inferred' : 'user_stated',
    })
  }
  const name = ownName(sentence)
  if (name !== null) keep('name', name, false, STATED, clauses[0] ?? sentence, who)
  for (const { key, pattern } of FORMS) {
    const whole = pattern.exec(sentence)?.groups?.v
    if (whole === undefined) continue
    keep(key, whole, false, STATED, clauses.find((clause) => clause.includes(whole)) ?? sentence)
    for (const clause of clauses) {
      const value = denies(sentence) ? pattern.exec(clause)?.groups?.v : undefined
      if (value !== undefined) keep(key, value, false, STATED, clause)
    }
  }
  for (const clause of sentence.split(/[,，;；。!！]\s*/)) {
    const stated = statedIn(clause)
    if (stated !== null) keep(stated.key, stated.value, stated.preference, STATED_LOOSELY, clause)
  }
  const age = found.get('age')
  if (age?.about === who && isAgeOfPet(sentence, found)) found.set('age', { ...age, about: 'pet' })
  return [...found.values()]
}

/** 我养了只猫，四岁: the clause with the age goes on about the pet. */
function isAgeOfPet(sentence: string, found: ReadonlyMap<string, Fact>): boolean {
  const [pet, age] = [found.get('pet')?.value ?? '', found.get('age')?.value ?? '']
  const at = sentence.indexOf(pet)
  const between = sentence.slice(at + pet.length, sentence.indexOf(age))
  return pet !== '' && at < sentence.indexOf(age) && !/我|俺|\bI\b|\bi['’]?m\b/.test(between)
}

/** The clause begins with a thing and names no person. */
function isAboutThing(clause: string): boolean {
  return THING.test(clause) && peopleOf(clause).mentioned.size === 0
}

/** `deniesPart`: the end that the sentence speaks of is told by a clause of its own. */
function standingOf(stance: Stance, deniesPart: boolean): Fact['standing'] {
  if (stance.corrects) return 'corrects'
  if (stance.past) return 'held'
  return stance.ends && !stance.begins && !deniesPart ? 'ended' : 'holds'
}

/** The subject of the clause that has the value: a relation or a name, else whoever speaks. */
function aboutWhom(sentence: string, value: string, who: string): string {
  const { clauses, subjects: all } = peopleOf(sentence)
  const subjects = clauses.find(({ text }) => text.includes(value))?.subjects ?? all
  if (subjects.has('user')) return who
  const [subject = who] = subjects
  return subject === PRONOUN_SUBJECT ? 'someone' : subject
}

function tidy(value: string): string {
  return value
    .trim()
    .replace(/^(?:the|an?|my|our|that|this)\s+/i, '')
    .replace(/[\s"'“”「」.。:：]+$/g, '')
    .replace(/^["'“「\s]+/, '')
}
