/**
 * When does an order to the assistant end an earlier one? Where both order the same but for one attribute's value, or
 * one takes the other back.
 */

import { readOnce } from '../../domain/read-once.ts'
import { hasHan } from '../../language/character-class.ts'
import { wordList } from '../../language/word-lists.ts'
import { topicsOf } from '../facts/topics.ts'
import { tellingTerm, wordsIn } from '../topic/common-words.ts'

const ORDER =
  /^(?:(?:please|from now on|in future),? )*(?:always|never|do not|don['’]t|make sure|keep|use|avoid|when (?:i|we) ask|if i ask)\b|^(?:请|以后|今后|从现在起|每次)?(?:总是|永远|务必|不要|别|都?要|一律|用)/i
/** From when on it holds, and how often: no part of what is ordered. */
const WHEN =
  /\b(?:please|always|from now on|in (?:the )?future|every time|each time|any ?more|any longer|again|instead|now)\b|以后|今后|从现在起?|从今天起|每次|始终|一律|改(?=用|为|成)|都|请|再|就|了|\bwhen(?:ever)? (?:i|we|you)\b[^,.;]{0,80}/gi
const ANEW = /\b(?:from now on|in (?:the )?future|instead)\b|以后|今后|从现在|从今天起|改[用为成]/i
const TAKES_BACK =
  /^(?:(?:please|ok|okay|from now on),? )*(?:(?:you can )?stop|no more|do not|don['’]t|no need to|you (?:need not|needn['’]t|(?:do not|don['’]t) (?:need|have) to)|never)\b|^(?:请|以后)*(?:不用|不要|不必|无需|别|停止)/i
const PERMITS =
  /^(?:(?:please|ok|okay|from now on),? )*(?:you (?:can|may)|feel free to)\b|^(?:现在|以后)?(?:又|你)?可以/i
/** Somebody of whom a state is told: no order. */
const TOLD_OF = /^(?:i|we|my|our|he|she|they|his|her|their|the)\b|^[我咱俺他她]/i

/** Whether it tells the assistant what to do from now on. */
export function isOrder(text: string): boolean {
  return ORDER.test(text)
}

/** The effect of a newer order on an older one: it takes its place, ends it, or neither. */
export function orderChanged(newer: string, older: string): 'supersedes' | 'ends' | null {
  if (TOLD_OF.test(newer) || TOLD_OF.test(older)) return null
  const isBan = TAKES_BACK.test(older)
  const ends = isBan ? PERMITS.test(newer) : TAKES_BACK.test(newer)
  if (!ends && (isBan || !ANEW.test(newer))) return null
  // What is ordered instead stands behind: "no more lists, just paragraphs".
  const [told = newer] = ends ? newer.split(/[,，;；]/) : [newer]
  const [mine, theirs] = [orderedBy(told), orderedBy(older)]
  const [own, others] = [without(mine, theirs), without(theirs, mine)]
  if (ends) return mine.size > 0 && own.length === 0 && others.length * 2 <= mine.size ? 'ends' : null
  const isOneAttribute =
    own.length > 0 && others.length > 0 && kindsOf(own).some((kind) => kindsOf(others).includes(kind))
  return isOneAttribute ? 'supersedes' : null
}

/** The words that tell what is ordered, by their stems. */
const orderedBy = readOnce('ordered', (text): ReadonlyMap<string, string> => {
  const bare = text.replace(WHEN, ' ').trim().replace(TAKES_BACK, ' ').replace(PERMITS, ' ')
  const words = wordsIn(bare).map((word) => word.toLowerCase().replace(/[,.:;!。，：；！]{1,8}$/, ''))
  return new Map(words.flatMap((word) => (tellingTerm(word) === null ? [] : [[tellingTerm(word)!, word] as const])))
})

/** The words of the one order that the other does not have; 附 is the word 附上. */
function without(words: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>): readonly string[] {
  const isHad = (term: string): boolean =>
    others.has(term) ||
    (hasHan(term) && [...others.keys()].some((other) => other.startsWith(term) || term.startsWith(other)))
  return [...words].flatMap(([term, word]) => (isHad(term) ? [] : [word]))
}

/** The attributes of which each of the words is a value. */
function kindsOf(words: readonly string[]): readonly string[] {
  const [first = [], ...rest] = words.map((word) =>
    wordList('languages').has(word) ? ['spoken_language'] : [...topicsOf(word).keys()],
  )
  return first.filter((kind) => rest.every((kinds) => kinds.includes(kind)))
}
