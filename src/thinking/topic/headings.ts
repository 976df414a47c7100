/**
 * Which words of a sentence could stand in a title? Whole clauses as they were said, and phrases: words of content side
 * by side, or joined by "of" and the like.
 */
import { readOnce } from '../../domain/read-once.ts'
import { ENGLISH_MONTH, FULL_WEEKDAY } from '../../language/calendar.ts'
import { chineseWords, hasHan } from '../../language/character-class.ts'
import { CHINESE_STOP_CHARACTERS, ENGLISH_STOP_WORDS } from '../../language/word-lists.ts'
import { tellingTerm, tellingWords } from './common-words.ts'

/** A whole clause, or a run of them. */
export interface Clause {
  readonly text: string
  /** With what stands around it: the words of a request, the mark behind. */
  readonly said: string
  readonly terms: readonly string[]
  /** Whether it says something beside another one: it leads to none, and asks the listener nothing. */
  readonly isApart: boolean
  /** How well it stands alone, up to 1. */
  readonly form: number
}

/** Words of content side by side. */
export interface Phrase {
  readonly text: string
  /** The terms that tell something, each once. */
  readonly terms: readonly string[]
  /** Its words, whatever their forms: two phrases with the same are one. */
  readonly key: string
  readonly words: number
  /** What stands beside it and may belong to it; '' where nothing does. */
  readonly before: string
  readonly after: string
  /** Whether it begins or ends with a character or word that tells nothing. */
  readonly isFrayed: boolean
  /** Whether it stands where somebody does something, so that its first word may be a verb: "it fits our commute". */
  readonly isSaidOf: boolean
}

/** Words of another's text between marks: a sentence, or a long piece of one. */
const QUOTED =
  /(?<![\p{L}\p{N}.,])["“「『](?:[^"“”「」『』\n]{40,2000}|(?=\p{Script=Han})[^"“”「」『』\n]{12,2000}|[^"“”「」『』\n]{1,200}[.!?。！？])["”」』]/gu
/** Words by which somebody is asked, in front of what is asked for. */
const POLITE =
  /^(?:(?:please|pls|(?:can|could|would|will) (?:you|u)|help me|i(?:['’]d| would) like(?: you)? to|i (?:want|need)(?: you)? to)\s{0,9})+|^(?:请问?|麻烦|你?能不能|你?可不可以|你?可以|你?能|帮我|给我(?![妈爸哥姐弟妹爷奶儿女老家们])|帮忙|想请你|我?想问问?|一下|，)+/iu

/** Who tells it and when, in front of what is told: a headline leaves it out. */
const TELLER =
  /^(?:(?:yesterday|today|tonight|recently|finally|last (?:night|week|weekend)|this (?:morning|afternoon|evening|week))[, ]{1,2}(?:i|we)\s|(?:i|we)(?:['’]ve| have)? (?:just|finally|recently)\s)|^(?:我们?(?=[刚终最今昨明早晚正已就又把和跟去])|刚才?|终于|最近|[今昨明]天|[今昨明][早晚]|[上中下]午|[早晚]上|正在|已经|就要){1,6}(?=\p{Script=Han}{4})/iu
/** The mark of what is done, at the end of a clause whose teller is left out. */
const DONE = /(?<=\p{Script=Han}{4})了$/u

/** Whether a clause of the words begins as one asks another for something. */
export function isPolite(said: string): boolean {
  return said.split(/[，,] ?/).some((clause) => POLITE.test(clause))
}

/** The text without what somebody else said in it. */
export function withoutQuotations(text: string): string {
  return text.replace(QUOTED, '…')
}

/** Columns of a text: a Chinese character takes two. */
export function widthOf(text: string): number {
  return [...text].reduce((width, character) => width + (hasHan(character) ? 2 : 1), 0)
}

/** What parts clauses; in Chinese a gap does, too. */
const BREAK = /(?:[，;；:：。！？!?…\n]|,(?!\d)){1,9}|\s[-–—]{1,3}\s|—|(?<=\p{Script=Han})\s(?=\p{Script=Han})/gu
const JOINS = /^(?:(?:而且|但是?|所以|因为)|(?:and|but|so)\s|[，,\s])+/iu
const ENDS = /[\s.。!！,，;；:：~～…?？-]{1,40}$/u
/** A clause that waits for its main one. */
const DEPENDS =
  /^(?:while|after|before|when|since|although|though|because|as|if)\s|^(?:从|以|.{0,3}(?:虽然|尽管|如果|要是|既|因为|由于|除了|为了|毕竟|对于|作为|方便|以便))/iu
/** The last word of a clause that gives a time, a place or a ground. */
const LEADS_TO = /^(?:时|时候|[之以]?[前后]|上|基础上|中|过程中|方面|角度|情况下|下)$/u
const OPEN_QUOTE = /[“‘「『《][^”’」』》]{0,200}$/u
const OF_LISTENER = /\byour?\b|[你您]/iu
const MOST_CLAUSES = 12
/** The form of each clause against the one before, of a part of a sentence, of one that waits. */
const LATER = 0.88
const PART = 0.9
const WAITS = 0.5

/** The runs of whole clauses in at most `most` columns, as one may write them above a talk. */
export function clausesOf(sentence: string, most: number): readonly Clause[] {
  const borders = [...sentence.matchAll(BREAK)].slice(0, MOST_CLAUSES).map(({ index, 0: mark }) => index + mark.length)
  const cuts = [0, ...borders.filter((at) => at < sentence.length), sentence.length]
  const found: Clause[] = []
  const isAll = cuts.length === 2
  for (const [at, from] of cuts.slice(0, -1).entries()) {
    const said = sentence
      .slice(from, cuts[at + 1])
      .trim()
      .replace(JOINS, '')
    const bare = said.replace(ENDS, '')
    const asked = bare.replace(POLITE, '').trim()
    const told = asked.replace(TELLER, '')
    const text = told !== asked ? told.replace(DONE, '') : asked === bare ? bare : asked.replace(/[吗吧]$/, '')
    const terms = tellingWords(text)
    if (
      widthOf(text) > most ||
      !/\p{L}/u.test(text) ||
      text.split('"').length % 2 === 0 ||
      OPEN_QUOTE.test(text) ||
      terms.length < (isAll ? 1 : 2)
    )
      continue
    const waits = !isAll && (DEPENDS.test(text) || LEADS_TO.test(chineseWords(text).at(-1) ?? ''))
    found.push({
      text,
      said,
      terms,
      isApart: !waits && !OF_LISTENER.test(text),
      form: LATER ** at * (isAll ? 1 : PART) * (waits ? WAITS : 1),
    })
  }
  return found
}

const WORD = /[\p{L}\p{N}$£€#](?:[\p{L}\p{N}'’.,+#%&/:-]{0,60}[\p{L}\p{N}+#%])?|\s{1,40}|[^\s\p{L}\p{N}]{1,40}/gu
/** Words between a thing and what belongs to it, and those in front of a thing. */
const LINK = /^(?:of|for|in|and|vs|between|的|与|和)$/i
const IN_FRONT = /^(?:an?|the|my|our|your|his|her|their)$/i
/** Words that stand for any person, thing, degree or day. */
const ANYTHING = new RegExp(
  `^(?:(?:some|any|every|no)(?:thing|one|body|where)|kinda|sorta|gonna|wanna|might|must|may|shall|would|could|today|tonight|tomorrow|yesterday|${ENGLISH_MONTH}|${FULL_WEEKDAY})$`,
  'i',
)
const SHORTENED = /['’](?:s|t|re|ve|ll|d|m)$/i
const CHINESE_POINTER = /[我你您他她它们咱这那哪]/u
/** An auxiliary behind which nothing comes is a noun: "a valid will". */
const NOUN_BY_PLACE = /^(?:will|can|must)$/i
const MOST_WORDS = 8
const MOST_THINGS = 4

/** A word that tells something, one that may belong to it, one between two, one in front of one, and any other. */
type Kind = 'thing' | 'part' | 'link' | 'front' | 'border'
interface Word {
  readonly text: string
  readonly term: string | null
  readonly kind: Kind
  readonly gap: string
}

function wordsIn(sentence: string): readonly Word[] {
  const han = hasHan(sentence)
  const cut = (han ? chineseWords(sentence) : (sentence.match(WORD) ?? [])).slice(0, 1000)
  const words: Word[] = []
  let gap = ''
  for (const [at, text] of cut.entries()) {
    if (/^\s+$/.test(text)) {
      gap = ' '
      continue
    }
    // A gap between two Chinese words parts clauses.
    if (gap !== '' && han && hasHan(words.at(-1)?.text ?? '') && hasHan(text))
      words.push({ text: gap, term: null, kind: 'border', gap: '' })
    const term = /\p{L}/u.test(text) ? tellingTerm(text) : null
    const isLast = !/^\p{L}/u.test(cut[at + 2] ?? '') || LINK.test(cut[at + 2]!)
    const isNoun = NOUN_BY_PLACE.test(text) && words.at(-1)?.kind === 'thing' && isLast
    words.push({ text, term: isNoun ? text.toLowerCase() : term, kind: isNoun ? 'thing' : kindOf(text, term), gap })
    gap = ''
  }
  return words
}

function kindOf(word: string, term: string | null): Kind {
  if (!/[\p{L}\p{N}]/u.test(word) || ANYTHING.test(word)) return 'border'
  if (LINK.test(word)) return 'link'
  if (IN_FRONT.test(word)) return 'front'
  if (term !== null) return 'thing'
  const isPart = hasHan(word)
    ? [...word].length === 1 && !CHINESE_STOP_CHARACTERS.has(word) && !CHINESE_POINTER.test(word)
    : !ENGLISH_STOP_WORDS.has(word.toLowerCase().replace(SHORTENED, '')) && !/['’](?:t|re|ve|ll|d|m)$/i.test(word)
  return isPart ? 'part' : 'border'
}

/** The phrases of a sentence, in the order in which they begin, the shorter first. */
export const phrasesOf = readOnce('phrases', (sentence): readonly Phrase[] => {
  const words = wordsIn(sentence)
  const found: Phrase[] = []
  for (let from = 0; from < words.length; from++) {
    if (!isContent(words[from])) continue
    let things = 0
    for (let to = from; to < words.length && to - from < MOST_WORDS; to++) {
      const { kind } = words[to]!
      if (kind === 'border' || (kind === 'link' && !isContent(words[to - 1]))) break
      if (kind === 'front' && words[to - 1]?.kind !== 'thing' && words[to - 1]?.kind !== 'link') break
      if (kind === 'thing') things++
      if (things > MOST_THINGS) break
      if (things > 0 && isContent(words[to])) found.push(phraseOf(words, from, to))
    }
  }
  return found
})

function isContent(word: Word | undefined): boolean {
  return word?.kind === 'thing' || word?.kind === 'part'
}

/** Subjects, and words behind which a verb stands. */
const SAID_OF =
  /^(?:i|you|we|they|he|she|it|who|which|me|us|them|be|am|is|are|was|were|been|being|not|will|would|can|could|should|must|might|may)$|['’](?:m|re|ll|d|t)$|^(?:it|that|he|she|there|what)['’]s$/i
const VERB_BEHIND = new RegExp(`^to$|${SAID_OF.source}`, 'i')
/** An owner, or a verb in the past, behind which more is to come: "Megan recommended". */
const ENDS_OPEN = /['’]s$|\p{L}{3}[^e]ed$/u
const ONE_HAN = /^\p{Script=Han}$/u

function phraseOf(words: readonly Word[], from: number, to: number): Phrase {
  const span = words.slice(from, to + 1)
  const content = span.filter(isContent)
  const [first, last] = [span[0]!, span.at(-1)!]
  const isHan = hasHan(first.text)
  const beside = (word: Word | undefined): string =>
    isContent(word) || (isHan ? ONE_HAN : NOUN_BY_PLACE).test(word?.text ?? '') ? word!.text : ''
  return {
    text: span.map(({ text, gap }, at) => (at === 0 ? '' : gap) + text).join(''),
    terms: [...new Set(content.flatMap(({ term }) => term ?? []))],
    key: content.map(({ text, term }) => term ?? text.toLowerCase()).join(' '),
    words: content.length,
    before: beside(words[from - 1]),
    after: beside(words[to + 1]),
    isSaidOf: (content.length === 1 ? VERB_BEHIND : SAID_OF).test(words[from - 1]?.text ?? ''),
    isFrayed:
      last.kind === 'part' ||
      (span.length > 1 ? ENDS_OPEN : /['’]s$/).test(last.text) ||
      (first.kind === 'part' && isHan),
  }
}
