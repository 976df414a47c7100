/** Terms that find nothing by themselves, as they frame a question ("the bug in the function", 之前的问题解决了吗). */
import { late } from '../domain/pieces.ts'
import { CHINESE_STOP_CHARACTERS } from './stop-words.ts'
import { indexTerms } from './tokens.ts'
import { wordTable } from './word-lists.ts'

/** The lists are cut on first use, so that other processes need not wait for it. */
const genericWords = late(() => {
  const words = wordTable('generic-words').join(' ')
  const terms = new Set(indexTerms(words).keys())
  const characters = new Set([...CHINESE_STOP_CHARACTERS, ...words.replace(/[^\p{Script=Han}]/gu, '')])
  return { terms, characters }
})

const HAN = /^\p{Script=Han}$/u

/** true for a word of the lists, one Han character, or a bridge between two words (题解 in 问题解决). */
export function isGenericTerm(term: string): boolean {
  const generic = genericWords()
  if (generic.terms.has(term)) return true
  const characters = [...term]
  if (characters.length === 1) return HAN.test(term) || /^[\d\w]$/.test(term)
  return characters.length === 2 && generic.characters.has(characters[0]!) && generic.characters.has(characters[1]!)
}
