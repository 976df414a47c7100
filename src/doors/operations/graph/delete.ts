/**
 * delete_entities, delete_observations, delete_relations: deletion is permanent, and missing items are reported without
 * an error.
 */
import { z } from 'zod'
import type { Call } from '../operation.ts'
import * as schema from '../schemas.ts'
import {
  absent,
  type GraphItem,
  itemKey,
  listOf,
  observationKey,
  operation,
  ownerOf,
  relation,
  relationKey,
} from './items.ts'
import { changeGraph } from './write-graph.ts'

const done = z.object({ success: z.boolean(), message: z.string() })

export const deleteEntities = operation({
  name: 'delete_entities',
  summary: 'Delete entities for good, with what was observed about them and their relations.',
  effect: 'delete',
  input: z.strictObject({ entityNames: listOf(schema.id) }),
  output: done,
  rest: absent,
  mcp: { description: 'Delete entities with their facts and relations, for good.' },
  cli: absent,
  handler: async (call, { entityNames }) => {
    const names = new Set(entityNames)
    const removed = await removeItems(call, null, (item) =>
      item.kind === 'relation' ? names.has(item.from) || names.has(item.to) : names.has(ownerOf(item)),
    )
    const found = new Set(removed.flatMap((item) => (item.kind === 'relation' ? [] : [ownerOf(item)])))
    const missing = [...names].filter((name) => !found.has(name))
    if (missing.length === 0) return succeeded('Entities deleted successfully')
    return succeeded(`Deleted ${found.size} of ${names.size} entities. Not found: ${missing.join(', ')}`)
  },
})

/** Items removed in one transaction. Removing is slower than adding: 1,000 items block others for half a second. */
const REMOVED_AT_ONCE = 1000
/** Relations are removed before the entities that they connect. */
const ORDER: readonly GraphItem['kind'][] = ['relation', 'observation', 'entity']

/**
 * Removes the matching items of `names` (null: of all) and resolves to them. Beyond 1,000 it takes several
 * transactions; a crash in between leaves a smaller, consistent graph.
 */
async function removeItems(
  call: Call,
  names: readonly string[] | null,
  isMeant: (item: GraphItem) => boolean,
): Promise<readonly GraphItem[]> {
  const { onProgress, ...quietly } = call
  const removed: GraphItem[] = []
  for (;;) {
    const { part, left } = await changeGraph(quietly, names, (items) => {
      const meant = items
        .filter(({ item }) => isMeant(item))
        .sort((a, b) => ORDER.indexOf(a.item.kind) - ORDER.indexOf(b.item.kind))
      const remove = meant.slice(0, REMOVED_AT_ONCE)
      return { remove, answer: { part: remove.map(({ item }) => item), left: meant.length - remove.length } }
    })
    removed.push(...part)
    onProgress?.(removed.length, removed.length + left)
    if (left === 0) return removed
  }
}

function succeeded(message: string) {
  return { success: true, message }
}

export const deleteObservations = operation({
  name: 'delete_observations',
  summary: 'Delete observations of entities for good.',
  effect: 'delete',
  input: z.strictObject({
    deletions: listOf(z.strictObject({ entityName: schema.id, observations: listOf(schema.text) })),
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
      deletions.map(({ entityName }) => entityName),
      (item) => item.kind === 'observation' && meant.has(observationKey(item.entityName, item.content)),
    )
    const gone = distinct(removed)
    if (gone === meant.size) return succeeded('Observations deleted successfully')
    return succeeded(`Deleted ${gone} of ${meant.size} observations. The rest matched nothing.`)
  },
})

/** The number of distinct items, since one may be stored twice. */
function distinct(items: readonly GraphItem[]): number {
  return new Set(items.map(itemKey)).size
}

export const deleteRelations = operation({
  name: 'delete_relations',
  summary: 'Delete relations between entities for good.',
  effect: 'delete',
  input: z.strictObject({ relations: listOf(relation) }),
  output: done,
  rest: absent,
  mcp: { description: 'Delete relations for good.' },
  cli: absent,
  handler: async (call, { relations }) => {
    const meant = new Set(relations.map(relationKey))
    const gone = distinct(
      await removeItems(
        call,
        relations.map(({ from }) => from),
        (item) => item.kind === 'relation' && meant.has(relationKey(item)),
      ),
    )
    if (gone === meant.size) return succeeded('Relations deleted successfully')
    return succeeded(`Deleted ${gone} of ${meant.size} relations. The rest matched nothing.`)
  },
})
