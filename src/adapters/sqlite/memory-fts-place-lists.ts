/** In which places does each of many keys occur? Ascending lists that take little memory: most of them are very short. */

/** Bytes of a list, of what a long one has besides, and of a place in either, about. */
const LIST_BYTES = 80
const LONG_BYTES = 150
const PLACE_BYTES = 8
const LONG_PLACE_BYTES = 5
/** From this length on a list is an Int32Array. */
const LONG = 16

/** Places in ascending order. */
export type Places = ArrayLike<number>

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

  /** Adds a place that is above every other of the list, or its last one already. */
  append(key: number, place: number): void {
    const list = this.#lists.get(key)
    if (list === undefined) {
      this.#lists.set(key, [place])
      this.#bytes += LIST_BYTES
    } else if (lastOf(list) !== place) this.#lists.set(key, this.#longer(list, place))
  }

  /** Adds a place where it belongs, unless it is there. */
  add(key: number, place: number): void {
    const list = this.#lists.get(key)
    if (list === undefined || lastOf(list) <= place) {
      this.append(key, place)
      return
    }
    const at = countBelow(list, place)
    if (placesIn(list)[at] === place) return
    const longer = this.#longer(list, lastOf(list))
    const places = placesIn(longer)
    for (let to = lengthOf(longer) - 1; to > at; to -= 1) places[to] = places[to - 1]!
    places[at] = place
    this.#lists.set(key, longer)
  }

  /** Takes a place out, if it is there. */
  remove(key: number, place: number): void {
    const list = this.#lists.get(key)
    if (list === undefined) return
    const at = countBelow(list, place)
    if (at === lengthOf(list) || placesIn(list)[at] !== place) return
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

  /** The list with a place behind it: another one where it has no room. */
  #longer(list: List, place: number): List {
    if (Array.isArray(list) && list.length < LONG) {
      this.#bytes += PLACE_BYTES
      // A copy is as long as it must be; `push` would make room for 16 more.
      return [...list, place]
    }
    if (Array.isArray(list)) {
      this.#bytes += LONG_BYTES
      const places = new Int32Array(2 * LONG)
      places.set(list)
      places[list.length] = place
      return { places, count: list.length + 1 }
    }
    if (list.count === list.places.length) {
      const grown = new Int32Array(Math.ceil(1.5 * list.count))
      grown.set(list.places)
      list.places = grown
    }
    list.places[list.count++] = place
    this.#bytes += LONG_PLACE_BYTES
    return list
  }
}

function placesIn(list: List): number[] | Int32Array {
  return Array.isArray(list) ? list : list.places
}

function lengthOf(list: List): number {
  return Array.isArray(list) ? list.length : list.count
}

/** Only a long list can be empty, once all its places were removed. */
function lastOf(list: List): number {
  return placesIn(list)[lengthOf(list) - 1] ?? Number.NEGATIVE_INFINITY
}

/** How many places of a list are below this one. */
function countBelow(list: List, place: number): number {
  const places = placesIn(list)
  let [low, high] = [0, lengthOf(list)]
  while (low < high) {
    const middle = (low + high) >> 1
    if (places[middle]! < place) low = middle + 1
    else high = middle
  }
  return low
}
