/**
 * Which part of a long text answers? Whole sentences (of code whole lines) in their order, with a mark at each gap, and
 * none that was shown before.
 */
import { roughTokens } from '../../language/count-tokens.ts'
import { splitSentences } from '../../language/sentences.ts'
import { indexTerms } from '../../language/terms.ts'

/** The mark of left-out sentences. */
export const LEFT_OUT = '…'

/** Letters from which a sentence counts as said before when it comes again; a Chinese character tells as much as two. */
const TELLING_LENGTH = 10
const HAN = /\p{Script=Han}/gu
/** The worth of a sentence beside a telling one: it says what "it" and "there" stand for. */
const BESIDE = 0.35
/** The extra worth of the first sentence: it states the subject of the text. */
const OPENING = 0.5
/** A text that is this much longer than allowed is still shown whole. */
const LITTLE_MORE = 1.2

/** A sentence as it is compared: letters and digits in lower case. */
export interface Sentence {
  readonly key: string
  /** The quoted words alone where it is a label and a quotation (`- **Example**: "…"`), else the whole key. */
  readonly told: string
  /** Whether it is a question, which tells nothing that stands in it. */
  readonly isAsked: boolean
}

/** One sentence or line of a text. */
interface Part extends Sentence {
  readonly from: number
  readonly to: number
}

/** The numbers that stand for four characters in a row: many, so that few fall together. */
const GRAMS = 1 << 14

/** false where one of the grams of a key fails the test. */
function everyGram(key: string, test: (gram: number) => boolean): boolean {
  let gram = 0
  for (let at = 0; at < key.length; at++) {
    gram = ((gram << 4) ^ key.charCodeAt(at)) & (GRAMS - 1)
    if (at >= 3 && !test(gram)) return false
  }
  return true
}

/** The sentences shown already. */
export class Shown {
  readonly #keys = new Set<string>()
  /** How often each gram was said, twice at the most: a sentence that lacks one was not said. */
  readonly #grams = new Uint8Array(GRAMS)
  /** All keys of statements, each on a line. */
  #said = ''
  /** Those of questions, which hide other questions alone. */
  #asked = ''

  add(text: string): void {
    this.addSentences(partsOf(text))
  }

  /** Takes note of a message: a text that answers it may well stand in it. */
  addAsked(message: string): void {
    for (const { key } of partsOf(message)) this.#keys.add(key)
  }

  addSentences(sentences: readonly Sentence[]): void {
    for (const { key, isAsked } of sentences) {
      if (this.#keys.has(key)) continue
      this.#keys.add(key)
      if (isAsked) this.#asked += `${key}\n`
      else this.#say(key)
    }
  }

  /** true when this sentence stood in a text before, alone or within a longer one. */
  has({ key, told, isAsked }: Sentence): boolean {
    if (!isTelling(told)) return false
    return this.#keys.has(key) || this.#isSaid(told, 1) || (isAsked && this.#asked.includes(told))
  }

  /** true when this sentence stands within more than one shown sentence: itself and a longer one. */
  repeats({ told, isAsked }: Sentence): boolean {
    if (!isTelling(told)) return false
    return isAsked
      ? this.#asked.includes(told, this.#asked.indexOf(told) + 1) || this.#isSaid(told, 1)
      : this.#isSaid(told, 2)
  }

  #say(key: string): void {
    this.#said += `${key}\n`
    everyGram(key, (gram) => {
      this.#grams[gram] = Math.min(2, this.#grams[gram]! + 1)
      return true
    })
  }

  #isSaid(told: string, times: 1 | 2): boolean {
    if (!everyGram(told, (gram) => this.#grams[gram]! >= times)) return false
    const first = this.#said.indexOf(told)
    return times === 1 ? first >= 0 : first >= 0 && this.#said.includes(told, first + 1)
  }

  /** true when one of the sentences of a text was shown, or holds one that was. */
  hasSome(text: string): boolean {
    const shown = [...this.#keys].filter(isTelling)
    return partsOf(text.replace(/…$/u, '')).some(
      (sentence) => this.has(sentence) || shown.some((other) => sentence.key.includes(other)),
    )
  }

  /** true when everything that the text says was shown. */
  hasAll(text: string): boolean {
    return partsIn(text).every((part) => this.#hasWhole(part))
  }

  hasSentences(sentences: readonly Sentence[]): boolean {
    return sentences.every((one) => this.#hasWhole(one))
  }

  #hasWhole(one: Sentence): boolean {
    return one.key === '' || this.#keys.has(one.key) || this.has(one)
  }
}

function isTelling(key: string): boolean {
  if (key.length >= TELLING_LENGTH || 2 * key.length < TELLING_LENGTH) return key.length >= TELLING_LENGTH
  return key.length + (key.match(HAN)?.length ?? 0) >= TELLING_LENGTH
}

export interface Excerpt {
  readonly text: string
  /** false: it is the whole text. */
  readonly isPart: boolean
  /** Its sentences, by their places in the whole text. */
  readonly parts: readonly Part[]
}

/**
 * The most telling sentences of a text, up to about so many tokens; null when all were shown before. `gains`: the worth
 * of each term of the question.
 */
export function excerptOf(
  text: string,
  gains: ReadonlyMap<string, number>,
  most: number,
  shown: Shown,
): Excerpt | null {
  const all = partsOf(text, text.length > MOST_READ ? tellingStretch(text, gains) : 0)
  const parts = all.filter((part) => !shown.has(part))
  if (shown.hasSentences(parts)) return null
  const isNew = parts.length === all.length
  if (isNew && roughTokens(text) <= most * LITTLE_MORE) return { text, isPart: false, parts }
  const own = partGains(text, parts, gains)
  // Where the part that answers was shown, the rest is worth a line only if it answers as well.
  if (!isNew && !answers(own) && answers(partGains(text, all, gains))) return null
  const chosen = chooseParts(text, parts, own, most)
  // A line of code may stand in a text many times.
  const once = new Set<string>()
  const taken = parts.filter(({ key }, index) => {
    if (!chosen[index] || once.has(key)) return false
    if (isTelling(key)) once.add(key)
    return true
  })
  if (taken.length === 0) return null
  return { text: joined(text, taken), isPart: true, parts: taken }
}

function answers(gains: readonly number[]): boolean {
  return gains.some((gain) => gain > OPENING)
}

/** The excerpt without sentences that stand within longer shown ones, its own included; null when none is left. */
export function withoutRepeats(whole: string, excerpt: Excerpt, shown: Shown): Excerpt | null {
  const parts = excerpt.parts.filter((part) => !shown.repeats(part))
  if (parts.length === excerpt.parts.length) return excerpt
  return parts.every(({ key }) => key === '') ? null : { text: joined(whole, parts), isPart: true, parts }
}

/** These parts of a text, with a mark where others are left out. */
function joined(text: string, parts: readonly Part[]): string {
  let excerpt = ''
  let end = 0
  for (const { from, to } of parts) {
    const between = text.slice(end, from)
    if (between.trim() === '') excerpt += excerpt === '' ? '' : between
    else excerpt += excerpt === '' ? `${LEFT_OUT} ` : ` ${LEFT_OUT} `
    excerpt += text.slice(from, to)
    end = to
  }
  const rest = text.slice(end).trim()
  return rest === '' ? excerpt : `${excerpt} ${LEFT_OUT}`
}

function partGains(text: string, parts: readonly Part[], gains: ReadonlyMap<string, number>): readonly number[] {
  const mayHold = anyBeginning(gains)
  return parts.map(({ from, to }, index) => {
    let gain = index === 0 ? OPENING : 0
    const part = text.slice(from, to)
    if (mayHold.test(part)) for (const term of indexTerms(part).keys()) gain += gains.get(term) ?? 0
    return gain
  })
}

/** By index, whether a part is taken: the most telling first, until no other fits. */
function chooseParts(text: string, parts: readonly Part[], own: readonly number[], most: number): readonly boolean[] {
  const worth = own.map((gain, index) => gain + BESIDE * Math.max(own[index - 1] ?? 0, own[index + 1] ?? 0))
  const order = worth.map((_, index) => index).sort((a, b) => worth[b]! - worth[a]! || a - b)
  const chosen = new Array<boolean>(parts.length).fill(false)
  let left = most
  for (const index of order) {
    const { from, to } = parts[index]!
    const tokens = roughTokens(text.slice(from, to)) + 1
    if (tokens > left) continue
    chosen[index] = true
    left -= tokens
  }
  return chosen
}

/** Terms of a question that are looked for in long texts. */
const MOST_TERMS = 128

/**
 * A pattern of the terms' first letters, which every text that holds a term matches. Cutting a text into terms takes
 * longer.
 */
function anyBeginning(gains: ReadonlyMap<string, number>): RegExp {
  const known = beginningsOf.get(gains)
  if (known !== undefined) return known
  const terms = [...gains.keys()].slice(0, MOST_TERMS)
  const beginnings = new Set(terms.map((term) => RegExp.escape(term.replace(/^#/, '').slice(0, 3))))
  const pattern = new RegExp([...beginnings].join('|') || '(?!)', 'iu')
  beginningsOf.set(gains, pattern)
  return pattern
}

/** The patterns by question, as one question is asked of many texts. */
const beginningsOf = new WeakMap<ReadonlyMap<string, number>, RegExp>()

/** The start of the stretch of a very long text that holds most of the asked terms. */
function tellingStretch(text: string, gains: ReadonlyMap<string, number>): number {
  const worth = new Map<string, number>()
  for (const [term, gain] of gains) worth.set(term.replace(/^#/, '').slice(0, 3), gain)
  const seen = new Map<number, Map<string, number>>()
  for (const { 0: found, index } of text.matchAll(new RegExp(anyBeginning(gains), 'giu')).take(MOST_FOUND)) {
    const stretch = Math.floor(index / (MOST_READ - MOST_SHARED))
    const beginning = found.toLowerCase()
    seen.set(stretch, (seen.get(stretch) ?? new Map()).set(beginning, worth.get(beginning) ?? 0))
  }
  let best = [0, 0]
  for (const [stretch, held] of seen) {
    const gain = [...held.values()].reduce((sum, one) => sum + one, 0)
    if (gain > best[1]!) best = [stretch, gain]
  }
  return Math.max(0, best[0]! * (MOST_READ - MOST_SHARED) - MOST_SHARED / 2)
}

/** The sentences of a text. A very long text is read from here to a bound. */
function partsOf(text: string, start = 0): readonly Part[] {
  const parts = [...partsIn(text, start)]
  // The first sentence of a stretch may lack its beginning.
  return start === 0 || parts.length === 1 ? parts : parts.slice(1)
}

/** As `partsOf`, line by line. */
function* partsIn(text: string, start = 0): Generator<Part> {
  let at = start
  for (const line of text.slice(start, start + MOST_READ).split('\n')) {
    let from = at
    for (const sentence of /^\s*```/.test(line) ? [line] : splitSentences(line)) {
      const found = text.indexOf(sentence, from)
      if (found < 0) continue
      if (sentence.trim() !== '') yield partAt(text, found, found + sentence.length)
      from = found + sentence.length
    }
    at += line.length + 1
  }
}

/** Places of asked terms that are looked at in a very long text. */
const MOST_FOUND = 20_000
/** Characters of a text that are read for an excerpt. */
export const MOST_READ = 8000
/** The overlap of two such stretches: a sentence at the border stands whole in one of them. */
const MOST_SHARED = 1000

function partAt(text: string, from: number, to: number): Part {
  const words = text.slice(from, to).replace(/^[\s\-*•#>]{0,40}\d{1,3}[.)]\s/, '')
  const key = keyOf(words)
  const quoted = words.search(/[:：]\*{0,3}\s{0,4}["“「]/)
  return {
    from,
    to,
    key,
    told: quoted < 0 ? key : keyOf(words.slice(quoted)),
    isAsked: /[?？]\W{0,8}$/.test(words),
  }
}

function keyOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}
