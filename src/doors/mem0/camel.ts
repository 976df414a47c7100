/** mem0's TypeScript spelling of an answer: names in camelCase, but the caller's own data unchanged. */
import { camelName } from '../operations/names.ts'
import type { MemoryRecord } from './records.ts'

/** Fields that contain a caller's own data. */
const OPAQUE = ['metadata', 'profile']

/** The answer with its names in camelCase, at every depth. */
export function camelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelKeys)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [camelName(name), OPAQUE.includes(name) ? inner : camelKeys(inner)]),
  )
}

/** A memory as mem0's `Memory` shows it: times in camelCase, ids in both spellings. */
export interface MemoryItem extends Omit<MemoryRecord, 'created_at' | 'updated_at' | 'score_details'> {
  readonly createdAt: string
  readonly updatedAt: string
  readonly userId: string
  readonly agentId: string | null
  readonly appId: string | null
  readonly runId: string | null
  readonly expirationDate: string | null
  readonly score_details?: unknown
}

/** A memory in that form; a partial record gives only its fields. */
export function memoryItem(record: Partial<MemoryRecord>): MemoryItem {
  const { created_at: createdAt, updated_at: updatedAt, ...rest } = record
  const { user_id: userId, agent_id: agentId, app_id: appId, run_id: runId, expiration_date: expirationDate } = rest
  const item = { ...rest, createdAt, updatedAt, userId, agentId, appId, runId, expirationDate }
  return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)) as unknown as MemoryItem
}
