/** Writes and merges index segments between other work, or at once under steady storing. */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../domain/clock.ts'
import type { Logger } from '../../domain/logger.ts'
import { FLUSH_AT } from '../segments/merge.ts'
import type { Connection } from './file/connection.ts'
import { isLocked } from './file/errors.ts'
import { patiently } from './file/patient.ts'
import type { Indexes } from './rebuild.ts'

/** Number of stored documents after which the tail's length is checked. */
const LOOK_EVERY = 64
/** A caller that has stored this many without a pause pays for the flush itself. */
const FLUSH_AT_ONCE = 2 * FLUSH_AT
/** Characters that cost as much work as another document. */
const CHARACTERS_A_DOCUMENT = 1000
const PAUSE_MS = 20
/** Size of a tail that becomes a segment at rest, lest every process that opens the file cuts it anew. */
const FLUSH_AT_REST = 64
const MOST_USERS_AT_REST = 4

type Index = Indexes[keyof Indexes]

export class Upkeep {
  readonly #connection: Connection
  readonly #clock: Clock
  readonly #logger: Logger
  /** Weight of the documents stored by this process since the last flush, by index and user. */
  readonly #stored: ReadonlyMap<Index, Map<string, number>>
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #closed = false

  constructor(connection: Connection, { turns, memories }: Indexes, clock: Clock, logger: Logger) {
    this.#connection = connection
    this.#stored = new Map<Index, Map<string, number>>([
      [turns, new Map()],
      [memories, new Map()],
    ])
    this.#clock = clock
    this.#logger = logger
  }

  /** Takes note of stored documents; resolves when the work due at once is done. */
  async stored(index: Index, userId: string, documents: number, characters: number): Promise<void> {
    const weights = this.#stored.get(index)!
    const total = (weights.get(userId) ?? 0) + documents + Math.floor(characters / CHARACTERS_A_DOCUMENT)
    weights.set(userId, total)
    if (total >= FLUSH_AT_ONCE) await this.#flushAtOnce(index, userId)
    if (total >= LOOK_EVERY) this.#soon()
  }

  /** Takes note of users with a long tail of documents that other processes stored. */
  due(index: Index, userIds: readonly string[]): void {
    for (const userId of userIds) this.#stored.get(index)!.set(userId, FLUSH_AT)
    if (userIds.length > 0) this.#soon()
  }

  /** Resolves when nothing is due. */
  async idle(): Promise<void> {
    await this.#running
    await this.#run(FLUSH_AT_REST)
  }

  /** Does the due work that is possible now, and starts nothing more. */
  async finish(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#timer)
    await patiently(this.#connection, () => this.idle()).catch((error: unknown) => this.#warn(error))
  }

  #soon(): void {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => this.#start(), PAUSE_MS)
    this.#timer.unref()
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

  /** Flushes at once, with turns for others in between; while the file is locked, the timer does it. */
  async #flushAtOnce(index: Index, userId: string): Promise<void> {
    try {
      do await setImmediate()
      while (!index.takeIn(userId))
      // Another caller may have paid for it meanwhile.
      if (this.#stored.get(index)!.has(userId)) this.#flush(index, userId, true)
    } catch (error) {
      if (!isLocked(error)) this.#warn(error)
    }
  }

  /** Stored data is safe and must not fail for its index; the next upkeep, here or elsewhere, tries again. */
  #warn(error: unknown): void {
    this.#logger.warn('index upkeep failed', { reason: String(error) })
  }

  async #run(least = FLUSH_AT): Promise<void> {
    for (const [index, weights] of this.#stored)
      for (const [at, [userId, weight]] of [...weights].entries()) {
        if (weight < LOOK_EVERY && least === FLUSH_AT) continue
        const isDue = index.isFlushDue(userId, at < MOST_USERS_AT_REST ? least : FLUSH_AT)
        if (isDue) while (!index.takeIn(userId)) await setImmediate()
        this.#flush(index, userId, isDue)
        // A weight too small now may be enough at rest.
        if (!isDue && least === FLUSH_AT) weights.set(userId, 0)
        for (;;) {
          const merge = index.merge(userId, this.#clock().getTime())
          let step = merge.next()
          while (!step.done) {
            await (step.value === 'locked' ? sleep(PAUSE_MS) : setImmediate())
            step = merge.next()
          }
          if (!step.value) break
        }
      }
  }

  #flush(index: Index, userId: string, force = false): void {
    index.flush(userId, force)
    this.#stored.get(index)!.delete(userId)
  }
}
