/**
 * In which places does each of many keys occur, and how often? Ascending lists that take little memory: most of them are
 * very short. A place and its frequency are one number.
 */

/** Bytes of a list, of what a long one has besides, and of a place in either, about. */
const LIST_BYTES = 80
const LONG_BYTES = 150
const PLACE_BYTES = 8
const LONG_PLACE_BYTES = 5
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

/** Lists of places, by key. */
export class PlaceLists {
  readonly #lists = new Map<number, List>()
  #bytes = 0

  /** Bytes that the lists take, about. */
  get bytes(): number {
    return this.#bytes
  }

  /** The list of a key as it is now; good until the next change. */
  placesOf(key: number): Places {
    const list = this.#lists.get(key) ?? []
    return Array.isArray(list) ? list : list.places.subarray(0, list.count)
  }

  clear(): void {
    this.#lists.clear()
    this.#bytes = 0
  }

  /** Adds a place that is above every other of the list; once more, when it is its last one already. */
  append(key: number, place: number): void {
    const list = this.#lists.get(key)
    const value = place << FREQUENCY_BITS
    if (list === undefined) {
      this.#lists.set(key, [value])
      this.#bytes += LIST_BYTES
      return
    }
    const last = lastOf(list)
    if (last === undefined || placeIn(last) !== place) this.#lists.set(key, this.#longer(list, value))
    else if (frequencyIn(last) < HIGHEST_FREQUENCY) valuesIn(list)[lengthOf(list) - 1] = last + 1
  }

  /** Adds a place where it belongs; it must not be there. */
  add(key: number, place: number, frequency: number): void {
    const list = this.#lists.get(key)
    const value = (place << FREQUENCY_BITS) + Math.min(frequency, HIGHEST_FREQUENCY) - 1
    if (list === undefined) {
      this.#lists.set(key, [value])
      this.#bytes += LIST_BYTES
      return
    }
    const at = countBelow(valuesIn(list), 0, lengthOf(list), place)
    const longer = this.#longer(list, value)
    const values = valuesIn(longer)
    for (let to = lengthOf(longer) - 1; to > at; to -= 1) values[to] = values[to - 1]!
    values[at] = value
    this.#lists.set(key, longer)
  }

  /** Takes a place out, if it is there. */
  remove(key: number, place: number): void {
    const list = this.#lists.get(key)
    if (list === undefined) return
    const at = countBelow(valuesIn(list), 0, lengthOf(list), place)
    if (at === lengthOf(list) || placeIn(valuesIn(list)[at]!) !== place) return
    if (!Array.isArray(list)) {
      list.places.copyWithin(at, at + 1, list.count)
      list.count -= 1
      this.#bytes -= LONG_PLACE_BYTES
    } else if (list.length > 1) {
      list.splice(at, 1)
      this.#bytes -= PLACE_BYTES
    } else {
      this.#lists.delete(key)
      this.#bytes -= LIST_BYTES
    }
  }

  /** The list with a number behind it: another one where it has no room. */
  #longer(list: List, value: number): List {
    if (Array.isArray(list) && list.length < LONG) {
      this.#bytes += PLACE_BYTES
      // A copy is as long as it must be; `push` would make room for 16 more.
      return [...list, value]
    }
    if (Array.isArray(list)) {
      this.#bytes += LONG_BYTES
      const places = new Int32Array(2 * LONG)
      places.set(list)
      places[list.length] = value
      return { places, count: list.length + 1 }
    }
    if (list.count === list.places.length) {
      const grown = new Int32Array(Math.ceil(1.5 * list.count))
      grown.set(list.places)
      list.places = grown
    }
    list.places[list.count++] = value
    this.#bytes += LONG_PLACE_BYTES
    return list
  }
}

function valuesIn(list: List): number[] | Int32Array {
  return Array.isArray(list) ? list : list.places
}

function lengthOf(list: List): number {
  return Array.isArray(list) ? list.length : list.count
}

/** Only a long list can be empty, once all its places were removed. */
function lastOf(list: List): number | undefined {
  return lengthOf(list) === 0 ? undefined : valuesIn(list)[lengthOf(list) - 1]
}

/** How many numbers stand for places below this one; it is known to be between `from` and `to`. */
function countBelow(values: Places, from: number, to: number, place: number): number {
  const least = place << FREQUENCY_BITS
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle]! < least) low = middle + 1
    else high = middle
  }
  return low
}
