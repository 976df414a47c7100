/** delete_entities, delete_observations, delete_relations: for good, as every deletion; what is not there is told, no error. */
import { z } from 'zod'
import { operation } from '../operation.ts'
import * as schema from '../schemas.ts'
import { relation, some } from './input.ts'
import { type GraphItem, itemId, observationKey, ownerOf, relationKey } from './items.ts'
import { absent, subject } from './reference-tools.ts'
import { removeItems } from './write-graph.ts'

const done = z.object({ success: z.boolean(), message: z.string() })

export const deleteEntities = operation({
  name: 'delete_entities',
  subject,
  summary: 'Delete entities for good, with what was observed about them and their relations.',
  effect: 'delete',
  input: z.strictObject({ entityNames: some(schema.id) }),
  output: done,
  rest: absent,
  mcp: { description: 'Delete entities with their facts and relations, for good.' },
  cli: absent,
  handler: async (call, { entityNames }) => {
    const names = new Set(entityNames)
    const removed = await removeItems(call, (item) =>
      item.kind === 'relation' ? names.has(item.from) || names.has(item.to) : names.has(ownerOf(item)),
    )
    const found = new Set(removed.flatMap((item) => (item.kind === 'relation' ? [] : [ownerOf(item)])))
    const missing = [...names].filter((name) => !found.has(name))
    if (missing.length === 0) return succeeded('Entities deleted successfully')
    return succeeded(`Deleted ${found.size} of ${names.size} entities. Not found: ${missing.join(', ')}`)
  },
})

function succeeded(message: string) {
  return { success: true, message }
}

export const deleteObservations = operation({
  name: 'delete_observations',
  subject,
  summary: 'Delete observations of entities for good.',
  effect: 'delete',
  input: z.strictObject({
    deletions: some(z.strictObject({ entityName: schema.id, observations: some(schema.text) })),
  }),
  output: done,
  rest: absent,
  mcp: { description: 'Delete facts of entities, word for word, for good.' },
  cli: absent,
  handler: async (call, { deletions }) => {
    const meant = new Set(
      deletions.flatMap(({ entityName, observations }) =>
        observations.map((content) => observationKey(entityName, content)),
      ),
    )
    const removed = await removeItems(
      call,
      (item) => item.kind === 'observation' && meant.has(observationKey(item.entityName, item.content)),
      deletions.map(({ entityName }) => entityName),
    )
    const gone = distinct(removed)
    if (gone === meant.size) return succeeded('Observations deleted successfully')
    return succeeded(`Deleted ${gone} of ${meant.size} observations. The rest matched nothing.`)
  },
})

/** How many different things these are: two processes may have stored one twice. */
function distinct(items: readonly GraphItem[]): number {
  return new Set(items.map(itemId)).size
}

export const deleteRelations = operation({
  name: 'delete_relations',
  subject,
  summary: 'Delete relations between entities for good.',
  effect: 'delete',
  input: z.strictObject({ relations: some(relation) }),
  output: done,
  rest: absent,
  mcp: { description: 'Delete relations for good.' },
  cli: absent,
  handler: async (call, { relations }) => {
    const meant = new Set(relations.map(relationKey))
    const gone = distinct(
      await removeItems(
        call,
        (item) => item.kind === 'relation' && meant.has(relationKey(item)),
        relations.map(({ from }) => from),
      ),
    )
    if (gone === meant.size) return succeeded('Relations deleted successfully')
    return succeeded(`Deleted ${gone} of ${meant.size} relations. The rest matched nothing.`)
  },
})
