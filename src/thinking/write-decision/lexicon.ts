/** Which meanings of `data/words/meanings.txt` have the words of a text? One walk over them, however many phrases there are. */
import { atOnce } from '../../domain/pieces.ts'
import { wordTable } from '../../language/word-lists.ts'
import { cutWords, plain } from './words.ts'

const LINES = wordTable('meanings').map((line) => line.split('|'))
/** The names of the meanings, in the order of their weights. */
export const MEANINGS: readonly string[] = LINES.map(([name]) => name!)

/** A node of the tree of phrases: its followers, if any, and the meanings that end here. */
interface PhraseNode {
  next: Map<string, PhraseNode> | null
  meanings: number[] | null
}

/** Phrases that are planted between two pauses; a millisecond or two. */
const PHRASES_A_PIECE = 100

let tree: PhraseNode | null = null

/** Makes the lexicon ready, in pieces; the first text waits for an unready one. */
export function* readyLexicon(): Generator<void, PhraseNode> {
  if (tree !== null) return tree
  const root: PhraseNode = { next: null, meanings: null }
  let planted = 0
  for (const [meaning, [, ...columns]] of LINES.entries()) {
    for (const phrase of columns.join(',').split(',')) {
      plant(root, cutWords(plain(phrase)).words, meaning)
      planted += 1
      if (planted % PHRASES_A_PIECE === 0) yield
    }
  }
  tree = root
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

/** Calls `found` for every phrase that starts at a word, shorter ones before longer ones; `end` is behind its last word. */
export function walkMeanings(
  words: readonly string[],
  found: (meaning: number, start: number, end: number) => void,
): void {
  const root = tree ?? atOnce(readyLexicon())
  for (let start = 0; start < words.length; start++) {
    let node = root.next?.get(words[start]!)
    for (let at = start + 1; node !== undefined; at++) {
      const { meanings, next } = node
      if (meanings !== null) for (let one = 0; one < meanings.length; one++) found(meanings[one]!, start, at)
      node = at < words.length && next !== null ? next.get(words[at]!) : undefined
    }
  }
}
