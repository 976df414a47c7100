/** The package `mneme/mem0`: mem0's `Memory` and `MemoryClient` over Mneme. */
export { type ErrorCode, MnemeError } from '../../domain/errors.ts'
export type { AddRecord } from './add.ts'
export type { MemoryItem } from './camel.ts'
export {
  type CamelHistory,
  type ClientAdd,
  type ClientOptions,
  type ClientPage,
  type ClientUser,
  MemoryClient,
} from './client.ts'
export { ClientError } from './client-error.ts'
export type { MemoryConfig, ProviderConfig } from './config.ts'
export { Memory, type SearchResult } from './memory.ts'
export type {
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
  UserOptions,
  UsersOptions,
} from './options.ts'
export type { AddedRecord, HistoryRecord, MemoryRecord } from './records.ts'
