/**
 * The vector index in Milvus: memories in the collection of specification 002, turns in a second one of the same shape,
 * so that a program that reads memories meets nothing else. Milvus gives a row a new id with every update, and refuses
 * upserts of such rows: the new row comes first, then the old one goes, and in between the newest of two counts.
 */
import type { VectorFilter, VectorMatch, VectorRecord } from '../../contracts/vector-index.ts'
import type {
  MirroredVector,
  MirrorMatch,
  MirrorRow,
  VectorMirror,
  WholeMirrorRow,
} from '../../contracts/vector-mirror.ts'
import { checkVector } from '../../domain/check-vector.ts'
import { checkInteger } from '../../domain/checks.ts'
import { MnemeError } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { type CallPlace, called } from './call.ts'
import {
  type CollectionPlace,
  checkCollection,
  countRows,
  type ReadyCollection,
  readyCollection,
} from './collection.ts'
import { filterOf, literal, literals } from './expression.ts'
import { insertedIds, pieces } from './insert-messages.ts'
import type { MilvusIndex, ResolvedMilvusOptions } from './options.ts'
import { fieldsOf, mirrorRowOf, ROW_FIELDS, WHOLE_FIELDS, wholeRowOf } from './read-row.ts'
import { list } from './schema.ts'
import type { SdkAnswer, SdkClient } from './sdk.ts'
import { rowOf } from './write-row.ts'

/** Ids named in one expression. */
const IDS_A_CALL = 500
/** Rows read in one call when all are read. */
const ROWS_A_PIECE = 500
/** HNSW: how many candidates a search keeps, at least (Milvus wants it to be no less than the limit). */
const LEAST_EF = 128
const MOST_EF = 32_768
const TURN_PREFIX = 'turn:'

type Part = 'memories' | 'turns'
type Consistency = 'Strong' | 'Bounded'

/** The contract VectorMirror over a connected client. */
export class MilvusVectorIndex implements VectorMirror {
  readonly provider = 'milvus'
  readonly target: string
  readonly #connect: () => SdkClient
  #client: SdkClient
  readonly #place: CallPlace
  readonly #options: ResolvedMilvusOptions
  #usualIndex: MilvusIndex = 'HNSW'
  #ready: Readonly<Record<Part, ReadyCollection>> | undefined

  /** @param connect makes a client; one that has failed is replaced by another. */
  constructor(connect: () => SdkClient, place: CallPlace, options: ResolvedMilvusOptions) {
    this.#connect = connect
    this.#client = connect()
    this.#place = place
    this.#options = options
    const { host, database } = options.address
    this.target = `milvus ${host} ${database ?? 'default'} ${options.collection}`
  }

  async prepare(dimension: number | null): Promise<{ readonly isEmpty: boolean }> {
    this.#ready = undefined
    const { version } = await this.#reach()
    this.#usualIndex = isLite(version) ? 'FLAT' : 'HNSW'
    // Both are looked at before either is made: what is refused leaves nothing behind.
    await Promise.all([checkCollection(this.#at('memories'), dimension), checkCollection(this.#at('turns'), dimension)])
    const [memories, turns] = await Promise.all([
      readyCollection(this.#at('memories'), dimension, this.#usualIndex),
      readyCollection(this.#at('turns'), dimension, this.#usualIndex),
    ])
    if (memories === null || turns === null) return { isEmpty: true }
    this.#ready = { memories, turns }
    const counts = await Promise.all([countRows(this.#at('memories'), ''), countRows(this.#at('turns'), '')])
    return { isEmpty: counts.every((count) => count === 0) }
  }

  async add(userId: string, records: readonly VectorRecord[]): Promise<void> {
    const last = new Map(records.map((record) => [record.id, record]))
    const checked = [...last.values()].map((record) => ({
      ...record,
      vector: checkVector(`vector of ${record.id}`, record.vector, this.#shape()),
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

  async removeAll(userId: string): Promise<number> {
    const filter = `user_id == ${literal(userId)}`
    const counts = await this.#both(async (at) => {
      const count = await countRows(at, filter)
      if (count > 0) await this.#delete(at, filter)
      return count
    })
    return counts.reduce((sum, count) => sum + count, 0)
  }

  async search(
    userId: string,
    vector: Float32Array,
    limit: number,
    filter: VectorFilter = {},
  ): Promise<readonly VectorMatch[]> {
    return (await this.#search(userId, vector, limit, filter, 'Strong')).map(({ id, score }) => ({ id, score }))
  }

  searchSettled(
    userId: string,
    vector: Float32Array,
    limit: number,
    filter: VectorFilter = {},
  ): Promise<readonly MirrorMatch[]> {
    return this.#search(userId, vector, limit, filter, 'Bounded')
  }

  async get(userId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Float32Array>> {
    const keys = ids.map((id) => ({ userId, id }))
    const rows = await this.#find(keys, [...ROW_FIELDS, 'vector'])
    return new Map(rows.map((row) => [mirrorRowOf(row).id, Float32Array.from(list(fieldsOf(row).vector), Number)]))
  }

  async count(userId: string): Promise<number> {
    const counts = await this.#both((at) => countRows(at, `user_id == ${literal(userId)}`))
    return counts.reduce((sum, count) => sum + count, 0)
  }

  async insertRows(records: readonly MirroredVector[]): Promise<readonly string[]> {
    const ids = new Array<string>(records.length)
    for (const part of ['memories', 'turns'] as const) {
      const places = [...records.keys()].filter((index) => partOf(records[index]!.id) === part)
      const rows = places.map((index) => rowOf(records[index]!))
      let sent = 0
      for (const piece of pieces(rows)) {
        const answer = await this.#call(this.#at(part), `store ${piece.length} vectors`, (client, request) =>
          client.insert({ ...request, data: piece }),
        )
        const given = insertedIds(answer)
        if (given.length !== piece.length)
          throw new MnemeError(
            'vector_store_failed',
            `Milvus at ${this.#place.shown} took ${given.length} of ${piece.length} vectors.`,
            { remedy: 'See the log of the Milvus server; Mneme tries again by itself.' },
          )
        for (const id of given) ids[places[sent++]!] = id
      }
    }
    return ids
  }

  async removeRows(rows: readonly Pick<MirrorRow, 'rowId' | 'id'>[]): Promise<void> {
    for (const part of ['memories', 'turns'] as const) {
      const mine = rows.filter(({ id }) => partOf(id) === part).map(({ rowId }) => rowId)
      for (let from = 0; from < mine.length; from += IDS_A_CALL)
        await this.#delete(this.#at(part), `id in [${mine.slice(from, from + IDS_A_CALL).join(', ')}]`)
    }
  }

  async findRows(ids: readonly Pick<MirrorRow, 'userId' | 'id'>[]): Promise<readonly MirrorRow[]> {
    return (await this.#find(ids, ROW_FIELDS)).map(mirrorRowOf)
  }

  async *allRows(signal?: AbortSignal): AsyncGenerator<readonly WholeMirrorRow[]> {
    for (const part of ['memories', 'turns'] as const) {
      let after = ''
      for (;;) {
        signal?.throwIfAborted()
        // Rows come in the order of their ids, which begin at 0 or above.
        const filter = after === '' ? 'id >= 0' : `id > ${after}`
        const answer = await this.#call(this.#at(part), 'read its rows', (client, request) =>
          client.query({
            ...request,
            filter,
            limit: ROWS_A_PIECE,
            output_fields: WHOLE_FIELDS,
            consistency_level: 'Strong',
          }),
        )
        const rows = list(answer.data).map(wholeRowOf)
        if (rows.length === 0) break
        yield rows
        after = rows.at(-1)!.rowId
      }
    }
  }

  async ping(): Promise<void> {
    await this.#reach()
  }

  async close(): Promise<void> {
    await this.#client.closeConnection().catch(() => {})
  }

  /** What it says of itself. A client that never reached anybody may never do so again, so another one is tried. */
  async #reach(): Promise<SdkAnswer> {
    const ask = (): Promise<SdkAnswer> =>
      called(this.#place, 'be reached', this.#options.timeoutMs, () => this.#client.getVersion())
    try {
      return await ask()
    } catch {
      await this.close()
      this.#client = this.#connect()
      return ask()
    }
  }

  async #search(
    userId: string,
    vector: Float32Array,
    limit: number,
    filter: VectorFilter,
    consistency: Consistency,
  ): Promise<readonly MirrorMatch[]> {
    checkInteger('limit', limit, 1, LIMITS.resultLimit)
    const data = Array.from(checkVector('vector', vector, this.#shape()))
    const parts: readonly Part[] =
      filter.kind === undefined ? ['memories', 'turns'] : [filter.kind === 'turn' ? 'turns' : 'memories']
    const found = await Promise.all(
      parts.map((part) =>
        this.#searchPart(part, data, limit, filterOf(userId, filter, filter.kind === 'turn'), consistency),
      ),
    )
    // Of two rows of one vector, as they are for a moment while it is replaced, the newer counts.
    const best = new Map<string, MirrorMatch>()
    for (const match of found.flat()) {
      const before = best.get(match.id)
      if (before === undefined || before.version < match.version) best.set(match.id, match)
    }
    return [...best.values()].sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)).slice(0, limit)
  }

  async #searchPart(
    part: Part,
    data: readonly number[],
    limit: number,
    filter: string,
    consistency: Consistency,
  ): Promise<readonly MirrorMatch[]> {
    const { metric, index } = this.#prepared()[part]
    const params = index === 'HNSW' ? { ef: Math.min(Math.max(LEAST_EF, limit), MOST_EF) } : {}
    const answer = await called(this.#place, 'search', this.#options.timeoutMs, () =>
      this.#client.search({
        collection_name: this.#at(part).name,
        data: [data],
        anns_field: 'vector',
        metric_type: metric,
        limit,
        filter,
        params,
        output_fields: ['memory_id', 'vector_no'],
        consistency_level: consistency,
        timeout: this.#options.timeoutMs,
      }),
    )
    // One query: the results come as one list, or as a list with one list.
    const results = list(answer.results)
    const rows = Array.isArray(results[0]) ? list(results[0]) : results
    return rows.map((row) => {
      const { id, version } = mirrorRowOf(row)
      return { id, version, score: cosineOf(Number(fieldsOf(row).score), metric) }
    })
  }

  async #find(
    keys: readonly Pick<MirrorRow, 'userId' | 'id'>[],
    fields: readonly string[],
  ): Promise<readonly unknown[]> {
    const found: unknown[] = []
    const wanted = new Set(keys.map(({ userId, id }) => `${userId}\0${id}`))
    for (const part of ['memories', 'turns'] as const) {
      const mine = keys.filter(({ id }) => partOf(id) === part)
      for (let from = 0; from < mine.length; from += IDS_A_CALL) {
        const piece = mine.slice(from, from + IDS_A_CALL)
        const users = new Set(piece.map(({ userId }) => userId))
        const answer = await this.#call(this.#at(part), 'look up vectors', (client, request) =>
          client.query({
            ...request,
            filter: `user_id in ${literals(users)} and memory_id in ${literals(piece.map(({ id }) => id))}`,
            output_fields: fields,
            consistency_level: 'Strong',
          }),
        )
        found.push(
          ...list(answer.data).filter((row) => {
            const { userId, id } = mirrorRowOf(row)
            return wanted.has(`${userId}\0${id}`)
          }),
        )
      }
    }
    return found
  }

  async #delete(at: CollectionPlace, filter: string): Promise<void> {
    await this.#call(at, 'remove vectors', (client, request) => client.delete({ ...request, filter }))
  }

  #call(
    at: CollectionPlace,
    doing: string,
    call: (client: SdkClient, request: { collection_name: string; timeout: number }) => Promise<SdkAnswer>,
  ): Promise<SdkAnswer> {
    this.#prepared()
    const within = this.#options.timeoutMs * 5
    return called(this.#place, doing, within, () => call(this.#client, { collection_name: at.name, timeout: within }))
  }

  #both<T>(work: (at: CollectionPlace) => Promise<T>): Promise<readonly T[]> {
    this.#prepared()
    return Promise.all([work(this.#at('memories')), work(this.#at('turns'))])
  }

  #at(part: Part): CollectionPlace {
    const { collection } = this.#options
    return {
      client: this.#client,
      place: this.#place,
      options: this.#options,
      name: part === 'memories' ? collection : `${collection}_turns`,
    }
  }

  #shape(): { readonly model: string; readonly dimension: number } {
    const { name, dimension } = this.#prepared().memories
    return { model: `the collection ${name}`, dimension }
  }

  #prepared(): Readonly<Record<Part, ReadyCollection>> {
    if (this.#ready === undefined)
      throw new MnemeError('vector_store_failed', `Milvus at ${this.#place.shown} was not made ready yet.`, {
        remedy: 'Name an embedding model, whose vectors it can hold; Mneme makes it ready as soon as it answers.',
      })
    return this.#ready
  }
}

/** Milvus Lite says milvus_lite-3.2.2; the server packed for Python says v2.3.5-lite and is a full one. */
function isLite(version: unknown): boolean {
  return typeof version === 'string' && version.startsWith('milvus_lite')
}

function partOf(id: string): Part {
  return id.startsWith(TURN_PREFIX) ? 'turns' : 'memories'
}

/** Milvus's distance as a cosine of unit vectors: L2 is the square of the Euclidean distance. */
function cosineOf(score: number, metric: string): number {
  return metric === 'L2' ? 1 - score / 2 : score
}
