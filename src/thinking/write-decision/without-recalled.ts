/**
 * Which words of a message were recalled by us and sent back? Blocks between our marks and sentences that repeat a
 * recalled one are dropped, so that a memory never becomes the source of itself.
 */
import { readOnce } from '../../domain/read-once.ts'
import { withoutQuotedBlocks } from '../../language/quoted-block.ts'
import { splitSentences } from '../../language/sentences.ts'

/** Letters and digits that a sentence must have to count as a repetition: "Yes." is nobody's. */
const SHORTEST_LATIN = 12
const SHORTEST_HAN = 6

/** The content without recalled text. Untouched, to the letter, when nothing of it was recalled. */
export function withoutRecalled(content: string, injected: readonly string[]): string {
  const outside = withoutQuotedBlocks(content)
  if (injected.length === 0) return outside
  const keys = splitSentences(outside)
    .map((sentence) => ({ sentence, key: normalised(sentence) }))
    .filter(({ key }) => isLongEnough(key))
  // The letters of a sentence stand in those of its text: hardly any text needs to be cut.
  const repeated = injected.filter((text) => keys.some(({ key }) => normalised(text).includes(key)))
  const known = new Set(repeated.flatMap((text) => [text, ...splitSentences(text)]).map(normalised))
  let rest = outside
  for (const { sentence, key } of keys) if (known.has(key)) rest = rest.replace(sentence, () => ' ')
  return rest === outside ? outside : rest.trim()
}

function isLongEnough(key: string): boolean {
  return key.length >= (/[\u3400-\u9fff]/.test(key) ? SHORTEST_HAN : SHORTEST_LATIN)
}

/** Letters and digits alone, lower-case. */
const normalised = readOnce('letters', (text): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ''),
)
