/** A tool is an operation as a model sees it: a short description, the offered fields and hints about its effects. */
import { type ZodObject, z } from 'zod'
import type { SettingName } from '../../domain/settings.ts'
import { withoutMarks } from '../../language/quoted-block.ts'
import { type AnyOperation, type Call, type McpDoor, type Scope, scopeOf } from '../operations/operation.ts'
import { InputRefusal, readInput } from '../operations/read-input.ts'
import { OPERATIONS } from '../operations/table.ts'

interface ListedTool {
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

export interface ToolAnswer {
  readonly structured: Record<string, unknown>
  /** For models without structured content; default: `structured` as JSON. */
  readonly text?: string
}

export interface Tool {
  readonly listed: ListedTool
  readonly scope: Scope
  /** The setting that must be on for the tool to be listed. */
  readonly needs?: SettingName | undefined
  call(call: Call, raw: unknown): Promise<ToolAnswer>
}

interface ToolTraits {
  readonly needs?: SettingName
  /** true: repeating a call changes nothing more. Default: true for reads and deletions. */
  readonly isIdempotent?: boolean
  readonly changes?: boolean
  /** Fields of the answer that a model sees; default: all. */
  readonly shown?: readonly string[]
  /** true: what was stored stands in it as quoted data already. */
  readonly isQuoted?: boolean
  /** The text of an answer, where it is not its JSON. */
  readonly textOf?: (structured: Record<string, unknown>) => string
}

function toolOf(operation: AnyOperation, traits: ToolTraits = {}): Tool | null {
  const { mcp, effect } = operation
  if (mcp === undefined) return null
  const offered = { ...operation, input: offeredInput(operation, mcp) }
  const { textOf, shown } = traits
  return {
    listed: {
      name: mcp.name ?? operation.name,
      description: mcp.description,
      inputSchema: toolSchema(offered.input),
      annotations: {
        readOnlyHint: effect === 'read',
        destructiveHint: effect === 'delete',
        idempotentHint: traits.isIdempotent ?? effect !== 'write',
        openWorldHint: false,
      },
    },
    scope: scopeOf(operation),
    needs: traits.needs,
    call: async (call, raw) => {
      const named = readInput(offered, raw ?? {})
      if (traits.changes === true) checkChanges(offered.input, named)
      const input = { ...mcp.defaults, ...named }
      const answer = (await operation.handler(call, input)) as Record<string, unknown>
      const told = shown === undefined ? answer : only(answer, shown)
      const structured = traits.isQuoted === true ? told : harmless(told)
      return textOf === undefined ? { structured } : { structured, text: textOf(structured) }
    },
  }
}

/** An answer for a model: no stored text in it can imitate the model's template. Ids stay, as later calls name them. */
function harmless(answer: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(answer), (name, value) =>
    typeof value === 'string' && name !== 'id' && !name.endsWith('_id') ? withoutMarks(value) : value,
  )
}

function checkChanges({ shape }: AnyOperation['input'], named: Record<string, unknown>): void {
  const fields = Object.keys(shape).filter((name) => shape[name] instanceof z.ZodOptional)
  if (fields.some((name) => named[name] !== undefined)) return
  throw new InputRefusal('input', 'changes nothing', `Name at least one of: ${fields.join(', ')}.`)
}

function only(answer: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, answer[name]]))
}

function offeredInput({ input }: AnyOperation, { fields }: McpDoor): AnyOperation['input'] {
  if (fields === undefined) return input
  return z.strictObject(Object.fromEntries(Object.entries(input.shape).filter(([name]) => fields.includes(name))))
}

interface ToolSchema {
  readonly type: 'object'
  readonly [name: string]: unknown
}

type Json = Record<string, unknown>

const LEFT_OUT: ReadonlySet<string> = new Set(
  '$schema $defs id examples pattern propertyNames minLength maxLength minimum maximum minItems maxItems additionalProperties'.split(
    ' ',
  ),
)

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

/** Tools that need the setting for model-driven search (specification 001). */
const SEARCHES: ToolTraits = { needs: 'memory.enable_agentic_search' }
const ADDS_ONCE: ToolTraits = { isIdempotent: true }

function inText(field: string): ToolTraits {
  return { ...ADDS_ONCE, textOf: (structured) => JSON.stringify(structured[field]) }
}
const MESSAGE: ToolTraits = { textOf: ({ message }) => String(message) }

/** Only the text is shown, because layers and messages repeat it. */
const CONTEXT: ToolTraits = {
  isQuoted: true,
  shown: ['text', 'tokens', 'omitted', 'warnings'],
  textOf: ({ text }) => String(text),
}

const TRAITS: Readonly<Record<string, ToolTraits>> = {
  search_everything: SEARCHES,
  recall_evidence: SEARCHES,
  search: SEARCHES,
  update_memory: { ...ADDS_ONCE, changes: true },
  build_context: CONTEXT,
  create_entities: inText('entities'),
  create_relations: inText('relations'),
  add_observations: inText('results'),
  delete_entities: MESSAGE,
  delete_observations: MESSAGE,
  delete_relations: MESSAGE,
}

export const TOOLS: ReadonlyMap<string, Tool> = new Map(
  OPERATIONS.flatMap((operation): [string, Tool][] => {
    const tool = toolOf(operation, TRAITS[operation.name])
    return tool === null ? [] : [[tool.listed.name, tool]]
  }),
)
