/** How many bytes is this text, and how does it fit into fewer? A cut never falls inside what a person sees as one character. */

const ASCII_ONLY = /^[\x20-\x7e\n\t]*$/
/** Marks, joiners, flags, skin tones, hangul parts: only with these is a character more than one code point. */
const MAY_COMBINE =
  /\p{M}|\u200d|\ufe0f|[\u{1f1e6}-\u{1f1ff}]|[\u{1f3fb}-\u{1f3ff}]|[\u{e0020}-\u{e007f}]|[\u1100-\u11ff]|\r\n/u

/** Bytes of the text in UTF-8; a lone surrogate counts three, as it is written. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x80) continue
    if (code < 0x800) bytes += 1
    else if (code >= 0xd800 && code <= 0xdbff && isLow(text.charCodeAt(at + 1))) {
      bytes += 2
      at++
    } else bytes += 2
  }
  return bytes
}

/** The longest beginning of at most `maxBytes`, with the `ellipsis` if something was cut off and it fits. */
export function truncateUtf8(text: string, maxBytes: number, ellipsis = '…'): string {
  if (text.length * 3 <= maxBytes || utf8Length(text) <= maxBytes) return text
  const mark = utf8Length(ellipsis)
  const room = mark <= maxBytes ? maxBytes - mark : maxBytes
  // A character takes at least a byte a code unit, so no more than `room` units can stay.
  const kept = beginning(text.slice(0, room + 64), Math.max(0, room)).trimEnd()
  return mark <= maxBytes ? kept + ellipsis : kept
}

function beginning(text: string, room: number): string {
  if (ASCII_ONLY.test(text)) return text.slice(0, room)
  let used = 0
  let end = 0
  for (const character of characters(text)) {
    used += utf8Length(character)
    if (used > room) break
    end += character.length
  }
  return text.slice(0, end)
}

function characters(text: string): Iterable<string> {
  if (!MAY_COMBINE.test(text)) return text
  return segments(text)
}

function* segments(text: string): Iterable<string> {
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(text)) yield segment
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
