/**
 * Which key does a noun give? The slot's name where known ("handset" → phone), else the noun in snake_case, with its
 * distinctions ("blood type" → blood_type, "piano teacher" → piano_teacher).
 */
import { wordList } from '../../language/word-lists.ts'
import { kindOf } from './kinds.ts'
import { relationIndex } from './relations.ts'
import { slotHitsIn } from './topics.ts'
import { wordsOf } from './words.ts'

/** A pronoun, a word of time or a verb form is no noun; neither is a word that ends in 的. */
const NO_NOUN =
  /^(?:two|three|four|five|six|seven|eight|nine|ten|\d+) |\b(?:i|we|you|he|she|it|they|this|that|these|those|there|here|of|in|on|at|to|for|from|with|by|and|or|but|after|before|about|is|are|was|not|just|only|still|all|both|[a-z]{1,40}ly|years?|months?|weeks?|days?|hours?|minutes?|now|today|what|who|which)\b|的$|[我你您他她它们这那谁]|^(?:特别|尤其|毕竟|确实|应该|虽然|但|不|今天|明天|昨天|原来|最好|好像|其实|可能|觉得|听起来|有时候?|坚持|更|而且|或者|因为|所以|如果|就|还|都|也|只|主要|关键|重点|首先|既|又)|(?:了|着|过|完|又|还|也|才|再|倒|不|没)$/i
const LEADING = /^(?:new|current|old|own|main|whole|actual|real|present|personal|latest|usual|default)\s+/i

const NAMED = / \p{Lu}\p{Ll}{1,40}$/u

/** Which attribute a relation is: of a sister one tells by name that there is one. */
const BY_RELATION: Readonly<Record<string, string>> = {
  mother: 'parent',
  father: 'parent',
  parents: 'parent',
  brother: 'sibling',
  sister: 'sibling',
  son: 'child',
  daughter: 'child',
  elder_child: 'child',
  younger_child: 'child',
}

/** The attribute that a relation is: `child` for a daughter, the relation itself for an aunt. */
export function keyOfRelation(relation: string): string {
  return BY_RELATION[relation] ?? relation
}

/** The key of a noun; null for a noun that is no attribute. `isLiked`: it is somebody's favourite. */
export function keyOfNoun(noun: string, isLiked = false): string | null {
  const bare = noun
    .replace(LEADING, '')
    .replace(/^(?:新|现在的|目前的)/, '')
    .trim()
  if (bare === '' || NO_NOUN.test(bare)) return null
  const words = wordsOf(bare)
  const isHan = words.every(({ han }) => han)
  const known = [...wordList('chinese-keys')].find((pair) => pair.startsWith(`${bare} `))?.slice(bare.length + 1)
  if (isLiked) return isHan ? `favourite_${known ?? 'thing'}` : `favourite_${snake(bare)}`
  const atEnd = ({ at, length }: { readonly at: number; readonly length: number }): boolean =>
    at + length === words.length
  const hits = slotHitsIn(words)
  const ends = hits.filter(atEnd)
  const byName = ends.find(({ name }) => name === words.at(-1)?.text.toLowerCase())
  const relations = relationIndex().find(words)
  const relation = byName === undefined ? relations.find(atEnd) : undefined
  if (relation !== undefined) return keyOfRelation(relation.entry)
  // "My manager" is a person before it is a profession.
  const last = byName ?? ends.find(({ name }) => name !== 'job') ?? ends[0]
  // "My sister Ana" is a person, and no attribute of that name.
  const isPerson = relations.length > 0 || hits.some(({ name }) => kindOf(name) === 'person')
  if (last === undefined) return known ?? (isPerson && NAMED.test(bare) ? null : snake(bare))
  const before = words.slice(0, last.at)
  if (before.length === 0 || isHan) return last.name
  // A "personality type" is no type of program.
  if (last !== byName) return snake(bare)
  return snake([...before.map(({ text }) => text), last.name].join(' '))
}

/** "Blood type" → blood_type. */
function snake(noun: string): string {
  return noun
    .toLowerCase()
    .replace(/['’]s\b/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_{1,40}$/g, '')
}
