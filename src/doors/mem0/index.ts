/** The package `mneme/mem0`: mem0's `Memory` over Mneme. mem0's own clients are pointed at a Mneme server instead. */
export { type ErrorCode, MnemeError } from '../../domain/errors.ts'
export type { AddRecord } from './add.ts'
export type { MemoryConfig, ProviderConfig } from './config.ts'
export type { Message } from './fields.ts'
export {
  type AddOptions,
  type DeleteAllOptions,
  type DeleteOptions,
  type GetAllOptions,
  Memory,
  type SearchOptions,
  type SearchResult,
  type UpdateOptions,
  type UserOptions,
} from './memory.ts'
export type { AddedRecord, HistoryRecord, MemoryItem, MemoryRecord } from './records.ts'
