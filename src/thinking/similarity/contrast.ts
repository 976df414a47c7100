/**
 * In which words do two texts differ? They contrast when other words stand in one place ("on Monday" – "on Friday",
 * 去成都的 – 去昆明的), or each has its own number or name.
 */
import { readOnce } from '../../domain/read-once.ts'
import { ENGLISH_NUMBERS } from '../../language/number-words.ts'
import { ENGLISH_STOP_WORDS } from '../../language/stop-words.ts'
import { indexTerms } from '../../language/tokens.ts'
import { wordsIn } from '../topic/common-words.ts'

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
export interface Span {
  readonly start: number
  readonly end: number
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

/** Cuts a text into words and Han characters. */
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
    while (last + 1 < tokens.length && own[last + 1] && joins(text, tokens[last]!, tokens[last + 1]!)) last++
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

/** true when one text denies something and the other nothing. */
export function deniesOtherwise(a: string, b: string): boolean {
  return denialsIn(a) > 0 !== denialsIn(b) > 0
}

/** true when the two texts speak of different things in the same place, or each has names or numbers of its own. */
export function contrasts(ownA: readonly Span[], ownB: readonly Span[]): boolean {
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
function tells({ han, word, terms }: Token): boolean {
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

/** Words with nothing but blanks between them, in one sentence, are one span. */
function joins(text: string, left: Token, right: Token): boolean {
  return /^[ \t]*$/.test(text.slice(left.end, right.start))
}

function spanOf(text: string, tokens: readonly Token[], first: number, last: number): Span {
  const inside = tokens.slice(first, last + 1)
  const start = inside[0]!.start
  const end = inside.at(-1)!.end
  const [before, after] = [tokens.slice(0, first), tokens.slice(last + 1)]
  const near = placeOf(before.at(-1), after[0])
  return {
    start,
    end,
    text: text.slice(start, end),
    places: isHalfWord(text, start, end) ? [near] : [near, placeOf(before.findLast(tells), after.find(tells))],
    numeric: inside.some(({ word }) => NUMERAL.test(word) || ENGLISH_NUMBERS.has(word)),
    named: inside.some((token) => isName(text, token)),
  }
}

/** 老 of 老是: the particle behind it is a part of the word. */
function isHalfWord(text: string, start: number, end: number): boolean {
  if (end - start > 1 || !HAN_AT_ONCE.test(text.slice(start, end))) return false
  let at = 0
  for (const word of wordsIn(text)) {
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
