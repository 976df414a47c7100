/** read_graph, search_nodes, open_nodes: the graph or a part of it; secrets are masked but where a node is asked for by name. */
import { z } from 'zod'
import { maskSecretsIn } from '../../../engine/secrets.ts'
import { operation } from '../operation.ts'
import * as schema from '../schemas.ts'
import { entity, relation, some } from './input.ts'
import { GRAPH_TAG } from './items.ts'
import { wholeGraph } from './kept-graph.ts'
import { partOf } from './read-graph.ts'
import { absent, subject } from './reference-tools.ts'

/** Memories that a search for nodes looks at. */
const MOST_FOUND = 50

const graph = z.object({ entities: z.array(entity), relations: z.array(relation) })

export const readGraph = operation({
  name: 'read_graph',
  subject,
  summary: 'Show the whole graph.',
  effect: 'read',
  input: z.strictObject({}),
  output: graph,
  rest: absent,
  mcp: { description: 'The whole knowledge graph.' },
  cli: absent,
  handler: async (call) => maskSecretsIn(await wholeGraph(call)),
})

export const searchNodes = operation({
  name: 'search_nodes',
  subject,
  summary: 'Find entities by words in their names, types and observations, with their relations.',
  effect: 'read',
  input: z.strictObject({ query: schema.query }),
  output: graph,
  rest: absent,
  mcp: { description: 'Find entities by words.' },
  cli: absent,
  handler: async (call, { query }) => {
    const { memory, userId } = call
    const found = new Set<string>()
    const { results } = await memory.search(query, { userId, filters: { tag: GRAPH_TAG }, limit: MOST_FOUND })
    for (const { metadata } of results)
      for (const name of [metadata?.name, metadata?.entity, metadata?.from, metadata?.to])
        if (typeof name === 'string') found.add(name)
    const wanted = query.toLowerCase()
    const says = (text: string): boolean => text.toLowerCase().includes(wanted)
    return maskSecretsIn(
      partOf(
        await wholeGraph(call),
        ({ name, entityType, observations }) =>
          found.has(name) || says(name) || says(entityType) || observations.some(says),
      ),
    )
  },
})

export const openNodes = operation({
  name: 'open_nodes',
  subject,
  summary: 'Show entities by their names, with their relations.',
  effect: 'read',
  input: z.strictObject({ names: some(schema.id) }),
  output: graph,
  rest: absent,
  mcp: { description: 'Entities by name, with their relations.' },
  cli: absent,
  handler: async (call, { names }) => {
    const wanted = new Set(names)
    return partOf(await wholeGraph(call), ({ name }) => wanted.has(name))
  },
})
