/** create_entities, create_relations, add_observations: all items are checked first, then all or none are added. */
import { z } from 'zod'
import { checkContent } from '../../../domain/checks.ts'
import * as schema from '../schemas.ts'
import {
  absent,
  checkItem,
  entity,
  type GraphItem,
  listOf,
  type ObservationItem,
  observationKey,
  operation,
  type RelationItem,
  relation,
  relationKey,
  unknownEntity,
} from './items.ts'
import { graphOf } from './read-graph.ts'
import { changeGraph } from './write-graph.ts'

export const createEntities = operation({
  name: 'create_entities',
  summary: 'Add entities with what is known about them; one whose name is taken is left as it is.',
  effect: 'write',
  input: z.strictObject({ entities: listOf(entity) }),
  output: z.object({ entities: z.array(entity) }),
  rest: absent,
  mcp: { description: 'Add entities (people, projects …) to the knowledge graph.' },
  cli: absent,
  handler: async (call, { entities }) => {
    const wanted = entities.map((one) => ({ ...one, observations: [...new Set(one.observations)] }))
    const parts = wanted.map(({ name, entityType, observations }, index) => {
      const items: readonly GraphItem[] = [
        { kind: 'entity', name, entityType },
        ...observations.map((content) => ({ kind: 'observation', entityName: name, entityType, content }) as const),
      ]
      for (const item of items) checkItem(`entities[${index}]`, item)
      return items
    })
    const names = wanted.map(({ name }) => name)
    return changeGraph(call, names, (items) => {
      const taken = new Set(graphOf(items).entities.map(({ name }) => name))
      const fresh = names.map((name) => !taken.has(name) && taken.add(name) !== undefined)
      return {
        add: parts.filter((_, index) => fresh[index]).flat(),
        answer: { entities: wanted.filter((_, index) => fresh[index]) },
      }
    })
  },
})

export const createRelations = operation({
  name: 'create_relations',
  summary: 'Add relations between entities, in active voice; one that is there is left as it is.',
  effect: 'write',
  input: z.strictObject({ relations: listOf(relation) }),
  output: z.object({ relations: z.array(relation) }),
  rest: absent,
  mcp: { description: 'Relate entities, in active voice (from: Ana, relationType: works_at, to: Acme).' },
  cli: absent,
  handler: async (call, { relations }) => {
    const items = relations.map((one): RelationItem => ({ kind: 'relation', ...one }))
    for (const [index, item] of items.entries()) checkItem(`relations[${index}]`, item)
    const ends = items.flatMap(({ from, to }) => [from, to])
    return changeGraph(call, ends, (stored) => {
      const known = graphOf(stored)
      const names = new Set(known.entities.map(({ name }) => name))
      for (const name of ends) if (!names.has(name)) throw unknownEntity(name)
      const taken = new Set(known.relations.map(relationKey))
      const add = items.filter((item) => !taken.has(relationKey(item)) && taken.add(relationKey(item)))
      return { add, answer: { relations: add.map(({ kind: _, ...one }) => one) } }
    })
  },
})

export const addObservations = operation({
  name: 'add_observations',
  summary: 'Add what was learned about entities; what is said already is left as it is.',
  effect: 'write',
  input: z.strictObject({
    observations: listOf(z.strictObject({ entityName: schema.id, contents: listOf(schema.text) })),
  }),
  output: z.object({
    results: z.array(z.object({ entityName: z.string(), addedObservations: z.array(z.string()) })),
  }),
  rest: absent,
  mcp: { description: 'Add facts about entities that exist.' },
  cli: absent,
  handler: async (call, { observations }) => {
    for (const [index, { contents }] of observations.entries())
      for (const [at, content] of contents.entries()) checkContent(`observations[${index}].contents[${at}]`, content)
    const names = observations.map(({ entityName }) => entityName)
    return changeGraph(call, names, (stored) => {
      const { entities } = graphOf(stored)
      const typeOf = new Map(entities.map((one) => [one.name, one.entityType]))
      const said = new Set(
        entities.flatMap(({ name, observations }) => observations.map((one) => observationKey(name, one))),
      )
      const add: ObservationItem[] = []
      const results = observations.map(({ entityName, contents }) => {
        const entityType = typeOf.get(entityName)
        if (entityType === undefined) throw unknownEntity(entityName)
        const addedObservations = contents.filter((content) => {
          const key = observationKey(entityName, content)
          if (said.has(key)) return false
          said.add(key)
          add.push({ kind: 'observation', entityName, entityType, content })
          return true
        })
        return { entityName, addedObservations }
      })
      return { add, answer: { results } }
    })
  },
})
