/** Is a text in the language of the table of word vectors? */

/** Letters of the table's language, and characters that each carry as much as two of them. */
const LATIN = /[A-Za-z]/g
const HAN = /\p{Script=Han}/gu
/** Characters that are read to tell a text's language. */
const LOOKED_AT = 2000

/** true when most of a text is in letters that the table knows; of a Chinese text it would know function names only. */
export function isLatin(text: string): boolean {
  const beginning = text.slice(0, LOOKED_AT)
  const latin = beginning.match(LATIN)?.length ?? 0
  return latin >= 2 && latin > 2 * (beginning.match(HAN)?.length ?? 0)
}
