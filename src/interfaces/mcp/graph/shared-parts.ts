/** What the nine tools have in common: where they stand, why other doors lack them, what they call. */
import { type MnemeError, notFound } from '../../../domain/errors.ts'
import type { Call } from '../../operations/operation.ts'
import { type GraphItem, itemId, type RelationItem } from './items.ts'
import { type Graph, graphOf, readItems } from './read-graph.ts'

/** Their heading in the reference. */
export const subject = 'Graph'
/** Why REST and the command line do not have them. */
export const absent = {
  absent: 'Entities, observations and relations are memories; the operations on memories have them.',
} as const

/** The user's graph as it is now: all of it, or the entities of these names with the relations that begin at them. */
export async function loadGraph({ memory, userId, signal }: Call, names?: readonly string[]): Promise<Graph> {
  return graphOf(await readItems(memory, userId, { names: names && new Set(names), signal }))
}

/** There is no entity of this name. */
export function unknownEntity(name: string): MnemeError {
  return notFound('entity', name, 'Look at read_graph, or make it with create_entities first.')
}

/** The same for relations that are the same. */
export function relationKey(relation: Omit<RelationItem, 'kind'>): string {
  return itemId({ kind: 'relation', ...relation })
}

/** The same for observations of one entity that are the same. */
export function observationKey(entityName: string, content: string): string {
  return itemId({ kind: 'observation', entityName, entityType: '', content })
}

/** The entity that an item belongs to; of a relation, where it begins. */
export function ownerOf(item: GraphItem): string {
  if (item.kind === 'entity') return item.name
  return item.kind === 'observation' ? item.entityName : item.from
}
