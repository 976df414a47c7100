/** Calls that change one graph at the same time, from one process or two, come one after the other; none is done by half. */
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from '../../../test/support/folder.ts'
import { type OpenMemory, openMemory } from '../library/index.ts'
import { addObservations, createEntities, createRelations, deleteEntities, type Graph, readGraph } from './graph.ts'
import type { AnyOperation, Call } from './operation.ts'

const NOW = new Date('2026-05-07T10:00:00Z')

interface Client {
  readonly memory: OpenMemory
  do(operation: AnyOperation, input: Record<string, unknown>, how?: Partial<Call>): Promise<unknown>
  graph(): Promise<Graph>
}

async function client(path: string): Promise<Client> {
  const memory = await openMemory({ path, clock: () => NOW, userId: 'ana' })
  onTestFinished(() => memory.close())
  const call: Call = { memory, userId: 'ana', isOperator: true }
  return {
    memory,
    do: (operation, input, how) => operation.handler({ ...call, ...how }, input),
    graph: async () => (await readGraph.handler(call, {})) as Graph,
  }
}

/** Two on one file, as two processes are, or one twice. */
async function pair(kind: string): Promise<readonly [Client, Client]> {
  const path = freshDatabase('graph.db')
  const first = await client(path)
  return [first, kind === 'one connection' ? first : await client(path)]
}

const entity = (name: string, entityType: string, ...observations: string[]) => ({ name, entityType, observations })

test.each(['one connection', 'two connections'])('%s: of two that make one entity one makes it', async (kind) => {
  const [a, b] = await pair(kind)
  for (let round = 0; round < 10; round += 1) {
    const name = `赛跑 ${round}`
    const wanted = [entity(name, 'A', 'a1', 'a2'), entity(name, 'B', 'b1', 'b2')]
    const answers = await Promise.all([
      a.do(createEntities, { entities: [wanted[0]] }),
      b.do(createEntities, { entities: [wanted[1]] }),
    ])
    const made = answers.flatMap((answer) => (answer as Graph).entities)
    expect(made).toHaveLength(1)
    expect((await a.graph()).entities.filter((one) => one.name === name)).toEqual(made)
  }
})

test.each(['one connection', 'two connections'])(
  '%s: no relation stays that leads to what was deleted beside it',
  async (kind) => {
    const [a, b] = await pair(kind)
    const relations = [{ from: 'Ana', to: 'Race', relationType: 'knows' }]
    for (let round = 0; round < 10; round += 1) {
      await a.do(createEntities, { entities: [entity('Ana', 'person'), entity('Race', 'event')] })
      const [related] = await Promise.allSettled([
        b.do(createRelations, { relations }),
        a.do(deleteEntities, { entityNames: ['Race'] }),
      ])
      if (related?.status === 'rejected') expect(String(related.reason)).toContain('No entity "Race"')
      expect(await a.graph()).toEqual({ entities: [entity('Ana', 'person')], relations: [] })
    }
  },
)

test.each(['one connection', 'two connections'])('%s: what one call says stays together and in order', async (kind) => {
  const [a, b] = await pair(kind)
  await a.do(createEntities, { entities: [entity('Ana', 'person')] })
  const contents = (who: string) => Array.from({ length: 60 }, (_, at) => `${who} ${at}`)
  const add = (one: Client, who: string) =>
    one.do(addObservations, { observations: [{ entityName: 'Ana', contents: contents(who) }] })
  await Promise.all([add(a, 'first'), add(b, '第二'), add(a, 'third')])
  const { observations = [] } = (await b.graph()).entities[0] ?? {}
  const order = [...new Set(observations.map((text) => text.split(' ')[0] ?? ''))]
  expect(observations).toEqual(order.flatMap(contents))
})

test('a call that is cancelled while it is made ready leaves nothing, and nobody was told of any of it', async () => {
  const [a, b] = await pair('two connections')
  const stopping = new AbortController()
  const observations = Array.from({ length: 300 }, (_, at) => `Counts to ${at}`)
  let other: Promise<unknown> = Promise.resolve()
  const call = a.do(
    createEntities,
    { entities: [entity('Counter', 'machine', ...observations)] },
    {
      signal: stopping.signal,
      onProgress: () => {
        other = b.do(createEntities, { entities: [entity('Counter', 'person', 'Counts sheep')] })
        stopping.abort()
      },
    },
  )
  await expect(call).rejects.toThrow('nothing of it was kept')
  expect(await other).toEqual({ entities: [entity('Counter', 'person', 'Counts sheep')] })
  expect((await a.graph()).entities).toEqual([entity('Counter', 'person', 'Counts sheep')])
})

test('a long call tells how far it is, never less than before', async () => {
  const [a] = await pair('one connection')
  const told: number[] = []
  const observations = Array.from({ length: 300 }, (_, at) => `Counts to ${at}`)
  await a.do(
    createEntities,
    { entities: [entity('Counter', 'machine', ...observations)] },
    { onProgress: (done, total) => told.push(done / (total ?? 1)) },
  )
  expect(told.length).toBeGreaterThan(3)
  expect(told.at(-1)).toBe(1)
  expect(told).toEqual([...told].sort((x, y) => x - y))
})

test('what was taken out of the graph from outside can be added again', async () => {
  const [a] = await pair('one connection')
  await a.do(createEntities, { entities: [entity('Bob', 'person', 'plays chess', '会下棋')] })
  for (const { id, text } of (await a.memory.getAll()).items)
    if (text !== 'Bob (person)') await a.memory.update(id, { tags: [] })
  expect((await a.graph()).entities).toEqual([entity('Bob', 'person')])
  const observations = [{ entityName: 'Bob', contents: ['plays chess', '会下棋'] }]
  expect(await a.do(addObservations, { observations })).toEqual({
    results: [{ entityName: 'Bob', addedObservations: ['plays chess', '会下棋'] }],
  })
  expect((await a.graph()).entities).toEqual([entity('Bob', 'person', 'plays chess', '会下棋')])
})

test('a call of more than a transaction should hold is refused as a whole', async () => {
  const [a] = await pair('one connection')
  const entities = Array.from({ length: 101 }, (_, at) =>
    entity(`Entity ${at}`, 'thing', ...Array.from({ length: 99 }, (_, of) => `Fact ${of} of ${at}`)),
  )
  await expect(a.do(createEntities, { entities })).rejects.toThrow('at most 10000')
  expect((await a.graph()).entities).toEqual([])
})
