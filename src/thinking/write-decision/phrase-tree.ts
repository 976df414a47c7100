/** Which words and phrases of the lexicons stand in a text? One walk over the words, however many phrases there are. */

import { atOnce } from '../../domain/pieces.ts'
import { type Lexicon, MEANINGS } from './meaning.ts'
import { cutWords, plain } from './words.ts'

/** A node of the tree: its followers, if any, and the meanings that end here. */
export interface PhraseNode {
  next: Map<string, PhraseNode> | null
  meanings: number[] | null
}

/** Phrases that are planted between two pauses; a millisecond or two. */
const PHRASES_A_PIECE = 100

/** The tree over all phrases of some lexicons. */
export function growTree(lexicons: readonly Lexicon[]): PhraseNode {
  return atOnce(growingTree(lexicons))
}

/** As `growTree`, in pieces: each `next` plants some of the phrases. */
export function* growingTree(lexicons: readonly Lexicon[]): Generator<void, PhraseNode> {
  const root: PhraseNode = { next: null, meanings: null }
  let planted = 0
  for (const lexicon of lexicons) {
    for (const [meaning, phrases] of Object.entries(lexicon)) {
      const number = MEANINGS.indexOf(meaning as (typeof MEANINGS)[number])
      for (const phrase of phrases.split(',')) {
        plant(root, cutWords(plain(phrase)).words, number)
        planted += 1
        if (planted % PHRASES_A_PIECE === 0) yield
      }
    }
  }
  return root
}

function plant(root: PhraseNode, words: readonly string[], meaning: number): void {
  if (words.length === 0) return
  let node = root
  for (const word of words) {
    node.next ??= new Map()
    let next = node.next.get(word)
    if (next === undefined) {
      next = { next: null, meanings: null }
      node.next.set(word, next)
    }
    node = next
  }
  node.meanings ??= []
  if (!node.meanings.includes(meaning)) node.meanings.push(meaning)
}

/** Calls `found` for every phrase that starts at a word, shorter ones before longer ones. */
export function walkPhrases(
  root: PhraseNode,
  words: readonly string[],
  found: (meaning: number, start: number, end: number) => void,
): void {
  for (let start = 0; start < words.length; start++) {
    let node = root.next?.get(words[start]!)
    for (let at = start + 1; node !== undefined; at++) {
      const { meanings, next } = node
      if (meanings !== null) for (let one = 0; one < meanings.length; one++) found(meanings[one]!, start, at)
      node = at < words.length && next !== null ? next.get(words[at]!) : undefined
    }
  }
}
