/** How many bytes is this text, and where may it be cut? Never inside what a reader sees as one character. */

const MAY_COMBINE = /[^\x20-\x7e\u4e00-\u9fff\u3000-\u303f\uff00-\uffef]/

/** Bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text)
}

/**
 * The longest beginning of a text that fits into `maxBytes` bytes of UTF-8, `ellipsis` behind it when anything was
 * cut (its bytes count). Cuts between graphemes: an emoji with its modifiers stays whole or goes.
 */
export function truncateUtf8(text: string, maxBytes: number, ellipsis = ''): string {
  if (text.length * 3 <= maxBytes || utf8Length(text) <= maxBytes) return text
  const room = maxBytes - utf8Length(ellipsis)
  if (room <= 0) return ''
  // No character takes less than a byte, so that more units than bytes never fit.
  const start = text.slice(0, room + 1)
  let bytes = 0
  let end = 0
  for (const piece of MAY_COMBINE.test(start) ? graphemes(start) : start) {
    bytes += utf8Length(piece)
    if (bytes > room) break
    end += piece.length
  }
  return start.slice(0, end).trimEnd() + ellipsis
}

let segmenter: Intl.Segmenter | undefined

function* graphemes(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const { segment } of segmenter.segment(text)) yield segment
}
