/**
 * Which vectors lie in this process, ready to be searched? The chunks of the last users asked for, as many as there are
 * frames, always checked against the database.
 */
import type { VectorFilter, VectorMatch } from '../../../domain/contracts/vector-index.ts'
import { MnemeError } from '../../../domain/errors.ts'
import type { Connection } from '../connection.ts'
import { text } from '../rows.ts'
import { Arena } from './arena.ts'
import type { ScanMemory } from './kernel/scan.ts'
import { nearest } from './nearest.ts'
import { cosine } from './quantize.ts'
import { UserVectors } from './user-vectors.ts'
import { floatsOf, type VectorSpace } from './vector-rows.ts'

/** Size of the memory and kind of scan, for tests and benches. */
export interface SearchMemoryOptions {
  /** Default: ARENA_BYTES. */
  readonly arenaBytes?: number
  /** Default: the quickest there is. */
  readonly memory?: () => ScanMemory
}

/** The vectors that this process holds. */
export class SearchMemory {
  readonly #connection: Connection
  readonly #options: SearchMemoryOptions
  #spaceNo: number | undefined
  #arena: Arena | undefined
  /** Least recently used first. */
  readonly #held = new Map<number, UserVectors>()

  constructor(connection: Connection, options: SearchMemoryOptions) {
    this.#connection = connection
    this.#options = options
  }

  /** Call it in a read transaction. null: there is more to read before, call it again. Rejects `database_damaged`. */
  search(
    userNo: number,
    space: VectorSpace,
    query: Float32Array,
    limit: number,
    filter: VectorFilter,
  ): readonly VectorMatch[] | null {
    const arena = this.#arenaOf(space)
    const vectors = this.#vectorsOf(userNo, space, arena)
    const stamp = `${this.#connection.dataVersion()}:${this.#connection.commits}`
    if (!vectors.sync(stamp, () => arena.take() ?? this.#makeRoom(arena, userNo))) return null
    return nearest(vectors, arena, query, limit, filter, (vectorNo) => this.#scoreExactly(vectorNo, query))
  }

  #scoreExactly(vectorNo: number, query: Float32Array): VectorMatch {
    const row = this.#connection.get('SELECT id, floats FROM vectors WHERE vector_no = ?', vectorNo)
    if (row === undefined)
      throw new MnemeError('database_damaged', `The index of vectors names vector ${vectorNo}, which does not exist.`, {
        remedy: 'Run memory_reindex, which builds it anew.',
      })
    return { id: text(row, 'id'), score: cosine(query, floatsOf(row)) }
  }

  #arenaOf(space: VectorSpace): Arena {
    if (this.#arena === undefined || this.#spaceNo !== space.spaceNo) {
      this.#held.clear()
      this.#spaceNo = space.spaceNo
      this.#arena = new Arena(space.dimension, space.chunkSlots, this.#options.arenaBytes, this.#options.memory?.())
    }
    return this.#arena
  }

  #vectorsOf(userNo: number, space: VectorSpace, arena: Arena): UserVectors {
    const held = this.#held.get(userNo) ?? new UserVectors(this.#connection, userNo, space, arena)
    this.#held.delete(userNo)
    this.#held.set(userNo, held)
    return held
  }

  /** Another user's chunks leave, the least recently used first; undefined when there is no other. */
  #makeRoom(arena: Arena, keep: number): number | undefined {
    for (const [userNo, held] of this.#held) {
      if (userNo === keep) break
      held.clear()
      this.#held.delete(userNo)
      const frame = arena.take()
      if (frame !== undefined) return frame
    }
    return undefined
  }
}
