/**
 * When are index segments written and merged? Soon after enough turns came in, between other work, a few
 * milliseconds at a time; at once when a caller stores without ever pausing. `idle` and `finish` do what is due.
 */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../domain/clock.ts'
import type { Logger } from '../../domain/logger.ts'
import type { Connection } from './connection.ts'
import { isLocked } from './errors.ts'
import { patiently } from './patient.ts'
import { FLUSH_AT_TURNS } from './turn-index/flush.ts'
import type { SqliteTurnIndex } from './turn-index/turn-index.ts'

/** Stored turns after which it is looked whether the tail is long enough. */
const LOOK_EVERY_TURNS = 64
/** A caller that has stored this many without a pause pays for the flush itself. */
const FLUSH_AT_ONCE_TURNS = 2 * FLUSH_AT_TURNS
/** Characters that are as much work as another turn. */
const CHARACTERS_A_TURN = 1000
const PAUSE_MS = 20
/** Turns read into memory before others get their turn: a few milliseconds of work. */
const TURNS_A_PIECE = 256

export class Upkeep {
  readonly #connection: Connection
  readonly #index: SqliteTurnIndex
  readonly #clock: Clock
  readonly #logger: Logger
  /** Weight of the turns stored by this process since the last flush, by user. */
  readonly #stored = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #closed = false

  constructor(connection: Connection, index: SqliteTurnIndex, clock: Clock, logger: Logger) {
    this.#connection = connection
    this.#index = index
    this.#clock = clock
    this.#logger = logger
  }

  /** Takes note of stored turns, and resolves when what is due at once is done; a long one weighs as much as the short ones that it could be. */
  async stored(userId: string, turns: number, characters: number): Promise<void> {
    const total = (this.#stored.get(userId) ?? 0) + turns + Math.floor(characters / CHARACTERS_A_TURN)
    this.#stored.set(userId, total)
    if (total >= FLUSH_AT_ONCE_TURNS) await this.#flushAtOnce(userId)
    if (total >= LOOK_EVERY_TURNS && this.#timer === undefined) {
      this.#timer = setTimeout(() => this.#start(), PAUSE_MS)
      this.#timer.unref()
    }
  }

  /** Resolves when nothing is due. */
  async idle(): Promise<void> {
    await this.#running
    await this.#run()
  }

  /** Does what can be done of what is due and starts nothing more. */
  async finish(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await patiently(this.#connection, () => this.idle()).catch((error: unknown) => this.#warn(error))
  }

  #start(): void {
    this.#timer = undefined
    if (this.#running !== undefined || this.#closed) return
    this.#running = patiently(this.#connection, () => this.#run())
      .catch((error: unknown) => this.#warn(error))
      .finally(() => {
        this.#running = undefined
      })
  }

  /** Where another process holds the lock, the timer sees to it. Others get their turn before it, and in between. */
  async #flushAtOnce(userId: string): Promise<void> {
    try {
      do await setImmediate()
      while (!this.#index.takeIn(userId, TURNS_A_PIECE))
      // Another caller may have paid for it meanwhile.
      if (this.#stored.has(userId)) this.#flush(userId, true)
    } catch (error) {
      if (!isLocked(error)) this.#warn(error)
    }
  }

  /** The turns are safe and a store must not fail for its index; the next upkeep, here or elsewhere, tries again. */
  #warn(error: unknown): void {
    this.#logger.warn('index upkeep failed', { reason: String(error) })
  }

  async #run(): Promise<void> {
    for (const userId of [...this.#stored.keys()]) {
      this.#flush(userId)
      for (;;) {
        const merge = this.#index.merge(userId, this.#clock().getTime())
        let step = merge.next()
        while (!step.done) {
          await (step.value === 'locked' ? sleep(PAUSE_MS) : setImmediate())
          step = merge.next()
        }
        if (!step.value) break
      }
    }
  }

  #flush(userId: string, force = false): void {
    this.#index.flush(userId, force)
    this.#stored.delete(userId)
  }
}
