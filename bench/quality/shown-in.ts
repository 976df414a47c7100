/**
 * Does a text that a model gets show this turn, and does it say anything twice? Both read only the text: whether a turn, a
 * memory, a summary or the profile says it makes no difference.
 */

const STOP_WORDS = new Set(
  'the a an and or but of to in on at for with from by is are was were be been am i you he she it we they my your his her its our their me him them this that these those as if so not no do does did have has had will would can could should what when where who how which why about into than then there here just also very more most some any all one'.split(
    ' ',
  ),
)
/** Of a turn with more distinct words than MANY_WORDS, ENOUGH_WORDS are a good excerpt. */
const MANY_WORDS = 80
const ENOUGH_WORDS = 40
/** The stretch that must hold them: so much longer than the turn, which counts as at most LONGEST_TURN words. */
const ROOM = 1.5
const LONGEST_TURN = 120
const SHORTEST_STRETCH = 8
/** A dot within a number or a name, or behind the number of an item, ends nothing. */
const SENTENCE_END = /(?<![:：;；,，、]\s?\d{1,2})[.!?…]+(?=["'”]?(?:\s|$))|[。！？；\n]+/
/** Marks before a sentence, and a label before a quotation (`**Example**: "…"`). */
const OPENING = /^[\s"'“”\-*#…]+(?:[^:"“({]{1,40}[:：]\**\s*(?=["“「]))?["“「]?/
const CLOSING = /[\s"'“”*…]+$/
/** A dot within a number or a name ends no question either. */
const QUESTION = /(?:[^.!?…。！？；\n]|\.(?=\w)){0,2000}[?？]/g
/** A shorter text may well stand twice. */
const SHORTEST_SENTENCE = 20

/** The words that say something, in order; of Chinese the pairs of characters. */
export function contentWords(text: string): readonly string[] {
  const runs = text.toLowerCase().match(/\p{Script=Han}+|[[\p{L}\p{N}]--\p{Script=Han}]+/gv) ?? []
  return runs.flatMap((run) => {
    if (/^\p{Script=Han}./u.test(run)) return Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2))
    return STOP_WORDS.has(run) ? [] : [run]
  })
}

/**
 * Whether one stretch of the words holds at least half of the distinct content words of the turn, or 40 of more than 80.
 * A turn without content words counts as shown.
 */
export function shownIn(words: readonly string[], turn: string): boolean {
  const said = contentWords(turn)
  const wanted = new Set(said)
  if (wanted.size === 0) return true
  const need = wanted.size > MANY_WORDS ? ENOUGH_WORDS : Math.ceil(wanted.size / 2)
  const width = Math.max(SHORTEST_STRETCH, Math.ceil(ROOM * Math.min(said.length, LONGEST_TURN)))
  const inStretch = new Map<string, number>()
  let found = 0
  for (const [at, word] of words.entries()) {
    if (wanted.has(word)) {
      const times = (inStretch.get(word) ?? 0) + 1
      inStretch.set(word, times)
      if (times === 1) found += 1
      if (found >= need) return true
    }
    const leaving = words[at - width + 1]
    if (leaving === undefined || !wanted.has(leaving)) continue
    const times = inStretch.get(leaving)! - 1
    inStretch.set(leaving, times)
    if (times === 0) found -= 1
  }
  return false
}

/**
 * Sentences of at least 20 characters that stand in two items of the text, alone or within a statement; a line of the
 * profile counts where another item has it as a sentence of its own. Origins such as `- Ann:` are no sentences.
 */
export function saidTwice(text: string): readonly string[] {
  const items = text.split(/\n(?! {2})/).map((item) => {
    const said = item.replace(/^-\s*(?:\[[^\]]*\]|[^:]{1,40}:)\s*/, '').toLowerCase()
    const sentences = said.split(SENTENCE_END).map((part) => part.replace(OPENING, '').replace(CLOSING, ''))
    return { told: said.replace(QUESTION, ' '), sentences: new Set(sentences), isProfile: said.startsWith('- ') }
  })
  return items.flatMap(({ sentences, isProfile }, at) =>
    [...sentences].filter(
      (sentence) =>
        sentence.length >= SHORTEST_SENTENCE &&
        items.some(
          (other, place) =>
            place > at && (other.sentences.has(sentence) || (!isProfile && other.told.includes(sentence))),
        ),
    ),
  )
}
