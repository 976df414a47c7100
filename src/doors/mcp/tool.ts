/**
 * What is a tool? An operation as a model sees it: a short description, the fields that it is offered, and hints what a
 * call may do. Every tool takes its input through the same checks as every other door.
 */
import { z } from 'zod'
import type { SettingName } from '../../domain/settings.ts'
import { type AnyOperation, type Call, isPresent, type McpDoor, type Scope, scopeOf } from '../operations/operation.ts'
import { InputRefusal, readInput } from '../operations/read-input.ts'
import { camelFields, type ToolSchema, toolSchema } from './tool-schema.ts'

/** A tool as tools/list sends it. */
export interface ListedTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: ToolSchema
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: false
  }
}

/** What a call brought. */
export interface ToolAnswer {
  readonly structured: Record<string, unknown>
  /** For models without structured content; default: `structured` as JSON. */
  readonly text?: string
}

/** One tool. */
export interface Tool {
  readonly listed: ListedTool
  /** What a key must be good for. */
  readonly scope: Scope
  /** The setting that has to be on for it to be there. */
  readonly needs?: SettingName | undefined
  /** Fields that keep their camelCase; those of all others are snake_case. */
  readonly camelFields: readonly string[]
  /** Checks the input, then does it. */
  call(call: Call, raw: unknown): Promise<ToolAnswer>
}

/** What is special about a tool. */
export interface ToolTraits {
  readonly needs?: SettingName
  /** true: a second call with the same input changes nothing more. Default: true for what reads or deletes. */
  readonly isIdempotent?: boolean
  /** true: a call that names nothing to change is refused. */
  readonly changes?: boolean
  /** What of the answer a model is shown; default: all. */
  readonly shown?: readonly string[]
  /** The text of an answer, where it is not its JSON. */
  readonly textOf?: (structured: Record<string, unknown>) => string
}

/** The tool that an operation is; null when MCP does not have it. */
export function toolOf(operation: AnyOperation, traits: ToolTraits = {}): Tool | null {
  const { mcp, effect } = operation
  if (!isPresent(mcp)) return null
  const offered = { ...operation, input: offeredInput(operation, mcp) }
  const { textOf, shown } = traits
  const inputSchema = toolSchema(offered.input)
  return {
    listed: {
      name: mcp.name ?? operation.name,
      description: mcp.description,
      inputSchema,
      annotations: {
        readOnlyHint: effect === 'read',
        destructiveHint: effect === 'delete',
        idempotentHint: traits.isIdempotent ?? effect !== 'write',
        openWorldHint: false,
      },
    },
    scope: scopeOf(operation),
    needs: traits.needs,
    camelFields: camelFields(inputSchema),
    call: async (call, raw) => {
      const named = readInput(offered, renamed(raw ?? {}, mcp))
      if (traits.changes === true) checkChanges(offered.input, named)
      const input = { ...mcp.defaults, ...named }
      const answer = (await operation.handler(call, input)) as Record<string, unknown>
      const structured = shown === undefined ? answer : only(answer, shown)
      return textOf === undefined ? { structured } : { structured, text: textOf(structured) }
    },
  }
}

/** The input with the names of now; who writes both names of a field is told that the old one is not known. */
function renamed(raw: unknown, { aliases = {} }: McpDoor): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw
  return Object.fromEntries(
    Object.entries(raw).map(([name, value]) => {
      const now = aliases[name]
      return [now === undefined || Object.hasOwn(raw, now) ? name : now, value]
    }),
  )
}

/** Throws where nothing is named but what a call has to name. */
function checkChanges({ shape }: AnyOperation['input'], named: Record<string, unknown>): void {
  const fields = Object.keys(shape).filter((name) => shape[name] instanceof z.ZodOptional)
  if (fields.some((name) => named[name] !== undefined)) return
  throw new InputRefusal('input', 'changes nothing', `Name at least one of: ${fields.join(', ')}.`)
}

function only(answer: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, answer[name]]))
}

/** The input with the fields that a model is offered. */
function offeredInput({ input }: AnyOperation, { fields }: McpDoor): AnyOperation['input'] {
  if (fields === undefined) return input
  return z.strictObject(Object.fromEntries(Object.entries(input.shape).filter(([name]) => fields.includes(name))))
}
