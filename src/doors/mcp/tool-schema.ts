/**
 * How is a tool's input described to a model? As JSON Schema without what costs tokens and helps no model choose: bounds,
 * alternatives of null, named parts. The schema says less than the check, never otherwise.
 */
import { type ZodObject, z } from 'zod'

/** JSON Schema of an object, as tools/list sends it. */
export interface ToolSchema {
  readonly type: 'object'
  readonly [name: string]: unknown
}

type Json = Record<string, unknown>

const LEFT_OUT: ReadonlySet<string> = new Set([
  '$schema',
  '$defs',
  'id',
  'examples',
  'pattern',
  'propertyNames',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'additionalProperties',
])

/** The schema of a tool's input. */
export function toolSchema(input: ZodObject): ToolSchema {
  const whole = z.toJSONSchema(input, { io: 'input' }) as Json
  const parts = (whole.$defs ?? {}) as Record<string, Json>
  return { type: 'object', properties: {}, ...short(whole, parts) }
}

function short(schema: Json, parts: Record<string, Json>): Json {
  if (typeof schema.$ref === 'string') return short(parts[schema.$ref.replace('#/$defs/', '')] ?? {}, parts)
  const { anyOf, ...rest } = schema
  if (Array.isArray(anyOf)) {
    const choices = (anyOf as Json[]).filter(({ type }) => type !== 'null')
    if (choices.length === 1) return { ...short(choices[0] ?? {}, parts), ...short(rest, parts) }
    return { anyOf: choices.map((choice) => short(choice, parts)), ...short(rest, parts) }
  }
  const result: Json = {}
  for (const [name, value] of Object.entries(rest))
    if (name === 'properties') result.properties = shortEach(value as Record<string, Json>, parts)
    else if (name === 'items') result.items = short(value as Json, parts)
    else if (!LEFT_OUT.has(name)) result[name] = value
  return result
}

function shortEach(properties: Record<string, Json>, parts: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, short(schema, parts)]))
}

/** Names of fields in camelCase, as the reference memory server has them, at every depth. */
export function camelFields(schema: ToolSchema): readonly string[] {
  const names = JSON.stringify(schema).matchAll(/"([a-z]+(?:[A-Z][a-z]+)+)":\{/g)
  return [...new Set([...names].map(([, name = '']) => name))]
}
