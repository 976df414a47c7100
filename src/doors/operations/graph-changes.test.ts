/** A look at the graph shows it as it is, whoever changed it. */
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../../test/support/folder.ts'
import { type OpenMemory, openMemory } from '../library/index.ts'
import { createEntities, type Graph, openNodes, readGraph, searchNodes } from './graph.ts'
import type { Call } from './operation.ts'

let now = new Date()

async function open(path: string): Promise<OpenMemory> {
  const memory = await openMemory({ path, clock: () => now })
  onTestFinished(() => memory.close())
  return memory
}

const entitiesIn = async (answer: unknown) => ((await answer) as Graph).entities
const callOf = (memory: OpenMemory, userId = 'ana'): Call => ({ memory, userId, isOperator: true })

async function withTwoCities() {
  now = new Date('2026-11-22T10:00:00Z')
  const path = freshDatabase('graph.db')
  const memory = await open(path)
  const call = callOf(memory)
  const entities = [
    { name: 'Ghent', entityType: 'city', observations: ['The brewery lies on the Leie.'] },
    { name: '敦煌', entityType: '城市', observations: ['沙洲夜市十点关门。'] },
  ]
  await createEntities.handler(call, { entities })
  return { memory, call, other: await open(path), graph: await readGraph.handler(call, {}), entities }
}

test('an addition, an edit of a text or of metadata alone, and a deletion by another process are seen at once', async () => {
  const { call, other } = await withTwoCities()
  const entity = { name: 'Lund', entityType: 'city', observations: [] }
  await createEntities.handler(callOf(other), { entities: [entity] })
  expect(await entitiesIn(searchNodes.handler(call, { query: 'lund' }))).toEqual([entity])
  const { items } = await other.getAll({ userId: 'ana' })
  const idOf = (text: string): string => items.find((one) => one.text === text)?.id ?? ''
  await other.update(idOf('沙洲夜市十点关门。'), { text: '沙洲夜市十一点关门。' }, { userId: 'ana' })
  expect((await entitiesIn(openNodes.handler(call, { names: ['敦煌'] })))[0]?.observations).toEqual([
    '沙洲夜市十一点关门。',
  ])
  const metadata = { graph: 'entity', name: 'Ghent', entity_type: 'harbour' }
  await other.update(idOf('Ghent (city)'), { metadata }, { userId: 'ana' })
  expect((await entitiesIn(openNodes.handler(call, { names: ['Ghent'] })))[0]?.entityType).toBe('harbour')
  await other.delete(idOf('The brewery lies on the Leie.'), { userId: 'ana' })
  expect(await entitiesIn(searchNodes.handler(call, { query: 'brewery' }))).toEqual([])
})

test('what holds until a certain time is not shown after it', async () => {
  const { memory, call } = await withTwoCities()
  const { items } = await memory.getAll({ userId: 'ana' })
  const brewery = items.find(({ text }) => text.includes('brewery'))?.id ?? ''
  await memory.update(brewery, { validTo: '2026-11-22T12:00:00Z' }, { userId: 'ana' })
  expect(await entitiesIn(searchNodes.handler(call, { query: 'brewery' }))).toHaveLength(1)
  now = new Date('2026-11-22T12:00:01Z')
  expect(await entitiesIn(searchNodes.handler(call, { query: 'brewery' }))).toEqual([])
})
