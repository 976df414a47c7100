/**
 * In which places does each of many keys occur, and how often? Ascending lists that take little memory: most keys occur in
 * one place, and have no list. A place and its frequency are one number.
 */
import { ABSENT, KeyTable } from './key-table.ts'

/** Bytes of a list, of what a long one has besides, and of a place in either, about. */
const LIST_BYTES = 40
const LONG_BYTES = 150
const PLACE_BYTES = 8
const LONG_PLACE_BYTES = 4
/** From this length on a list is an Int32Array. */
const LONG = 16

/** Bits of a number that hold the frequency below the place, less one. */
export const FREQUENCY_BITS = 3
/** The highest frequency that is told apart. */
export const HIGHEST_FREQUENCY = 1 << FREQUENCY_BITS
/** Places must be below this one: a number has 31 bits and no sign. */
export const PLACES_BELOW = 1 << (31 - FREQUENCY_BITS)

/** Places in ascending order, each with its frequency: `placeIn`, `frequencyIn`. */
export type Places = ArrayLike<number>

/** The place that a number of a list stands for. */
export function placeIn(value: number): number {
  return value >>> FREQUENCY_BITS
}

/** How often the key occurs there: 1 to HIGHEST_FREQUENCY, which also stands for more. */
export function frequencyIn(value: number): number {
  return (value & (HIGHEST_FREQUENCY - 1)) + 1
}

/**
 * How often does the key of a list occur in each of some places? Written into a table of bytes: a row of `width` for each
 * place, of which this is the column. `places` must be ascending; where the key does not occur nothing is written.
 */
export function fillFrequencies(list: Places, places: Places, table: Uint8Array, column: number, width: number): void {
  let from = 0
  if (list.length <= places.length) {
    // Both from their beginning: that takes fewer steps than looking for each.
    for (let at = 0; at < places.length && from < list.length; ) {
      const difference = placeIn(list[from]!) - places[at]!
      if (difference === 0) table[at * width + column] = frequencyIn(list[from]!)
      if (difference <= 0) from += 1
      else at += 1
    }
    return
  }
  for (let at = 0; at < places.length && from < list.length; at += 1) {
    from = countBelow(list, from, list.length, places[at]!)
    const value = list[from]
    if (value !== undefined && placeIn(value) === places[at]!) table[at * width + column] = frequencyIn(value)
  }
}

/** A list of many places, with room for more. */
interface LongList {
  places: Int32Array
  count: number
}

type List = number[] | LongList

const NO_PLACES: Places = []

/** Lists of places, by key. */
export class PlaceLists {
  /** By key: the number of its only place, or ~index of its list. */
  #table = new KeyTable()
  readonly #lists: List[] = []
  /** Where in `#lists` there is room. */
  readonly #free: number[] = []
  #bytes = 0

  /** Bytes that the lists take, about. */
  get bytes(): number {
    return this.#table.bytes + this.#bytes
  }

  /** The list of a key as it is now; good until the next change. */
  placesOf(key: number): Places {
    const value = this.#table.get(key)
    if (value === ABSENT) return NO_PLACES
    if (value >= 0) return [value]
    const list = this.#lists[~value]!
    return Array.isArray(list) ? list : list.places.subarray(0, list.count)
  }

  clear(): void {
    this.#table = new KeyTable()
    this.#lists.length = 0
    this.#free.length = 0
    this.#bytes = 0
  }

  /** Adds a place that is above every other of the list; once more, when it is its last one already. */
  append(key: number, place: number): void {
    const slot = this.#table.slotOf(key)
    const value = place << FREQUENCY_BITS
    const held = this.#table.at(slot)
    if (held === ABSENT) {
      this.#table.put(slot, value)
      return
    }
    const last = held >= 0 ? held : lastOf(this.#lists[~held]!)
    if (last === undefined || placeIn(last) !== place) this.#insert(slot, held, value)
    else if (frequencyIn(last) === HIGHEST_FREQUENCY) return
    else if (held >= 0) this.#table.put(slot, held + 1)
    else valuesIn(this.#lists[~held]!)[lengthOf(this.#lists[~held]!) - 1] = last + 1
  }

  /** Adds a place where it belongs; it must not be there. */
  add(key: number, place: number, frequency: number): void {
    const slot = this.#table.slotOf(key)
    const value = (place << FREQUENCY_BITS) + Math.min(frequency, HIGHEST_FREQUENCY) - 1
    const held = this.#table.at(slot)
    if (held === ABSENT) this.#table.put(slot, value)
    else this.#insert(slot, held, value)
  }

  /** Takes a place out, if it is there. */
  remove(key: number, place: number): void {
    const held = this.#table.get(key)
    if (held === ABSENT) return
    if (held >= 0) {
      if (placeIn(held) === place) this.#table.put(this.#table.slotOf(key), ABSENT)
      return
    }
    const list = this.#lists[~held]!
    const values = valuesIn(list)
    const at = countBelow(values, 0, lengthOf(list), place)
    if (at === lengthOf(list) || placeIn(values[at]!) !== place) return
    if (Array.isArray(list)) {
      list.splice(at, 1)
      this.#bytes -= PLACE_BYTES
    } else {
      list.places.copyWithin(at, at + 1, list.count)
      list.count -= 1
    }
    if (lengthOf(list) === 1) {
      this.#table.put(this.#table.slotOf(key), valuesIn(list)[0]!)
      this.#lists[~held] = []
      this.#free.push(~held)
      this.#bytes -= LIST_BYTES
      this.#bytes -= Array.isArray(list) ? PLACE_BYTES : LONG_BYTES + list.places.length * LONG_PLACE_BYTES
    }
  }

  /** Puts a number where it belongs into what is held in a slot. */
  #insert(slot: number, held: number, value: number): void {
    if (held >= 0) {
      const index = this.#free.pop() ?? this.#lists.length
      this.#lists[index] = held < value ? [held, value] : [value, held]
      this.#table.put(slot, ~index)
      this.#bytes += LIST_BYTES + 2 * PLACE_BYTES
      return
    }
    const list = this.#longer(this.#lists[~held]!, value)
    this.#lists[~held] = list
    const values = valuesIn(list)
    let at = lengthOf(list) - 1
    for (; at > 0 && values[at - 1]! > value; at -= 1) values[at] = values[at - 1]!
    values[at] = value
  }

  /** The list with a number behind it: another one where it has no room. */
  #longer(list: List, value: number): List {
    if (Array.isArray(list) && list.length < LONG) {
      this.#bytes += PLACE_BYTES
      // A copy is as long as it must be; `push` would make room for 16 more.
      return [...list, value]
    }
    if (Array.isArray(list)) {
      this.#bytes += LONG_BYTES + 2 * LONG * LONG_PLACE_BYTES - list.length * PLACE_BYTES
      const places = new Int32Array(2 * LONG)
      places.set(list)
      places[list.length] = value
      return { places, count: list.length + 1 }
    }
    if (list.count === list.places.length) {
      const grown = new Int32Array(Math.ceil(1.5 * list.count))
      grown.set(list.places)
      this.#bytes += (grown.length - list.places.length) * LONG_PLACE_BYTES
      list.places = grown
    }
    list.places[list.count++] = value
    return list
  }
}

function valuesIn(list: List): number[] | Int32Array {
  return Array.isArray(list) ? list : list.places
}

function lengthOf(list: List): number {
  return Array.isArray(list) ? list.length : list.count
}

function lastOf(list: List): number | undefined {
  return valuesIn(list)[lengthOf(list) - 1]
}

/**
 * How many numbers stand for places below this one; it is known to be between `from` and `to`. A binary search without a
 * branch on what it compares, which no processor can foresee: half of a range is added or not by the sign of a difference.
 */
function countBelow(values: Places, from: number, to: number, place: number): number {
  const least = place << FREQUENCY_BITS
  let low = from
  for (let length = to - from; length > 0; ) {
    const half = (length + 1) >> 1
    low += half & ((values[low + half - 1]! - least) >> 31)
    length -= half
  }
  return low
}
