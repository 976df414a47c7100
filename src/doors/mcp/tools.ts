/** Every tool: the operations that are at this door, and what is special about some of them. */
import { OPERATIONS } from '../operations/table.ts'
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

/** All tools by name, in the order in which they are listed. */
export const TOOLS: ReadonlyMap<string, Tool> = new Map(
  OPERATIONS.flatMap((operation): [string, Tool][] => {
    const tool = toolOf(operation, TRAITS[operation.name])
    return tool === null ? [] : [[tool.listed.name, tool]]
  }),
)
