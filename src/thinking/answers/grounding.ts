/**
 * How much of a model's text stands in its source? Compared by the terms of the index, without words that stand
 * everywhere; single Han characters tell nothing.
 */
import { readOnce } from '../../domain/read-once.ts'
import { indexTerms, isGenericTerm } from '../../language/tokens.ts'

/** Words with which a model speaks about its user, in any text. */
const TELLING_ABOUT = new Set([
  ...indexTerms(
    'user users person speaker assistant stated says expressed wants likes prefers 用户 该用户 表示 提到 喜欢',
  ).keys(),
])
const SINGLE_UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]$/u

/** The terms of a text that could tell it from another one. */
export const tellingTerms = readOnce('telling terms', (text): ReadonlySet<string> => {
  const terms = [...indexTerms(text).keys()].filter((term) => !SINGLE_UNSPACED.test(term))
  const telling = terms.filter((term) => !isGenericTerm(term) && !TELLING_ABOUT.has(term))
  return new Set(telling)
})

/** Share of the telling terms of `text` that are among `terms`, 0 to 1; null when it has none. */
export function shareFound(text: string, terms: ReadonlySet<string>): number | null {
  const asked = tellingTerms(text)
  if (asked.size === 0) return null
  let found = 0
  for (const term of asked) if (terms.has(term)) found++
  return found / asked.size
}
