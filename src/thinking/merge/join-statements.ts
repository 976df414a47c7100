/**
 * One text with every statement of two, each once, the earlier text first. A sentence is dropped only when another has
 * all its terms, denials and first name ("Anna called Bob" is not "Bob called Anna").
 */
import { splitSentences } from '../../language/sentences.ts'
import { ENGLISH_STOP_WORDS } from '../../language/stop-words.ts'
import { indexTerms } from '../../language/tokens.ts'

const NEGATION =
  /\b(?:not|no|never|none|nobody|nothing|without|cannot|can['’]?t|won['’]?t|\w{1,40}n['’]t)\b|[不没未无别非]/gi

interface Statement {
  readonly text: string
  readonly terms: ReadonlyMap<string, number>
  readonly denials: number
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
    if (shorter === -1) kept.push(statement)
    else kept[shorter] = statement
  }
  const once = kept.filter((statement, at) => !kept.some((other, place) => place < at && says(other, statement)))
  return once.map(({ text }) => closed(text)).reduce((all, text) => all + gap(all, text) + text, '')
}

/** Sentences with the separators between them; a block of code, which has no sentences, is one statement. */
function sentencesOf(text: string): readonly string[] {
  if (text.includes('```')) return [text.trim()]
  const sentences = splitSentences(text)
  return sentences.length === 0 && text.trim() !== '' ? [text.trim()] : sentences
}

function statementOf(text: string): Statement {
  return { text, terms: indexTerms(text), denials: text.match(NEGATION)?.length ?? 0 }
}

/** true when `full` has every term of `part` as often, and as many denials. */
function says(full: Statement, part: Statement): boolean {
  if (full.denials !== part.denials || (part.terms.size === 0 && full.text !== part.text)) return false
  for (const [term, frequency] of part.terms) if ((full.terms.get(term) ?? 0) < frequency) return false
  return firstShared(namesOf(full), namesOf(part)) && firstShared(hanPairs(full), hanPairs(part))
}

/** true when the first of the words of `full` that are in `part` too is the first of `part` that is in `full`. */
function firstShared(full: readonly string[], part: readonly string[]): boolean {
  return full.find((word) => part.includes(word)) === part.find((word) => full.includes(word))
}

function namesOf({ text }: Statement): readonly string[] {
  return (text.match(/\p{Lu}[\p{L}\p{N}]+/gu) ?? []).filter((word) => !ENGLISH_STOP_WORDS.has(word.toLowerCase()))
}

/** The pairs in the order in which they first stand in the text. */
function hanPairs({ terms }: Statement): readonly string[] {
  return [...terms.keys()].filter((term) => term.length === 2 && /\p{Script=Han}/u.test(term))
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
