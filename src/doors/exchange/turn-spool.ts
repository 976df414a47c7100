/**
 * Holds the turns of one conversation until its end: in memory, and beyond a bound in a temporary file. Only the owner
 * can read that file, and `discard` removes it.
 */
import { createReadStream } from 'node:fs'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ExportedTurn } from './export-record.ts'

/** UTF-16 units of content held in memory. */
const HELD_CHARACTERS = 8 * 1024 * 1024
/** Characters of a turn besides its content. */
const TURN_CHARACTERS = 200

export class TurnSpool {
  #held: ExportedTurn[] = []
  #characters = 0
  #folder: string | null = null

  async add(turn: ExportedTurn): Promise<void> {
    this.#held.push(turn)
    this.#characters += turn.content.length + TURN_CHARACTERS
    if (this.#characters > HELD_CHARACTERS) await this.#spill()
  }

  /** Turns held in memory. */
  get turns(): number {
    return this.#held.length
  }

  /** About what they take, in UTF-16 units. */
  get characters(): number {
    return this.#characters
  }

  /** true when `parts` gives more than one part, or may. */
  takesSeveral(most: number): boolean {
    return this.#folder !== null || this.#held.length > most
  }

  /** The turns in order, at most `most` at a time; at most once what fits into memory together. */
  async *parts(most: number): AsyncGenerator<readonly ExportedTurn[]> {
    if (this.#folder !== null) {
      await this.#spill()
      yield* this.#spilled(most)
      return
    }
    for (let from = 0; from < this.#held.length; from += most) yield this.#held.slice(from, from + most)
  }

  /** The turns, when none of them had to be written to the file. */
  held(): readonly ExportedTurn[] {
    return this.#held
  }

  /** Removes the temporary file, if there is one. */
  async discard(): Promise<void> {
    this.#held = []
    if (this.#folder !== null) await rm(this.#folder, { recursive: true, force: true })
    this.#folder = null
  }

  async *#spilled(most: number): AsyncGenerator<readonly ExportedTurn[]> {
    let part: ExportedTurn[] = []
    let characters = 0
    for await (const line of createInterface({
      input: createReadStream(this.#file()),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      const turn: ExportedTurn = JSON.parse(line)
      part.push(turn)
      characters += turn.content.length + TURN_CHARACTERS
      if (part.length < most && characters < HELD_CHARACTERS) continue
      yield part
      part = []
      characters = 0
    }
    if (part.length > 0) yield part
  }

  async #spill(): Promise<void> {
    // mkdtemp makes a folder that only its owner may enter.
    this.#folder ??= await mkdtemp(join(tmpdir(), 'mneme-import-'))
    if (this.#held.length > 0)
      await appendFile(this.#file(), `${this.#held.map((turn) => JSON.stringify(turn)).join('\n')}\n`)
    this.#held = []
    this.#characters = 0
  }

  #file(): string {
    return join(this.#folder ?? '', 'turns.jsonl')
  }
}
