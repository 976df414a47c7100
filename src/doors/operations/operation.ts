/** An operation is defined once: REST routes, the OpenAPI document, MCP tools and commands are derived from it. */
import { type ZodObject, type ZodType, z } from 'zod'
import type { Work } from '../../domain/contracts/conversation-log.ts'
import type { KeyScope } from '../../domain/contracts/small-stores.ts'
import { fewAtATime } from '../../domain/scheduling.ts'
import type { OpenMemory } from '../library/index.ts'
import { type CamelName, camelName, renaming } from './field-names.ts'

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
type Answered<T> = InLibrary<T, 'session_id'>

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

type Effect = 'read' | 'write' | 'delete'

export type Scope = KeyScope

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

export interface RestDoor {
  readonly method: Method
  /** Path such as `/memory/long-term/{id}`; every name in braces is an input field. */
  readonly path: string
  readonly status?: 200 | 201
  /** Defaults of this door that differ from the library's. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /** true: a reader thread may answer it, since it is slow enough, reads only the database and uses no model. */
  readonly inReader?: true
  /** true: it takes as long as there is data, so it has no time limit and waits in a line of its own. */
  readonly isLong?: true
  /** Present when the route has its own file: its body or answer is a stream or foreign format. */
  readonly own?: OwnRoute
}

export type Medium = 'application/json' | 'application/octet-stream' | 'text/event-stream'

interface OwnRoute {
  readonly sends: readonly Medium[]
  readonly body?: { readonly field: string; readonly media: readonly Medium[] }
  readonly headers?: Readonly<Record<string, string>>
  /** true: the vendor's answer is passed on with any status. */
  readonly ofVendor?: true
}

/** The MCP tool of an operation. The description is one short sentence, because models pay tokens for it at every call. */
interface McpDoor {
  /** Default: the operation's name. */
  readonly name?: string
  readonly description: string
  /** Fields offered to a model; the others keep their defaults. Default: all. */
  readonly fields?: readonly string[]
  /** Defaults of this door that differ from the library's. */
  readonly defaults?: Readonly<Record<string, unknown>>
}

/** A command rendered from the table, whose fields are flags unless stated here; others have files, because they ask or stream. */
export interface CommandDoor {
  readonly command: string
  readonly positional?: readonly string[]
  /** The field that may be a flag, or the one word of the command. */
  readonly either?: string
  readonly without?: readonly string[]
  /** Switches that are on, which flags such as `--no-infer` switch off. */
  readonly off?: readonly string[]
  /** Defaults of this door that differ from the library's, for what was given. */
  readonly defaults?: (given: Record<string, unknown>) => Readonly<Record<string, unknown>>
  /** true: a program of its own has it, too: `memory_recall`. */
  readonly program?: boolean
  /** true: the first word alone calls it, as in `mneme sessions`. */
  readonly byDefault?: boolean
  /** true: the database is made where there is none. */
  readonly creates?: boolean
  /** Whether it is asked with the configured models. */
  readonly models?: boolean | ((input: Record<string, unknown>) => boolean)
  readonly thought?: boolean
  readonly changes?: boolean
}

export interface Call {
  readonly memory: OpenMemory
  readonly userId: string
  readonly isOperator: boolean
  readonly signal?: AbortSignal
  /** Milliseconds before background work is answered as pending; absent: the call waits. */
  readonly patienceMs?: number
  /** Called with the work done and, once known, the total. */
  readonly onProgress?: (done: number, total: number | null) => void
}

export function workOf({ signal, onProgress }: Call): Work {
  return { signal, onProgress }
}

export interface Operation<Input extends ZodObject = ZodObject, Output extends ZodType = ZodType> {
  /** Default: the name under which it is exported, in snake_case. */
  readonly name?: string
  readonly subject: string
  /** Summary for OpenAPI and help. Default: the description for models. */
  readonly summary: string
  readonly effect: Effect
  /** Default: `read` for reads, else `write`. */
  readonly scope?: Scope
  readonly input: Input
  readonly output: Output
  readonly rest?: RestDoor
  readonly mcp?: McpDoor
  readonly cli?: CommandDoor
  /** Takes and gives the library's names; callers of a declared operation use those of the schemas. */
  readonly handler: (call: Call, input: InLibrary<z.output<Input>>) => Promise<Answered<z.input<Output>>>
  /** The handler's answer as JSON text, where that is faster to write directly. */
  readonly json?: (call: Call, input: InLibrary<z.output<Input>>) => Promise<string>
}

export type AnyOperation = Omit<Operation, 'handler' | 'json'> & {
  readonly handler: (call: Call, input: Record<string, unknown>) => Promise<unknown>
  readonly json?: (call: Call, input: Record<string, unknown>) => Promise<string>
}

type Typed<Input, Output> = Omit<AnyOperation, 'input' | 'output'> & { readonly input: Input; readonly output: Output }

/** Declares operations under one heading; the compiler checks a handler against the schemas. A GET reads, a DELETE deletes. */
export function operationsOf(subject: string) {
  return <Input extends ZodObject, Output extends ZodType>({
    effect,
    summary,
    // Without one it takes nothing.
    input = z.strictObject({}) as ZodObject as Input,
    handler,
    json,
    ...definition
  }: Omit<Operation<Input, Output>, 'subject' | 'effect' | 'summary' | 'input'> &
    Partial<Pick<Operation<Input, Output>, 'effect' | 'summary' | 'input'>>): Typed<Input, Output> => {
    const given = toLibrary(input) as (input: Record<string, unknown>) => InLibrary<z.output<Input>>
    const answered = fromLibrary(definition.output)
    return {
      ...definition,
      input,
      subject,
      summary: summary ?? definition.mcp?.description ?? '',
      effect: effect ?? EFFECTS[definition.rest?.method ?? 'get'] ?? 'write',
      handler: async (call, input) => answered(await handler(call, given(input))),
      ...(json === undefined ? {} : { json: (call, input) => json(call, given(input)) }),
    }
  }
}

const EFFECTS: Readonly<Partial<Record<Method, Effect>>> = { get: 'read', delete: 'delete' }

export async function jsonOf(operation: AnyOperation, call: Call, input: Record<string, unknown>): Promise<string> {
  return operation.json === undefined
    ? writtenInPieces(await operation.handler(call, input), call.signal)
    : operation.json(call, input)
}

/** Items of a list that are written in one go. */
const ITEMS_A_PIECE = 200

/** An answer as JSON; its long lists are written in pieces, with other work in between. */
async function writtenInPieces(answer: unknown, signal: AbortSignal | undefined): Promise<string> {
  const fields = typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? Object.entries(answer) : []
  if (!fields.some(([, value]) => Array.isArray(value) && value.length > ITEMS_A_PIECE)) return JSON.stringify(answer)
  const written: string[] = []
  for (const [name, value] of fields) {
    const pieces: string[] = []
    if (Array.isArray(value))
      for await (const few of fewAtATime(value, ITEMS_A_PIECE, signal)) pieces.push(JSON.stringify(few).slice(1, -1))
    const text = Array.isArray(value) ? `[${pieces.join(',')}]` : JSON.stringify(value)
    if (text !== undefined) written.push(`${JSON.stringify(name)}:${text}`)
  }
  return `{${written.join(',')}}`
}

export function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
}

/** Whether REST honours an Idempotency-Key; operations with a whole body (import, completion) detect repetition themselves. */
export function isDoneOnce({ rest, effect }: AnyOperation): boolean {
  return rest?.method === 'post' && effect !== 'read' && rest.own?.body === undefined
}

export function scopeOf({ scope, effect }: AnyOperation): Scope {
  return scope ?? (effect === 'read' ? 'read' : 'write')
}
