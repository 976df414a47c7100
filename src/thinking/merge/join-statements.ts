/**
 * One text with every statement of two, each once, the earlier text first. A sentence is dropped only when another, or
 * a clause of it, has all its telling words, denials and first name ("Anna called Bob" is not "Bob called Anna").
 */
import { FULL_WEEKDAY } from '../../language/calendar.ts'
import { hasHan } from '../../language/character-class.ts'
import { splitSentences } from '../../language/sentences.ts'
import { indexTerms } from '../../language/tokens.ts'
import { ENGLISH_STOP_WORDS } from '../../language/word-lists.ts'
import { clausesOf } from '../facts/clauses.ts'
import { denialsIn } from '../similarity/rules.ts'
import { tellingWords } from '../topic/common-words.ts'

interface Said {
  readonly text: string
  /** Terms in Latin letters and how often they stand in it, and the Chinese words that tell something, in order. */
  readonly terms: ReadonlyMap<string, number>
  readonly words: readonly string[]
  readonly denials: number
}

interface Statement extends Said {
  readonly clauses: readonly Said[]
}

/** The union of the statements of `earlier` and `later`. */
export function joinStatements(earlier: string, later: string): string {
  if (earlier.trim() === later.trim()) return earlier.trim()
  const kept: Statement[] = []
  for (const text of [...sentencesOf(earlier), ...sentencesOf(later)]) {
    const statement = statementOf(text)
    if (kept.some((other) => says(other, statement))) continue
    const shorter = kept.findIndex((other) => says(statement, other))
    // The fuller sentence stands where the shorter one stood.
    if (shorter === -1) kept.push(statementOf(newPartOf(statement, kept.at(-1))))
    else kept[shorter] = statement
  }
  const once = kept.filter((statement, at) => !kept.some((other, place) => place < at && says(other, statement)))
  return once.map(({ text }) => closed(text)).reduce((all, text) => all + gap(all, text) + text, '')
}

/** A clause that can stand alone behind the sentence before. */
const STANDS = /^(?:it|he|she|they|we|i)\b|^\p{Script=Han}/iu
const BEFORE_CLAUSE = /^[\s,;，；]{1,3}(?:(?:and|but)\s)?/

/** The sentence, or only what is behind its first clause where the sentence before tells that. */
function newPartOf({ text, clauses }: Statement, before: Statement | undefined): string {
  const [first] = clauses
  if (before === undefined || first === undefined || !tellsAll(before, first)) return text
  const rest = text.slice(text.indexOf(first.text) + first.text.length).replace(BEFORE_CLAUSE, '')
  return STANDS.test(rest) ? rest.charAt(0).toUpperCase() + rest.slice(1) : text
}

/** Sentences with the separators between them; a block of code, which has no sentences, is one statement. */
function sentencesOf(text: string): readonly string[] {
  if (text.includes('```')) return [text.trim()]
  const sentences = splitSentences(text)
  return sentences.length === 0 && text.trim() !== '' ? [text.trim()] : sentences
}

function statementOf(text: string): Statement {
  return { ...saidIn(text), clauses: clausesOf(text).map(saidIn) }
}

function saidIn(text: string): Said {
  const terms = [...indexTerms(text)].filter(([term]) => !hasHan(term))
  const words = tellingWords(text).filter((word) => hasHan(word))
  return { text, terms: new Map(terms), words, denials: denialsIn(text) }
}

/** true when `full`, which is no shorter, or a clause of it tells all that `part` tells. */
function says(full: Statement, part: Statement): boolean {
  return full.text.length >= part.text.length && [full, ...full.clauses].some((one) => tellsAll(one, part))
}

/** true when `full` has every telling word of `part`, a Latin one as often, and as many denials. */
function tellsAll(full: Said, part: Said): boolean {
  if (full.denials !== part.denials || (part.terms.size + part.words.length === 0 && full.text !== part.text))
    return false
  for (const [term, frequency] of part.terms) if ((full.terms.get(term) ?? 0) < frequency) return false
  // Chinese is cut into words differently in two sentences.
  if (!part.words.every((word) => full.text.includes(word))) return false
  return firstShared(namesOf(full), namesOf(part)) && firstShared(full.words, part.words)
}

/** true when the first of the words of `full` that are in `part` too is the first of `part` that is in `full`. */
function firstShared(full: readonly string[], part: readonly string[]): boolean {
  return full.find((word) => part.includes(word)) === part.find((word) => full.includes(word))
}

/** Names of days, whose place in a sentence tells nothing. */
const OF_DAYS = new RegExp(`^${FULL_WEEKDAY}$`, 'i')

function namesOf({ text }: Said): readonly string[] {
  return (text.match(/\p{Lu}[\p{L}\p{N}]+/gu) ?? []).filter(
    (word) => !ENGLISH_STOP_WORDS.has(word.toLowerCase()) && !OF_DAYS.test(word),
  )
}

/** The statement with a mark at its end. */
export function closed(text: string): string {
  if (/[.!?。！？…;；:：]["'”’）)」』]{0,40}$/.test(text) || text.endsWith('```')) return text
  return text + (/\p{Script=Han}["'”’）)」』]{0,40}$/u.test(text) ? '。' : '.')
}

/** The separator of two statements: a blank, or nothing between Chinese ones. */
export function gap(before: string, after: string): string {
  if (before === '') return ''
  if (before.endsWith('```') || after.startsWith('```')) return '\n'
  return /[。！？；」』”）]$/.test(before) && !/^[A-Za-z]/.test(after) ? '' : ' '
}
