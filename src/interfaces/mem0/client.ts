/**
 * `MemoryClient` as mem0's TypeScript package has it, against a Mneme server. Answers are in camelCase; every refusal is a
 * ClientError. Nothing is sent before the first call, and only to the server that was named.
 */
import { checkId, checkInteger, checkRecord } from '../../domain/checks.ts'
import { readEnvironment } from '../cli/environment.ts'
import { ADD_FIELDS, type AddRecord } from './add.ts'
import { callServer, type Request, type Server, serverAddress } from './call-server.ts'
import { camelKeys, type MemoryItem } from './camel.ts'
import { DELETE_ALL_FIELDS, DELETE_FIELDS, UPDATE_FIELDS } from './change.ts'
import { optionsWith, readFields } from './fields.ts'
import type {
  AddOptions,
  DeleteAllOptions,
  DeleteOptions,
  EntityOptions,
  GetAllOptions,
  Message,
  SearchOptions,
  UpdateOptions,
} from './options.ts'
import { USERS_FIELDS } from './people.ts'
import { LIST_FIELDS, SEARCH_FIELDS } from './read.ts'
import type { HistoryRecord } from './records.ts'

/** Options of a client. */
export interface ClientOptions {
  /** Default: MNEME_API_KEY; a server on loopback that has no key asks for none. */
  readonly apiKey?: string | undefined
  /** Default http://127.0.0.1:7077; one without a path gets /mem0. */
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

  /** Throws `invalid` where an option cannot be. */
  constructor(options: ClientOptions = {}) {
    checkRecord('', options, ['apiKey', 'host', 'timeoutMs'])
    this.#server = {
      address: serverAddress(options.host ?? 'http://127.0.0.1:7077'),
      apiKey: options.apiKey ?? readEnvironment().MNEME_API_KEY,
      timeoutMs: options.timeoutMs === undefined ? 60_000 : checkInteger('timeoutMs', options.timeoutMs, 1, 3_600_000),
    }
  }

  /** Resolves where a server answers that knows the key. */
  async ping(): Promise<void> {
    await this.#ask({ method: 'GET', path: '/v1/ping/' })
  }

  async add(messages: string | Message | readonly Message[], options: AddOptions = {}): Promise<ClientAdd> {
    return this.#ask({
      method: 'POST',
      path: '/v3/memories/add/',
      body: readFields(optionsWith(options, { messages }), ADD_FIELDS),
    })
  }

  async search(query: string, options: SearchOptions = {}): Promise<{ readonly results: readonly MemoryItem[] }> {
    const body = readFields(optionsWith(options, { query }), SEARCH_FIELDS)
    return this.#ask({ method: 'POST', path: '/v3/memories/search/', body })
  }

  async get(memoryId: string): Promise<MemoryItem> {
    return this.#ask({ method: 'GET', path: pathOf(memoryId) })
  }

  async getAll(options: GetAllOptions = {}): Promise<ClientPage<MemoryItem>> {
    return this.#ask({ method: 'POST', path: '/v3/memories/', body: readFields(options, LIST_FIELDS) })
  }

  async update(memoryId: string, change: string | UpdateOptions): Promise<MemoryItem & Said> {
    const given = typeof change === 'string' ? { text: change } : change
    return this.#ask({ method: 'PUT', path: pathOf(memoryId), body: readFields(given, UPDATE_FIELDS) })
  }

  async delete(memoryId: string, options: DeleteOptions = {}): Promise<Said> {
    return this.#ask({ method: 'DELETE', path: pathOf(memoryId), query: readFields(options, DELETE_FIELDS) })
  }

  /** Without an id it rejects. */
  async deleteAll(options: DeleteAllOptions = {}): Promise<Said & { readonly deleted: number }> {
    return this.#ask({ method: 'DELETE', path: '/v1/memories/', query: readFields(options, DELETE_ALL_FIELDS) })
  }

  async history(memoryId: string): Promise<readonly CamelHistory[]> {
    return this.#ask({ method: 'GET', path: `${pathOf(memoryId)}history/` })
  }

  /** Users who have memories; for a key of the scope admin. */
  async users(options: { readonly page?: number; readonly pageSize?: number } = {}): Promise<ClientPage<ClientUser>> {
    return this.#ask({ method: 'GET', path: '/v1/entities/', query: readFields(options, USERS_FIELDS) })
  }

  /** Deletes all memories of one user, agent, app or run. Unlike mem0's, without an id it rejects. */
  async deleteUsers(options: EntityOptions): Promise<Said> {
    return this.deleteAll(options)
  }

  async batchUpdate(memories: readonly ({ readonly memoryId: string } & UpdateOptions)[]): Promise<Said> {
    const parts = memories.map(({ memoryId, ...change }) => ({
      memory_id: memoryId,
      ...readFields(change, UPDATE_FIELDS),
    }))
    return this.#ask({ method: 'PUT', path: '/v1/batch/', body: { memories: parts } })
  }

  async batchDelete(memoryIds: readonly string[]): Promise<Said> {
    return this.#ask({ method: 'DELETE', path: '/v1/batch/', body: { memories: memoryIds } })
  }

  /** What is known of a user: `profile.text`, or nothing yet. */
  async getProfile({ entityId }: { readonly entityId: string }): Promise<{
    readonly profile: { readonly text?: string }
    readonly status: 'succeeded' | 'insufficient_data'
    readonly updatedAt: string | null
  }> {
    return this.#ask({ method: 'GET', path: `/v2/entities/user/${encodeURIComponent(entityId)}/profile/` })
  }

  async #ask<Answer>(request: Request): Promise<Answer> {
    return camelKeys(await callServer(this.#server, request)) as Answer
  }
}

/** A line of a story as a client shows it. */
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

function pathOf(memoryId: string): string {
  return `/v1/memories/${encodeURIComponent(checkId('memoryId', memoryId))}/`
}
