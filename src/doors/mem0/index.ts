/** The package `mneme/mem0`: mem0's `Memory` over Mneme. mem0's own clients are pointed at a Mneme server instead. */
import { check } from '../../domain/checks.ts'
import { readEnvironment } from '../config/options.ts'
import { type OpenMemory, openMemory } from '../library/index.ts'
import { type MemoryConfig, openOptionsOf } from './config.ts'
import { type Access, onlyOwner } from './filters.ts'
import { CALLS, type Fields, type Message, type OptionsOf, readOptions } from './options.ts'
import {
  type AddRecord,
  addRecords,
  deleteEverything,
  deleteRecord,
  deleteScope,
  getRecord,
  type HistoryRecord,
  historyRecords,
  listRecords,
  type MemoryItem,
  memoryItem,
  searchRecords,
  updateRecord,
} from './records.ts'

export { type ErrorCode, MnemeError } from '../../domain/errors.ts'
export type { MemoryConfig, ProviderConfig } from './config.ts'
export type { Message } from './options.ts'
export type { AddedRecord, AddRecord, HistoryRecord, MemoryItem, MemoryRecord } from './records.ts'

type Others = Readonly<Record<string, unknown>>

export type AddOptions = OptionsOf<'add'> & Others
export type SearchOptions = OptionsOf<'search'> & Others
export type GetAllOptions = OptionsOf<'list'> & Others
export type UpdateOptions = OptionsOf<'update'>
export type DeleteAllOptions = OptionsOf<'deleteAll'>
/** The user; needed only when an import gave several users one id. */
export type UserOptions = OptionsOf<'one'>

/** The user when only an agent, an app or a run is named. */
const DEFAULT_USER = 'local'

/** Answers of `search` and `getAll`. */
export interface SearchResult {
  readonly results: readonly MemoryItem[]
  /** mem0's graph; here relations are memories like others. */
  readonly relations: readonly never[]
}

/**
 * `Memory` as in mem0's TypeScript library, over one Mneme database; takes old and new spellings, and answers in both
 * shapes. The database opens at the first call, which rejects when that fails.
 */
export class Memory {
  readonly #begin: () => Promise<OpenMemory>
  readonly #defaultUser: string
  /** false: the memory was passed in open, and its owner closes it. */
  readonly #owns: boolean
  #opened: Promise<OpenMemory> | undefined

  /** Takes mem0's configuration or an open memory. Throws for an invalid configuration. */
  constructor(config: MemoryConfig | OpenMemory = {}) {
    this.#owns = !isOpen(config)
    if (isOpen(config)) {
      this.#begin = async () => config
      this.#defaultUser = DEFAULT_USER
      return
    }
    const options = openOptionsOf(config, readEnvironment())
    this.#begin = () => openMemory(options)
    this.#defaultUser = options.userId ?? DEFAULT_USER
  }

  /** As the constructor. */
  static fromConfig(config: MemoryConfig): Memory {
    return new Memory(config)
  }

  /** Adds memories from a text or messages, unchanged with `infer: false`. Waits for the model, where there is one. */
  async add(messages: string | Message | readonly Message[], options: AddOptions = {}): Promise<AddRecord> {
    return addRecords(await this.#access(), read('add', options, { messages }))
  }

  /** Searches memories, best first; `topK` (formerly `limit`) defaults to 20. */
  async search(query: string, options: SearchOptions = {}): Promise<SearchResult> {
    const fields = read('search', options, { query: check.query(query) })
    return { results: (await searchRecords(await this.#access(), fields)).map(memoryItem), relations: [] }
  }

  /** One memory; rejects with `not_found` where there is none. */
  async get(memoryId: string, options: UserOptions = {}): Promise<MemoryItem> {
    return memoryItem(await getRecord(await this.#access(), ofMemory('one', memoryId, options)))
  }

  /** Lists memories, last changed first; `topK` (formerly `limit`) defaults to 100. */
  async getAll(options: GetAllOptions): Promise<SearchResult> {
    const { results } = await listRecords(await this.#access(), read('list', options))
    return { results: results.map(memoryItem), relations: [] }
  }

  /** Changes the text, or the fields named in the options. */
  async update(memoryId: string, change: string | UpdateOptions): Promise<{ readonly message: string }> {
    const given = typeof change === 'string' ? { text: change } : change
    const { message } = await updateRecord(await this.#access(), ofMemory('update', memoryId, given))
    return { message }
  }

  /** Deletes one memory and its history for good; rejects with `not_found` for an unknown id. */
  async delete(memoryId: string, options: UserOptions = {}): Promise<{ readonly message: string }> {
    return deleteRecord(await this.#access(), ofMemory('one', memoryId, options))
  }

  /** Deletes all memories with these ids; rejects without an id. */
  async deleteAll(options: DeleteAllOptions): Promise<{ readonly message: string; readonly deleted: number }> {
    return deleteScope(await this.#access(), read('deleteAll', options))
  }

  /** The history of a memory, oldest first; rejects with `not_found` for an unknown id. */
  async history(memoryId: string, options: UserOptions = {}): Promise<readonly HistoryRecord[]> {
    return historyRecords(await this.#access(), ofMemory('one', memoryId, options))
  }

  /** Deletes every memory of every user in the database, for good. Conversations stay. */
  async reset(): Promise<void> {
    await deleteEverything(await this.#open())
  }

  /** Finishes accepted work and closes the file; a memory that was passed in stays open. */
  async close(): Promise<void> {
    if (this.#owns && this.#opened !== undefined) await (await this.#opened).close()
  }

  #open(): Promise<OpenMemory> {
    this.#opened ??= this.#begin()
    this.#opened.catch(() => {
      // The next call tries again, since the file may be free by then.
      this.#opened = undefined
    })
    return this.#opened
  }

  async #access(): Promise<Access> {
    const memory = await this.#open()
    return {
      memory,
      user: (named) => named ?? this.#defaultUser,
      ownerOf: async (id, named) => named ?? onlyOwner(memory, id),
      isNamed: false,
    }
  }
}

function isOpen(config: MemoryConfig | OpenMemory): config is OpenMemory {
  return typeof config === 'object' && config !== null && 'conversations' in config
}

/** The options of a call, and its arguments besides. */
function read(call: keyof typeof CALLS, options: unknown, besides: object = {}): Fields {
  return readOptions({ ...check.record('options', options ?? {}), ...besides }, CALLS[call])
}

function ofMemory(call: 'one' | 'update', memoryId: unknown, options: unknown): Fields {
  return read(call, options, { memory_id: check.id('memoryId', memoryId) })
}
