/** The knowledge graph of the reference memory server: each entity, observation and relation of it is one memory. */
import { z } from 'zod'
import { check } from '../../domain/checks.ts'
import { invalid, MnemeError, notFound } from '../../domain/errors.ts'
import { LIMITS } from '../../domain/limits.ts'
import { breathe } from '../../domain/scheduling.ts'
import { withoutMarks } from '../../language/quoted-block.ts'
import { maskSecretsIn } from '../../language/secrets/mask-secrets.ts'
import { queryTerms } from '../../language/terms.ts'
import type { MemoryView } from '../library/index.ts'
import { documents } from '../library/tool-documents.ts'
import { type Call, operationsOf } from './operation.ts'
import * as schema from './schemas.ts'

const operation = operationsOf('Graph')
const TAG = 'graphnote'
/** Entries of a list. A whole call is bounded by the size of its message. */
const listOf = <Item extends z.ZodType>(item: Item) => z.array(item).max(1000)
const name = schema.id.refine((value) => value.trim() !== '', {
  error: 'is empty',
  params: { remedy: 'Give it a name.' },
})
const content = schema.text.superRefine(schema.checkedBy(check.content))
const type = z
  .string()
  .max(LIMITS.idCharacters)
  .superRefine(schema.checkedBy((field, value) => check.text(field, value, { maxBytes: LIMITS.idCharacters * 4 })))
const entity = z.strictObject({ name, entityType: type, observations: listOf(content) })
const relation = z.strictObject({ from: name, to: name, relationType: name })
const graph = z.object({ entities: z.array(entity), relations: z.array(relation) })

type Entity = z.output<typeof entity>
type Relation = z.output<typeof relation>
export type Graph = z.output<typeof graph>
/** An observation repeats the type of its entity, so that it survives the deletion of the entity's own memory. */
type Item =
  | { readonly kind: 'entity'; readonly name: string; readonly entityType: string }
  | { readonly kind: 'observation'; readonly name: string; readonly entityType: string; readonly content: string }
  | ({ readonly kind: 'relation' } & Readonly<Relation>)

function memoryOf(item: Item, position: number) {
  const tags = [TAG]
  if (item.kind === 'relation') {
    const { kind, from, to, relationType } = item
    const metadata = { graph: kind, from, to, relation_type: relationType, position }
    return {
      text: `${from} ${relationType.replaceAll('_', ' ')} ${to}`,
      tags,
      who: from,
      key: relationType,
      value: to,
      metadata,
    }
  }
  const { kind, name, entityType: entity_type } = item
  if (kind === 'observation')
    return { text: item.content, tags, who: name, metadata: { graph: kind, entity: name, entity_type, position } }
  const text = entity_type === '' ? name : `${name} (${entity_type})`
  return { text, tags, who: name, metadata: { graph: kind, name, entity_type, position } }
}

const words = z.string()
const entity_type = z.string().catch('')
/** The item of a memory, from its metadata and its text. */
const STORED = z.discriminatedUnion('graph', [
  z
    .object({ graph: z.literal('entity'), name: words, entity_type })
    .transform(({ graph: kind, name, entity_type: entityType }): Item => ({ kind, name, entityType })),
  z
    .object({ graph: z.literal('observation'), entity: words, entity_type, text: words })
    .transform(({ graph: kind, entity: name, entity_type: entityType, text: content }): Item => {
      return { kind, name, entityType, content }
    }),
  z
    .object({ graph: z.literal('relation'), from: words, to: words, relation_type: words })
    .transform(({ graph: kind, from, to, relation_type: relationType }): Item => ({ kind, from, to, relationType })),
])

interface StoredItem {
  readonly item: Item
  readonly memory: MemoryView
}

/** The user's items, oldest first. */
async function readItems({ memory, userId, signal }: Call): Promise<readonly StoredItem[]> {
  const all = await documents(memory, userId, signal).read({ tag: TAG })
  const order = ({ memory: { createdAt, metadata } }: StoredItem) =>
    [createdAt, Number(metadata?.position) || 0] as const
  return all
    .flatMap((one) => {
      const { success, data } = STORED.safeParse({ ...one.metadata, text: one.text })
      return success ? [{ item: data, memory: one }] : []
    })
    .sort((a, b) => {
      const [[before, first], [after, second]] = [order(a), order(b)]
      return before === after ? first - second : before < after ? -1 : 1
    })
}

/** Equal for equal items. Models name an item as it was shown to them. */
function keyOf(item: Item): string {
  const { kind } = item
  const told = kind === 'relation' ? [item.from, item.relationType, item.to] : [item.name]
  return JSON.stringify([kind, ...told, ...(kind === 'observation' ? [item.content] : [])].map(withoutMarks))
}

const relationKey = (one: Relation): string => keyOf({ kind: 'relation', ...one })
const observationKey = (name: string, content: string): string =>
  keyOf({ kind: 'observation', name, entityType: '', content })

/** Entities by name, also those of which only observations are there. */
function entitiesOf(items: readonly StoredItem[]): ReadonlyMap<string, Entity> {
  const entities = new Map<string, Entity>()
  for (const { item } of items) {
    if (item.kind === 'relation') continue
    const known = entities.get(item.name) ?? { name: item.name, entityType: item.entityType, observations: [] }
    entities.set(item.name, known)
    if (item.kind === 'observation' && !known.observations.includes(item.content)) known.observations.push(item.content)
  }
  return entities
}

/** The chosen entities, and every relation with one of them at either end. */
async function readPart(call: Call, isChosen: (entity: Entity) => boolean): Promise<Graph> {
  const items = await readItems(call)
  const entities = [...entitiesOf(items).values()].filter(isChosen)
  const names = new Set(entities.map(({ name }) => name))
  const relations = new Map<string, Relation>()
  for (const { item } of items) {
    if (item.kind !== 'relation' || !(names.has(item.from) || names.has(item.to))) continue
    const { kind: _, ...one } = item
    relations.set(JSON.stringify(one), one)
  }
  return { entities, relations: [...relations.values()] }
}

/** Most items in one transaction, which blocks others: 10,000 short items take half a second. */
const MOST_ADDED = LIMITS.turnsPerCall
/** Items removed in one transaction: removing is slower than adding. */
const REMOVED_AT_ONCE = 1000
/** Items made ready between two checks for cancellation. */
const READY_AT_ONCE = 50

interface Plan<Answer> {
  readonly add?: readonly Item[]
  readonly remove?: readonly StoredItem[]
  readonly answer: Answer
}

/** Carries out a plan for the items in one transaction; after a concurrent change, anew. */
async function changeGraph<Answer>(call: Call, plan: (items: readonly StoredItem[]) => Plan<Answer>): Promise<Answer> {
  const { memory, userId, signal, onProgress } = call
  let told = 0
  const tell = (done: number, total: number): void => {
    if (done > told) onProgress?.(done, total)
    told = Math.max(told, done)
  }
  let total = 0
  try {
    const done = await documents(memory, userId, signal).change(async (revision) => {
      const { add = [], remove = [], answer } = plan(await readItems(call))
      total = add.length + remove.length
      if (add.length > MOST_ADDED)
        throw invalid('input', `adds ${add.length} things; at most ${MOST_ADDED} are taken`, 'Make several calls.')
      const planned = []
      for (const [index, item] of add.entries()) {
        if (index > 0 && index % READY_AT_ONCE === 0) {
          tell(index, total)
          await breathe(signal)
        }
        // Behind all that is there: every memory raises the revision by one.
        planned.push(memoryOf(item, revision + index))
      }
      return { add: planned, remove: remove.map((one) => one.memory), answer }
    })
    tell(total, total)
    return done
  } catch (error) {
    if (!(error instanceof MnemeError) || error.code !== 'aborted') throw error
    const details = { remedy: 'Call again, with fewer items at once.', cause: error }
    throw new MnemeError('aborted', 'The call was stopped; nothing of it was kept.', details)
  }
}

function unknownEntity(name: string): MnemeError {
  return notFound('entity', name, 'Look at read_graph, or make it with create_entities first.')
}

export const createEntities = operation({
  effect: 'write',
  input: z.strictObject({ entities: listOf(entity) }),
  output: z.object({ entities: z.array(entity) }),
  mcp: { description: 'Add entities (people, projects …) to the knowledge graph.' },
  handler: (call, { entities }) =>
    changeGraph(call, (items) => {
      const taken = new Set(entitiesOf(items).keys())
      const fresh = entities
        .filter(({ name }) => !taken.has(name) && taken.add(name))
        .map((one) => ({ ...one, observations: [...new Set(one.observations)] }))
      const add = fresh.flatMap(({ observations, ...own }): readonly Item[] => [
        { kind: 'entity', ...own },
        ...observations.map((content) => ({ kind: 'observation', ...own, content }) as const),
      ])
      return { add, answer: { entities: fresh } }
    }),
})

export const createRelations = operation({
  effect: 'write',
  input: z.strictObject({ relations: listOf(relation) }),
  output: z.object({ relations: z.array(relation) }),
  mcp: { description: 'Relate entities, in active voice (from: Ana, relationType: works_at, to: Acme).' },
  handler: (call, { relations }) =>
    changeGraph(call, (items) => {
      const known = entitiesOf(items)
      for (const one of relations.flatMap(({ from, to }) => [from, to])) if (!known.has(one)) throw unknownEntity(one)
      const taken = new Set(items.map(({ item }) => keyOf(item)))
      const fresh = relations.filter((one) => !taken.has(relationKey(one)) && taken.add(relationKey(one)))
      return { add: fresh.map((one) => ({ kind: 'relation', ...one })), answer: { relations: fresh } }
    }),
})

export const addObservations = operation({
  effect: 'write',
  input: z.strictObject({
    observations: listOf(z.strictObject({ entityName: schema.id, contents: listOf(content) })),
  }),
  output: z.object({
    results: z.array(z.object({ entityName: z.string(), addedObservations: z.array(z.string()) })),
  }),
  mcp: { description: 'Add facts about entities that exist.' },
  handler: (call, { observations }) =>
    changeGraph(call, (items) => {
      const known = entitiesOf(items)
      const taken = new Set(items.map(({ item }) => keyOf(item)))
      const add: Item[] = []
      const results = observations.map(({ entityName, contents }) => {
        const own = known.get(entityName)
        if (own === undefined) throw unknownEntity(entityName)
        const addedObservations = contents.filter((content) => {
          const key = observationKey(entityName, content)
          return !taken.has(key) && taken.add(key)
        })
        const { name, entityType } = own
        add.push(...addedObservations.map((content) => ({ kind: 'observation', name, entityType, content }) as const))
        return { entityName, addedObservations }
      })
      return { add, answer: { results } }
    }),
})

const done = z.object({ success: z.boolean(), message: z.string() })
/** Relations are removed before the entities that they connect. */
const ORDER: readonly Item['kind'][] = ['relation', 'observation', 'entity']

/** Removes the items that are meant, some at a time, and gives `keysOf` of those that were there. */
async function removeItems(
  call: Call,
  isMeant: (item: Item) => boolean,
  keysOf: (item: Item) => readonly string[],
): Promise<ReadonlySet<string>> {
  const { onProgress, ...quietly } = call
  const found = new Set<string>()
  for (let removed = 0; ; ) {
    const { part, left } = await changeGraph(quietly, (items) => {
      const meant = items
        .filter(({ item }) => isMeant(item))
        .sort((a, b) => ORDER.indexOf(a.item.kind) - ORDER.indexOf(b.item.kind))
      const remove = meant.slice(0, REMOVED_AT_ONCE)
      return { remove, answer: { part: remove, left: meant.length - remove.length } }
    })
    for (const key of part.flatMap(({ item }) => keysOf(item))) found.add(key)
    removed += part.length
    onProgress?.(removed, removed + left)
    if (left === 0) return found
  }
}

function succeeded(what: string, gone: number, wanted: number, otherwise = 'The rest matched nothing.') {
  const partly = `Deleted ${gone} of ${wanted} ${what.toLowerCase()}. ${otherwise}`
  return { success: true, message: gone === wanted ? `${what} deleted successfully` : partly }
}

async function removeByKey(call: Call, what: string, keys: readonly string[]) {
  const meant = new Set(keys)
  const found = await removeItems(
    call,
    (item) => meant.has(keyOf(item)),
    (item) => [keyOf(item)],
  )
  return succeeded(what, found.size, meant.size)
}

export const deleteEntities = operation({
  effect: 'delete',
  input: z.strictObject({ entityNames: listOf(schema.id) }),
  output: done,
  mcp: { description: 'Delete entities with their facts and relations, for good.' },
  handler: async (call, { entityNames }) => {
    const names = new Set(entityNames.map(withoutMarks))
    const isNamed = (name: string): boolean => names.has(withoutMarks(name))
    const found = await removeItems(
      call,
      (item) => (item.kind === 'relation' ? isNamed(item.from) || isNamed(item.to) : isNamed(item.name)),
      (item) => (item.kind === 'relation' ? [] : [withoutMarks(item.name)]),
    )
    const missing = [...names].filter((name) => !found.has(name))
    return succeeded('Entities', found.size, names.size, `Not found: ${missing.join(', ')}`)
  },
})

export const deleteObservations = operation({
  effect: 'delete',
  input: z.strictObject({
    deletions: listOf(z.strictObject({ entityName: schema.id, observations: listOf(schema.text) })),
  }),
  output: done,
  mcp: { description: 'Delete facts of entities, word for word, for good.' },
  handler: (call, { deletions }) => {
    const keys = deletions.flatMap((one) => one.observations.map((text) => observationKey(one.entityName, text)))
    return removeByKey(call, 'Observations', keys)
  },
})

export const deleteRelations = operation({
  effect: 'delete',
  input: z.strictObject({ relations: listOf(relation) }),
  output: done,
  mcp: { description: 'Delete relations for good.' },
  handler: (call, { relations }) => removeByKey(call, 'Relations', relations.map(relationKey)),
})

export const readGraph = operation({
  effect: 'read',
  output: graph,
  mcp: { description: 'The whole knowledge graph.' },
  handler: async (call) => maskSecretsIn(await readPart(call, () => true)),
})

/** A single Han character, which is ignored where the query has whole words. */
const ONE_CHARACTER = /^\p{Script=Han}$/u

export const searchNodes = operation({
  effect: 'read',
  input: z.strictObject({ query: schema.query }),
  output: graph,
  mcp: { description: 'Find entities by words.' },
  handler: async (call, { query }) => {
    const { results } = await call.memory.search(query, {
      userId: call.userId,
      filters: { tag: TAG, 'metadata.graph': { in: ['entity', 'observation'] } },
      limit: 50,
      explain: true,
      revealSecrets: true,
    })
    const terms = queryTerms(query)
    const words = terms.filter((term) => !ONE_CHARACTER.test(term))
    const asked = new Set(words.length > 0 ? words : terms)
    // Other results match only by meaning or association.
    const said = results.filter(({ explanation }) => explanation?.matched.some((term) => asked.has(term)))
    const found = new Set(said.map(({ metadata }) => metadata?.name ?? metadata?.entity))
    const wanted = query.toLowerCase()
    const says = (text: string): boolean => text.toLowerCase().includes(wanted)
    const isChosen = ({ name, entityType, observations }: Entity): boolean =>
      found.has(name) || [name, entityType, ...observations].some(says)
    return maskSecretsIn(await readPart(call, isChosen))
  },
})

/** Secrets are as they are in what is asked for by name. */
export const openNodes = operation({
  effect: 'read',
  input: z.strictObject({ names: listOf(schema.id) }),
  output: graph,
  mcp: { description: 'Entities by name, with their relations.' },
  handler: (call, { names }) => readPart(call, ({ name }) => names.includes(name)),
})
