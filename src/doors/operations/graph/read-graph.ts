/** Builds the graph of a user from its memories, each entity and relation once, oldest first. */
import { breathe } from '../../../domain/pieces.ts'
import type { MemoryView, OpenMemory } from '../../library/index.ts'
import { GRAPH_TAG, type GraphItem, itemOfMemory, type RelationItem } from './items.ts'

/** An entity with all its observations, in the shape of the reference memory server. */
export interface Entity {
  readonly name: string
  readonly entityType: string
  readonly observations: readonly string[]
}

/** A relation in the shape of the reference memory server. */
type Relation = Omit<RelationItem, 'kind'>

/** A graph, or a part of one. */
export interface Graph {
  readonly entities: readonly Entity[]
  readonly relations: readonly Relation[]
}

/** An item and its memory. */
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

/** The items of the user, oldest first. Secrets are unmasked, so the caller must mask them. */
async function readItems(
  memory: OpenMemory,
  userId: string,
  { names, signal }: ItemsWanted = {},
): Promise<readonly StoredItem[]> {
  const stored = new Map<string, StoredItem>()
  const filters: { tag: string; who?: string }[] =
    names === undefined || names.size > FEW_NAMES
      ? [{ tag: GRAPH_TAG }]
      : [...names].map((who) => ({ tag: GRAPH_TAG, who }))
  for (const filter of filters)
    for await (const one of pages(memory, userId, filter, signal)) {
      const item = itemOfMemory(one)
      if (item !== null) stored.set(one.id, { item, memory: one })
    }
  return [...stored.values()].sort(
    (a, b) => compare(a.memory.createdAt, b.memory.createdAt) || positionOf(a.memory) - positionOf(b.memory),
  )
}

/**
 * As `readItems`, at one revision, which is returned: writes between pages move items, so it reads again. When writes
 * never stop, gives the last reading with the revision before it.
 */
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

async function* pages(
  memory: OpenMemory,
  userId: string,
  filters: object,
  signal: AbortSignal | undefined,
): AsyncGenerator<MemoryView> {
  for (let offset = 0; ; offset += READ_AT_ONCE) {
    const page = { limit: READ_AT_ONCE, offset }
    const { items } = await memory.getAll({ userId, filters, revealSecrets: true, ...page })
    yield* items
    if (items.length < READ_AT_ONCE) return
    await breathe(signal)
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function positionOf({ metadata }: MemoryView): number {
  return typeof metadata?.position === 'number' ? metadata.position : 0
}

/** The graph that the items make. */
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
