/**
 * How alike are two memory texts without vectors, and with which consequence? Shared terms over all terms, from 0 to 1,
 * symmetric, with a ceiling for contrasts; the thresholds are not those of a cosine.
 */
import { readOnce } from '../../domain/read-once.ts'
import { ENGLISH_NUMBERS } from '../../language/calendar.ts'
import { indexTerms } from '../../language/terms.ts'
import { ENGLISH_STOP_WORDS } from '../../language/word-lists.ts'
import { wordsIn } from '../topic/word-rarity.ts'

/** A word or a Han character with its place in the text. */
export interface Token {
  readonly start: number
  readonly end: number
  /** The word, case-folded. */
  readonly word: string
  readonly terms: readonly string[]
  readonly han: boolean
  /** The first word after the end of a sentence. */
  readonly opens: boolean
}

/** A run of words that only one of two texts has. */
interface Span {
  readonly text: string
  /** The words on both sides, and those beyond particles and auxiliaries: 检修过 stands where 负责 does. */
  readonly places: readonly string[]
  /** Whether it holds a digit, a Chinese numeral or an English number in words. */
  readonly numeric: boolean
  /** Whether it holds a Latin word with a capital that does not open its sentence, or a Latin word among Han. */
  readonly named: boolean
}

const TOKEN = /[\p{Script=Han}]|[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}]|[-_.'’:/](?=[\p{L}\p{N}]))*/gu
const HAN = /^\p{Script=Han}$/u
const HAN_AT_ONCE = /\p{Script=Han}/u
/** Characters of a text that are compared; later ones hardly change the answer. */
const LONGEST_TEXT = 4000
const NO_LETTER = /^[^\p{L}]+$/u
const NUMERAL = /[\d零〇一二三四五六七八九十百千万两几半]/
/** Function characters that fill a sentence differently without saying anything else. */
const FILLERS = new Set(
  '的了是在和与及或也都就而但又还很把被让给对从向到于以为因由所其之这那此个我你他她它吗呢吧啊哦嗯着过得地会要能可们家里上下次',
)

/** The words and Han characters of a text, as far as it is compared. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  let end = 0
  for (const match of text.slice(0, LONGEST_TEXT).matchAll(TOKEN)) {
    const raw = match[0]
    // A run of letters may glue Han to Latin ("用Postgres"): each script is a token of its own.
    const parts = HAN_AT_ONCE.test(raw) && raw.length > 1 ? raw.match(/\p{Script=Han}|[^\p{Script=Han}]+/gu)! : [raw]
    let at = match.index
    for (const part of parts) {
      const han = HAN.test(part)
      const opens = tokens.length === 0 || /[.!?。！？；\n]/.test(text.slice(end, at))
      const word = part.toLowerCase()
      tokens.push({
        start: at,
        end: at + part.length,
        word,
        terms: han ? [part] : [...indexTerms(part).keys()],
        han,
        opens,
      })
      at += part.length
      end = at
    }
  }
  return tokens
}

/** Runs of words of `text` that a text with the terms `others` does not have, in order. */
export function ownSpans(text: string, tokens: readonly Token[], others: ReadonlyMap<string, number>): readonly Span[] {
  const spans: Span[] = []
  const own = tokens.map((_token, at) => isOwn(tokens, at, others))
  for (let first = 0; first < tokens.length; first++) {
    if (!own[first]) continue
    let last = first
    // Words with nothing but blanks between them, in one sentence, are one span.
    while (own[last + 1] && /^[ \t]*$/.test(text.slice(tokens[last]!.end, tokens[last + 1]!.start))) last++
    spans.push(spanOf(text, tokens, first, last))
    first = last
  }
  return spans
}

/** "not MySQL" behind a comma, 而不是: the rejected thing is named beside the chosen one, and no statement is denied. */
const DENIAL =
  /(?<![,，]\s?)\bnot\b|\b(?:never|no|none|nobody|nothing|without|cannot)\b(?!,)|n['’]t\b|(?<!是|要|好|对|会|能|有)(?:没(?!有?想到)|未(?!来|必))|不(?!过|错|但|仅|只|如|论|管|久|断|同|少|用|是|到)|不再/gi
/** Characters that deny where they are words of their own: not those of 特别, 无锡, 非常. */
const DENYING_WORD = /[别无非]/

/** How often a text denies something. */
export const denialsIn = readOnce('denials', (text): number => {
  const words = DENYING_WORD.test(text) ? wordsIn(text).filter((word) => /^[别无非]$/.test(word)) : []
  return (text.match(DENIAL)?.length ?? 0) + words.length
})

/** true when the two texts speak of different things in the same place, or each has names or numbers of its own. */
function contrasts(ownA: readonly Span[], ownB: readonly Span[]): boolean {
  if (ownA.length === 0 || ownB.length === 0) return false
  if (ownA.some(({ numeric }) => numeric) && ownB.some(({ numeric }) => numeric)) return true
  if (ownA.some(({ named }) => named) && ownB.some(({ named }) => named)) return true
  return inPlaceOf(ownB, ownA) !== undefined
}

/** The first of these spans in whose place the other text says something else. */
export function inPlaceOf(own: readonly Span[], others: readonly Span[]): Span | undefined {
  const taken = new Set(others.flatMap(({ places }) => places))
  return own.find(({ places }) => places.some((place) => place !== NOWHERE && taken.has(place)))
}

/** Whether it says something: no particle, auxiliary or the like. */
export function tells({ han, word, terms }: Token): boolean {
  return han ? !FILLERS.has(word) || NUMERAL.test(word) : terms.length > 0
}

function isOwn(tokens: readonly Token[], at: number, others: ReadonlyMap<string, number>): boolean {
  const token = tokens[at]!
  if (token.han) {
    if (!tells(token)) return false
    const before = tokens[at - 1]
    const after = tokens[at + 1]
    if (before?.han && before.end === token.start && others.has(before.word + token.word)) return false
    if (after?.han && after.start === token.end && others.has(token.word + after.word)) return false
    return !others.has(token.word)
  }
  // 12:35 is not 12:45, though both hold a 12.
  if (NO_LETTER.test(token.word)) return token.terms.some((term) => !others.has(term))
  // The last term of an identifier is the whole of it: PaymentClient is not OrderClient, though both are clients.
  const whole = token.terms.at(-1)
  return (
    whole !== undefined &&
    !others.has(whole) &&
    (token.terms.length === 1 || token.terms.slice(0, -1).some((term) => !others.has(term)))
  )
}

function spanOf(text: string, tokens: readonly Token[], first: number, last: number): Span {
  const inside = tokens.slice(first, last + 1)
  const start = inside[0]!.start
  const end = inside.at(-1)!.end
  const [before, after] = [tokens.slice(0, first), tokens.slice(last + 1)]
  const near = placeOf(before.at(-1), after[0])
  return {
    text: text.slice(start, end),
    places: isHalfWord(text, start, end) ? [near] : [near, placeOf(before.findLast(tells), after.find(tells))],
    numeric: inside.some(({ word }) => NUMERAL.test(word) || ENGLISH_NUMBERS.has(word)),
    named: inside.some((token) => isName(text, token)),
  }
}

const allWords = readOnce('all words', wordsIn)

/** 老 of 老是: the particle behind it is a part of the word. */
function isHalfWord(text: string, start: number, end: number): boolean {
  if (end - start > 1 || !HAN_AT_ONCE.test(text.slice(start, end))) return false
  let at = 0
  for (const word of allWords(text)) {
    at += word.length
    if (at > start) return word.replace(/[了着过]$/, '').length > 1
  }
  return false
}

function isName(text: string, token: Token): boolean {
  if (token.han || !/\p{L}/u.test(token.word) || ENGLISH_STOP_WORDS.has(token.word)) return false
  const raw = text.slice(token.start, token.end)
  if (/\p{Lu}/u.test(raw.slice(1)) || /[_/]/.test(raw)) return true
  if (HAN_AT_ONCE.test(text.slice(Math.max(0, token.start - 2), token.end + 2))) return raw.length > 1
  return /^\p{Lu}/u.test(raw) && !token.opens
}

function placeOf(before: Token | undefined, after: Token | undefined): string {
  return `${before?.word ?? ''}\0${after?.word ?? ''}`
}

/** One side at least must be a word, or any two texts would meet. */
const NOWHERE = placeOf(undefined, undefined)

/**
 * The bounds of a scale of similarity: from `mergeHigh` on two memories may be one, from `ambiguousLow` on they may be
 * mixed up.
 */
export interface SimilarityThresholds {
  /** T_merge_high of specification 002. */
  readonly mergeHigh: number
  /** T_amb_low of specification 002. */
  readonly ambiguousLow: number
}

/** Cosines of embeddings: T_merge_high and T_amb_low of specification 002. */
export const COSINE_THRESHOLDS: SimilarityThresholds = { mergeHigh: 0.85, ambiguousLow: 0.65 }

/**
 * The bound `mergeHigh` was chosen on one half of bench/quality/pairs-data.ts and measured on the other (bench
 * `pairs`). Below `ambiguousLow` (development chats) two memories only share a subject, and nobody mixes them up.
 */
export const LEXICAL_THRESHOLDS: SimilarityThresholds = { mergeHigh: 0.66, ambiguousLow: 0.6 }

/** The verdict on a similarity: 0.85 itself merges, 0.65 itself is ambiguous. */
export function judgeSimilarity(
  similarity: number,
  { mergeHigh, ambiguousLow }: SimilarityThresholds,
): 'same' | 'ambiguous' | 'different' {
  if (similarity >= mergeHigh) return 'same'
  return similarity >= ambiguousLow ? 'ambiguous' : 'different'
}

/** The parts of a text that are kept to compare it with many. */
export interface TextProfile {
  readonly text: string
  readonly terms: ReadonlyMap<string, number>
  readonly tokens: readonly Token[]
}

/** Numbers tell events apart better than words. Chosen on the pairs of bench/quality/pairs-data.ts. */
const NUMBER_WEIGHT = 2
/** A text of less weight than this says too little to be found again in another. */
export const SHORT_TEXT = 5
/** Contrasting texts are at most related, however many words they share. */
const CONTRAST_CEILING = LEXICAL_THRESHOLDS.mergeHigh - 0.02

const weightOf = (term: string): number => (/\d|[零一二三四五六七八九十百千两]/.test(term) ? NUMBER_WEIGHT : 1)

/** Prepares a text for comparison. Its tokens are cut when they are first asked for: most pairs are too unlike to need them. */
export function textProfile(text: string): TextProfile {
  let tokens: readonly Token[] | undefined
  return {
    text,
    terms: indexTerms(text),
    get tokens() {
      tokens ??= tokensOf(text)
      return tokens
    },
  }
}

/** 0 to 1, symmetric; 1 for texts with the same terms, 0 for texts without a common term. */
export function lexicalSimilarity(a: string, b: string): number {
  return profileSimilarity(textProfile(a), textProfile(b))
}

/** `lexicalSimilarity` of prepared texts. */
export function profileSimilarity(a: TextProfile, b: TextProfile): number {
  const overlap = termOverlap(a.terms, b.terms)
  if (overlap <= CONTRAST_CEILING) return overlap
  return inContrast(a, b) ? CONTRAST_CEILING : overlap
}

/** true when other words stand in one place of both, each has its own name or number, or one denies it. */
export function inContrast(a: TextProfile, b: TextProfile): boolean {
  return (
    denialsIn(a.text) > 0 !== denialsIn(b.text) > 0 ||
    contrasts(ownSpans(a.text, a.tokens, b.terms), ownSpans(b.text, b.tokens, a.terms))
  )
}

/**
 * Half 2·w(A∩B) / (w(A) + w(B)) (Dice 1945), and half w(A∩B) / min(w(A), w(B)), as a short telling lies within a longer
 * one. Very short texts lie within anything, so for them Dice alone counts.
 */
export function termOverlap(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let shared = 0
  let ofA = 0
  for (const term of a.keys()) {
    const w = weightOf(term)
    ofA += w
    if (b.has(term)) shared += w
  }
  const ofB = termWeight(b)
  const smaller = Math.min(ofA, ofB)
  if (smaller === 0) return 0
  const dice = (2 * shared) / (ofA + ofB)
  return smaller < SHORT_TEXT ? dice : (dice + shared / smaller) / 2
}

/** The weight of all terms of a text. */
export function termWeight(terms: ReadonlyMap<string, number>): number {
  let sum = 0
  for (const term of terms.keys()) sum += weightOf(term)
  return sum
}
