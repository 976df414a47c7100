/** How does a file become bytes again when most of it stays? What stays is copied from its bytes; only what is new is encoded. */
import { type FilePart, joinParts } from './document.ts'
import type { TextWithParts } from './unchanged-entries.ts'

/** Parts that are looked at to find where the old file goes on behind something that was taken out. */
const LONGEST_GAP = 64

/** The bytes of the new parts. `bytes`: those of the old text; null: it was read from other bytes, or from none. */
export function bytesOfParts(
  parts: readonly FilePart[],
  { text, parts: old }: TextWithParts,
  bytes: Uint8Array | null,
): Uint8Array {
  if (bytes === null) return Buffer.from(joinParts(parts))
  const pieces: Uint8Array[] = []
  let fresh = ''
  /** The next old part, and where it begins: in the text, and up to where that is known, in the bytes. */
  let next = 0
  let at = 0
  let known = 0
  let byte = 0
  /** Where old text that stays begins in the bytes; null: what was looked at last is new. */
  let from: number | null = null
  const byteAt = (place: number): number => {
    byte += Buffer.byteLength(text.slice(known, place))
    known = place
    return byte
  }
  const flush = (): void => {
    if (from !== null) pieces.push(bytes.subarray(from, byteAt(at)))
    else if (fresh !== '') pieces.push(Buffer.from(fresh))
    from = null
    fresh = ''
  }
  for (const part of parts) {
    let place = next
    const end = Math.min(next + LONGEST_GAP, old.length)
    while (place < end && old[place] !== part) place += 1
    if (place === end) {
      if (from !== null) flush()
      fresh += part.raw
      continue
    }
    if (place > next || from === null) {
      flush()
      for (; next < place; next += 1) at += old[next]!.raw.length
      from = byteAt(at)
    }
    next = place + 1
    at += part.raw.length
  }
  flush()
  return Buffer.concat(pieces)
}
