/**
 * The vector index in Milvus, which gives a row a new id with every update and refuses its upsert. So the new row comes
 * first, then the old one goes; in between the newest counts.
 */

import { checkVector } from '../../domain/check-vector.ts'
import type { VectorFilter, VectorMatch, VectorRecord } from '../../domain/contracts/vector-index.ts'
import type {
  MirroredVector,
  MirrorMatch,
  MirrorRow,
  MirrorSeal,
  VectorMirror,
  WholeMirrorRow,
} from '../../domain/contracts/vector-mirror.ts'
import { countRows, list } from './collection.ts'
import { type MilvusCollections, PARTS, partOf, type UsedCollection } from './collections.ts'
import { literal } from './expression.ts'
import { allRows, findRows, insertRows, query, removeRows, removeWhere } from './find-rows.ts'
import { fieldsOf, mirrorRowOf, ROW_FIELDS } from './read-row.ts'
import { SEAL_FIELDS, sealOf, sealRow, sealsOf } from './seal-row.ts'
import { searchVectors } from './search-vectors.ts'
import { rowOf } from './write-row.ts'

/** The contract VectorMirror over both collections. */
export class MilvusVectorIndex implements VectorMirror {
  readonly provider = 'milvus'
  readonly target: string
  readonly #collections: MilvusCollections

  constructor(collections: MilvusCollections) {
    this.#collections = collections
    const { address, collection } = collections.options
    this.target = `milvus ${address.host} ${address.database ?? 'default'} ${collection}`
  }

  prepare(dimension: number | null): Promise<{ readonly isEmpty: boolean }> {
    return this.#collections.prepare(dimension)
  }

  async add(userId: string, records: readonly VectorRecord[]): Promise<void> {
    const last = new Map(records.map((record) => [record.id, record]))
    const checked = [...last.values()].map((record) => ({
      ...record,
      vector: checkVector(`vector of ${record.id}`, record.vector, this.#collections.shape()),
      text: record.text ?? record.memory?.text ?? '',
      userId,
      version: 0,
      storeId: '',
      model: '',
    }))
    if (checked.length === 0) return
    const before = await this.findRows(checked)
    await this.insertRows(checked)
    await this.removeRows(before)
  }

  async remove(userId: string, ids: readonly string[]): Promise<number> {
    const rows = await this.findRows(ids.map((id) => ({ userId, id })))
    await this.removeRows(rows)
    return new Set(rows.map(({ id }) => id)).size
  }

  removeAll(userId: string): Promise<number> {
    const filter = `user_id == ${literal(userId)}`
    return this.#sum(async (at) => {
      const count = await countRows(at, filter)
      if (count > 0) await removeWhere(at, filter)
      return count
    })
  }

  async search(
    userId: string,
    vector: Float32Array,
    limit: number,
    filter: VectorFilter = {},
  ): Promise<readonly VectorMatch[]> {
    const found = await searchVectors(this.#collections, userId, vector, limit, filter, 'Strong')
    return found.map(({ id, score }) => ({ id, score }))
  }

  searchSettled(
    userId: string,
    vector: Float32Array,
    limit: number,
    filter: VectorFilter = {},
  ): Promise<readonly MirrorMatch[]> {
    return searchVectors(this.#collections, userId, vector, limit, filter, 'Bounded')
  }

  async get(userId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
    const keys = ids.map((id) => ({ userId, id }))
    const rows = await findRows(this.#collections, keys, [...ROW_FIELDS, 'vector'])
    return new Map(rows.map((row) => [mirrorRowOf(row).id, Float32Array.from(list(fieldsOf(row).vector), Number)]))
  }

  count(userId: string): Promise<number> {
    return this.#sum((at) => countRows(at, `user_id == ${literal(userId)}`))
  }

  async insertRows(records: readonly MirroredVector[]): Promise<readonly string[]> {
    const ids = new Array<string>(records.length)
    for (const part of PARTS) {
      const places = [...records.keys()].filter((index) => partOf(records[index]!.id) === part)
      if (places.length === 0) continue
      const rows = places.map((index) => rowOf(records[index]!))
      const given = await insertRows(this.#collections.use(part), rows)
      for (const [at, index] of places.entries()) ids[index] = given[at]!
    }
    return ids
  }

  removeRows(rows: readonly Pick<MirrorRow, 'rowId' | 'id'>[]): Promise<void> {
    return removeRows(this.#collections, rows)
  }

  async findRows(ids: readonly Pick<MirrorRow, 'userId' | 'id'>[]): Promise<readonly MirrorRow[]> {
    return (await findRows(this.#collections, ids, ROW_FIELDS)).map(mirrorRowOf)
  }

  allRows(signal?: AbortSignal): AsyncGenerator<readonly WholeMirrorRow[]> {
    return allRows(this.#collections, signal)
  }

  async seals(storeId: string): Promise<readonly MirrorSeal[]> {
    const request = { filter: sealsOf(storeId), output_fields: SEAL_FIELDS }
    const rows = await query(this.#collections.use('turns'), 'look up whose its rows are', request)
    return rows.map(sealOf).sort((a, b) => (BigInt(a.rowId) < BigInt(b.rowId) ? -1 : 1))
  }

  async setSeal(storeId: string, seal: string): Promise<void> {
    const turns = this.#collections.use('turns')
    await insertRows(turns, [sealRow(storeId, seal, turns.ready.dimension)])
  }

  async removeSeals(seals: readonly MirrorSeal[]): Promise<void> {
    if (seals.length === 0) return
    await removeWhere(this.#collections.use('turns'), `id in [${seals.map(({ rowId }) => rowId).join(', ')}]`)
  }

  async ping(): Promise<void> {
    await this.#collections.reach()
  }

  close(): Promise<void> {
    return this.#collections.close()
  }

  async #sum(work: (at: UsedCollection) => Promise<number>): Promise<number> {
    const counts = await Promise.all(PARTS.map((part) => work(this.#collections.use(part))))
    return counts.reduce((sum, count) => sum + count, 0)
  }
}
