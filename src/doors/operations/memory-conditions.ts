/** Conditions by which callers of several operations select long-term memories. */
import { camelFilters, camelNames } from './names.ts'
import { operationsOf } from './operation.ts'
import * as schema from './schemas.ts'

/** Declares an operation on them. */
export const memoryOperation = operationsOf('Long-term memories')

/** Plain conditions that a caller may write beside `filters`. */
export const conditions = {
  memory_type: schema.memoryType.optional(),
  category: schema.category.optional(),
  source: schema.source.optional(),
  key: schema.id.optional().meta({ description: 'Only facts of this name.' }),
  who: schema.id.optional().meta({ description: 'Only of this person.' }),
  conversation_id: schema.id.optional().meta({ description: 'Only from this conversation.' }),
  tag: schema.id.optional().meta({ description: 'Only with this tag.' }),
}
type Conditions = { [Name in keyof typeof conditions]?: string | undefined }

/** The conditions and the filter as one library filter; empty when there are none. */
export function filtersOf({ filters, ...plain }: Conditions & { readonly filters?: unknown }): { filters?: unknown } {
  const named = camelNames(plain)
  if (filters === undefined) return Object.keys(named).length === 0 ? {} : { filters: named }
  const own = camelFilters(filters)
  return { filters: Object.keys(named).length === 0 ? own : { ...named, AND: [own] } }
}
