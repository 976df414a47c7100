/** One text with every sentence of two, each once, the earlier text first; a fuller sentence stands where a shorter one did. */
import { splitSentences } from '../../language/sentences.ts'
import { foldedText } from '../../language/spelling.ts'
import { denialsIn } from '../similarity/similarity.ts'

/** The union of the sentences of `earlier` and `later`. */
export function joinStatements(earlier: string, later: string): string {
  const kept: string[] = []
  for (const text of [...sentencesOf(earlier), ...sentencesOf(later)]) {
    if (kept.some((other) => holds(other, text))) continue
    const shorter = kept.findIndex((other) => holds(text, other))
    if (shorter === -1) kept.push(text)
    else kept[shorter] = text
  }
  return statementsInOrder(kept)
}

/** Statements one after the other, each closed by a mark. */
export function statementsInOrder(statements: readonly string[]): string {
  return statements.map(withEndMark).reduce((all, text) => all + separatorOf(all, text) + text, '')
}

/** Sentences with the separators between them; a block of code, which has no sentences, is one statement. */
function sentencesOf(text: string): readonly string[] {
  const sentences = text.includes('```') ? [] : splitSentences(text)
  return sentences.length === 0 && text.trim() !== '' ? [text.trim()] : sentences
}

/** Runs of words in which a sentence may stand in another: "yesterday", or 我昨天, before the rest or behind it. */
const MOST_RUNS = 3
/** Least share of its words in the first or the last run: an exchange of two names leaves the long run in the middle. */
const LONG_RUN = 0.6

/** Whether one sentence has all words of the other, in a row but for those that open or close it, and denies as much. */
function holds(full: string, part: string): boolean {
  if (denialsIn(full) !== denialsIn(part)) return false
  const [whole, words] = [` ${wordsIn(full).join(' ')} `, wordsIn(part)]
  const runs: number[] = []
  for (let from = 0, to = 0; from < words.length; from = to) {
    for (let run = ` ${words[to]} `; to < words.length && whole.includes(run); run += `${words[to]} `) to += 1
    if (to === from || runs.push(to - from) > MOST_RUNS) return false
  }
  return Math.max(runs[0] ?? 0, runs.at(-1) ?? 0) >= LONG_RUN * words.length
}

/** Words without marks, Chinese ones by character, without 了, which tells nothing here, and with one word for "and". */
function wordsIn(text: string): readonly string[] {
  return (
    foldedText(text)
      .replace(/[跟与]/g, '和')
      .match(/\p{Script=Han}(?<!了)|[^\p{Script=Han}\s\p{P}]{1,100}/gu) ?? []
  )
}

/** The statement with a mark at its end. */
export function withEndMark(text: string): string {
  if (/[.!?。！？…;；:：]["'”’）)」』]{0,40}$/.test(text) || text.endsWith('```')) return text
  return text + (/\p{Script=Han}["'”’）)」』]{0,40}$/u.test(text) ? '。' : '.')
}

/** The separator of two statements: a blank, or nothing between Chinese ones. */
export function separatorOf(before: string, after: string): string {
  if (before === '') return ''
  if (before.endsWith('```') || after.startsWith('```')) return '\n'
  return /[。！？；」』”）]$/.test(before) && !/^[A-Za-z]/.test(after) ? '' : ' '
}
