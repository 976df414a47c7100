/** How many tokens is this text, roughly, when the vendor does not say? Never less than none for a text with words. */

const WIDE = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/g
/** Characters of English prose to a token, as OpenAI's own documentation puts it. */
const CHARACTERS_PER_TOKEN = 4

/** One token for a Han, kana or hangul character, one for four others; rounded up. */
export function estimateTokens(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0
  return wide + Math.ceil((text.length - wide) / CHARACTERS_PER_TOKEN)
}
