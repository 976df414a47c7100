/** The vector index in the SQLite file: exact, one user at a time; every process's writes are in the next search. */
import { check } from '../../../domain/checks.ts'
import type {
  StoredVectorIndex,
  VectorFilter,
  VectorIdentity,
  VectorMatch,
  VectorRecord,
} from '../../../domain/contracts/vector-index.ts'
import { invalid, MnemeError } from '../../../domain/errors.ts'
import { LIMITS } from '../../../domain/limits.ts'
import { breathe, fewAtATime } from '../../../domain/scheduling.ts'
import { checkVector, cosine } from '../../../domain/unit-vectors.ts'
import { type Connection, type Sql, sql } from '../file/connection.ts'
import { noteWipeDue } from '../file/reclaim.ts'
import { text } from '../file/rows.ts'
import { patiently, writePatiently } from '../file/wait-for-lock.ts'
import { Arena } from './quantized-vectors.ts'
import { nearest, UserVectors } from './user-vectors.ts'
import {
  beginSpace,
  discardOldSpaces,
  eraseVectors,
  floatsOf,
  pendingCount,
  pendingEmbeddings,
  readSpace,
  textHash,
  type VectorSpace,
  writeVectors,
} from './write-vectors.ts'

const REMOVED_A_PIECE = 200
/** Largest accepted dimension; the largest in use is 4,096. */
const MOST_DIMENSIONS = 16_384

/** `arenaBytes`: bytes of codes kept in memory. */
export function sqliteVectorIndex(connection: Connection, arenaBytes?: number): StoredVectorIndex {
  const memory = new SearchMemory(connection, arenaBytes)
  const { ask } = connection.users
  let begun: VectorIdentity | undefined

  /** The space that counts; throws when none does, or another process has begun another one since. */
  function present(): VectorSpace {
    const space = readSpace(connection)
    if (space === undefined)
      throw invalid('embedding', 'no model of vectors was named yet', 'Call begin with the model and its dimension.')
    if (begun !== undefined && (space.model !== begun.model || space.dimension !== begun.dimension))
      throw otherModel(begun, space)
    return space
  }

  async function removePiece(userNo: number, ids: readonly string[]): Promise<number> {
    await patiently(connection, () => noteWipeDue(connection))
    return writePatiently(connection, () => {
      const removed = eraseVectors(connection, userNo, ids)
      for (const id of ids)
        connection.run('UPDATE memories SET vector_space = 0 WHERE user_no = ? AND id = ?', userNo, id)
      return removed
    })
  }

  const vectorsBy = (condition: (key: string) => Sql) =>
    ask(new Map(), (userNo, keys: readonly string[]): ReadonlyMap<string, Float32Array> => {
      const found = new Map<string, Float32Array>()
      const space = readSpace(connection)
      if (space === undefined) return found
      for (const key of keys) {
        const row = connection.get(sql`SELECT floats FROM vectors WHERE user_no = ${userNo} AND ${condition(key)}
          AND vector_no >= ${BigInt(space.firstVector)} LIMIT 1`)
        if (row !== undefined) found.set(key, floatsOf(row))
      }
      return found
    })

  return {
    identity: async () => {
      const space = readSpace(connection)
      return space === undefined ? null : { model: space.model, dimension: space.dimension }
    },
    begin: async ({ model, dimension }) => {
      check.integer('dimension', dimension, 1, MOST_DIMENSIONS)
      const outcome = connection.write(() => beginSpace(connection, { model, dimension }))
      begun = { model, dimension }
      return outcome
    },
    discardOld: (work) => discardOldSpaces(connection, work),
    add: async (userId, records) => {
      if (records.length === 0) return
      const space = present()
      const checked = new Map<string, VectorRecord>()
      for (const record of records)
        checked.set(record.id, { ...record, vector: checkVector(`vector of ${record.id}`, record.vector, space) })
      connection.write(() => {
        const now = present()
        if (now.spaceNo !== space.spaceNo) throw otherModel(space, now)
        writeVectors(connection, connection.users.ensure(userId), now, [...checked.values()])
      })
    },
    remove: ask(0, async (userNo, ids) => {
      let removed = 0
      for await (const some of fewAtATime(ids, REMOVED_A_PIECE)) removed += await removePiece(userNo, some)
      return removed
    }),
    removeAll: ask(0, async (userNo) => {
      for (let removed = 0; ; await breathe()) {
        const rows = connection.all(sql`SELECT id FROM vectors INDEXED BY vectors_user WHERE user_no = ${userNo}
          ORDER BY vector_no LIMIT ${REMOVED_A_PIECE}`)
        if (rows.length === 0) return removed
        removed += await removePiece(
          userNo,
          rows.map((row) => text(row, 'id')),
        )
      }
    }),
    search: async (userId, vector, limit, filter = {}) => {
      check.integer('limit', limit, 1, LIMITS.resultLimit)
      checkVector('vector', vector, present())
      const userNo = connection.users.find(userId)
      if (userNo === undefined) return []
      for (;;) {
        const matches = connection.read(() => {
          // Between two pieces another process may have changed the model.
          const space = present()
          return memory.search(userNo, space, checkVector('vector', vector, space), limit, filter)
        })
        if (matches !== null) return matches
        await breathe()
      }
    },
    get: vectorsBy((id) => sql`id = ${id}`),
    vectorsOfTexts: vectorsBy((said) => sql`text_hash = ${textHash(said)}`),
    count: ask(0, (userNo) => {
      const first = BigInt(readSpace(connection)?.firstVector ?? 1)
      const sql = 'SELECT count(*) FROM vectors INDEXED BY vectors_user WHERE user_no = ? AND vector_no >= ?'
      return connection.count(sql, userNo, first)
    }),
    pendingEmbeddings: async (limit) =>
      pendingEmbeddings(connection, check.integer('limit', limit, 1, LIMITS.resultLimit)),
    pendingCount: async () => pendingCount(connection),
  }
}

function otherModel(mine: VectorIdentity, present: VectorIdentity): MnemeError {
  return new MnemeError(
    'conflict',
    `The vectors of this database are those of ${present.model} (${present.dimension} dimensions) by now, ` +
      `not of ${mine.model} (${mine.dimension} dimensions).`,
    { remedy: 'Let every process that uses this database use the same embedding model.' },
  )
}

class SearchMemory {
  readonly #connection: Connection
  readonly #arenaBytes: number | undefined
  #spaceNo: number | undefined
  #arena: Arena | undefined
  /** Least recently used first. */
  readonly #held = new Map<number, UserVectors>()

  constructor(connection: Connection, arenaBytes: number | undefined) {
    this.#connection = connection
    this.#arenaBytes = arenaBytes
  }

  /** Call it in a read transaction. null: there is more to read or to drop before, call it again. */
  search(
    userNo: number,
    space: VectorSpace,
    query: Float32Array,
    limit: number,
    filter: VectorFilter,
  ): readonly VectorMatch[] | null {
    const arena = this.#arenaOf(space)
    const vectors = this.#vectorsOf(userNo, space, arena)
    const stamp = this.#connection.stamp()
    if (!vectors.sync(stamp, () => arena.take() ?? this.#makeRoom(arena, userNo))) return null
    const found = nearest(vectors, arena, query, limit, filter, (vectorNo) => this.#scoreExactly(vectorNo, query))
    if (found === null) vectors.dropGone()
    return found
  }

  #scoreExactly(vectorNo: number, query: Float32Array): VectorMatch | null {
    return this.#connection.one(
      (row) => ({ id: text(row, 'id'), score: cosine(query, floatsOf(row)) }),
      'SELECT id, floats FROM vectors WHERE vector_no = ?',
      vectorNo,
    )
  }

  #arenaOf(space: VectorSpace): Arena {
    if (this.#arena === undefined || this.#spaceNo !== space.spaceNo) {
      this.#held.clear()
      this.#spaceNo = space.spaceNo
      this.#arena = new Arena(space.dimension, this.#arenaBytes)
    }
    return this.#arena
  }

  #vectorsOf(userNo: number, space: VectorSpace, arena: Arena): UserVectors {
    const held = this.#held.get(userNo) ?? new UserVectors(this.#connection, userNo, arena, space.firstVector)
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
