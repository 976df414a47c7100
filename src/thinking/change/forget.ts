/** Does a memory say what an order to forget names: a statement ("I live in Lyon"), an attribute (我的手机号), a person ("my mum")? */
import { beyondAttributes, plainTopics } from '../facts/mentioned-attributes.ts'
import { PRONOUN_SUBJECT, peopleOf, relationIndex } from '../facts/people.ts'
import { wordsOf } from '../facts/phrase-index.ts'
import { tellingWords } from '../topic/word-rarity.ts'
import { overlapOf } from './overlap.ts'
import { readingOf, type Statement } from './statement-reading.ts'

/** "My phone number", 我的手机号: an attribute with any value, or one that is named with it. */
const ATTRIBUTE = /^(?:my|our|the)\s+[\w'’ -]{1,80}$|^(?:我|我们|咱们?)的?[^，。是在住叫喝吃用]{1,8}$/iu
/** Words of one's own beside a person: "my mum", 我的妈妈. */
const OF_MINE = /^(?:my|our|the|[我咱们的])$/i
/** Share of the words of the order that a memory must hold. */
const SAID = 0.7

/** true when the memory says what the order names. */
export function isForgotten(order: Statement, memory: Statement): boolean {
  const wish = readingOf(order)
  const said = readingOf(memory)
  const overlap = overlapOf(wish, said)
  const topics = plainTopics(wish.topics)
  const shared = wish.people.subjects.intersection(said.people.subjects)
  if (isPerson(order.text)) return [...shared].some((one) => one !== 'user' && one !== PRONOUN_SUBJECT)
  if (wish.terms.size + topics.length === 0 || shared.size === 0) return false
  const isAttribute = ATTRIBUTE.test(order.text) && wish.stated.size > 0
  const isStated = isAttribute && topics.some((topic) => said.stated.has(topic))
  if (isStated && tellingWords(beyondAttributes(order.text)).every((term) => said.terms.has(term))) return true
  const sameFact = wish.facts.some(({ key, value }) =>
    said.facts.some((fact) => fact.key === key && fact.value.toLowerCase() === value.toLowerCase()),
  )
  if (sameFact) return true
  return wish.terms.size > 0 && overlap.terms.length / wish.terms.size >= SAID
}

/** Whether the words name a person and nothing else. */
function isPerson(text: string): boolean {
  const words = wordsOf(text)
  const relations = new Set(
    relationIndex()
      .find(words)
      .flatMap(({ at, length }) => words.slice(at, at + length)),
  )
  const { names } = peopleOf(text)
  return words.every((word) => relations.has(word) || names.has(word.text.toLowerCase()) || OF_MINE.test(word.text))
}
