/** Is the file that is open still the one that its path names? What is stored in one without a name is lost with the process. */
import { type BigIntStats, existsSync, renameSync } from 'node:fs'
import { MnemeError } from '../../../domain/errors.ts'
import { lookAt } from '../../../domain/plain-file.ts'

/** A database with what SQLite keeps beside it. */
export const FILE_PARTS = ['', '-wal', '-shm']

/** A name beside the database under which nothing damaged was kept yet. */
export function nameAside(path: string): string {
  let aside = ''
  for (let number = 1; aside === '' || FILE_PARTS.some((part) => existsSync(aside + part)); number += 1)
    aside = `${path}.damaged-${number}`
  return aside
}

/** Milliseconds of writing without a look. */
const LOOK_MS = 50

export class OwnFile {
  readonly #path: string
  readonly #file: BigIntStats | undefined
  #log: BigIntStats | undefined
  #lookedAt = Number.NEGATIVE_INFINITY

  /** `path` was opened just now. */
  constructor(path: string) {
    this.#path = path
    this.#file = lookAt(path)
  }

  /** As `check`, where the last look was a while ago: a look takes a tenth of a turn's time. */
  checkFromTimeToTime(): void {
    if (performance.now() - this.#lookedAt > LOOK_MS) this.check()
  }

  /** Throws storage_failed where the file was removed, emptied or exchanged since it was opened. */
  check(): void {
    const found = lookAt(this.#path)
    const log = `${this.#path}-wal`
    const isOwn = isSame(found, this.#file)
    if (isOwn && found!.size > 0) {
      this.#log ??= lookAt(log)
      this.#lookedAt = performance.now()
      return
    }
    const isExchanged = found !== undefined && !isOwn
    // A log of ours would be taken for one of the other file, and damage it.
    if (isExchanged && isSame(lookAt(log), this.#log)) this.#setLogAside()
    const what = isExchanged ? 'another file took its place' : `it was ${isOwn ? 'emptied' : 'removed'}`
    throw new MnemeError(
      'storage_failed',
      `${this.#path}: Nothing can be stored any more: ${what} while it was open.`,
      {
        remedy: isExchanged
          ? 'End what has the file open and start it again, with the file that is to be used.'
          : 'Put the file back, or end what has it open and run `mneme doctor`.',
        place: this.#path,
      },
    )
  }

  #setLogAside(): void {
    const aside = nameAside(this.#path)
    for (const part of FILE_PARTS.slice(1))
      if (existsSync(this.#path + part)) renameSync(this.#path + part, aside + part)
  }
}

function isSame(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev
}
