/**
 * Recently used decoded posting lists of all owners, bounded in bytes; the least recently used leave. A list covers the
 * segments, and the tail as of its last use.
 */

/** A decoded list; the arrays may be longer than `count`. */
export interface CachedList {
  ordinals: Uint32Array
  frequencies: Uint8Array
  count: number
  /** Ordinals below this are in the list, if they hold the term. */
  covers: number
  /** Removed documents that the index had when those were taken out of the list. */
  holes: number
  /** The generation of the index from which it was read. */
  generation: number
  /** true when reading it needed the file. */
  fromFile: boolean
}

const BYTES_A_POSTING = 5
/** Bytes of an entry beside its arrays' contents: key, views, place in the map. */
const BYTES_A_LIST = 400

export class ListCache {
  readonly #budget: () => number
  readonly #lists = new Map<string, CachedList>()
  #bytes = 0

  /** @param budget bytes of arrays kept at the most, as things stand */
  constructor(budget: () => number) {
    this.#budget = budget
  }

  get(key: string): CachedList | undefined {
    const list = this.#lists.get(key)
    if (list === undefined) return undefined
    this.#lists.delete(key)
    this.#lists.set(key, list)
    return list
  }

  set(key: string, list: CachedList): void {
    this.#drop(key)
    this.#lists.set(key, list)
    this.#bytes += bytesOf(list)
    const budget = this.#budget()
    for (const oldest of this.#lists.keys()) {
      if (this.#bytes <= budget || oldest === key) break
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    const list = this.#lists.get(key)
    if (list === undefined) return
    this.#bytes -= bytesOf(list)
    this.#lists.delete(key)
  }
}

function bytesOf({ ordinals }: CachedList): number {
  return BYTES_A_LIST + ordinals.length * BYTES_A_POSTING
}
