/**
 * Stores entities, observations and relations of a graph as semantic memories with a common tag; metadata tells their
 * kind. An observation's `who` is its entity; a relation's type is the key, its end the value.
 */

import { z } from 'zod'
import { checkContent, checkId, checkText } from '../../../domain/checks.ts'
import { invalid, type MnemeError, notFound } from '../../../domain/errors.ts'
import { LIMITS } from '../../../domain/limits.ts'
import type { MemoryView } from '../../library/index.ts'
import { operationsOf } from '../operation.ts'
import * as schema from '../schemas.ts'

/** The tag of every memory of a graph. */
export const GRAPH_TAG = 'graphnote'

/** A named entity. */
interface EntityItem {
  readonly kind: 'entity'
  readonly name: string
  readonly entityType: string
}

/** One sentence about an entity. */
export interface ObservationItem {
  readonly kind: 'observation'
  readonly entityName: string
  /** Type of the entity, repeated here so that it survives the deletion of the entity's own memory. */
  readonly entityType: string
  readonly content: string
}

/** The relation of one entity to another. */
export interface RelationItem {
  readonly kind: 'relation'
  readonly from: string
  readonly to: string
  readonly relationType: string
}

/** One memory of a graph. */
export type GraphItem = EntityItem | ObservationItem | RelationItem

/** An item as a memory to write. `position` orders items added in the same millisecond. */
export function memoryOfItem(item: GraphItem, position: number) {
  const tags = [GRAPH_TAG]
  if (item.kind === 'entity') {
    const { name, entityType } = item
    const metadata = { graph: item.kind, name, entity_type: entityType, position }
    return { text: entityType === '' ? name : `${name} (${entityType})`, tags, who: name, metadata }
  }
  if (item.kind === 'observation') {
    const { entityName, entityType, content } = item
    const metadata = { graph: item.kind, entity: entityName, entity_type: entityType, position }
    return { text: content, tags, who: entityName, metadata }
  }
  const { from, to, relationType } = item
  const metadata = { graph: item.kind, from, to, relation_type: relationType, position }
  const text = `${from} ${relationType.replaceAll('_', ' ')} ${to}`
  return { text, tags, who: from, key: relationType, value: to, metadata }
}

/** The item in a memory; null when its metadata is invalid. */
export function itemOfMemory({ text, metadata }: MemoryView): GraphItem | null {
  const said = (name: string): string | null => {
    const value = metadata?.[name]
    return typeof value === 'string' ? value : null
  }
  const kind = said('graph')
  if (kind === 'entity') {
    const name = said('name')
    return name === null ? null : { kind, name, entityType: said('entity_type') ?? '' }
  }
  if (kind === 'observation') {
    const entityName = said('entity')
    return entityName === null ? null : { kind, entityName, entityType: said('entity_type') ?? '', content: text }
  }
  const [from, to, relationType] = [said('from'), said('to'), said('relation_type')]
  if (kind !== 'relation' || from === null || to === null || relationType === null) return null
  return { kind, from, to, relationType }
}

/** A key that is equal for equal items; entities are equal by name. */
export function itemKey(item: GraphItem): string {
  if (item.kind === 'entity') return JSON.stringify([item.kind, item.name])
  if (item.kind === 'observation') return JSON.stringify([item.kind, item.entityName, item.content])
  return JSON.stringify([item.kind, item.from, item.relationType, item.to])
}

/** A key that is equal for equal relations. */
export function relationKey(relation: Omit<RelationItem, 'kind'>): string {
  return itemKey({ kind: 'relation', ...relation })
}

/** A key that is equal for equal observations of one entity. */
export function observationKey(entityName: string, content: string): string {
  return itemKey({ kind: 'observation', entityName, entityType: '', content })
}

/** The entity that owns an item; for a relation, its start. */
export function ownerOf(item: GraphItem): string {
  if (item.kind === 'entity') return item.name
  return item.kind === 'observation' ? item.entityName : item.from
}

/** Entries of a list. A whole call is bounded by the size of its message. */
const ENTRIES = 1000

/** A list, which may be empty, as in the reference server. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(item).max(ENTRIES)
}

export const entity = z.strictObject({
  name: schema.id,
  entityType: z.string().max(LIMITS.idCharacters),
  observations: listOf(schema.text),
})
export const relation = z.strictObject({ from: schema.id, to: schema.id, relationType: schema.id })

/** Throws `invalid` for an item that cannot be stored; `field` is its place in the input. */
export function checkItem(field: string, item: GraphItem): void {
  if (item.kind === 'observation') checkContent(field, item.content)
  else if (item.kind === 'relation')
    for (const name of ['from', 'to', 'relationType'] as const) checkName(`${field}.${name}`, item[name])
  else {
    checkName(`${field}.name`, item.name)
    checkText(`${field}.entityType`, item.entityType, { maxBytes: LIMITS.idCharacters * 4 })
  }
}

function checkName(field: string, name: string): void {
  checkId(field, name)
  if (name.trim() === '') throw invalid(field, 'is empty', 'Give it a name.')
}

/** Declares one of these tools. */
export const operation = operationsOf('Graph')
/** The reason why REST and the command line lack these operations. */
export const absent = {
  absent: 'Entities, observations and relations are memories; the operations on memories have them.',
} as const

export function unknownEntity(name: string): MnemeError {
  return notFound('entity', name, 'Look at read_graph, or make it with create_entities first.')
}
