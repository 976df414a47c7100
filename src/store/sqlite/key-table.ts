/**
 * Which small number belongs to each of many 53-bit keys? An open-addressing hash table in one array, as the keys are
 * hashes already, takes a fifth of a Map's memory and time.
 */

/** The value of a key that has none. */
export const ABSENT = -(2 ** 31)

const FEWEST = 64
/** Share of taken places at which the table grows. */
const FULL = 0.7
/** The mark of a free place, as keys are whole numbers from 0. */
const FREE = -1

/** Values (whole numbers of 32 bits) by key. A key with the value ABSENT keeps its place until the table grows. */
export class KeyTable {
  #keys = new Float64Array(FEWEST).fill(FREE)
  #values = new Int32Array(FEWEST).fill(ABSENT)
  #taken = 0

  /** Bytes that the table takes. */
  get bytes(): number {
    return this.#keys.byteLength + this.#values.byteLength
  }

  /** The value of a key, or ABSENT. */
  get(key: number): number {
    const keys = this.#keys
    const last = keys.length - 1
    for (let at = key & last; ; at = (at + 1) & last) {
      if (keys[at] === key) return this.#values[at]!
      if (keys[at] === FREE) return ABSENT
    }
  }

  /** The place of a key's value, for `at` and `put`; valid until the next call. */
  slotOf(key: number): number {
    if (this.#taken >= FULL * this.#keys.length) this.#grow()
    const keys = this.#keys
    const last = keys.length - 1
    for (let at = key & last; ; at = (at + 1) & last) {
      if (keys[at] === key) return at
      if (keys[at] === FREE) {
        keys[at] = key
        this.#taken += 1
        return at
      }
    }
  }

  at(slot: number): number {
    return this.#values[slot]!
  }

  put(slot: number, value: number): void {
    this.#values[slot] = value
  }

  /** Rehashes into twice as many places, or as many where most keys have no value. */
  #grow(): void {
    const [keys, values] = [this.#keys, this.#values]
    const held = values.reduce((count, value) => count + (value === ABSENT ? 0 : 1), 0)
    const length = held > (FULL / 2) * keys.length ? 2 * keys.length : keys.length
    this.#keys = new Float64Array(length).fill(FREE)
    this.#values = new Int32Array(length).fill(ABSENT)
    this.#taken = 0
    for (let at = 0; at < keys.length; at += 1)
      if (values[at] !== ABSENT) this.#values[this.slotOf(keys[at]!)] = values[at]!
  }
}
