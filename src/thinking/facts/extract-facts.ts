/**
 * Which keys and values does a user's sentence state? Forms of known slots come first, then generic ones, keyed by
 * their noun; questions, wishes, hypotheses, hearsay and quotations give none.
 */
import { readOnce } from '../../domain/read-once.ts'
import type { Fact } from '../../domain/thought.ts'
import { chineseWords, hasHan } from '../../language/character-class.ts'
import { splitSentences } from '../../language/sentences.ts'
import { spelledOut } from '../../language/spelling.ts'
import { wordList } from '../../language/word-lists.ts'
import { ENGLISH_VALUE, formsIn, HAN_TITLES } from './attribute-forms.ts'
import { clausesOf, standaloneClause, withoutQuotes, withQuotes } from './clauses.ts'
import { movesThing, slotHitsIn, slotNamed, topicsOf } from './mentioned-attributes.ts'
import { withPersonNamedIn } from './named-before.ts'
import {
  isRelation,
  lastOwned,
  PRONOUN_SUBJECT,
  peopleOf,
  relationIndex,
  FIRST_PERSON as SPEAKS_OF_SELF,
} from './people.ts'
import { type Word, wordsOf } from './phrase-index.ts'
import { type Stance, stanceOf } from './stance.ts'
import { denies } from './stance-cues.ts'
import { asWritten, isHard, isKnownPlace, joinMarks, kindOf, namesNobody, valueOfKind } from './value-kinds.ts'

/** The confidence of a user's plain statement; 000 asks for at least 0.9. */
const STATED = 0.95
const STATED_LOOSELY = 0.9
const HEDGED = 0.6
/** Facts read from one text; a longer text is no statement of facts. */
const MOST_FACTS = 24
const LONGEST_SENTENCE = 600
/** Attributes whose value may be a denial: "I eat no meat" is a diet. */
const SAID_BY_DENIAL: ReadonlySet<string> = new Set(['diet', 'allergy', 'preference', 'dislike', 'religion'])

/** Attributes that a thing or an animal has, too: "my cat's birthday", 我家狗的名字. */
const PERSONAL: ReadonlySet<string> = new Set(['name', 'age', 'birthday'])
const OF_THING =
  /[a-z]['’]s (?!my\b|our\b)(?:\w{1,20} )?(?:name|age|birthday)\b|(?<!我们?|咱们?|自己|本人|现在|目前)的(?:名字|年龄|岁数|生日)/iu

/** Facts in the order of the text, each key once a sentence; "she" is the person whom the sentences before name. */
export function extractFacts(text: string): readonly Fact[] {
  const facts: Fact[] = []
  const own = withoutQuotes(text)
  const sentences = splitSentences(own.text).map((sentence) => withQuotes(sentence, own.quotes))
  for (const [at, sentence] of sentences.entries()) {
    if (sentence.length > LONGEST_SENTENCE || facts.length >= MOST_FACTS) continue
    const named = withPersonNamedIn(sentences, at)
    facts.push(...factsOfSentence(named).map((fact) => (named === sentence ? fact : { ...fact, text: sentence })))
  }
  return facts.slice(0, MOST_FACTS)
}

/** "Moved from port 5433 to 6543": the value left behind is none. */
const FROM_VALUE =
  /\b((?:mov|chang|switch|migrat|rais|increas|reduc|lower|went|go|rose|grew|fell|dropped|bump|upgrad|shift)\w{0,6}(?: [^,.;!?\n]{1,40}?)?) from ((?:[a-z]{1,20} )?)[\d$€£][\w.,:%]{0,20} to (?:\2)?(?=[\d$€£])/gi

const factsOfSentence = readOnce('facts', (sentence) => {
  const present = spelledOut(withoutQuotes(sentence).text).replace(FROM_VALUE, '$1 to $2')
  return factsOf(joinMarks(present), () => stanceOf(sentence)).map((fact) => ({ ...fact, text: sentence }))
})

/** The facts of a sentence; its standing, `stanceNow`, is asked only where it states something. */
function factsOf(sentence: string, stanceNow: () => Stance): readonly Fact[] {
  const found = new Map<string, Fact>()
  const clauses = clausesOf(sentence)
  const keep = (key: string, value: string, stated: number, clause: string, about: string, isDenied = false): void => {
    const isAside = stanceNow().unreal
    const stance = isAside ? stanceOf(clause) : stanceNow()
    const denied = isDenied || (!SAID_BY_DENIAL.has(key) && denies(clause))
    // A denied value and its replacement are two facts of one key.
    const name = denied ? `${key} denied` : key
    const cleaned = tidy(value)
    if (cleaned === '' || found.has(name) || isThings(key, about, clause, sentence) || (isAside && denied)) return
    const slot = slotNamed(key)
    found.set(name, {
      category: slot?.category ?? 'fact',
      key,
      value: cleaned,
      about,
      standing: denied
        ? 'ended'
        : standingOf(stance, isAside, denies(sentence) || (clauses.length > 1 && !stanceOf(clause).ends)),
      single: slot?.single ?? key !== 'preference',
      text: sentence,
      confidence: stance.hedged ? HEDGED : stated,
      source: stance.hedged ? 'inferred' : 'user_stated',
    })
  }
  for (const clause of clauses) {
    // Asked or wished things are not so, but what another clause with a subject states on the way is.
    const isUnreal = (subject?: string): boolean =>
      stanceNow().unreal && (subject === undefined || clauses.length === 1 || stanceOf(clause).unreal)
    const name = ownName(clause)
    if (name !== null && !isUnreal(name)) keep('name', name, STATED, clause, 'user')
    for (const { key, kind, said } of formsIn(clause)) {
      const isOfThing = key === 'home' && movesThing(clause) && !(hasHan(said.value) && isKnownPlace(said.value))
      const value = isOfThing ? null : valueOfKind(kind, asWritten(said.value))
      const about = value === null ? null : aboutWhom(sentence, clause, said.subject, value)
      if (value !== null && about !== null && !isUnreal(key === 'name' ? clause : said.subject))
        keep(key, value, STATED, clause, about, said.denied)
    }
    const own = ownAttribute(clause)
    if (own !== null && !isUnreal()) keep(own.key, own.value, STATED_LOOSELY, clause, 'user')
  }
  return [...found.values()]
}

/** Whether a name, an age or a birthday is that of a thing or an animal: 养了只猫，四岁 goes on about the cat. */
function isThings(key: string, about: string, clause: string, sentence: string): boolean {
  if (!PERSONAL.has(key)) return false
  if (about === 'user' && OF_THING.test(clause)) return true
  return key === 'age' && !SPEAKS_OF_SELF.test(clause) && topicsOf(sentence).has('pet')
}

const OWN = [
  new RegExp(
    String.raw`^(?:i (?:think|guess|believe) )?(?:my|our|the) (?<x>[a-z][\w' -]{1,40}?)(?:['’]s name)?(?: right now| now| these days| currently)?(?: is| are|['’]s) (?:now |on |called |named )?${ENGLISH_VALUE}`,
    'i',
  ),
  /^(?:现在|如今|目前)?(?:我们?|咱们?)?的?(?:现在|如今|目前)?(?<x>\p{Script=Han}{2,8}?)(?:现在|其实|好像|统一)?(?:用的)?[是为叫](?<v>[^，。；！？,;!?\n]{1,24}?)了?(?<!的)(?=[，。；！？,;!?\n]|$)/u,
]

/** The best liked of one sort is one at a time: "favourite band", 最喜欢的歌手. */
const FAVOURITE = /^(?:favou?rite |最(?:喜欢|爱)的)([\p{L} ]{2,24})$/iu

/** "My blood type is A positive", 我的血型是A型: an attribute of the table, and a value of its kind or that identifies it. */
function ownAttribute(clause: string): { readonly key: string; readonly value: string } | null {
  const own = standaloneClause(clause)
  const { x = '', v = '' } = OWN.map((form) => form.exec(own)?.groups).find((groups) => groups !== undefined) ?? {}
  const words = wordsOf(x)
  const slots = [x, `${x} is`, `my ${x}`].flatMap((phrase) => {
    const all = wordsOf(phrase)
    return slotHitsIn(all).filter(({ at, length }) => at === 0 && length === all.length)
  })
  const slot = slots.find(({ name }) => name !== 'job') ?? slots[0]
  const said = asWritten(v)
  const favourite = FAVOURITE.exec(x)?.[1]
  if (favourite !== undefined && valueOfKind('thing', said) !== null)
    return {
      key: slotNamed(slot?.name ?? '')?.single ? slot!.name : `favourite_${favourite.replaceAll(' ', '_')}`,
      value: said,
    }
  // Names have forms of their own.
  if (slot === undefined || slot.name === 'name') return null
  const kind = relationIndex().find(words).length > 0 ? 'person' : kindOf(slot.name)
  const value =
    kind === undefined ? (isHard(said) || topicsOf(said).has(slot.name) ? said : null) : valueOfKind(kind, said)
  return value === null ? null : { key: slot.name, value }
}

/** `isAside`: it is told beside a question. `deniesPart`: the end that the sentence speaks of is told by a clause of its own. */
function standingOf(stance: Stance, isAside: boolean, deniesPart: boolean): Fact['standing'] {
  if (stance.corrects && !isAside) return 'corrects'
  if (stance.past) return 'held'
  if (isAside) return 'holds'
  return stance.ends && !stance.begins && !deniesPart ? 'ended' : 'holds'
}

const FIRST_PERSON = /^(?:i|we|im|ive|\p{Script=Han}{0,3}我们?|我?家里?|我的|咱们?|俺|本人)$/iu
const THIRD_PERSON = /^(?:he|she|they|他们?|她们?)$/iu

/** The person of a clause: its own subject, else that of the sentence there. null for a thing. */
function aboutWhom(sentence: string, clause: string, subject: string | undefined, value: string): string | null {
  const said = subject?.trim() ?? ''
  if (FIRST_PERSON.test(said)) return 'user'
  if (said !== '' && !THIRD_PERSON.test(said) && !hasHan(said)) return aboutNamed(said)
  const relation = THIRD_PERSON.test(said) ? null : relationIn(wordsOf(said))
  if (relation !== null) return relation
  // 小雨对花生过敏: a name.
  if (/^\p{Script=Han}{2,4}$/u.test(said) && !THIRD_PERSON.test(said)) return said
  const { clauses, subjects: all } = peopleOf(sentence)
  const subjects =
    clauses.find(({ text }) => text.includes(value) && clause.includes(text.trim()))?.subjects ??
    clauses.find(({ text }) => text.includes(value))?.subjects ??
    all
  if (subjects.has('user')) return THIRD_PERSON.test(said) ? 'someone' : 'user'
  const [about = 'user', name] = subjects
  if (subjects.size === 2 && isRelation(about) && !isRelation(name!) && name !== value.toLowerCase()) return name!
  return about === PRONOUN_SUBJECT ? 'someone' : about
}

/** "My sister Priya", "our dog", "Priya": the relation, the pet or the name; null for a thing. */
function aboutNamed(said: string): string | null {
  if (/^(?:his|her)\s/i.test(said)) return 'someone'
  const words = wordsOf(said)
  const relation = relationIn(words)
  const called = relation === null ? null : /\s(\p{Lu}\p{Ll}{1,40})$/u.exec(said)?.[1]?.toLowerCase()
  if (relation !== null) return called ?? relation
  // "Our Node version" is a thing, "our dog Rex" is Rex.
  const name = /\p{Lu}\p{Ll}{1,40}$/u.exec(said)?.[0].toLowerCase() ?? ''
  const isName = wordList('given-names').has(name) || !/(?:s|ing|tion|ness|ment|ity|ly)$/.test(name)
  if (name !== '' && isName && !namesNobody(name)) return name
  return /^(?:my|our)\s/i.test(said) && words.some(({ stem }) => wordList('animals').has(stem)) ? 'pet' : null
}

/** The relation that words name, as a person: "partner", "partner's brother". */
function relationIn(words: readonly Word[]): string | null {
  const hits = relationIndex().find(words)
  return hits.length === 0 ? null : lastOwned(words, hits, hits[0]!).person
}

function tidy(value: string): string {
  return value
    .trim()
    .replace(/^(?:the|an?|my|our|that|this)\s+/i, '')
    .replace(/^了(?=\p{Script=Han})(?!解)|[\s"'“”「」.。:：]{1,40}$|(?<=\p{Script=Han})[吧呢啊啦呀]$/gu, '')
}

const INTRODUCES =
  /^(?:[^:"“]{0,40}\bI\b[^:"“]{0,40}: )?(?:(?:hi|hiya|hey|hello|yo|so|ok|okay|well|oh|and|btw|by the way|anyway|morning|evening)[,!.]?\s+)*(?:(?:i['’]?m|i am|this is|it['’]?s)\s+(?<name>\p{L}[\p{L}-]+)(?=\s*(?:$|[,.!;]|btw\b|by the way\b|and\b|from\b|here\b|\d))|(?<name>\p{L}[\p{L}-]+) here(?=\s*(?:$|[,.!;]|from\b)))/iu

const SAYS_I = /\bi(?:['’]?m| am) \p{L}/iu

/** Names that are other words as well: with a small letter they are taken for those. */
const WORDS_TOO: ReadonlySet<string> = new Set(
  'abby art bea bill bob carol dawn don drew eve faith frank gene grace grant guy hazel heather hope iris ivy jack jade jean joy ken kim lance mark may mike nick pat penny pete ray rich rob robin rose ruby rusty sandy stan sue summer toby tony viola will win'.split(
    ' ',
  ),
)

const INTRODUCES_IN_HAN = /^\s*(?:你好啊?|对了|哦|嗨)?我是(?<name>\p{Script=Han}{2,4})(?=$|[，。！？,.!?\s])/u

/** The name that a clause introduces its writer by, as written; null when it does not. */
function ownName(clause: string): string | null {
  const han = INTRODUCES_IN_HAN.exec(clause)?.groups?.name
  if (han !== undefined) return isHanName(han) ? han : null
  const name = INTRODUCES.exec(clause)?.groups?.name
  if (name === undefined) return null
  const word = name.toLowerCase()
  const isWritten = /^\p{Lu}\p{Ll}/u.test(name)
  if (wordList('given-names').has(word)) return isWritten || !WORDS_TOO.has(name) ? name : null
  const isAnotherWord =
    !SAYS_I.test(clause) || namesNobody(word) || wordList('common-words').has(word) || topicsOf(word).size > 0
  return isWritten && !isAnotherWord && !isKnownPlace(name) ? name : null
}

/** A family name that is no word with what follows: 林晓, and neither 高中生 nor 金牛座. */
function isHanName(name: string): boolean {
  const [family = '', ...given] = chineseWords(name)
  return given.length > 0 && wordList('surnames').has(family) && !NO_GIVEN_NAME.test(name)
}

const NO_GIVEN_NAME = new RegExp(`(?:${HAN_TITLES}|先生|女士|小姐|[^子]座)$`, 'u')
