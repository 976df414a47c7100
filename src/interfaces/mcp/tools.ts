/** Every tool: those of the table of operations, and those that only MCP has. */
import { OPERATIONS } from '../operations/table.ts'
import * as connector from './connector.ts'
import * as create from './graph/create.ts'
import * as remove from './graph/delete.ts'
import * as look from './graph/look.ts'
import { searchMemories } from './search-memories.ts'
import { type Tool, type ToolTraits, toolOf } from './tool.ts'

/** With it off, a model cannot search by itself (specification 001). */
const SEARCHES: ToolTraits = { needs: 'memory.enable_agentic_search' }
const ADDS_ONCE: ToolTraits = { isIdempotent: true }

/** The reference memory server writes only the inner part of these as text. */
function inText(field: string): ToolTraits {
  return { ...ADDS_ONCE, textOf: (structured) => JSON.stringify(structured[field]) }
}
const MESSAGE: ToolTraits = { textOf: ({ message }) => String(message) }

/** Layers and messages say the text again. */
const CONTEXT: ToolTraits = { shown: ['text', 'tokens', 'omitted', 'warnings'], textOf: ({ text }) => String(text) }

/** By the name of the operation. */
const TRAITS: Readonly<Record<string, ToolTraits>> = {
  search_memories: SEARCHES,
  recall: SEARCHES,
  search: SEARCHES,
  update_memory: ADDS_ONCE,
  build_context: CONTEXT,
  create_entities: inText('entities'),
  create_relations: inText('relations'),
  add_observations: inText('results'),
  delete_entities: MESSAGE,
  delete_observations: MESSAGE,
  delete_relations: MESSAGE,
}

/** All tools by name, in the order in which they are listed. */
export const TOOLS: ReadonlyMap<string, Tool> = new Map(
  [
    searchMemories,
    ...OPERATIONS,
    ...Object.values(create),
    ...Object.values(remove),
    ...Object.values(look),
    connector.search,
    connector.fetch,
  ].flatMap((operation): [string, Tool][] => {
    const tool = toolOf(operation, TRAITS[operation.name])
    return tool === null ? [] : [[tool.listed.name, tool]]
  }),
)
