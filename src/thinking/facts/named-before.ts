/**
 * Whom does "she" or 他 at the head of a sentence mean? The one relative or friend of the writer of whom the sentences
 * before speak; where they speak of nobody or several, nobody is meant.
 */
import { hasHan } from '../../language/character-class.ts'
import { wordList } from '../../language/word-lists.ts'
import { NAME_BEHIND, POSSESSIVE, peopleOf, relationIndex } from './people.ts'
import { type Word, wordsOf } from './phrase-index.ts'

/** "She", 他 at the head of a sentence or clause, alone or owning something. */
export const BEGINS_WITH_PRONOUN =
  /^((?:(?:and|but|so|also|well|oh)[, ]{1,3})?)(he|she|his|her)(?=['’]s\b|\s)|^()([他她])(?![们俩])/iu
/** Before a verb "her" is no owner's: "Her I like". */
const OWNS = /^(?:his|her)$/i
/** Those of whom "he", and of whom "she" is not said. */
const WOMEN = /^(?:mother|sister|daughter|wife|girlfriend|aunt|grandmother|niece)$/
const MEN = /^(?:father|brother|son|husband|boyfriend|uncle|grandfather|nephew)$/
const MANY = /^(?:parents|children|kids|siblings|grandparents|family|team_other)$/
/** Characters before a sentence in which somebody is named. */
const LOOKED_AT = 400
/** A name behind a relation: "my sister Priya", "my sister is called Priya", 我女儿叫小雨. */
const CALLED = /^(?:,? | is called | is named |['’]s name is | named | called )(\p{Lu}\p{Ll}{1,30})(?![\p{L}'’])/u
const CALLED_IN_CHINESE = /^(?:的?名字)?叫(?:做)?(\p{Script=Han}{2,3})(?!\p{Script=Han})/u

interface Person {
  /** The words for a reader: "my sister Priya", 我女儿小雨. */
  readonly words: string
  readonly relation: string
}

/** The sentence with that person in the pronoun's place; as it is where none or several are named before it. */
export function withPersonNamed(sentence: string, before: string): string {
  const [head = '', lead = '', english, , chinese] = BEGINS_WITH_PRONOUN.exec(sentence) ?? []
  const pronoun = english ?? chinese
  if (pronoun === undefined || before === '') return sentence
  const person = onlyPerson(before.slice(-LOOKED_AT))
  if (person === null || hasHan(person.words) !== (chinese !== undefined) || contradicts(pronoun, person))
    return sentence
  const own = OWNS.test(pronoun) ? `${person.words}’s` : person.words
  return `${lead}${lead === '' ? own.charAt(0).toUpperCase() + own.slice(1) : own}${sentence.slice(head.length)}`
}

/** One of several sentences, so named; of those before it no more is read than is looked at. */
export function withPersonNamedIn(sentences: readonly string[], at: number): string {
  const sentence = sentences[at]!
  if (!BEGINS_WITH_PRONOUN.test(sentence)) return sentence
  let before = ''
  for (let from = at - 1; from >= 0 && before.length < LOOKED_AT; from -= 1) before = `${sentences[from]!} ${before}`
  return withPersonNamed(sentence, before.trimEnd())
}

function contradicts(pronoun: string, { relation }: Person): boolean {
  return (/^(?:he|his|他)$/i.test(pronoun) ? WOMEN : MEN).test(relation)
}

/** The one person near to the writer of whom a text speaks. */
function onlyPerson(text: string): Person | null {
  const words = wordsOf(text)
  const hits = relationIndex().find(words)
  const [hit] = hits
  if (hit === undefined || MANY.test(hit.entry) || hits.some(({ entry }) => entry !== hit.entry)) return null
  const { names, subjects } = peopleOf(text)
  const known = wordList('given-names')
  const called = [...names].filter((name) => known.has(name) || subjects.has(name))
  if (called.length > 1) return null
  const owner = ownerBefore(words, hit.at)
  if (owner === null) return null
  const last = words[hit.at + hit.length - 1]!
  const surface = text.slice(words[hit.at]!.start, last.start + last.text.length).replace(POSSESSIVE, '')
  const [name = ''] = hits.flatMap((each) => nameBehind(text, words[each.at + each.length - 1]!) ?? [])
  if (called.length > 0 && name.toLowerCase() !== called[0]) return null
  return {
    words: hasHan(surface) ? `${owner}${surface}${name}` : `${owner} ${surface} ${name}`.trim(),
    relation: hit.entry,
  }
}

/** The name behind the last word of a relation; null where none stands there. */
function nameBehind(text: string, last: Word): string | null {
  const behind = text.slice(last.start + last.text.replace(POSSESSIVE, '').length)
  const [, name = NAME_BEHIND.exec(behind.split(/[，。,.;；]/u, 1)[0]!)?.[0]] =
    CALLED.exec(behind) ?? CALLED_IN_CHINESE.exec(behind) ?? []
  return name ?? null
}

/** "my", 我 right before a relation; null where the person is another's, or has no owner. */
function ownerBefore(words: readonly Word[], at: number): string | null {
  const before = words.slice(Math.max(0, at - 3), at).map(({ text }) => text.toLowerCase())
  if (words[at]!.han)
    return /^[我俺咱]/.test(words[at]!.text) ? '' : /[我俺咱]们?的?$/.test(before.join('')) ? '我' : null
  return before.includes('my') || before.includes('our') ? 'my' : null
}
