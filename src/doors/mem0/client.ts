/**
 * `MemoryClient` as in mem0's TypeScript package, against a Mneme server, with answers in camelCase. Every refusal is a
 * ClientError; it connects at the first call, and only to the named server.
 */
import { checkId, checkInteger, checkRecord, checkText } from '../../domain/checks.ts'
import { invalid } from '../../domain/errors.ts'
import { readEnvironment } from '../config/environment.ts'
import { ADD_FIELDS, type AddRecord } from './add.ts'
import { callServer, type Request, type Server, serverAddress } from './call-server.ts'
import { camelKeys, type MemoryItem } from './camel.ts'
import { DELETE_ALL_FIELDS, DELETE_FIELDS, UPDATE_FIELDS } from './change.ts'
import { orClientError } from './client-error.ts'
import { type FieldTable, optionsWith, readFields } from './fields.ts'
import type {
  AddOptions,
  BatchPart,
  DeleteAllOptions,
  DeleteOptions,
  EntityOptions,
  GetAllOptions,
  Message,
  ProfileOptions,
  SearchOptions,
  UpdateOptions,
  UsersOptions,
} from './options.ts'
import { USERS_FIELDS } from './people.ts'
import { LIST_FIELDS, SEARCH_FIELDS } from './read.ts'
import type { HistoryRecord } from './records.ts'

/** Longest API key in bytes. */
const KEY_BYTES = 16_384

/** Options of a client. */
export interface ClientOptions {
  /** Default: MNEME_API_KEY; a loopback server without keys needs none. */
  readonly apiKey?: string | undefined
  /** Default http://127.0.0.1:7077; an address without a path gets /mem0. */
  readonly host?: string | undefined
  /** Milliseconds that one call may take. Default 60,000. */
  readonly timeoutMs?: number | undefined
}

/** The answer to `add`. */
export type ClientAdd = Omit<AddRecord, 'job_id'> & { readonly jobId?: string }

/** A page of a list. */
export interface ClientPage<Item> {
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Item[]
}

/** A user who has memories. */
export interface ClientUser {
  readonly id: string
  readonly name: string
  readonly type: 'user'
  readonly totalMemories: number
  readonly createdAt: string
  readonly updatedAt: string
}

type Said = { readonly message: string }

/** A client of a server. */
export class MemoryClient {
  readonly #server: Server

  /** Throws ClientError for an invalid option. */
  constructor(options: ClientOptions = {}) {
    this.#server = orClientError(() => serverOf(options))
  }

  /** Resolves when a server answers that accepts the key. */
  async ping(): Promise<void> {
    await this.#ask(() => ({ method: 'GET', path: '/v1/ping/' }))
  }

  async add(messages: string | Message | readonly Message[], options: AddOptions = {}): Promise<ClientAdd> {
    return this.#ask(() => ({
      method: 'POST',
      path: '/v3/memories/add/',
      body: readFields(optionsWith(options, { messages }), ADD_FIELDS),
    }))
  }

  async search(query: string, options: SearchOptions = {}): Promise<{ readonly results: readonly MemoryItem[] }> {
    return this.#ask(() => ({
      method: 'POST',
      path: '/v3/memories/search/',
      body: readFields(optionsWith(options, { query }), SEARCH_FIELDS),
    }))
  }

  async get(memoryId: string): Promise<MemoryItem> {
    return this.#ask(() => ({ method: 'GET', path: pathOf(memoryId) }))
  }

  async getAll(options: GetAllOptions = {}): Promise<ClientPage<MemoryItem>> {
    return this.#ask(() => ({ method: 'POST', path: '/v3/memories/', body: readFields(options, LIST_FIELDS) }))
  }

  async update(memoryId: string, change: string | UpdateOptions): Promise<MemoryItem & Said> {
    const given = typeof change === 'string' ? { text: change } : change
    return this.#ask(() => ({ method: 'PUT', path: pathOf(memoryId), body: readFields(given, UPDATE_FIELDS) }))
  }

  async delete(memoryId: string, options: DeleteOptions = {}): Promise<Said> {
    return this.#ask(() => ({ method: 'DELETE', path: pathOf(memoryId), query: readFields(options, DELETE_FIELDS) }))
  }

  /** Deletes all memories with these ids; rejects without an id. */
  async deleteAll(options: DeleteAllOptions = {}): Promise<Said & { readonly deleted: number }> {
    return this.#ask(() => ({ method: 'DELETE', path: '/v1/memories/', query: readFields(options, DELETE_ALL_FIELDS) }))
  }

  async history(memoryId: string): Promise<readonly CamelHistory[]> {
    return this.#ask(() => ({ method: 'GET', path: `${pathOf(memoryId)}history/` }))
  }

  /** Users with memories; needs a key of scope admin. */
  async users(options: UsersOptions = {}): Promise<ClientPage<ClientUser>> {
    return this.#ask(() => ({ method: 'GET', path: '/v1/entities/', query: readFields(options, USERS_FIELDS) }))
  }

  /** Deletes all memories of one user, agent, app or run. Unlike mem0's, it rejects without an id. */
  async deleteUsers(options: EntityOptions): Promise<Said> {
    return this.deleteAll(options)
  }

  async batchUpdate(memories: readonly (BatchPart & UpdateOptions)[]): Promise<Said> {
    return this.#ask(() => ({ method: 'PUT', path: '/v1/batch/', body: { memories } }))
  }

  async batchDelete(memoryIds: readonly (string | BatchPart)[]): Promise<Said> {
    return this.#ask(() => ({ method: 'DELETE', path: '/v1/batch/', body: { memories: memoryIds } }))
  }

  /** The profile of a user: `profile.text`, or nothing yet. */
  async getProfile(options: ProfileOptions): Promise<{
    readonly profile: { readonly text?: string }
    readonly status: 'succeeded' | 'insufficient_data'
    readonly updatedAt: string | null
  }> {
    return this.#ask(() => {
      const { entity_id: name } = readFields(options, PROFILE_FIELDS)
      return { method: 'GET', path: `/v2/entities/user/${inPath('entityId', name)}/profile/` }
    })
  }

  async #ask<Answer>(write: () => Request): Promise<Answer> {
    return camelKeys(await callServer(this.#server, orClientError(write))) as Answer
  }
}

/** A line of a memory's history, as a client shows it. */
export interface CamelHistory {
  readonly id: string
  readonly memoryId: string
  readonly userId: string
  readonly oldMemory: string | null
  readonly newMemory: string | null
  readonly event: HistoryRecord['event']
  readonly createdAt: string
  readonly updatedAt: string
}

const PROFILE_FIELDS: FieldTable = { known: ['entity_id'], needed: ['entity_id'] }

function serverOf(options: ClientOptions): Server {
  const { host, apiKey, timeoutMs } = checkRecord('options', options)
  checkRecord('', options, ['apiKey', 'host', 'timeoutMs'])
  return {
    address: serverAddress(host ?? 'http://127.0.0.1:7077'),
    apiKey: apiKey === undefined ? readEnvironment().MNEME_API_KEY : checkKey(apiKey),
    timeoutMs: timeoutMs === undefined ? 60_000 : checkInteger('timeoutMs', timeoutMs, 1, 3_600_000),
  }
}

/** Throws `invalid`, without quoting the key, for a key that no HTTP header can hold. */
function checkKey(apiKey: unknown): string {
  const key = checkText('apiKey', apiKey, { maxBytes: KEY_BYTES })
  if (!/^[\x21-\x7e]*$/.test(key))
    throw invalid('apiKey', 'holds characters that no key has', 'Copy the key again, without spaces or line breaks.')
  return key
}

function pathOf(memoryId: unknown): string {
  return `/v1/memories/${inPath('memoryId', memoryId)}/`
}

/** An id as a part of an address. Throws `invalid` for a missing id, or one that no address can hold. */
function inPath(field: string, given: unknown): string {
  const id = checkId(field, given)
  // URL normalisation drops such a part, and the address would then name all memories.
  if (id === '.' || id === '..') throw invalid(field, `${JSON.stringify(id)} names nothing`, 'Pass the id of one.')
  return encodeURIComponent(id)
}
