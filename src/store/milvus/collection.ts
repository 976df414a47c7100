/** Both collections of one Milvus, made ready within a bound: memories as 002 has them, turns beside. Nothing is dropped. */
import { setTimeout } from 'node:timers/promises'
import { MnemeError } from '../../domain/errors.ts'
import { list, record, TEXT_BYTES } from './rows.ts'
import { type CallPlace, called, type ResolvedMilvusOptions, type SdkAnswer, type SdkClient } from './sdk.ts'

/** The connection and names by which a collection is reached. */
export interface CollectionPlace {
  readonly client: SdkClient
  readonly place: CallPlace
  readonly options: ResolvedMilvusOptions
  readonly name: string
}

export interface ReadyCollection {
  readonly name: string
  readonly dimension: number
  readonly index: string
}

const POLL_MS = 100
/** HNSW: neighbours of a vector, and the width of the search while building: Milvus's own recommendation. */
const HNSW = { M: 16, efConstruction: 200 }
/** Cosines are found by it; a collection with another one is refused. */
export const METRIC = 'COSINE'

/** The collection, or null when absent with its dimension unknown. Rejects `conflict` for another schema. */
async function readyCollection(
  at: CollectionPlace,
  dimension: number | null,
  usualIndex: 'HNSW' | 'FLAT',
): Promise<ReadyCollection | null> {
  const { name } = at
  if (!(await exists(at))) {
    if (dimension === null) return null
    await create(at, dimension)
  }
  const { described, index: found } = await checked(at, dimension)
  const settings = found === null ? null : indexSettings(found)
  if (settings === null) await makeIndex(at, usualIndex)
  await load(at)
  const vectors = list(record(described.schema).fields).map(record)
  const { dim } = vectors.find((field) => field.name === 'vector') ?? {}
  return { name, dimension: Number(dim), index: settings?.type ?? usualIndex }
}

/** Asks the server something about the collection. Rejects `vector_store_failed`. */
export function ask(
  { client, place, options, name }: CollectionPlace,
  doing: string,
  method: Exclude<keyof SdkClient, 'connectPromise' | 'getVersion' | 'closeConnection'>,
  request: object = {},
  { withinMs = options.timeoutMs * 5, tries }: { readonly withinMs?: number; readonly tries?: number } = {},
): Promise<SdkAnswer> {
  const call = () => client[method]({ ...request, collection_name: name, timeout: withinMs })
  return called(place, doing, withinMs, call, tries)
}

async function exists(at: CollectionPlace): Promise<boolean> {
  return (await ask(at, `say whether ${at.name} exists`, 'hasCollection')).value === true
}

async function checked(at: CollectionPlace, dimension: number | null) {
  // Cached answers outlive a collection that somebody dropped.
  const described = await ask(at, `describe ${at.name}`, 'describeCollection', { cache: false })
  const index = await describeIndex(at)
  refuseOther(at, differences(described, index, dimension))
  return { described, index }
}

async function create(at: CollectionPlace, dimension: number): Promise<void> {
  await ask(at, `create the collection ${at.name}`, 'createCollection', {
    description: 'Long-term memories (specification 002), written by Mneme',
    fields: wantedFields(dimension),
    enable_dynamic_field: true,
    consistency_level: 'Bounded',
  }).catch(async (error: unknown) => {
    // Another process may have been quicker.
    if (!(await exists(at))) throw error
  })
}

/** The description of the index, or null for none, which servers report as various failures. */
async function describeIndex(at: CollectionPlace) {
  try {
    return await ask(at, `describe the index of ${at.name}`, 'describeIndex')
  } catch (error) {
    if (
      error instanceof MnemeError &&
      /no index|index.*(not found|not exist|doesn't exist)|IndexNotExist/i.test(error.message)
    )
      return null
    throw error
  }
}

async function makeIndex(at: CollectionPlace, type: 'HNSW' | 'FLAT'): Promise<void> {
  const params = type === 'HNSW' ? HNSW : {}
  const index = { field_name: 'vector', index_name: 'vector', index_type: type, metric_type: METRIC, params }
  await ask(at, `index ${at.name}`, 'createIndex', index, { withinMs: at.options.readyWithinMs })
}

/** Loads an existing collection if needed: Milvus Lite forgets that with every restart. */
async function load(at: CollectionPlace): Promise<void> {
  const { place, options, name } = at
  await ask(at, `load ${name}`, 'loadCollection', {}, { withinMs: options.readyWithinMs })
  const until = performance.now() + options.readyWithinMs
  for (;;) {
    const { state } = await ask(at, `say whether ${name} is loaded`, 'getLoadState')
    if (state === 'LoadStateLoaded') return
    if (performance.now() > until)
      throw new MnemeError(
        'vector_store_failed',
        `Milvus at ${place.shown} did not load the collection ${name} within ${options.readyWithinMs} ms (${String(state)}).`,
        { remedy: 'Give it more memory or time to become ready, and look into its log.' },
      )
    await setTimeout(POLL_MS)
  }
}

function refuseOther({ place, name }: CollectionPlace, found: readonly string[]): void {
  if (found.length === 0) return
  throw new MnemeError(
    'conflict',
    `The collection ${name} of Milvus at ${place.shown} is not the one that is wanted: ${found.join('; ')}.`,
    {
      remedy:
        'Nothing was changed. Name another collection, which is then created, or rename or drop this one yourself.',
    },
  )
}

async function isEmpty(at: CollectionPlace): Promise<boolean> {
  const request = { filter: '', output_fields: ['count(*)'], consistency_level: 'Strong' }
  const answer = await ask(at, `count rows of ${at.name}`, 'query', request)
  return Number(record(list(answer.data)[0])['count(*)']) === 0
}

/** Bytes of an id: 1,024 characters of four bytes. */
const ID_BYTES = 4096
const KIND_BYTES = 32

/** A field as it is wanted; the names of types are those of Milvus. */
interface WantedField {
  readonly name: string
  readonly data_type: 'Int64' | 'VarChar' | 'FloatVector' | 'JSON'
  readonly is_primary_key?: boolean
  readonly autoID?: boolean
  readonly max_length?: number
  readonly dim?: number
}

/** The fields, in the order of the specification. */
export function wantedFields(dimension: number): readonly WantedField[] {
  return [
    { name: 'id', data_type: 'Int64', is_primary_key: true, autoID: true },
    { name: 'user_id', data_type: 'VarChar', max_length: ID_BYTES },
    { name: 'memory_type', data_type: 'VarChar', max_length: KIND_BYTES },
    { name: 'ts', data_type: 'Int64' },
    { name: 'chat_id', data_type: 'VarChar', max_length: ID_BYTES },
    { name: 'who', data_type: 'VarChar', max_length: ID_BYTES },
    { name: 'text', data_type: 'VarChar', max_length: TEXT_BYTES },
    { name: 'vector', data_type: 'FloatVector', dim: dimension },
    { name: 'hit_count', data_type: 'Int64' },
    { name: 'metadata', data_type: 'JSON' },
  ]
}

/** The differences between a collection and the wanted one, as sentences; empty when it fits. */
export function differences(
  description: SdkAnswer,
  index: SdkAnswer | null,
  dimension: number | null,
): readonly string[] {
  const schema = record(description.schema)
  const present = new Map(list(schema.fields).map((field) => [String(record(field).name), record(field)]))
  const wanted = wantedFields(dimension ?? 0)
  const found = wanted.flatMap((field) => fieldDifferences(field, present.get(field.name), dimension))
  const names = new Set(wanted.map(({ name }) => name))
  const others = [...present.keys()].filter((name) => !names.has(name) && name !== '$meta')
  return [
    ...found,
    ...others.map((name) => `${name}: is a field that 002 does not name`),
    ...(schema.enable_dynamic_field === true ? [] : ['dynamic fields: are off, wanted on']),
    ...(index === null ? [] : indexDifferences(index)),
  ]
}

function fieldDifferences(
  wanted: WantedField,
  present: ReturnType<typeof record> | undefined,
  dimension: number | null,
): readonly string[] {
  const { name, data_type: type } = wanted
  if (present === undefined) return [`${name}: is missing, wanted ${type}`]
  if (present.data_type !== type) return [`${name}: is ${present.data_type}, wanted ${type}`]
  const said: string[] = []
  if (wanted.is_primary_key === true && present.is_primary_key !== true) said.push(`${name}: is not the primary key`)
  if (wanted.autoID === true && present.autoID !== true) said.push(`${name}: auto_id is off, wanted on`)
  if (wanted.max_length !== undefined && Number(present.max_length) < wanted.max_length)
    said.push(`${name}: takes ${present.max_length} bytes, wanted ${wanted.max_length}`)
  if (type === 'FloatVector' && dimension !== null && Number(present.dim) !== dimension)
    said.push(`${name}: has ${present.dim} dimensions, wanted ${dimension}`)
  return said
}

function indexDifferences(index: SdkAnswer): readonly string[] {
  const settings = indexSettings(index)
  return settings === null || settings.metric === METRIC ? [] : [`metric: is ${settings.metric}, wanted ${METRIC}`]
}

/** Kind and metric of the index over the vectors; null when there is none yet. */
function indexSettings(index: SdkAnswer): { readonly type: string; readonly metric: string } | null {
  const ofVectors = list(index.index_descriptions)
    .map(record)
    .find(({ field_name }) => field_name === 'vector')
  if (ofVectors === undefined) return null
  const settings = new Map(list(ofVectors.params).map((pair) => [record(pair).key, String(record(pair).value)]))
  return { type: settings.get('index_type') ?? '', metric: settings.get('metric_type') ?? '' }
}

export type Part = 'memories' | 'turns'
export const PARTS: readonly Part[] = ['memories', 'turns']

export interface UsedCollection extends CollectionPlace {
  readonly ready: ReadyCollection
}

const TURN_PREFIX = 'turn:'

export function partOf(id: string): Part {
  return id.startsWith(TURN_PREFIX) ? 'turns' : 'memories'
}

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
    // On Milvus Lite a filtered HNSW loses matches. It says milvus_lite-3.2.2; the server packed for Python says v2.3.5-lite and is a full one.
    const usualIndex = String(version).startsWith('milvus_lite') ? 'FLAT' : 'HNSW'
    // Both are checked before either is made, so that a refusal leaves nothing behind.
    const places = PARTS.map((part) => this.#at(part))
    await Promise.all(places.map(async (at) => (await exists(at)) && checked(at, dimension)))
    const [memories, turns] = await Promise.all(places.map((at) => readyCollection(at, dimension, usualIndex)))
    this.#ready = memories && turns ? { memories, turns } : undefined
    const empty = this.#ready === undefined ? [] : await Promise.all(places.map(isEmpty))
    return { isEmpty: empty.every(Boolean) }
  }

  /** Rejects `vector_store_failed` before it was made ready. */
  use(part: Part): UsedCollection {
    if (this.#ready === undefined)
      throw new MnemeError('vector_store_failed', `Milvus at ${this.#place.shown} was not made ready yet.`, {
        remedy: 'Name an embedding model, whose vectors it can hold; Mneme makes it ready as soon as it answers.',
      })
    return { ...this.#at(part), ready: this.#ready[part] }
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
