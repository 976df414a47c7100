/**
 * Parses inputs that come as text, in a query string or a flag, by their schemas. Unparsable text is kept, and the
 * schema refuses it by name.
 */
import { z } from 'zod'
import type { AnyOperation } from './operation.ts'
import { parseStrictJson } from './read-input.ts'

/** The kind of a field's value, as needed to parse it from text. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'list' | 'json' | 'words or json'

interface JsonSchema {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly $ref?: string
}

const properties = new WeakMap<AnyOperation, Readonly<Record<string, JsonSchema>>>()

function propertiesOf(operation: AnyOperation): Readonly<Record<string, JsonSchema>> {
  const known = properties.get(operation)
  if (known !== undefined) return known
  const read = (z.toJSONSchema(operation.input, { io: 'input' }) as JsonSchema).properties ?? {}
  properties.set(operation, read)
  return read
}

const kinds = new WeakMap<AnyOperation, ReadonlyMap<string, FieldKind>>()

/** The kinds of an operation's fields, by name. */
export function fieldKinds(operation: AnyOperation): ReadonlyMap<string, FieldKind> {
  const known = kinds.get(operation)
  if (known !== undefined) return known
  const read = new Map(Object.entries(propertiesOf(operation)).map(([name, schema]) => [name, kindOf(schema)]))
  kinds.set(operation, read)
  return read
}

/** Notes on an operation's fields, by name: the description, else the allowed words. */
export function fieldNotes(operation: AnyOperation): ReadonlyMap<string, string> {
  return new Map(Object.entries(propertiesOf(operation)).map(([name, schema]) => [name, noteOf(schema)]))
}

function noteOf({ description, enum: words, anyOf }: JsonSchema): string {
  if (description !== undefined) return description
  if (words !== undefined) return words.join(', ')
  return anyOf?.map(noteOf).find((note) => note !== '') ?? ''
}

function kindOf(schema: JsonSchema): FieldKind {
  const { type, anyOf, items } = schema
  if (anyOf !== undefined) {
    const one = anyOf.filter((choice) => choice.type !== 'null')
    if (one.length === 1) return kindOf(one[0] as JsonSchema)
    return one.some((choice) => choice.type === 'string') ? 'words or json' : 'json'
  }
  if (type === 'string') return 'text'
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type === 'array' && items?.type !== undefined && items.type !== 'object') return 'list'
  return 'json'
}

/** Parses text as its kind. Several texts form a list, and a single text of a list is split at commas. */
export function readTextValue(kind: FieldKind, texts: readonly string[]): unknown {
  if (kind === 'list') return texts.flatMap((text) => text.split(',')).map((text) => text.trim())
  if (texts.length > 1) return texts
  const text = texts[0] ?? ''
  if (kind === 'number') return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : text
  if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  if (kind === 'json' || (kind === 'words or json' && text.trimStart().startsWith('{'))) return parsed(text)
  return text
}

function parsed(text: string): unknown {
  try {
    return parseStrictJson(text, { field: 'input' })
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
