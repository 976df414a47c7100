/** zod's schemas as the JSON Schema of an OpenAPI document, where those with a name are components. */
import { z } from 'zod'

/** A JSON Schema. */
export type Schema = Record<string, unknown>

/** A schema as JSON Schema; named ones are put into `schemas` and referred to. */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Record<string, Schema>): Schema {
  const { $schema: _, $defs, ...own } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Schema
  for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, Schema>)) {
    const { id: _id, ...rest } = definition
    schemas[name] = atComponents(rest) as Schema
  }
  const { id: name, ...rest } = own
  const here = atComponents(rest) as Schema
  if (typeof name !== 'string') return here
  schemas[name] = here
  return { $ref: `#/components/schemas/${name}` }
}

function atComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(atComponents)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === '$ref' && typeof inner === 'string'
        ? inner.replace('#/$defs/', '#/components/schemas/')
        : atComponents(inner),
    ]),
  )
}
