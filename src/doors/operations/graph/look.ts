/** read_graph, search_nodes, open_nodes: the graph or a part of it; secrets are masked but in nodes asked for by name. */
import { z } from 'zod'
import { maskSecretsIn } from '../../../language/secrets/mask-secrets.ts'
import { queryTerms } from '../../../language/tokens.ts'
import type { Call } from '../operation.ts'
import * as schema from '../schemas.ts'
import {
  type Entity,
  entity,
  GRAPH_TAG,
  type Graph,
  graphOf,
  listOf,
  operation,
  partOf,
  readSnapshot,
  relation,
} from './items.ts'

const MOST_FOUND = 50

/** A single Han character, which is ignored where the query has whole words. */
const ONE_CHARACTER = /^\p{Script=Han}$/u

const graph = z.object({ entities: z.array(entity), relations: z.array(relation) })

export const readGraph = operation({
  name: 'read_graph',
  effect: 'read',
  input: z.strictObject({}),
  output: graph,
  mcp: { description: 'The whole knowledge graph.' },
  handler: async (call) => maskSecretsIn(await wholeGraph(call)),
})

export const searchNodes = operation({
  name: 'search_nodes',
  effect: 'read',
  input: z.strictObject({ query: schema.query }),
  output: graph,
  mcp: { description: 'Find entities by words.' },
  handler: async (call, { query }) => {
    const found = await namesFound(call, query)
    const wanted = query.toLowerCase()
    const says = (text: string): boolean => text.toLowerCase().includes(wanted)
    const isChosen = ({ name, entityType, observations }: Entity): boolean =>
      found.has(name) || [name, entityType, ...observations].some(says)
    return maskSecretsIn(partOf(await wholeGraph(call), isChosen))
  },
})

async function namesFound({ memory, userId }: Call, query: string): Promise<ReadonlySet<string>> {
  const terms = queryTerms(query)
  const words = terms.filter((term) => !ONE_CHARACTER.test(term))
  const asked = new Set(words.length > 0 ? words : terms)
  const { results } = await memory.search(query, {
    userId,
    filters: { tag: GRAPH_TAG, 'metadata.graph': { in: ['entity', 'observation'] } },
    limit: MOST_FOUND,
    explain: true,
    revealSecrets: true,
  })
  // Other results match only by meaning or association.
  const said = results.filter(({ explanation }) => explanation?.matched.some((term) => asked.has(term)))
  return new Set(said.flatMap(({ metadata }) => String(metadata?.name ?? metadata?.entity)))
}

export const openNodes = operation({
  name: 'open_nodes',
  effect: 'read',
  input: z.strictObject({ names: listOf(schema.id) }),
  output: graph,
  mcp: { description: 'Entities by name, with their relations.' },
  handler: async (call, { names }) => {
    const wanted = new Set(names)
    return partOf(await wholeGraph(call), ({ name }) => wanted.has(name))
  },
})

/** The user's current graph, oldest first, with secrets unmasked. */
export async function wholeGraph({ memory, userId, signal }: Call): Promise<Graph> {
  return graphOf((await readSnapshot(memory, userId, { signal })).items)
}
