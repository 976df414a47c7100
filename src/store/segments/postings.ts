/**
 * How is the list of one term in one segment written? A count, then per turn the distance with a bit for "more than
 * once", and such a frequency: base-128 numbers, low bits first.
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
  let at = writeNumber(scratch, 0, count)
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
  let at = writeNumber(scratch, 0, count)
  let previous = base - 1
  for (let index = 0; index < pairs.length; index += 2) {
    at = writePosting(scratch, at, pairs[index]! - previous - 1, pairs[index + 1]!)
    previous = pairs[index]!
  }
  return scratch.slice(0, at)
}

/** The number of turns in a list. */
export function postingsCount(bytes: Uint8Array): number {
  return readNumber(bytes, 0).value
}

/** Writes a list into the arrays from `at`, each ordinal raised by `base`; returns where it ended. */
export function decodePostings(
  bytes: Uint8Array,
  base: number,
  ordinals: Uint32Array,
  frequencies: Uint8Array,
  at: number,
): number {
  const start = readNumber(bytes, 0)
  const end = at + start.value
  let position = start.next
  let ordinal = base - 1
  for (let index = at; index < end; index += 1) {
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
  return end
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

/** Room for a list of this length: at most 5 bytes of count, and 5 + 2 bytes a turn. */
function reserveScratch(count: number): void {
  const bound = 5 + count * 7
  if (scratch.length < bound) scratch = new Uint8Array(bound * 2)
}

function writePosting(bytes: Uint8Array, start: number, gap: number, frequency: number): number {
  const at = writeNumber(bytes, start, gap * 2 + (frequency > 1 ? 1 : 0))
  return frequency > 1 ? writeNumber(bytes, at, frequency) : at
}

function writeNumber(bytes: Uint8Array, start: number, number: number): number {
  let at = start
  let value = number
  while (value >= 0x80) {
    bytes[at++] = (value & 0x7f) | 0x80
    value >>>= 7
  }
  bytes[at++] = value
  return at
}

function readNumber(bytes: Uint8Array, start: number): { value: number; next: number } {
  let at = start
  let byte = bytes[at++]!
  let value = byte & 0x7f
  let shift = 7
  while (byte >= 0x80) {
    byte = bytes[at++]!
    value |= (byte & 0x7f) << shift
    shift += 7
  }
  return { value, next: at }
}
