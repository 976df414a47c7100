/** read_graph, search_nodes, open_nodes: the graph or a part of it; secrets are masked but in nodes asked for by name. */

import { z } from 'zod'
import { check } from '../../../domain/checks.ts'
import { type MnemeError, notFound } from '../../../domain/errors.ts'
import { LIMITS } from '../../../domain/limits.ts'
import { breathe, everyItem } from '../../../domain/pieces.ts'
import { withoutMarks } from '../../../language/quoted-block.ts'
import { maskSecretsIn } from '../../../language/secrets/mask-secrets.ts'
import { queryTerms } from '../../../language/tokens.ts'
import type { MemoryView, OpenMemory } from '../../library/index.ts'
import { type Call, operationsOf } from '../operation.ts'
import * as schema from '../schemas.ts'

export const GRAPH_TAG = 'graphnote'

interface EntityItem {
  readonly kind: 'entity'
  readonly name: string
  readonly entityType: string
}

export interface ObservationItem {
  readonly kind: 'observation'
  readonly entityName: string
  /** Type of the entity, repeated here so that it survives the deletion of the entity's own memory. */
  readonly entityType: string
  readonly content: string
}

export interface RelationItem {
  readonly kind: 'relation'
  readonly from: string
  readonly to: string
  readonly relationType: string
}

export type GraphItem = EntityItem | ObservationItem | RelationItem

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

function itemOfMemory({ text, metadata }: MemoryView): GraphItem | null {
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

/** A key that is equal for equal items; entities are equal by name. Models name an item as it was shown to them. */
export function itemKey(item: GraphItem): string {
  if (item.kind === 'entity') return keyOf(item.kind, item.name)
  if (item.kind === 'observation') return keyOf(item.kind, item.entityName, item.content)
  return keyOf(item.kind, item.from, item.relationType, item.to)
}

function keyOf(...texts: readonly string[]): string {
  return JSON.stringify(texts.map(withoutMarks))
}

export function relationKey(relation: Omit<RelationItem, 'kind'>): string {
  return itemKey({ kind: 'relation', ...relation })
}

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

export function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(item).max(ENTRIES)
}

const name = schema.id.refine((value) => value.trim() !== '', {
  error: 'is empty',
  params: { remedy: 'Give it a name.' },
})
export const content = schema.text.superRefine(schema.checkedBy(check.content))

export const entity = z.strictObject({
  name,
  entityType: z
    .string()
    .max(LIMITS.idCharacters)
    .superRefine(schema.checkedBy((field, value) => check.text(field, value, { maxBytes: LIMITS.idCharacters * 4 }))),
  observations: listOf(content),
})
export const relation = z.strictObject({ from: name, to: name, relationType: name })

export const operation = operationsOf('Graph')

export function unknownEntity(name: string): MnemeError {
  return notFound('entity', name, 'Look at read_graph, or make it with create_entities first.')
}

export interface Entity {
  readonly name: string
  readonly entityType: string
  readonly observations: readonly string[]
}

type Relation = Omit<RelationItem, 'kind'>

export interface Graph {
  readonly entities: readonly Entity[]
  readonly relations: readonly Relation[]
}

export interface StoredItem {
  readonly item: GraphItem
  readonly memory: MemoryView
}

const READ_AT_ONCE = 500
/** Most repeated readings when memories change meanwhile. */
const MOST_READS = 10
/** Most names that are looked up one by one. */
const FEW_NAMES = 16

export interface ItemsWanted {
  /** Only entities and observations of these names, and relations that start at them. Default: all. */
  readonly names?: ReadonlySet<string> | undefined
  readonly signal?: AbortSignal | undefined
}

async function readItems(
  memory: OpenMemory,
  userId: string,
  { names, signal }: ItemsWanted,
): Promise<readonly StoredItem[]> {
  const stored = new Map<string, StoredItem>()
  const isMany = names === undefined || names.size > FEW_NAMES
  const filters = isMany ? [{ tag: GRAPH_TAG }] : [...names].map((who) => ({ tag: GRAPH_TAG, who }))
  for (const filter of filters)
    for await (const one of everyItem(async (page) => {
      await breathe(signal)
      return memory.getAll({ userId, filters: filter, revealSecrets: true, ...page })
    }, READ_AT_ONCE)) {
      const item = itemOfMemory(one)
      if (item !== null) stored.set(one.id, { item, memory: one })
    }
  return [...stored.values()].sort(
    (a, b) => compare(a.memory.createdAt, b.memory.createdAt) || positionOf(a.memory) - positionOf(b.memory),
  )
}

/** As `readItems`, at one revision; when writes never stop, the last reading with the revision before it. */
export async function readSnapshot(
  memory: OpenMemory,
  userId: string,
  wanted: ItemsWanted,
): Promise<{ readonly revision: number; readonly items: readonly StoredItem[] }> {
  for (let attempt = 1; ; attempt += 1) {
    const revision = await memory.revision({ userId })
    const items = await readItems(memory, userId, wanted)
    if (attempt === MOST_READS || (await memory.revision({ userId })) === revision) return { revision, items }
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function positionOf({ metadata }: MemoryView): number {
  return typeof metadata?.position === 'number' ? metadata.position : 0
}

export function graphOf(items: readonly StoredItem[]): Graph {
  const entities = new Map<string, { entityType: string; observations: Set<string> }>()
  const relations = new Map<string, Relation>()
  const entity = (name: string, entityType: string) => {
    const known = entities.get(name) ?? { entityType, observations: new Set<string>() }
    entities.set(name, known)
    return known
  }
  for (const { item } of items)
    if (item.kind === 'entity') entity(item.name, item.entityType)
    else if (item.kind === 'observation') entity(item.entityName, item.entityType).observations.add(item.content)
    else {
      const { kind: _, ...relation } = item
      relations.set(JSON.stringify([item.from, item.relationType, item.to]), relation)
    }
  return {
    entities: [...entities].map(([name, { entityType, observations }]) => {
      return { name, entityType, observations: [...observations] }
    }),
    relations: [...relations.values()],
  }
}

/** The chosen entities, and every relation with one of them at either end. */
export function partOf({ entities, relations }: Graph, isChosen: (entity: Entity) => boolean): Graph {
  const chosen = entities.filter(isChosen)
  const names = new Set(chosen.map(({ name }) => name))
  return { entities: chosen, relations: relations.filter(({ from, to }) => names.has(from) || names.has(to)) }
}

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
