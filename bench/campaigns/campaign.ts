/** A campaign: one promise tried again and again with hostile input, and what was found. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** One thing that a campaign measured or counted. */
export interface Finding {
  /** The attempts, in a few words. */
  readonly tried: string
  readonly value: number
  readonly unit: string
  /** How many attempts stand behind the value. */
  readonly n: number
  /** The most that is promised; absent for what is only told. */
  readonly most?: number
  /** Facts to look into it: the input, the seed, the stack. */
  readonly detail?: string
}

/** Flags of every campaign. */
export interface CampaignOptions {
  /** Roughly how long it may take. */
  readonly seconds: number
  readonly seed: number
  /** Only attempts whose name holds this; null: all. A campaign with parts exports their names as `parts`. */
  readonly only: string | null
}

export type Campaign = (options: CampaignOptions) => Promise<readonly Finding[]>

/** Counts and exponents break a promise at once; a time only at ten times its figure, because machines differ. */
export function isBroken({ value, most, unit }: Finding): boolean {
  return most !== undefined && value > (unit === 'ms' || unit === 's' ? most * 10 : most)
}

/** Counts what was tried of one kind, and says what went wrong first. */
export class Tally {
  readonly #tried: string
  readonly #wrong: string[] = []
  #n = 0

  constructor(tried: string) {
    this.#tried = tried
  }

  check(isRight: boolean, what: string): void {
    this.#n += 1
    if (!isRight) this.#wrong.push(what)
  }

  get finding(): Finding {
    const { length } = this.#wrong
    const detail = length === 0 ? {} : { detail: this.#wrong.slice(0, 3).join('; ') }
    return { tried: this.#tried, value: length, unit: '', n: this.#n, most: 0, ...detail }
  }
}

/** Runs rounds until the time is over, one at least. */
export async function rounds(seconds: number, round: (number: number) => Promise<void>): Promise<void> {
  const until = Date.now() + seconds * 1000
  for (let number = 0; number === 0 || Date.now() < until; number += 1) await round(number)
}

/** A path in a folder of its own, which goes when `use` is done. */
export async function inFolder<T>(use: (path: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'mneme-campaign-'))
  try {
    return await use(join(folder, 'memory.db'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
