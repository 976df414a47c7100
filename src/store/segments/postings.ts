/**
 * How is the list of one term in one segment written? Per turn the distance with a bit for "more than once", and such a
 * frequency: base-128 numbers, low bits first.
 */

/** Ascending ordinals within a segment and how often the term occurs in each (1-255). */
export interface SegmentPostings {
  readonly ordinals: ArrayLike<number>
  readonly frequencies: ArrayLike<number>
  readonly count: number
}

let scratch = new Uint8Array(64 * 1024)

/** The bytes of a list; a fresh array. */
export function encodePostings({ ordinals, frequencies, count }: SegmentPostings): Uint8Array {
  reserveScratch(count)
  let at = 0
  let previous = -1
  for (let index = 0; index < count; index += 1) {
    at = writePosting(scratch, at, ordinals[index]! - previous - 1, frequencies[index]!)
    previous = ordinals[index]!
  }
  return scratch.slice(0, at)
}

/** The bytes of a list given as ordinal and frequency, one after the other; ordinals count from `base`. */
export function encodePairs(pairs: readonly number[], base: number): Uint8Array {
  const count = pairs.length / 2
  reserveScratch(count)
  let at = 0
  let previous = base - 1
  for (let index = 0; index < pairs.length; index += 2) {
    at = writePosting(scratch, at, pairs[index]! - previous - 1, pairs[index + 1]!)
    previous = pairs[index]!
  }
  return scratch.slice(0, at)
}

/** The number of turns in a list. */
export function postingsCount(bytes: Uint8Array): number {
  let count = 0
  for (let at = 0; at < bytes.length; count += 1) {
    const isRepeated = (bytes[at]! & 1) !== 0
    while (bytes[at++]! >= 0x80);
    if (isRepeated) while (bytes[at++]! >= 0x80);
  }
  return count
}

/** Writes a list into the arrays from `at`, each ordinal raised by `base`; returns where it ended. */
export function decodePostings(
  bytes: Uint8Array,
  base: number,
  ordinals: Uint32Array,
  frequencies: Uint8Array,
  at: number,
): number {
  let position = 0
  let ordinal = base - 1
  let index = at
  for (; position < bytes.length; index += 1) {
    let byte = bytes[position++]!
    let value = byte & 0x7f
    let shift = 7
    while (byte >= 0x80) {
      byte = bytes[position++]!
      value |= (byte & 0x7f) << shift
      shift += 7
    }
    ordinal += (value >>> 1) + 1
    ordinals[index] = ordinal
    if ((value & 1) === 0) frequencies[index] = 1
    else {
      byte = bytes[position++]!
      frequencies[index] = byte < 0x80 ? byte : (byte & 0x7f) | (bytes[position++]! << 7)
    }
  }
  return index
}

/** The list without these ordinals: null when nothing is left, the same bytes when it holds none of them. */
export function withoutOrdinals(bytes: Uint8Array, gone: ReadonlySet<number>): Uint8Array | null {
  const total = postingsCount(bytes)
  const ordinals = new Uint32Array(total)
  const frequencies = new Uint8Array(total)
  decodePostings(bytes, 0, ordinals, frequencies, 0)
  const count = keepLiving(ordinals, frequencies, total, gone)
  if (count === total) return bytes
  return count === 0 ? null : encodePostings({ ordinals, frequencies, count })
}

/** Moves living entries to the front of both arrays, and returns their number. */
export function keepLiving(
  ordinals: Uint32Array,
  frequencies: Uint8Array,
  total: number,
  gone: ReadonlySet<number>,
): number {
  let count = 0
  for (let index = 0; index < total; index += 1) {
    if (gone.has(ordinals[index]!)) continue
    ordinals[count] = ordinals[index]!
    frequencies[count] = frequencies[index]!
    count += 1
  }
  return count
}

/** Room for a list of this length: 5 + 2 bytes a turn. */
function reserveScratch(count: number): void {
  const bound = count * 7
  if (scratch.length < bound) scratch = new Uint8Array(bound * 2)
}

function writePosting(bytes: Uint8Array, start: number, gap: number, frequency: number): number {
  const at = writeNumber(bytes, start, gap * 2 + (frequency > 1 ? 1 : 0))
  return frequency > 1 ? writeNumber(bytes, at, frequency) : at
}

/** Writes a base-128 number below 2^53, low bits first; returns where it ended. */
export function writeNumber(bytes: Uint8Array, start: number, number: number): number {
  let at = start
  let value = number
  while (value >= 0x80) {
    bytes[at++] = (value % 0x80) | 0x80
    value = Math.floor(value / 0x80)
  }
  bytes[at++] = value
  return at
}

/** Reads one; `next`: where it ended. */
export function readNumber(bytes: Uint8Array, start: number): { value: number; next: number } {
  let value = 0
  for (let at = start, factor = 1; ; factor *= 0x80) {
    const byte = bytes[at++]!
    value += (byte & 0x7f) * factor
    if (byte < 0x80) return { value, next: at }
  }
}
