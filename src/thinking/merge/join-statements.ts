/** One text with every sentence of two, each once, the earlier text first; a fuller sentence stands where a shorter one did. */
import { splitSentences } from '../../language/sentences.ts'
import { foldedText } from '../../language/spelling.ts'
import { peopleOf } from '../facts/people.ts'
import { stanceOf } from '../facts/stance.ts'
import { denialsIn } from '../similarity/similarity.ts'

/** The most sentences that are compared with one another; of further ones only the same words stand once. */
const MOST_COMPARED = 32

/** The union of the sentences of `earlier` and `later`. */
export function joinStatements(earlier: string, later: string): string {
  const sentences = [...new Set([...sentencesOf(earlier), ...sentencesOf(later)])]
  const kept: Telling[] = []
  for (const one of sentences.slice(0, MOST_COMPARED).map(tellingOf)) {
    if (kept.some((other) => holds(other, one))) continue
    const shorter = kept.findIndex((other) => holds(one, other))
    if (shorter === -1) kept.push(one)
    else kept[shorter] = one
  }
  return statementsInOrder([...kept.map(({ text }) => text), ...sentences.slice(MOST_COMPARED)])
}

/** A sentence, its words and marks, and its words alone. */
interface Telling {
  readonly text: string
  readonly whole: readonly string[]
  readonly words: readonly string[]
}

function tellingOf(text: string): Telling {
  const whole = wordsIn(text)
  return { text, whole, words: whole.filter((word) => !MARK.test(word)) }
}

/** Statements one after the other, each closed by a mark. */
export function statementsInOrder(statements: readonly string[]): string {
  const marked = statements.map(withEndMark)
  return marked.map((text, at) => separatorOf(marked[at - 1] ?? '', text) + text).join('')
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

/** The most words, or Han characters, of a sentence that is compared. */
const LONGEST_COMPARED = 100

/** Whether one sentence tells all that the other does of the same people, as surely, with words between them or moved. */
function holds({ text: full, whole }: Telling, { text: part, words }: Telling): boolean {
  if (words.length > whole.length || whole.length > LONGEST_COMPARED) return false
  const runs: number[] = []
  for (let [from, before, next] = [0, 0, 0]; from < words.length; ) {
    const { start, end, length } = longestRun(whole, words, from)
    const isMoved = start < before
    if (length === 0 || runs.push(length) > MOST_RUNS) return false
    if (from > 0 && !isMoved && !isPlain(whole.slice(next, start), whole[start]!)) return false
    from += length
    before = start
    next = end
  }
  return Math.max(runs[0] ?? 0, runs.at(-1) ?? 0) >= LONG_RUN * words.length && isToldAlike(full, part)
}

/** What did not quite happen. */
const NOT_QUITE = /\b(?:almost|nearly)\b|差一?点|险些|几乎/iu

function isToldAlike(full: string, part: string): boolean {
  if (denialsIn(full) !== denialsIn(part) || NOT_QUITE.test(full) !== NOT_QUITE.test(part)) return false
  const [one, other] = [stanceOf(full), stanceOf(part)]
  const { subjects } = peopleOf(full)
  return (
    one.unreal === other.unreal &&
    one.hedged === other.hedged &&
    [...peopleOf(part).subjects].every((subject) => subjects.has(subject))
  )
}

/** Where the most words from `from` on stand in their order. */
function longestRun(whole: readonly string[], words: readonly string[], from: number) {
  let best = { start: 0, end: 0, length: 0 }
  for (const [start, word] of whole.entries()) {
    if (word !== words[from]) continue
    let [at, length] = [start, 1]
    for (; from + length < words.length; length += 1) {
      const next = whole.indexOf(words[from + length]!, at + 1)
      if (next < 0 || !isDetail(whole.slice(at + 1, next), whole[at]!, whole[next]!)) break
      at = next
    }
    if (length > best.length) best = { start, end: at + 1, length }
  }
  return best
}

const HAN = /^\p{Script=Han}$/u
/** Marks behind which something else is told. */
const MARK = /^[,，、;；:：—]$/
/** Behind these comes another thing, not more of the same. */
const ANOTHER = /^(?:and|or|but|nor|[和或及,，、;；:：—])$/
/** Words that open what is told of a thing, its place or its time. */
const OPENS_DETAIL =
  /^(?:an?|the|my|our|his|her|their|\d+|in|at|on|with|from|for|by|to|into|this|last|next|today|yesterday)$/
/** The most words, or Han characters, of a detail. */
const LONGEST_DETAIL = 8

/** Whether words before another say more of it, and not whose it is or what else there is: 给(邻居的)猫. */
function isPlain(words: readonly string[], after: string): boolean {
  return (
    words.every((word) => MARK.test(word)) ||
    (!words.some((word) => ANOTHER.test(word)) && ![words[0], words.at(-1), after].includes('的'))
  )
}

/** Whether words between two neighbours only say more of them: "a (red wool) scarf", 做了(全身)体检. */
function isDetail(words: readonly string[], before: string, after: string): boolean {
  const first = words.find((word) => !MARK.test(word))
  if (first === undefined) return true
  const isShort = words.length <= LONGEST_DETAIL
  return isShort && isPlain(words, after) && (HAN.test(first) || OPENS_DETAIL.test(before) || OPENS_DETAIL.test(first))
}

/** Words, and marks inside, Chinese words by character, without 了, which tells nothing here, and with one word for "and". */
function wordsIn(text: string): readonly string[] {
  return (
    foldedText(text)
      .replace(/[跟与]/g, '和')
      .match(
        /\p{Script=Han}(?<!了)|[^\p{Script=Han}\s\p{P}]{1,100}(?:['’][^\p{Script=Han}\s\p{P}]{1,20})?|[,，、;；:：—]/gu,
      ) ?? []
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
