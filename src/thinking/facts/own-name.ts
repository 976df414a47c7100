/**
 * How do people give their name without "my name is"? "I'm Ruth, …", "hi, im tom": a given name, and another clause;
 * "I'm Polish, …" is built alike.
 */
import { wordList } from '../../language/word-lists.ts'

const INTRODUCES =
  /^(?:(?:hi|hiya|hey|hello|yo|so|ok|okay|well|oh|and|btw|by the way|anyway|morning|evening)[,!.]?\s+)*(?:i['’]?m|i am|this is|it['’]?s)\s+(?<name>\p{L}[\p{L}-]+)(?=\s*(?:$|[,.!;]|btw\b|by the way\b|and\b|from\b|here\b|\d))/iu

/** Names that are other words as well: with a small letter they are taken for those. */
const WORDS_TOO: ReadonlySet<string> = new Set(
  'abby art bea bill bob carol dawn don drew eve faith frank gene grace grant guy hazel heather hope iris ivy jack jade jean joy ken kim lance mark may mike nick pat penny pete ray rich rob robin rose ruby rusty sandy stan sue summer toby tony viola will win'.split(
    ' ',
  ),
)

/** The name that a sentence introduces its writer by, as written; null when it does not. */
export function ownName(sentence: string): string | null {
  const name = INTRODUCES.exec(sentence)?.groups?.name
  if (name === undefined || !wordList('given-names').has(name.toLowerCase())) return null
  return /^\p{Lu}/u.test(name) || !WORDS_TOO.has(name) ? name : null
}
