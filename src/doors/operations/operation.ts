/**
 * An operation is defined once: name, input, output, effect and library call. REST routes, the OpenAPI document, MCP
 * tools and commands are derived from it, so all doors agree.
 */
import type { ZodObject, ZodType, z } from 'zod'
import type { KeyScope } from '../../domain/contracts/key-store.ts'
import type { OpenMemory } from '../library/index.ts'

/** The effect of a call on memories. */
type Effect = 'read' | 'write' | 'delete'

/** The scope of a key: reading one user's memory, changing it, or running the whole database. */
export type Scope = KeyScope

/** Methods of REST that the table uses. */
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** Why a door does not have an operation: a sentence for whoever looks for it. */
export interface Absent {
  readonly absent: string
}

/** Where REST has it. */
export interface RestDoor {
  readonly method: Method
  /** `/memory/long-term/{id}`: every name in braces is a field of the input. */
  readonly path: string
  /** Of a good answer. Default 200. */
  readonly status?: 200 | 201
  /** Inputs that this door fills in otherwise than the library. */
  readonly defaults?: Readonly<Record<string, unknown>>
  /** JSON pointers into a good answer, by the names that paths of other operations use for the values. */
  readonly gives?: Readonly<Record<string, string>>
  /** true: a reader thread may answer it. It takes long enough for that, reads the database alone, and asks no model. */
  readonly inReader?: true
  /** Its body or its answer is no JSON of ours, or a stream: the route has a file of its own. */
  readonly own?: OwnRoute
}

/** A body or an answer as a medium. */
export type Medium = 'application/json' | 'application/x-ndjson' | 'application/octet-stream' | 'text/event-stream'

/** Special traits of a route that has its own file. */
export interface OwnRoute {
  /** Media types of its answers. */
  readonly sends: readonly Medium[]
  /** The field that is the whole body, as it came; the others stand in the query string. */
  readonly body?: { readonly field: string; readonly media: readonly Medium[] }
  /** Fields that stand in headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** true: what a vendor answers is handed on, whatever its status. */
  readonly ofVendor?: true
}

/** How MCP has it. The description costs every model tokens with every call: one short sentence. */
export interface McpDoor {
  /** Default: the operation's name. */
  readonly name?: string
  readonly description: string
  /** Fields that a model is offered; the others keep their defaults. Default: all. */
  readonly fields?: readonly string[]
  /** Names that fields had before: taken, not offered. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Inputs that this door fills in otherwise than the library. */
  readonly defaults?: Readonly<Record<string, unknown>>
}

/** The command of `mneme` that does it: `memory search`. */
interface CommandDoor {
  readonly command: string
  /** How it looks when it is nothing but the operation. Absent: it has a file of its own, since it asks or streams. */
  readonly look?: CommandLook
}

/** A command that is rendered from the table: fields are flags, unless something else is said here. */
export interface CommandLook {
  /** Fields that stand without a flag, in order. */
  readonly positional?: readonly string[]
  /** Fields that the command does not offer. */
  readonly without?: readonly string[]
  /** true: it is what the first word alone calls, `mneme sessions`. */
  readonly byDefault?: true
  /** true: with the models that were configured. */
  readonly models?: true
  /** true: what was stored is thought about first. */
  readonly thought?: true
  /** true: a call that names nothing to change is refused. */
  readonly changes?: true
}

/** The user and rights of a call, and its means. */
export interface Call {
  readonly memory: OpenMemory
  readonly userId: string
  /** true: the caller may see and change what belongs to all users. */
  readonly isOperator: boolean
  readonly signal?: AbortSignal
  /** Milliseconds after which what goes on in the background is answered as pending; absent: it is waited for. */
  readonly patienceMs?: number
  /** Told what is done and, once known, the total. */
  readonly onProgress?: (done: number, total: number | null) => void
}

/** A type with all fields read-only, as the library returns them. */
export type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Immutable<T[Name]> }
    : T

/** One operation. Inputs and outputs are JSON in snake_case; the user is no part of them. */
export interface Operation<Input extends ZodObject = ZodObject, Output extends ZodType = ZodType> {
  /** Unique name, verb and noun, such as `search_memories`. */
  readonly name: string
  /** Heading of the page of the reference that it stands on. */
  readonly subject: string
  /** One sentence. */
  readonly summary: string
  readonly effect: Effect
  /** Default: `read` for what reads, else `write`. */
  readonly scope?: Scope
  readonly input: Input
  readonly output: Output
  readonly rest: RestDoor | Absent
  readonly mcp: McpDoor | Absent
  readonly cli: CommandDoor | Absent
  readonly handler: (call: Call, input: z.output<Input>) => Promise<Immutable<z.input<Output>>>
  /** The handler's answer as JSON text, where that is faster to write directly. */
  readonly json?: (call: Call, input: z.output<Input>) => Promise<string>
}

/** An operation whose types were checked where it was written. */
export type AnyOperation = Omit<Operation, 'handler' | 'json'> & {
  readonly handler: (call: Call, input: Record<string, unknown>) => Promise<unknown>
  readonly json?: (call: Call, input: Record<string, unknown>) => Promise<string>
}

/** Declares an operation; input and output of the handler are checked against the schemas by the compiler. */
export function operation<Input extends ZodObject, Output extends ZodType>(
  definition: Operation<Input, Output>,
): AnyOperation {
  return definition as unknown as AnyOperation
}

/** The answer of an operation as JSON. */
export async function jsonOf(operation: AnyOperation, call: Call, input: Record<string, unknown>): Promise<string> {
  return operation.json === undefined
    ? JSON.stringify(await operation.handler(call, input))
    : operation.json(call, input)
}

/** The names in braces of a path, in order. */
export function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string)
}

/** Whether a door has the operation. */
export function isPresent<Door extends object>(door: Door | Absent): door is Door {
  return !('absent' in door)
}

/**
 * Whether REST honours an Idempotency-Key. Reads change nothing, so they need none; operations with a whole body
 * (import, completion) detect repetition themselves.
 */
export function isDoneOnce({ rest, effect }: AnyOperation): boolean {
  return isPresent(rest) && rest.method === 'post' && effect !== 'read' && rest.own?.body === undefined
}

/** The scope that a key needs. */
export function scopeOf({ scope, effect }: AnyOperation): Scope {
  return scope ?? (effect === 'read' ? 'read' : 'write')
}
