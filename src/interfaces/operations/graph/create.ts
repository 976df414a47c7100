/** create_entities, create_relations, add_observations: everything is checked first, then all of it is added or nothing. */
import { z } from 'zod'
import { operation } from '../operation.ts'
import * as schema from '../schemas.ts'
import { checkItem, entity, relation, some } from './input.ts'
import {
  type GraphItem,
  itemId,
  type ObservationItem,
  observationKey,
  type RelationItem,
  relationKey,
} from './items.ts'
import { loadGraph } from './read-graph.ts'
import { absent, subject, unknownEntity } from './reference-tools.ts'
import { addItems } from './write-graph.ts'

export const createEntities = operation({
  name: 'create_entities',
  subject,
  summary: 'Add entities with what is known about them; one whose name is taken is left as it is.',
  effect: 'write',
  input: z.strictObject({ entities: some(entity) }),
  output: z.object({ entities: z.array(entity) }),
  rest: absent,
  mcp: { description: 'Add entities (people, projects …) to the knowledge graph.' },
  cli: absent,
  handler: async (call, { entities }) => {
    const names = entities.map(({ name }) => name)
    const taken = new Set((await loadGraph(call, names)).entities.map(({ name }) => name))
    const items: GraphItem[] = []
    const created = entities.filter(({ name, entityType, observations }, index) => {
      const parts: GraphItem[] = [{ kind: 'entity', name, entityType }]
      for (const content of new Set(observations))
        parts.push({ kind: 'observation', entityName: name, entityType, content })
      for (const part of parts) checkItem(`entities[${index}]`, part)
      if (taken.has(name)) return false
      taken.add(name)
      items.push(...parts)
      return true
    })
    await addItems(call, items)
    return { entities: created.map((one) => ({ ...one, observations: [...new Set(one.observations)] })) }
  },
})

export const createRelations = operation({
  name: 'create_relations',
  subject,
  summary: 'Add relations between entities, in active voice; one that is there is left as it is.',
  effect: 'write',
  input: z.strictObject({ relations: some(relation) }),
  output: z.object({ relations: z.array(relation) }),
  rest: absent,
  mcp: { description: 'Relate entities, in active voice (from: Ana, relationType: works_at, to: Acme).' },
  cli: absent,
  handler: async (call, { relations }) => {
    const items = relations.map((one): RelationItem => ({ kind: 'relation', ...one }))
    for (const [index, item] of items.entries()) checkItem(`relations[${index}]`, item)
    const known = await loadGraph(
      call,
      items.flatMap(({ from, to }) => [from, to]),
    )
    const names = new Set(known.entities.map(({ name }) => name))
    for (const { from, to } of items) for (const name of [from, to]) if (!names.has(name)) throw unknownEntity(name)
    const taken = new Set(known.relations.map(relationKey))
    const wanted = items.filter((item) => !taken.has(relationKey(item)) && taken.add(relationKey(item)))
    await addItems(call, wanted)
    return { relations: wanted.map(({ kind: _, ...one }) => one) }
  },
})

export const addObservations = operation({
  name: 'add_observations',
  subject,
  summary: 'Add what was learned about entities; what is said already is left as it is.',
  effect: 'write',
  input: z.strictObject({
    observations: some(z.strictObject({ entityName: schema.id, contents: some(schema.text) })),
  }),
  output: z.object({
    results: z.array(z.object({ entityName: z.string(), addedObservations: z.array(z.string()) })),
  }),
  rest: absent,
  mcp: { description: 'Add facts about entities that exist.' },
  cli: absent,
  handler: async (call, { observations }) => {
    const { entities } = await loadGraph(
      call,
      observations.map(({ entityName }) => entityName),
    )
    const known = new Map(entities.map((one) => [one.name, one.entityType]))
    const said = new Set(
      entities.flatMap(({ name, observations }) => observations.map((one) => observationKey(name, one))),
    )
    const items: ObservationItem[] = []
    const results = observations.map(({ entityName, contents }, index) => {
      const entityType = known.get(entityName)
      if (entityType === undefined) throw unknownEntity(entityName)
      const fresh = contents.filter((content, at) => {
        const item: ObservationItem = { kind: 'observation', entityName, entityType, content }
        checkItem(`observations[${index}].contents[${at}]`, item)
        if (said.has(itemId(item))) return false
        said.add(itemId(item))
        items.push(item)
        return true
      })
      return { entityName, addedObservations: fresh }
    })
    await addItems(call, items)
    return { results }
  },
})
