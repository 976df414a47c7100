/** Memories lie in the collection of 002, turns in a second one, so that other programs read memories only. */
import type { MirrorSeal } from '../../domain/contracts/vector-mirror.ts'
import { MnemeError } from '../../domain/errors.ts'
import {
  type CollectionPlace,
  checkCollection,
  countRows,
  type ReadyCollection,
  readyCollection,
} from './collection.ts'
import { fieldsOf, type SentRow } from './rows.ts'
import { type CallPlace, called, literal, type ResolvedMilvusOptions, type SdkAnswer, type SdkClient } from './sdk.ts'

/** The two parts of the mirror, each a collection. */
export type Part = 'memories' | 'turns'
export const PARTS: readonly Part[] = ['memories', 'turns']

/** A usable collection with its connection. */
export interface UsedCollection extends CollectionPlace {
  readonly ready: ReadyCollection
}

const TURN_PREFIX = 'turn:'
/** Most seals counted, one for each file that uses it; a collection with more rows holds other rows, too. */
const MOST_SEALS = 10_000

/** The collection of the vector with this id. */
export function partOf(id: string): Part {
  return id.startsWith(TURN_PREFIX) ? 'turns' : 'memories'
}

/** Both collections of one Milvus. */
export class MilvusCollections {
  readonly #connect: () => SdkClient
  #client: SdkClient
  readonly #place: CallPlace
  readonly options: ResolvedMilvusOptions
  #ready: Readonly<Record<Part, ReadyCollection>> | undefined

  /** @param connect makes a client; one that has failed is replaced by another. */
  constructor(connect: () => SdkClient, place: CallPlace, options: ResolvedMilvusOptions) {
    this.#connect = connect
    this.#client = connect()
    this.#place = place
    this.options = options
  }

  /** See VectorMirror.prepare. */
  async prepare(dimension: number | null): Promise<{ readonly isEmpty: boolean }> {
    try {
      return await this.#makeReady(dimension)
    } catch (error) {
      this.#ready = undefined
      throw error
    }
  }

  /** Makes the collections ready; what was ready before stays in use meanwhile. */
  async #makeReady(dimension: number | null): Promise<{ readonly isEmpty: boolean }> {
    const { version } = await this.reach()
    // Milvus Lite says milvus_lite-3.2.2; the server packed for Python says v2.3.5-lite and is a full one.
    const usualIndex = String(version).startsWith('milvus_lite') ? 'FLAT' : 'HNSW'
    // Both are checked before either is made, so that a refusal leaves nothing behind.
    await Promise.all(PARTS.map((part) => checkCollection(this.#at(part), dimension)))
    const [memories, turns] = await Promise.all([
      readyCollection(this.#at('memories'), dimension, usualIndex),
      readyCollection(this.#at('turns'), dimension, usualIndex),
    ])
    if (memories === null || turns === null) {
      this.#ready = undefined
      return { isEmpty: true }
    }
    this.#ready = { memories, turns }
    const empty = await Promise.all(PARTS.map((part) => this.#isEmpty(part)))
    return { isEmpty: empty.every(Boolean) }
  }

  /** All rows are counted at no cost, those that a filter accepts by reading every one. */
  async #isEmpty(part: Part): Promise<boolean> {
    const rows = await countRows(this.#at(part), '')
    return rows === 0 || (rows <= MOST_SEALS && (await countRows(this.#at(part), NO_SEAL)) === 0)
  }

  /** Rejects `vector_store_failed` before it was made ready. */
  use(part: Part): UsedCollection {
    if (this.#ready === undefined)
      throw new MnemeError('vector_store_failed', `Milvus at ${this.#place.shown} was not made ready yet.`, {
        remedy: 'Name an embedding model, whose vectors it can hold; Mneme makes it ready as soon as it answers.',
      })
    return { ...this.#at(part), ready: this.#ready[part] }
  }

  /** The model and dimension of its vectors, for messages. */
  shape(): { readonly model: string; readonly dimension: number } {
    const { name, dimension } = this.use('memories').ready
    return { model: `the collection ${name}`, dimension }
  }

  /** The server's answer about itself, by a new client where the last one never reached it. */
  async reach(): Promise<SdkAnswer> {
    const ask = (): Promise<SdkAnswer> =>
      called(this.#place, 'be reached', this.options.timeoutMs, () => this.#client.getVersion())
    try {
      return await ask()
    } catch {
      await this.close()
      this.#client = this.#connect()
      return ask()
    }
  }

  async close(): Promise<void> {
    await this.#client.closeConnection().catch(() => {})
  }

  #at(part: Part): CollectionPlace {
    const { collection } = this.options
    return {
      client: this.#client,
      place: this.#place,
      options: this.options,
      name: part === 'memories' ? collection : `${collection}_turns`,
    }
  }
}

const KIND = 'seal'
/** A name that no user can have. */
const NOBODY = ''

/** Accepts every row but seals. */
export const NO_SEAL = `memory_type != ${literal(KIND)}`
/** Fields that `sealOf` reads. */
export const SEAL_FIELDS = ['id', 'text']

/** Accepts the seals of a store. */
export function sealsOf(storeId: string): string {
  return `user_id == ${literal(NOBODY)} and memory_type == ${literal(KIND)} and chat_id == ${literal(storeId)}`
}

export function sealRow(storeId: string, seal: string, dimension: number): SentRow {
  const vector = new Float32Array(dimension)
  vector[0] = 1
  return {
    user_id: NOBODY,
    memory_type: KIND,
    ts: 0,
    chat_id: storeId,
    who: '',
    text: seal,
    vector,
    hit_count: 0,
    metadata: '{}',
    $meta: '{}',
  }
}

/** The seal in a row of SEAL_FIELDS. */
export function sealOf(row: unknown): MirrorSeal {
  const { id, text } = fieldsOf(row)
  return { rowId: String(id), seal: String(text) }
}
