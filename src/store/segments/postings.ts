/**
 * How is the list of one term in one segment written? A short list in bits with Rice codes for distances (width, then
 * quotient in ones, a zero, rest), a long one as base-128 numbers.
 */

/** Ascending ordinals within a segment and how often the term occurs in each (1-255). */
export interface SegmentPostings {
  readonly ordinals: ArrayLike<number>
  readonly frequencies: ArrayLike<number>
  readonly count: number
}

/** Most turns of a list that is written as bits; reading them costs three times as much. */
const MOST_PACKED = 256
/** In place of a width: base-128 numbers follow. */
const PLAIN = 15
/** Bits of a frequency above 1, less 2; with all of them set 8 more follow. */
const FREQUENCY_BITS = 3
const MOST_SHORT = 2 ** FREQUENCY_BITS - 1

let scratch = new Uint8Array(64 * 1024)

export function encodePostings(list: SegmentPostings): Uint8Array {
  reserveScratch(list.count)
  const plain = writePlain(list)
  if (list.count > MOST_PACKED) return scratch.slice(0, plain)
  const last = list.ordinals[list.count - 1]! + 1
  const even = Math.floor(Math.log2(last / list.count))
  const widths = (list.count === 1 ? [even + 1] : [even - 1, even, even + 1]).map((width) =>
    Math.max(0, Math.min(width, PLAIN - 1)),
  )
  const costs = widths.map((width) => packedBits(list, width))
  const bits = Math.min(...costs)
  return bits > plain * 8 ? scratch.slice(0, plain) : pack(list, widths[costs.indexOf(bits)]!, bits)
}

/** The bytes of a list given as ordinal and frequency, one after the other; ordinals count from `base`. */
export function encodePairs(pairs: readonly number[], base: number): Uint8Array {
  const count = pairs.length / 2
  const ordinals = new Uint32Array(count)
  const frequencies = new Uint8Array(count)
  for (let index = 0; index < count; index += 1) {
    ordinals[index] = pairs[2 * index]! - base
    frequencies[index] = pairs[2 * index + 1]!
  }
  return encodePostings({ ordinals, frequencies, count })
}

/** Writes a list as numbers into `scratch`; returns where it ended. */
function writePlain({ ordinals, frequencies, count }: SegmentPostings): number {
  scratch[0] = PLAIN
  let [at, previous] = [1, -1]
  for (let index = 0; index < count; index += 1) {
    const [ordinal, frequency] = [ordinals[index]!, frequencies[index]!]
    at = writeNumber(scratch, at, (ordinal - previous - 1) * 2 + (frequency > 1 ? 1 : 0))
    if (frequency > 1) at = writeNumber(scratch, at, frequency)
    previous = ordinal
  }
  return at
}

function frequencyBits(frequency: number): number {
  if (frequency === 1) return 1
  return 1 + FREQUENCY_BITS + (frequency - 2 < MOST_SHORT ? 0 : 8)
}

function packedBits({ ordinals, frequencies, count }: SegmentPostings, width: number): number {
  let [bits, previous] = [4, -1]
  for (let index = 0; index < count; index += 1) {
    const distance = ordinals[index]! - previous - 1
    bits += (distance >>> width) + 1 + width + frequencyBits(frequencies[index]!)
    previous = ordinals[index]!
  }
  return bits
}

/** The rest of the last byte is ones, which no zero ends. */
function pack({ ordinals, frequencies, count }: SegmentPostings, width: number, bits: number): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(bits / 8)).fill(0xff)
  let [at, previous] = [0, -1]
  const put = (value: number, size: number): void => {
    for (let bit = 0; bit < size; bit += 1, at += 1)
      if (((value >>> bit) & 1) === 0) bytes[at >>> 3]! &= ~(1 << (at & 7))
  }
  put(width, 4)
  for (let index = 0; index < count; index += 1) {
    const distance = ordinals[index]! - previous - 1
    previous = ordinals[index]!
    at += distance >>> width
    put(0, 1)
    put(distance, width)
    const more = frequencies[index]! - 2
    put(more < 0 ? 0 : 1, 1)
    if (more >= 0) put(Math.min(more, MOST_SHORT), FREQUENCY_BITS)
    if (more >= MOST_SHORT) put(more, 8)
  }
  return bytes
}

export function postingsCount(bytes: Uint8Array): number {
  if ((bytes[0]! & 15) !== PLAIN) return unpack(bytes, 0, null, null, 0)
  let count = 0
  for (let at = 1; at < bytes.length; count += 1) {
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
  if ((bytes[0]! & 15) !== PLAIN) return unpack(bytes, base, ordinals, frequencies, at)
  let position = 1
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

/** Reads a list of bits; without arrays it counts. */
function unpack(
  bytes: Uint8Array,
  base: number,
  ordinals: Uint32Array | null,
  frequencies: Uint8Array | null,
  start: number,
): number {
  const width = bytes[0]! & 15
  const end = bytes.length * 8
  let [at, index, ordinal] = [4, start, base - 1]
  const take = (size: number): number => {
    const byte = at >>> 3
    const word = bytes[byte]! | (bytes[byte + 1]! << 8) | (bytes[byte + 2]! << 16)
    const value = (word >>> (at & 7)) & ((1 << size) - 1)
    at += size
    return value
  }
  for (; ; index += 1) {
    let distance = 0
    for (; at < end && ((bytes[at >>> 3]! >>> (at & 7)) & 1) !== 0; at += 1) distance += 1
    if (at >= end) return index
    at += 1
    ordinal += ((distance << width) | take(width)) + 1
    let frequency = 1 + take(1)
    if (frequency > 1) {
      const more = take(FREQUENCY_BITS)
      frequency = 2 + (more < MOST_SHORT ? more : take(8))
    }
    if (ordinals !== null) ordinals[index] = ordinal
    if (frequencies !== null) frequencies[index] = frequency
  }
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

/** Room for a list of this length: 5 + 2 bytes a turn, and what says how it is written. */
function reserveScratch(count: number): void {
  const bound = count * 7 + 1
  if (scratch.length < bound) scratch = new Uint8Array(bound * 2)
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
