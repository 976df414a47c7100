/**
 * The nine tools of the reference memory server, with its names, arguments and answers, on the same memories as every
 * other door: what they add is searched and listed, and what they delete is gone.
 */
import { z } from 'zod'
import { notFound } from '../../../domain/errors.ts'
import { maskSecretsIn } from '../../../engine/secrets.ts'
import { type Call, operation } from '../../operations/operation.ts'
import * as schema from '../../operations/schemas.ts'
import { checkItems, entity, relation, some } from './input.ts'
import { GRAPH_TAG, type GraphItem, type ObservationItem, type RelationItem } from './items.ts'
import { type Graph, graphOf, partOf, readItems } from './read-graph.ts'
import { addItems, removeItems } from './write-graph.ts'

const subject = 'Graph'
const absent = { absent: 'Entities, observations and relations are memories; the routes of memories have them.' } as const
const MOST_FOUND = 50

const graph = z.object({ entities: z.array(entity), relations: z.array(relation) })
const done = z.object({ success: z.boolean(), message: z.string() })

async function loadGraph({ memory, userId, signal }: Call): Promise<Graph> {
  return graphOf(await readItems(memory, userId, signal))
}

function unknownEntity(name: string): Error {
  return notFound('entity', name, 'Look at read_graph, or make it with create_entities first.')
}

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
    const taken = new Set((await loadGraph(call)).entities.map(({ name }) => name))
    const created: typeof entities = []
    const items: { field: string; item: GraphItem }[] = []
    for (const [index, { name, entityType, observations }] of entities.entries()) {
      const field = `entities[${index}]`
      const contents = [...new Set(observations)]
      items.push({ field, item: { kind: 'entity', name, entityType } })
      for (const [at, content] of contents.entries())
        items.push({
          field: `${field}.observations[${at}]`,
          item: { kind: 'observation', entityName: name, entityType, content },
        })
      if (taken.has(name)) continue
      taken.add(name)
      created.push({ name, entityType, observations: contents })
    }
    checkItems(items)
    const names = new Set(created.map(({ name }) => name))
    const wanted = items.flatMap(({ item }) => (names.has(nameOf(item)) ? [item] : []))
    await addItems(call, withoutRepeats(wanted, created))
    return { entities: created }
  },
})

function nameOf(item: GraphItem): string {
  return item.kind === 'entity' ? item.name : item.kind === 'observation' ? item.entityName : item.from
}

/** Of an entity that a call names twice, only the first counts. */
function withoutRepeats(
  items: readonly GraphItem[],
  created: readonly { name: string; observations: string[] }[],
): readonly GraphItem[] {
  const seen = new Set<string>()
  const contents = new Map(created.map(({ name, observations }) => [name, new Set(observations)]))
  return items.filter((item) => {
    const key = item.kind === 'observation' ? JSON.stringify([item.entityName, item.content]) : nameOf(item)
    if (seen.has(key)) return false
    seen.add(key)
    return item.kind !== 'observation' || contents.get(item.entityName)?.has(item.content) === true
  })
}

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
    checkItems(items.map((item, index) => ({ field: `relations[${index}]`, item })))
    const known = await loadGraph(call)
    const names = new Set(known.entities.map(({ name }) => name))
    for (const { from, to } of items)
      for (const name of [from, to]) if (!names.has(name)) throw unknownEntity(name)
    const taken = new Set(known.relations.map(keyOf))
    const wanted = items.filter((item) => !taken.has(keyOf(item)) && taken.add(keyOf(item)))
    await addItems(call, wanted)
    return { relations: wanted.map(({ kind: _, ...one }) => one) }
  },
})

function keyOf({ from, to, relationType }: Omit<RelationItem, 'kind'>): string {
  return JSON.stringify([from, relationType, to])
}

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
    const entities = new Map((await loadGraph(call)).entities.map((one) => [one.name, one]))
    const items: { field: string; item: ObservationItem }[] = []
    for (const [index, { entityName, contents }] of observations.entries()) {
      const known = entities.get(entityName)
      if (known === undefined) throw unknownEntity(entityName)
      for (const [at, content] of contents.entries())
        items.push({
          field: `observations[${index}].contents[${at}]`,
          item: { kind: 'observation', entityName, entityType: known.entityType, content },
        })
    }
    checkItems(items)
    const seen = new Set<string>()
    const results = observations.map(({ entityName, contents }) => {
      const known = new Set(entities.get(entityName)?.observations)
      const isNew = (content: string): boolean => {
        const key = JSON.stringify([entityName, content])
        return !known.has(content) && !seen.has(key) && seen.add(key) !== undefined
      }
      return { entityName, addedObservations: contents.filter(isNew) }
    })
    await addItems(
      call,
      results.flatMap(({ entityName, addedObservations }) =>
        addedObservations.map((content): ObservationItem => {
          const { entityType = '' } = entities.get(entityName) ?? {}
          return { kind: 'observation', entityName, entityType, content }
        }),
      ),
    )
    return { results }
  },
})

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
    const there = new Set((await loadGraph(call)).entities.map(({ name }) => name))
    const names = new Set(entityNames)
    await removeItems(call, (item) =>
      item.kind === 'relation' ? names.has(item.from) || names.has(item.to) : names.has(nameOf(item)),
    )
    const missing = [...names].filter((name) => !there.has(name))
    if (missing.length === 0) return succeeded('Entities deleted successfully')
    return succeeded(`Deleted ${names.size - missing.length} of ${names.size} entities. Not found: ${missing.join(', ')}`)
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
        observations.map((content) => JSON.stringify([entityName, content])),
      ),
    )
    const removed = await removeItems(
      call,
      (item) => item.kind === 'observation' && meant.has(JSON.stringify([item.entityName, item.content])),
    )
    const gone = distinct(removed)
    if (gone === meant.size) return succeeded('Observations deleted successfully')
    return succeeded(`Deleted ${gone} of ${meant.size} observations. The rest matched nothing.`)
  },
})

/** How many different things these are: two processes may have stored one twice. */
function distinct(items: readonly GraphItem[]): number {
  return new Set(items.map((item) => JSON.stringify(item))).size
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
    const meant = new Set(relations.map(keyOf))
    const gone = distinct(await removeItems(call, (item) => item.kind === 'relation' && meant.has(keyOf(item))))
    if (gone === meant.size) return succeeded('Relations deleted successfully')
    return succeeded(`Deleted ${gone} of ${meant.size} relations. The rest matched nothing.`)
  },
})

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
  handler: async (call) => maskSecretsIn(await loadGraph(call)),
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
        await loadGraph(call),
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
    return partOf(await loadGraph(call), ({ name }) => wanted.has(name))
  },
})
