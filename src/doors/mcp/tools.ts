/** A tool is an operation as a model sees it: a short description, the offered fields and hints about its effects. */
import type { CallToolResult } from '@modelcontextprotocol/server'
import { type ZodObject, z } from 'zod'
import type { SettingName } from '../../domain/settings.ts'
import { withoutMarks } from '../../language/quoted-block.ts'
import { type Call, scopeOf } from '../operations/operation.ts'
import { InputRefusal, readInput } from '../operations/read-input.ts'
import { type NamedOperation, OPERATIONS } from '../operations/table.ts'

export type Tool = NonNullable<ReturnType<typeof toolOf>>

interface ToolTraits {
  /** The setting that must be on for the tool to be listed. */
  readonly needs?: SettingName
  /** true: repeating a call changes nothing more. Default: true for reads and deletions. */
  readonly isIdempotent?: boolean
  readonly changes?: boolean
  /** Fields of the answer that a model sees; default: all. */
  readonly shown?: readonly string[]
  /** true: what was stored stands in it as quoted data already. */
  readonly isQuoted?: boolean
  /** The text of an answer, where it is not its JSON. */
  readonly textOf?: (structured: Json) => string
}

function toolOf(operation: NamedOperation, traits: ToolTraits = {}) {
  const { mcp, effect } = operation
  if (mcp === undefined) return null
  const { input } = operation
  const isOffered = ([name]: readonly [string, unknown]): boolean => mcp.fields?.includes(name) !== false
  const offered = z.strictObject(Object.fromEntries(Object.entries(input.shape).filter(isOffered)))
  const { textOf = toldOf, shown } = traits
  return {
    listed: {
      name: mcp.name ?? operation.name,
      description: mcp.description,
      inputSchema: toolSchema(offered),
      annotations: {
        readOnlyHint: effect === 'read',
        destructiveHint: effect === 'delete',
        idempotentHint: traits.isIdempotent ?? effect !== 'write',
        openWorldHint: false,
      },
    },
    scope: scopeOf(operation),
    needs: traits.needs,
    // The third is the project of a call that names none.
    call: async (call: Call, raw: unknown, projectRoot?: string): Promise<CallToolResult> => {
      const named = readInput({ input: offered }, raw ?? {})
      if (traits.changes === true) checkChanges(offered, named)
      const isInProject = projectRoot !== undefined && 'project_root' in offered.shape && traits.changes !== true
      const input = { ...mcp.defaults, ...(isInProject ? { projectRoot } : {}), ...named }
      const answer = (await operation.handler(call, input)) as Json
      const shownOnly = shown?.map((name) => [name, answer[name]] as const)
      const told = shownOnly === undefined ? answer : Object.fromEntries(shownOnly)
      const structuredContent = traits.isQuoted === true ? told : harmless(told)
      return { content: [{ type: 'text', text: textOf(structuredContent) }], structuredContent }
    },
  }
}

/** An answer as JSON without null values, which tell a model nothing; the structured content keeps them. */
function toldOf(answer: Json): string {
  return JSON.stringify(answer, (_name, value) => value ?? undefined)
}

/** An answer for a model: no stored text in it can imitate the model's template. Ids stay, as later calls name them. */
function harmless(answer: Json): Json {
  return JSON.parse(JSON.stringify(answer), (name, value) =>
    typeof value === 'string' && name !== 'id' && !name.endsWith('_id') ? withoutMarks(value) : value,
  )
}

function checkChanges({ shape }: ZodObject, named: Json): void {
  const fields = Object.keys(shape).filter((name) => shape[name] instanceof z.ZodOptional)
  if (fields.some((name) => named[name] !== undefined)) return
  throw new InputRefusal('input', 'changes nothing', `Name at least one of: ${fields.join(', ')}.`)
}

type Json = Record<string, unknown>

const LEFT_OUT: ReadonlySet<string> = new Set(
  '$schema $defs id examples pattern propertyNames minLength maxLength minimum maximum minItems maxItems additionalProperties'.split(
    ' ',
  ),
)

export function toolSchema(input: ZodObject): Json & { readonly type: 'object' } {
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
    if (name === 'properties') {
      const each = Object.entries(value as Record<string, Json>).map(([one, schema]) => [one, short(schema, parts)])
      result.properties = Object.fromEntries(each)
    } else if (name === 'items') result.items = short(value as Json, parts)
    else if (!LEFT_OUT.has(name)) result[name] = value
  return result
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
