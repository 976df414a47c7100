/** Adds items of a graph, all of a call or none of them, and removes items for good. */
import { randomUUID } from 'node:crypto'
import { MnemeError } from '../../../domain/errors.ts'
import { breathe } from '../../../domain/pieces.ts'
import type { Call } from '../operation.ts'
import { GRAPH_TAG, type GraphItem, memoryOfItem } from './items.ts'
import { readItems } from './read-graph.ts'

/** Adds those that are not there; which of them were new, in order. */
export async function addItems(call: Call, items: readonly GraphItem[]): Promise<readonly GraphItem[]> {
  const added: GraphItem[] = []
  const externalIds: string[] = []
  try {
    for (const [position, item] of items.entries()) {
      await breathe(call.signal)
      const externalId = await addItem(call, item, position)
      if (externalId !== null) {
        added.push(item)
        externalIds.push(externalId)
      }
      call.onProgress?.(position + 1, items.length)
    }
  } catch (error) {
    if (externalIds.length > 0) await removeByExternalId(call, externalIds)
    throw error instanceof MnemeError && error.code === 'aborted' ? stopped(error) : error
  }
  return added
}

/** The external id that it was stored under; null when it was there already. */
async function addItem({ memory, userId }: Call, item: GraphItem, position: number): Promise<string | null> {
  const { text, input } = memoryOfItem(item, position)
  const [first] = (await memory.add(text, { ...input, userId })).results
  if (first?.event !== 'NONE') return input.externalId
  const there = await memory.get(first.id, { userId })
  if (there.text === text && there.validTo === null && there.supersededBy === null) return null
  // What was stored under this id was edited or has ended since: it is said anew.
  const externalId = `${input.externalId}:${randomUUID()}`
  await memory.add(text, { ...input, externalId, userId })
  return externalId
}

function stopped(cause: MnemeError): MnemeError {
  return new MnemeError('aborted', 'The call was stopped; nothing of it was kept.', {
    remedy: 'Call again, with fewer items at once.',
    cause,
  })
}

/** Removes the items that are meant; which they were. `names`: whose they are, where that is known. */
export async function removeItems(
  call: Call,
  isMeant: (item: GraphItem) => boolean,
  names?: readonly string[],
): Promise<readonly GraphItem[]> {
  const wanted = { names: names && new Set(names), signal: call.signal }
  const meant = (await readItems(call.memory, call.userId, wanted)).filter(({ item }) => isMeant(item))
  const externalIds = meant.flatMap(({ memory }) => memory.externalId ?? [])
  if (externalIds.length > 0) await removeByExternalId(call, externalIds)
  for (const { memory } of meant)
    if (memory.externalId === null) await call.memory.delete(memory.id, { userId: call.userId })
  return meant.map(({ item }) => item)
}

async function removeByExternalId({ memory, userId }: Call, externalIds: readonly string[]): Promise<void> {
  await memory.deleteAll({ userId, filters: { tag: GRAPH_TAG, externalId: { in: externalIds } } })
}
