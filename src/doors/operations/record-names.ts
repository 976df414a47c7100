/** Records as deep as a schema knows them: its own names at the doors, camelCase in the library. */
import { z } from 'zod'
import { type CamelName, camelName, renaming } from './names.ts'

/** A record of a schema with the library's names at every depth. */
export type InLibrary<T, Left = never> =
  T extends AsyncIterable<unknown>
    ? T
    : T extends readonly (infer Item)[]
      ? readonly InLibrary<Item, Left>[]
      : T extends object
        ? { readonly [Name in keyof T as Name extends Left ? never : CamelKey<Name>]: InLibrary<T[Name], Left> }
        : T

type CamelKey<Name extends PropertyKey> = Name extends string ? CamelName<Name> : Name

/** As the library answers, where nothing repeats the id of a conversation. */
export type Answered<T> = InLibrary<T, 'session_id'>

type Rename = (value: unknown) => unknown

/** Gives records of a schema the library's names, as deep as the schema tells names. */
export function toLibrary(schema: z.ZodType): Rename {
  return renamer(schema, false) ?? same
}

/** Gives records of the library the names of a schema; `session_id` repeats `conversation_id` where the schema has both. */
export function fromLibrary(schema: z.ZodType): Rename {
  return renamer(schema, true) ?? same
}

const same: Rename = (value) => value

/** null: nothing in it is renamed. */
function renamer(schema: unknown, isAnswer: boolean): Rename | null {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return renamer(schema.unwrap(), isAnswer)
  if (schema instanceof z.ZodArray) {
    const item = renamer(schema.element, isAnswer)
    return item && ((list) => (Array.isArray(list) ? list.map(item) : list))
  }
  const choices: readonly unknown[] = schema instanceof z.ZodUnion ? schema.options : [schema]
  const fields = choices.flatMap((one) => (one instanceof z.ZodObject ? Object.entries(one.shape) : []))
  const names = new Map(fields.map(([name]) => (isAnswer ? [camelName(name), name] : [name, camelName(name)])))
  const inner = fields.flatMap(([name, field]) => {
    const rename = renamer(field, isAnswer)
    return rename === null ? [] : [{ name: isAnswer ? name : camelName(name), rename }]
  })
  const repeatsId = isAnswer && names.has('sessionId') && names.has('conversationId')
  if (inner.length === 0 && !repeatsId && names.entries().every(([before, after]) => before === after)) return null
  const renameHere = renaming((name) => names.get(name) ?? name)
  return (value) => {
    if (typeof value !== 'object' || value === null) return value
    const record = renameHere(value)
    for (const { name, rename } of inner) if (record[name] !== undefined) record[name] = rename(record[name])
    if (repeatsId) record.session_id = record.conversation_id
    return record
  }
}
