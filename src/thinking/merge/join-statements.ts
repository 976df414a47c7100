/** One text with every sentence of two, each once and whole, the earlier text first; a fuller telling stands where a shorter one did. */
import { splitSentences } from '../../language/sentences.ts'
import { tenseAt } from '../../language/tense.ts'
import { peopleOf } from '../facts/people.ts'
import { stanceOf } from '../facts/stance.ts'
import { denialsIn, type Token, tells, tokensOf } from '../similarity/similarity.ts'

/** The most sentences that are compared with one another; of further ones only the same words stand once. */
const MOST_COMPARED = 32
/** The longest sentence that is compared, in characters: in a longer one all Han characters are found. */
const LONGEST_COMPARED = 200

/** The union of the sentences of `earlier` and `later`. */
export function joinStatements(earlier: string, later: string): string {
  const sentences = [...new Set([...sentencesOf(earlier), ...sentencesOf(later)])]
  const compared = sentences.slice(0, MOST_COMPARED).map(tellingOf)
  const longestFirst = compared.toSorted((a, b) => b.text.length - a.text.length)
  const fullest = compared.map((one) => longestFirst.find((other) => other === one || holds(other, one))!.text)
  return statementsInOrder([...new Set(fullest), ...sentences.slice(MOST_COMPARED)])
}

/** A sentence with its words, none where it is too long, and those of them that tell something. */
interface Telling {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly words: readonly Token[]
}

function tellingOf(text: string): Telling {
  const tokens = text.length > LONGEST_COMPARED ? [] : tokensOf(text)
  return { text, tokens, words: tokens.filter(tells) }
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

/** Fewer words are found in anything. */
const FEWEST_WORDS = 2

/** Whether one sentence has every word that tells something in the other, of the same people and things, as surely. */
function holds(full: Telling, part: Telling): boolean {
  if (part.words.length < FEWEST_WORDS || part.text.length > full.text.length) return false
  const places = placesOf(part.words.map(nameOf), full.tokens.map(nameOf))
  return places !== null && isToldAlike(full.text, part.text) && !isOfOthers(full, part, places)
}

/** The term by which a word is known in another text. */
function nameOf({ word, terms }: Token): string {
  return terms.at(-1) ?? word
}

/** Where each word stands in a text; null where one is missing, or two runs of them are moved: then others did it. */
function placesOf(words: readonly string[], whole: readonly string[]): readonly number[] | null {
  const places: number[] = []
  let moved = 0
  for (const word of words) {
    const last = places.at(-1) ?? -1
    const next = whole.indexOf(word, last + 1)
    const at = next < 0 ? whole.indexOf(word) : next
    if (at < last) moved += 1
    if (at < 0 || moved > 1) return null
    places.push(at)
  }
  return places
}

/** What did not quite happen. */
const NOT_QUITE = /\b(?:almost|nearly)\b|差一?点|险些|几乎/iu

function isToldAlike(full: string, part: string): boolean {
  if (denialsIn(full) !== denialsIn(part) || NOT_QUITE.test(full) !== NOT_QUITE.test(part)) return false
  const [one, other] = [stanceOf(full), stanceOf(part)]
  if (one.unreal !== other.unreal || one.hedged !== other.hedged) return false
  return (tenseAt(full, 0, 0) === 'future') === (tenseAt(part, 0, 0) === 'future')
}

const JOINS = /和|\band\b/iu
const OWNS = /的|['’]s\b/iu
/** Words without which the one behind them plays another part: "from Leeds to York", "the bike of Sam". */
const ORIGIN = /从|\b(?:from|of)\b/iu

/** Whether the fuller sentence has another subject, somebody else's thing, another thing besides, or another origin. */
function isOfOthers(full: Telling, part: Telling, places: readonly number[]): boolean {
  const [there, here] = [peopleOf(full.text), peopleOf(part.text)]
  if ([...here.subjects].some((subject) => !there.subjects.has(subject))) return true
  const known = new Set([...here.mentioned, ...here.names])
  const hasNewPerson = [...there.mentioned, ...there.names].some((person) => !known.has(person))
  const shared = new Set(places)
  const last = places.at(-1)!
  const end = full.text.slice(full.tokens[last]!.start, full.tokens[last + 1]?.end)
  if (hasNewPerson && OWNS.test(end)) return true
  return places.some((at, index) => {
    let from = at - 1
    while (from >= 0 && !shared.has(from)) from -= 1
    const isMore = full.tokens.slice(from + 1, at).some(tells)
    const between = full.text.slice(full.tokens[from]?.start ?? 0, full.tokens[at]!.start)
    const before = part.text.slice(part.words[index - 1]?.start ?? 0, part.words[index]!.start)
    if (ORIGIN.test(before) !== ORIGIN.test(between) && (ORIGIN.test(before) || !isMore)) return true
    return isMore && from >= 0 && ((JOINS.test(between) && !JOINS.test(before)) || (hasNewPerson && OWNS.test(between)))
  })
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
