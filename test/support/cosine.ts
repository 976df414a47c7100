/** How alike are two texts by their codes, reckoned plainly? */
import { lengthOf } from '../../src/language/word-vectors.ts'

/** From -1 to 1; 0 where one has no direction. */
export function cosineOf(a: Int8Array, b: Int8Array): number {
  let dot = 0
  for (let at = 0; at < a.length; at += 1) dot += a[at]! * b[at]!
  const lengths = lengthOf(a) * lengthOf(b)
  return lengths === 0 ? 0 : dot / lengths
}
