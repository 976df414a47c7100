/** Inputs of the graph tools: the reference memory server's shapes, bounded, and checked before any write. */
import { z } from 'zod'
import { checkContent, checkId, checkText } from '../../../domain/checks.ts'
import { invalid, type MnemeError, notFound } from '../../../domain/errors.ts'
import { LIMITS } from '../../../domain/limits.ts'
import { operationsOf } from '../operation.ts'
import * as schema from '../schemas.ts'
import type { GraphItem } from './items.ts'

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

/** The error for an unknown entity. */
export function unknownEntity(name: string): MnemeError {
  return notFound('entity', name, 'Look at read_graph, or make it with create_entities first.')
}
