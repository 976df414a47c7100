/** Where does a text stop being prose? Backticks say so: one for a name in a sentence, three for a block. */

/** A stretch of a text; from inclusive, to exclusive. */
export interface Region {
  readonly from: number
  readonly to: number
  readonly kind: 'prose' | 'inline' | 'block'
}

const LONGEST_INLINE = 300

/** The regions of a text in order; backticks themselves and the language name of a block belong to none. */
export function codeRegions(text: string): readonly Region[] {
  if (!text.includes('`')) return [{ from: 0, to: text.length, kind: 'prose' }]
  const regions: Region[] = []
  let prose = 0
  let at = text.indexOf('`')
  while (at >= 0) {
    const fence = text.startsWith('```', at)
    const region = fence ? block(text, at) : inline(text, at)
    if (region === null) {
      at = text.indexOf('`', at + 1)
      continue
    }
    if (at > prose) regions.push({ from: prose, to: at, kind: 'prose' })
    regions.push(region)
    prose = Math.min(text.length, region.to + (fence ? 3 : 1))
    at = text.indexOf('`', prose)
  }
  if (prose < text.length) regions.push({ from: prose, to: text.length, kind: 'prose' })
  return regions
}

/** A block runs to its closing fence, or to the end of a text that was cut off. */
function block(text: string, at: number): Region {
  let from = at + 3
  while (from < text.length && /[\w+#.-]/.test(text[from]!)) from++
  const startsWithLanguage = text[from] === '\n' || text[from] === '\r'
  const close = text.indexOf('```', at + 3)
  const to = close < 0 ? text.length : close
  return { from: startsWithLanguage ? Math.min(from, to) : at + 3, to, kind: 'block' }
}

/** A name in a sentence ends on its own line; a lone backtick is only a character. */
function inline(text: string, at: number): Region | null {
  const limit = Math.min(text.length, at + LONGEST_INLINE)
  for (let end = at + 1; end < limit; end++) {
    const character = text[end]
    if (character === '`') return end > at + 1 ? { from: at + 1, to: end, kind: 'inline' } : null
    if (character === '\n') return null
  }
  return null
}

/** What stands before, between and behind the blocks between two ``` marks; an unclosed one reaches to the end. */
export function withoutFences(text: string): readonly string[] {
  return text.split('```').filter((_, at) => at % 2 === 0)
}
