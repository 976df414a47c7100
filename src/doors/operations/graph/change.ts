/** Tools that change a graph: all items are checked first, then all or none are written. Deletion is permanent. */
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { invalid, MnemeError } from '../../../domain/errors.ts'
import { LIMITS } from '../../../domain/limits.ts'
import { breathe, inTurns } from '../../../domain/pieces.ts'
import { withoutMarks } from '../../../language/quoted-block.ts'
import type { Call } from '../operation.ts'
import * as schema from '../schemas.ts'
import {
  content,
  entity,
  type GraphItem,
  graphOf,
  itemKey,
  listOf,
  memoryOfItem,
  type ObservationItem,
  observationKey,
  operation,
  ownerOf,
  type RelationItem,
  readSnapshot,
  relation,
  relationKey,
  type StoredItem,
  unknownEntity,
} from './look.ts'

export const createEntities = operation({
  name: 'create_entities',
  effect: 'write',
  input: z.strictObject({ entities: listOf(entity) }),
  output: z.object({ entities: z.array(entity) }),
  mcp: { description: 'Add entities (people, projects …) to the knowledge graph.' },
  handler: async (call, { entities }) => {
    const wanted = entities.map((one) => ({ ...one, observations: [...new Set(one.observations)] }))
    const parts = wanted.map(({ name, entityType, observations }): readonly GraphItem[] => [
      { kind: 'entity', name, entityType },
      ...observations.map((content) => ({ kind: 'observation', entityName: name, entityType, content }) as const),
    ])
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
  effect: 'write',
  input: z.strictObject({ relations: listOf(relation) }),
  output: z.object({ relations: z.array(relation) }),
  mcp: { description: 'Relate entities, in active voice (from: Ana, relationType: works_at, to: Acme).' },
  handler: async (call, { relations }) => {
    const items = relations.map((one): RelationItem => ({ kind: 'relation', ...one }))
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
  effect: 'write',
  input: z.strictObject({
    observations: listOf(z.strictObject({ entityName: schema.id, contents: listOf(content) })),
  }),
  output: z.object({
    results: z.array(z.object({ entityName: z.string(), addedObservations: z.array(z.string()) })),
  }),
  mcp: { description: 'Add facts about entities that exist.' },
  handler: async (call, { observations }) => {
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

const done = z.object({ success: z.boolean(), message: z.string() })

export const deleteEntities = operation({
  name: 'delete_entities',
  effect: 'delete',
  input: z.strictObject({ entityNames: listOf(schema.id) }),
  output: done,
  mcp: { description: 'Delete entities with their facts and relations, for good.' },
  handler: async (call, { entityNames }) => {
    const names = new Set(entityNames.map(withoutMarks))
    const isNamed = (name: string): boolean => names.has(withoutMarks(name))
    const removed = await removeItems(call, null, (item) =>
      item.kind === 'relation' ? isNamed(item.from) || isNamed(item.to) : isNamed(ownerOf(item)),
    )
    const found = new Set(removed.flatMap((item) => (item.kind === 'relation' ? [] : [withoutMarks(ownerOf(item))])))
    const missing = [...names].filter((name) => !found.has(name))
    return succeeded('Entities', found.size, names.size, `Not found: ${missing.join(', ')}`)
  },
})

/** Items removed in one transaction. Removing is slower than adding: 1,000 items block others for half a second. */
const REMOVED_AT_ONCE = 1000
/** Relations are removed before the entities that they connect. */
const ORDER: readonly GraphItem['kind'][] = ['relation', 'observation', 'entity']

/** Removes the matching items of `names` (null: of all), beyond 1,000 in several transactions, and resolves to them. */
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

/** null: a name was shown with invisible marks, so that it is stored otherwise. */
function asStored(names: readonly string[]): readonly string[] | null {
  return names.some((name) => name.includes('\u200b')) ? null : names
}

function succeeded(what: string, gone: number, wanted: number, otherwise = 'The rest matched nothing.') {
  const partly = `Deleted ${gone} of ${wanted} ${what.toLowerCase()}. ${otherwise}`
  return { success: true, message: gone === wanted ? `${what} deleted successfully` : partly }
}

export const deleteObservations = operation({
  name: 'delete_observations',
  effect: 'delete',
  input: z.strictObject({
    deletions: listOf(z.strictObject({ entityName: schema.id, observations: listOf(schema.text) })),
  }),
  output: done,
  mcp: { description: 'Delete facts of entities, word for word, for good.' },
  handler: async (call, { deletions }) => {
    const keys = deletions.map(({ entityName, observations }) =>
      observations.map((one) => observationKey(entityName, one)),
    )
    const meant = new Set(keys.flat())
    const names = deletions.map(({ entityName }) => entityName)
    const removed = await removeItems(
      call,
      asStored(names),
      (item) => item.kind === 'observation' && meant.has(observationKey(item.entityName, item.content)),
    )
    return succeeded('Observations', distinct(removed), meant.size)
  },
})

function distinct(items: readonly GraphItem[]): number {
  return new Set(items.map(itemKey)).size
}

export const deleteRelations = operation({
  name: 'delete_relations',
  effect: 'delete',
  input: z.strictObject({ relations: listOf(relation) }),
  output: done,
  mcp: { description: 'Delete relations for good.' },
  handler: async (call, { relations }) => {
    const meant = new Set(relations.map(relationKey))
    const names = relations.map(({ from }) => from)
    const removed = await removeItems(
      call,
      asStored(names),
      (item) => item.kind === 'relation' && meant.has(relationKey(item)),
    )
    return succeeded('Relations', distinct(removed), meant.size)
  },
})

interface GraphPlan<Answer> {
  readonly add?: readonly GraphItem[]
  readonly remove?: readonly StoredItem[]
  readonly answer: Answer
}

/** Most attempts when others write in between; the waits add up to some seconds. */
const MOST_ATTEMPTS = 100
/** Longest wait in milliseconds; waits are random, so that two processes do not collide again. */
const LONGEST_WAIT = 100
/** Items prepared between two checks for cancellation. */
const READY_AT_ONCE = 50
/** Most items in one transaction, which blocks others: 10,000 short items take half a second. */
const MOST_ADDED = LIMITS.turnsPerCall

/** Runs a user's calls one after another, since concurrent plans would have to be repeated. */
const inTurn = inTurns()

/** Carries out the plan for the items of `names` (null: of all) in one transaction; after a concurrent change, again. */
function changeGraph<Answer>(
  call: Call,
  names: readonly string[] | null,
  plan: (items: readonly StoredItem[]) => GraphPlan<Answer>,
): Promise<Answer> {
  const { memory, userId, signal } = call
  return inTurn(memory, userId, async () => {
    const tell = forward(call)
    for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
      try {
        if (attempt > 0) await setTimeout(Math.random() * Math.min(attempt * 4, LONGEST_WAIT))
        await breathe(signal)
        const wanted = { ...(names === null ? {} : { names: new Set(names) }), signal }
        const { revision: expectedRevision, items } = await readSnapshot(memory, userId, wanted)
        const { add = [], remove = [], answer } = plan(items)
        const total = add.length + remove.length
        if (total === 0) return answer
        if (add.length > MOST_ADDED)
          throw invalid('input', `adds ${add.length} things; at most ${MOST_ADDED} are taken`, 'Make several calls.')
        const planned = await memoriesOf(add, expectedRevision, signal, (ready) => tell(ready, total))
        // The last point at which a cancellation is noticed.
        await breathe(signal)
        const ids = remove.map((one) => one.memory.id)
        if (await memory.write({ userId, expectedRevision, add: planned, remove: ids })) {
          tell(total, total)
          return answer
        }
      } catch (error) {
        if (!(error instanceof MnemeError) || error.code !== 'aborted') throw error
        const details = { remedy: 'Call again, with fewer items at once.', cause: error }
        throw new MnemeError('aborted', 'The call was stopped; nothing of it was kept.', details)
      }
    }
    throw new MnemeError('conflict', 'Others changed the memories all the time; nothing was written.', {
      remedy: 'Call again in a moment.',
    })
  })
}

/** The memories of added items, placed behind all existing ones: every memory raises the revision by one. */
async function memoriesOf(
  items: readonly GraphItem[],
  revision: number,
  signal: AbortSignal | undefined,
  tell: (ready: number) => void,
) {
  const memories = []
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % READY_AT_ONCE === 0) {
      tell(index)
      await breathe(signal)
    }
    memories.push(memoryOfItem(item, revision + index))
  }
  return memories
}

function forward({ onProgress }: Call): (done: number, total: number) => void {
  let told = 0
  return (done, total) => {
    if (done <= told) return
    told = done
    onProgress?.(done, total)
  }
}
