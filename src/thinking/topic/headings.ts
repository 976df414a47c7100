/**
 * Which words of a sentence could stand as a headline? In English stretches of a clause that begin and end with a word of
 * content: a thing with what belongs to it, without who acts, the verb of a request, and words of time; in Chinese clauses.
 */
import { hasHan } from '../../language/character-class.ts'
import { ENGLISH_STOP_WORDS } from '../../language/word-lists.ts'
import { tellingTerm, tellingWords, weightOf } from './common-words.ts'

/** Words that could name what a sentence is about, with the terms that they are weighed by. */
export interface Heading {
  readonly text: string
  readonly terms: readonly string[]
  /** Clauses of its sentence before it. */
  readonly clause: number
  /** The whole clause, with the mark behind. */
  readonly said: string
  /** How well its place and its form suit a headline, up to 1. */
  readonly form: number
}

/** What ends a clause, or a name between marks, which may hold such. A comma or a point within a figure ends none. */
const ENDS =
  /[‘“《「『][^‘’“”《》「」『』\n]{1,30}[’”》」』]|\s[-–—]{1,3}\s|—|(?:[，;；：。！？!?…\n]|[,:.](?!(?<=\w.)\w)){1,9}/gu
/** Words of another's text between marks: a sentence, or a long piece of one. */
const QUOTED =
  /(?<![\p{L}\p{N}.,])["“「『](?:[^"“”「」『』\n]{40,2000}|(?=\p{Script=Han})[^"“”「」『』\n]{12,2000}|[^"“”「」『』\n]{1,200}[.!?。！？])["”」』]/gu
const ASIDE = /\s?(?:（[^（）\n]{1,80}）|\([^()\n]{1,80}\))/gu
/** Words by which somebody is asked, in front of what is asked for. */
const POLITE =
  /^(?:(?:please|pls|(?:can|could|would|will) (?:you|u)|help me|i(?:['’]d| would) like(?: you)? to|i (?:want|need)(?: you)? to)\s{0,9})+|^(?:请问?|麻烦|你?能不能|你?可不可以|你?可以|你?能|帮我|给我(?![妈爸哥姐弟妹爷奶儿女老家们])|帮忙|想请你|我?想问问?|一下|，)+/iu
/** A question for the way: the verb is what is asked for. */
const HOW =
  /^(?:\S{1,20} ){0,3}?how (?:do|can|could|should|would) (?:i|we|you|one) (?=\S)|^(?:\S{1,20} ){0,3}?how to /iu
/** "What films would you recommend for …": the things asked for, with what belongs to them. */
const WHICH =
  /^(?:what|which) ((?:\S{1,30} ){1,4})(?:would|should|could|can|do|did) (?:i|we|you) \S{1,30} (?=(?:for|in|on|at|with|from|about|to) )/iu
/** A clause that waits for its main one. */
const DEPENDS =
  /^(?:especially |and |but )?(?:while|after|before|when|since|although|though|because|as)\s|^(?:虽然|尽管|如果|要是|既然|因为|由于|除了|为了|毕竟)/iu
const MOST_CLAUSES = 24
const MOST_WORDS = 7

/** Words between a thing and what belongs to it, and those in front of a thing. */
const LINK =
  /^(?:of|for|in|on|at|with|without|from|to|about|between|after|before|during|against|by|into|over|under|vs|as|through|and|or|&)$/i
const IN_FRONT = /^(?:an?|the|my|our|your|his|her|their|its|some|any|this|these|those|each|every|no)$/i

/** Words that stand for any person or thing, and for no degree. */
const ANYTHING = /^(?:(?:some|any|every|no)(?:thing|one|body|where)|kinda|sorta|gonna|wanna|might|must|may|shall)$/i

/** Whether a clause of the words begins as one asks another for something. */
export function isPolite(said: string): boolean {
  return said.split(/[，,] ?/).some((clause) => POLITE.test(clause))
}

/** The text without what somebody else said in it. */
export function withoutQuotations(text: string): string {
  return text.replace(QUOTED, '…')
}

/** The headlines that a sentence offers, of at most `most` characters, in the order in which they begin. */
export function headingsOf(text: string, most: number): readonly Heading[] {
  const sentence = text.replace(ASIDE, '')
  if (hasHan(sentence)) return chineseHeadings(sentence, most)
  const clauses = clausesOf(sentence).slice(0, MOST_CLAUSES)
  let clause = 0
  return clauses.flatMap((said) => {
    const fitting = englishHeadings(said).filter(({ text }) => text.length <= most && /\p{L}/u.test(text))
    if (tellingWords(said).length > 0) clause++
    // A name of several words is one thing.
    const termsOf = (text: string): readonly string[] =>
      tellingWords(text.replace(/(?<=\p{Lu}\S{0,40} )\p{Lu}\S{0,40}/gu, ''))
    const share = DEPENDS.test(said.trim()) ? AMID : 1
    return fitting.map(({ text, form }) => ({
      text,
      form: form * share,
      terms: termsOf(text),
      clause: clause - 1,
      said,
    }))
  })
}

/** The clauses, each with the mark that ends it. */
function clausesOf(text: string): readonly string[] {
  const ends = [...text.matchAll(ENDS)].flatMap(({ index, 0: mark }) =>
    /^[‘“《「『]/u.test(mark) ? [] : index + mark.length,
  )
  return [...ends, text.length].map((end, at) => text.slice(ends[at - 1] ?? 0, end)).filter((clause) => clause !== '')
}

type Span = Pick<Heading, 'text' | 'form'>
/** A word of content, one that links, one in front of a thing, and any other. */
type Kind = 'thing' | 'link' | 'front' | 'border'

function kindOf(word: string): Kind {
  if (IN_FRONT.test(word)) return 'front'
  if (LINK.test(word)) return 'link'
  if (ANYTHING.test(word)) return 'border'
  const plain = word.toLowerCase().replace(/['’](?:s|t|re|ve|ll|d|m)$/, '')
  if (ENGLISH_STOP_WORDS.has(plain) || !/[\p{L}\p{N}]/u.test(word)) return 'border'
  return 'thing'
}

/** How well a headline begins behind each: a word that points to a thing, a link, a verb, or nothing; and amid others. */
const BEHIND = { front: 1, link: 0.9, thing: 0.85, border: 0.8 }
const AMID = 0.7
/** A headline of one word, one that tells what is done to something, and a whole short clause. */
const ONE_WORD = 0.6
/** The least share of a common word that stands alone. */
const LEAST_OF_ONE = 0.6
const ACTS = 0.75
const WHOLE = 0.85
const TOLD = 0.85
/** A short request as a whole, where one word names what it is about. */
const ORDER = 0.65
/** Each thing of a clause against the one before: what it is about stands first. */
const LATER_THING = 0.93

function englishHeadings(said: string): readonly Span[] {
  const clause = said.replace(/[\s,;:.!?…–—-]{1,40}$/u, '').trim()
  const asked = clause.replace(POLITE, '')
  const words = asked
    .replace(WHICH, '$1')
    .split(/\s+/)
    .map((word) => word.replace(/^["“'‘]+|["”]{1,40}$/g, ''))
  const kinds = words.map(kindOf)
  // An auxiliary behind which nothing comes is a noun: "a valid will".
  for (const [at, word] of words.entries()) {
    if (DOES_BEHIND.test(word) && kinds[at - 1] === 'thing' && DOES.test(words[at + 1] ?? '')) kinds[at] = 'link'
    else if (DAY.test(word) || (WHEN.test(word) && kinds[at - 1] === 'thing')) kinds[at] = 'border'
    else if (AUXILIARY.test(word) && isNamed(kinds[at - 1]) && (kinds[at + 1] ?? 'link') === 'link') kinds[at] = 'thing'
  }
  const isThing = (at: number): boolean => kinds[at] === 'thing'
  const isCommon = (at: number): boolean => tellingTerm(words[at]!) === null && !AUXILIARY.test(words[at]!)
  const asks = asked === clause && ASKS.test(clause)
  const asksWhy = asked === clause && /^(?:why|who|where|when)\s/i.test(clause) && /[?？]$|^[^,]*$/.test(said)
  const rarity = (at: number): number => weightOf(tellingWords(words[at] ?? ''))
  // A verb by its place: behind a person, an auxiliary or "to", at the head of a request, or in front of a thing.
  const acts: boolean[] = []
  for (const [at, word] of words.entries()) acts.push(isAct(at, word))
  function isAct(at: number, word: string): boolean {
    if (!isThing(at)) return false
    // "I'm really worried": an adverb stands before it.
    if (at > 1 && acts[at - 1] && isCommon(at - 1)) return true
    if (at === 0) return asked !== clause || kinds[1] === 'front'
    if (/^to$/i.test(words[at - 1]!)) return at + 1 < words.length
    return kinds[at - 1] === 'border' || (/ing$/i.test(word) && kinds[at - 1] === 'link' && kinds[at + 1] === 'front')
  }
  const spans: Span[] = []
  let things = 0
  // Whether nothing but common words stand before in a stretch.
  let opens = true
  for (let from = 0; from < words.length; from++) {
    const before = kinds[from - 1] ?? 'border'
    opens = before !== 'thing' || (opens && isCommon(from - 1))
    if (!isThing(from) || acts[from] || (before === 'thing' && !acts[from - 1] && !opens)) continue
    if ((before !== 'front' && isCommon(from)) || (/ly$/i.test(words[from]!) && !isThing(from + 1))) continue
    const first = /^no$/i.test(words[from - 1] ?? '') ? from - 1 : from
    let form = (from === 0 ? BEHIND.front : BEHIND[before]) * LATER_THING ** things++
    for (let to = from; to < words.length && to - from < MOST_WORDS; to++) {
      if (kinds[to] === 'border') break
      if (kinds[to] === 'front' && isThing(to - 1) && !DOES_BEHIND.test(words[to - 2] ?? '')) form *= ACTS
      // "The plan and suggest changes": a common word in front of another one may be a verb.
      if (
        /^(?:and|or|&)$/i.test(words[to]!) &&
        kinds[to + 2] !== undefined &&
        kinds[to + 2] !== 'link' &&
        rarity(to + 1) < 1
      )
        break
      if (FIGURE.test(words[to]!)) form *= TOLD
      if (!isThing(to) || isThing(to + 1)) continue
      // "A book to curl up with": a verb that goes on.
      if (acts[to] && to > from && to + 1 < words.length) continue
      const isVerb = kinds[to + 1] === 'front' || OBJECT.test(words[to + 1] ?? '')
      const goesOn = kinds[to + 1] === 'link' || kinds[to + 1] === 'border'
      let end = isVerb || (/(?:ing|ed)$/i.test(words[to]!) && to > from && !acts[to - 1] && goesOn) ? to - 1 : to
      // "The recipe Anna suggested"
      if (end < to && end > from && /^\p{Lu}/u.test(words[end]!) && /^\p{Ll}/u.test(words[end - 1]!)) end--
      while (end > from && (isCommon(end) || /ly$/i.test(words[end]!))) end--
      if (end < from || !isThing(end)) continue
      // "Is the mail real": the subject, and what is asked of it.
      const whole =
        end === from ? ONE_WORD * Math.max(LEAST_OF_ONE, rarity(from)) : asks && end === words.length - 1 ? ACTS : 1
      spans.push({ text: words.slice(first, end + 1).join(' '), form: form * whole })
    }
  }
  const way = HOW.exec(clause)
  const rest = way === null ? [] : clause.slice(way[0].length).split(/\s+/)
  if (way !== null && rest.length < MOST_WORDS) spans.push({ text: `How to ${rest.join(' ')}`, form: 1 })
  if ((asked !== clause || asks || asksWhy) && words.length > 2 && words.length <= MOST_WORDS)
    spans.push({ text: asked, form: asksWhy ? 1 : asks ? WHOLE : ORDER })
  const told = kinds[0] === 'front' ? words.slice(1) : words
  const isStatement =
    asked === clause && isNamed(kinds[0]) && !words.some((word) => PERSON.test(word)) && !/[?？]$/.test(said)
  if (isStatement && told.length > 1 && told.length <= MOST_WORDS) spans.push({ text: told.join(' '), form: WHOLE })
  return spans
}

function isNamed(kind: Kind | undefined): boolean {
  return kind === 'thing' || kind === 'front'
}

/** Behind a thing, the time of what happened to it. */
const WHEN = /^(?:last|next)$/i
/** A day, with which no headline begins. */
const DAY = /^(?:today|tonight|tomorrow|yesterday|now)$/i
/** A verb behind "that", which tells what the thing does. */
const DOES_BEHIND = /^(?:that|which)$/i
const DOES = /^\p{Ll}{3,}(?:s|ed)$/u
/** A question that is answered with yes or no. */
const ASKS = /^(?:is|are|was|were|does|do|did|can|could|should|will|would|has|have) (?!you\b)/i
const AUXILIARY = /^(?:will|do|can|must)$/i
const PERSON = /^(?:i|im|ive|we|you|he|she|it|they|this|that)(?:['’]\w{1,2})?$/i
/** Persons that a verb acts on, and words that belong to a verb. */
const OBJECT = /^(?:me|us|you|him|them|it|up|out|off|down|back)$/i

/** A figure that is no year. */
const FIGURE = /^(?!(?:19|20)\d\d$).*\d/
/** The border of two Chinese clauses: a mark outside a name, or a gap. */
const HAN_BREAK =
  /(?:(?![^“”《》‘’[\]\n]{1,80}[”》’\]])(?:[,;:](?!\s?\d)|[，；：。！？!?…\n]|\.(?=\s|$))){1,9}\s{0,9}|(?<=\p{Script=Han})[ \u3000]{1,9}(?=\p{Script=Han})/gu
/** Words that only join a clause to the one before. */
const HAN_JOINS = /^(?:而且|但是?|所以|因为|，|,|\s)+/u
/** The end of a sentence within a text. */
const CROSSES = /[.!?]\s\S|[。！？]./u
/** The weight of the words of a clause that tells nothing. */
const LEAST_TOLD = 0.25
/** A run of clauses that leaves out what its sentence tells besides. */
const PART = 0.77

/** Runs of whole Chinese clauses, as they were said: a thing cut out of its clause is read wrongly too often. */
function chineseHeadings(sentence: string, most: number): readonly Heading[] {
  const borders = [...sentence.matchAll(HAN_BREAK)]
    .filter(({ index, 0: mark }) => index + mark.length < sentence.length)
    .slice(0, MOST_CLAUSES)
  const starts = [0, ...borders.map(({ index, 0: mark }) => index + mark.length)]
  const ends = [...borders.map(({ index }) => index), sentence.length]
  const tells = starts.map((start, at) => weightOf(tellingWords(sentence.slice(start, ends[at]))) > LEAST_TOLD)
  const headingOf = (said: string, clause: number, form: number): Heading => {
    const text = asTitle(said)
    return { text, terms: tellingWords(text), clause, said, form }
  }
  const found = starts.flatMap((start, at): readonly Heading[] => {
    if (!tells[at]) return []
    const clause = tells.slice(0, at).filter(Boolean).length
    return ends.flatMap((end, to) => {
      const said = sentence.slice(start, end + 1).trim()
      if (to < at || !tells[to] || (to === at && DEPENDS.test(said)) || CROSSES.test(said)) return []
      const heading = headingOf(said, clause, clause === 0 && !tells.includes(true, to + 1) ? 1 : PART)
      return heading.text === '' || widthOf(heading.text) > most ? [] : [heading]
    })
  })
  const whole = headingOf(sentence, 0, PART)
  if (found.length > 0 || widthOf(whole.text) <= most) return found
  const cut = `${whole.text.slice(0, most / 2 - 1).toWellFormed()}…`
  return [{ ...whole, text: cut, terms: tellingWords(cut) }]
}

/** Columns of a text: a Chinese character takes two. */
export function widthOf(text: string): number {
  return [...text].reduce((width, character) => width + (hasHan(character) ? 2 : 1), 0)
}

function asTitle(clause: string): string {
  const told = clause
    .trim()
    .replace(HAN_JOINS, '')
    .replace(/[\s.。!！,，;；:：~～…?？]{1,40}$/u, '')
  const asked = told.replace(POLITE, '')
  return asked === told ? told : asked.replace(/[吗吧]$/, '').trim()
}
